import { fileURLToPath } from "node:url"
import { describe, expect, scoped } from "../It.ts"
import { sluice } from "./Console.ts"
import { folderOf } from "./Project.ts"

const quickstart = fileURLToPath(new URL("../../pipelines/quickstart.yaml", import.meta.url))

const definition = `version: 1
name: end
steps:
  - id: plan
    crawlPreview: { url: https://example.com/, prompt: "\\"all\\" of [it]" }
  - id: end
    crawl: { params: "\${{ steps.plan.output }}", limit: 5 }
  - where: metadata."a b" = 'x'
  - id: written
    write: { jsonl: a.jsonl }
  - from: end
    select: { url: url, größe: bytes }
  - after: [written]
    urls: [https://example.com/a]
  - write: { csv: b.csv }
`

describe("sluice graph", () => {
  scoped("draws sources, steps, values and sinks with branches, waits and values", function* () {
    const path = yield* folderOf({ "p.yaml": definition })
    const { code, err, out } = yield* sluice(["graph", `${path}/p.yaml`])
    expect([code, err]).toEqual([0, ""])
    expect(out).toBe(`---
title: "end"
---
flowchart LR
  n0>"plan#58; crawlPreview<br/>url#58; https#58;//example.com/"]
  n1(["end#58; crawl<br/>params#58; #36;#123;#123; steps.plan.output #125;#125;"])
  n2["where<br/>metadata.#34;a b#34; = #39;x#39;"]
  n3[("written#58; write<br/>jsonl#58; a.jsonl")]
  n4["select<br/>url, größe"]
  n5(["urls<br/>https#58;//example.com/a"])
  n6[("write<br/>csv#58; b.csv")]
  n0 -- "value" --> n1
  n1 --> n2
  n2 --> n3
  n1 --> n4
  n3 -. "after" .-> n5
  n5 --> n6
  linkStyle 0 stroke-dasharray:6 4
`)
  })

  scoped("gives Graphviz and JSON too", function* () {
    const dot = (yield* sluice(["graph", quickstart, "--format", "dot"])).out
    expect(dot).toMatch(/^digraph "quickstart" \{\n {2}rankdir=LR\n/)
    expect(dot).toContain('"plan" -> "crawled" [style=dashed]')
    const drawing = JSON.parse((yield* sluice(["graph", quickstart, "--format", "json"])).out)
    expect(drawing.nodes.map(({ id }: { readonly id: string }) => id)).toContain("pagesWritten")
    expect(drawing.edges).toContainEqual({ from: "pages", to: "select", kind: "rows" })
  })

  scoped("refuses a definition with mistakes, and a format that is not there", function* () {
    const path = yield* folderOf({ "p.yaml": "version: 1\nname: a\nsteps:\n  - wher: a\n" })
    const { code, err, out } = yield* sluice(["graph", `${path}/p.yaml`])
    expect([code, out]).toEqual([78, ""])
    expect(err).toContain('p.yaml:4:5  steps[0].wher: there is no step "wher", did you mean "where"?')
    expect((yield* sluice(["graph", quickstart, "--format", "svg"])).err).toContain(
      '--format takes mermaid, dot or json, got "svg"'
    )
  })
})
