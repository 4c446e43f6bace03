import * as FileSystem from "@effect/platform/FileSystem"
import { serve as serveHtml } from "../Engine/Scrape/Site.ts"
import { describe, expect, live, scoped } from "../It.ts"
import { sluice } from "./Console.ts"
import { list } from "./Project.ts"
import { open, project } from "./Replayed.ts"
import { serve } from "./Site.ts"

describe("sluice replay", () => {
  live("keeps a row of a page that is not stored as a reject, and says how to get it", function* () {
    const url = yield* serveHtml((_, response) => {
      const html = `<html lang="en"><article><b>$1</b></article><article><b>Ask</b></article>`
      response.writeHead(200, { "content-type": "text/html" }).end(html)
    })
    const steps = (price: string) => `steps:
  - urls: ["${url}/list"]
  - scrape: { storeInCache: false }
  - extract: { rows: article, fields: { price: ${price} } }
  - write: { jsonl: shop.jsonl }
`
    const { define, lines, rejects, replay, run } = yield* project(steps("{ css: b, as: price }"))
    expect((yield* run(open)).report).toMatchObject({ rows: 1, rejects: 1 })
    yield* define(steps("{ css: b, as: price, default: 0 }"))
    const again = yield* replay(undefined, open)
    expect(again.err).toContain("the HTML of the page was not stored: run the pipeline again")
    expect(yield* lines("shop.jsonl")).toHaveLength(1)
    expect(yield* rejects(again.report.runId)).toMatchObject([{ row: { url: `${url}/list` }, error: "NoHtml" }])
    const third = yield* replay(again.report.runId, open)
    expect(third.err).toContain("the HTML of the page was not stored: run the pipeline again")
  })

  scoped("makes what is rejected once more the new run's own, which is replayed by its own id", function* () {
    const steps = (bad: string) => `steps:
  - urls: [https://a.example/1, https://a.example/2, https://a.example/3]
  - where: "$contains('${bad}', $substringAfter(url, 'example/')) ? $number('x') : true"
  - write: { jsonl: n.jsonl }
`
    const { define, lines, rejects, replay, run } = yield* project(steps("23"))
    const { report: first } = yield* run()
    yield* define(steps("3"))
    const { report: second } = yield* replay(first.runId)
    expect(second).toMatchObject({ status: "completed", rows: 1, rejects: 1 })
    expect(yield* rejects(first.runId)).toEqual([])
    expect(yield* rejects(second.runId)).toMatchObject([{ step: "where", row: { url: "https://a.example/3" } }])
    // A run of which nothing is left fails, and has taken the row up all the same.
    const { code, report: third } = yield* replay(second.runId)
    expect([code, third.status, third.rejects]).toEqual([3, "failed", 1])
    expect(yield* rejects(second.runId)).toEqual([])
    yield* define(steps(""))
    expect((yield* replay(third.runId)).report).toMatchObject({ status: "completed", rows: 1 })
    expect((yield* lines("n.jsonl")).map((line) => JSON.parse(line).url.at(-1))).toEqual(["1", "2", "3"])
  })

  scoped("of a run that failed before it published gives all of its rows; show offers to continue it", function* () {
    const steps = (bad: string) => `steps:
  - urls: [https://a.example/1, https://a.example/2]
  - where: "$contains(url, '${bad}') ? $number('x') : true"
    onError: { reject: true, stopAfter: 1 }
  - write: { jsonl: n.jsonl }
`
    const { define, lines, replay, root, run } = yield* project(steps("2"))
    const { code, report: first } = yield* run()
    expect([code, first.rows]).toEqual([3, 1])
    const shown = yield* sluice(["show", first.runId, "--data", `${root}/data`])
    expect(shown.out).toContain(`sluice resume ${first.runId}`)
    expect(shown.out).not.toContain("sluice replay")
    yield* define(steps("none"))
    const again = yield* replay(first.runId)
    expect(again.err).toContain(`run ${first.runId} is discarded: ${root}/p.yaml runs again as a whole`)
    expect(yield* lines("n.jsonl")).toEqual(['{"url":"https://a.example/1"}', '{"url":"https://a.example/2"}'])
  })

  scoped("uploads a file again that parse could not read, and remembers it from then on", function* () {
    const system = yield* FileSystem.FileSystem
    const { lines, replay, root, run } = yield* project(
      `state: { key: p }
steps:
  - files: { glob: "*.{html,pdf}", skipSeen: path }
  - parse: { formats: [markdown] }
  - select: { file: $source.path, size: $length(markdown) > 0 }
  - write: { csv: files.csv, columns: { file: string, size: boolean }, mode: append }
`,
      { "a.html": "<p>one", "b.pdf": "%PDF-1.4 nothing" }
    )
    const first = yield* run()
    expect(first.report, first.err).toMatchObject({ rows: 1, rejects: 1 })
    yield* system.copyFile(`${root}/a.html`, `${root}/b.pdf`)
    const again = yield* replay(first.report.runId)
    expect(again.report, again.err).toMatchObject({ status: "completed", rows: 1, rejects: 0 })
    expect(yield* lines("files.csv")).toEqual(["file,size", "a.html,true", "b.pdf,true"])
    expect((yield* run()).report).toMatchObject({ status: "completed", rows: 0, rejects: 0 })
  })

  scoped("does not report a row as new once more that a later run has reported", function* () {
    const steps = (bad: string) => `state: { key: p }
steps:
  - read: in.jsonl
  - dedupe: { key: id, across: runs }
  - where: "id = '${bad}' ? $number('x') : true"
  - write: { jsonl: ids.jsonl, mode: append }
`
    const { define, lines, rejects, replay, run } = yield* project(steps("b"), {
      "in.jsonl": '{"id":"a"}\n{"id":"b"}\n'
    })
    const { report: first } = yield* run()
    yield* define(steps("none"))
    expect((yield* run()).report).toMatchObject({ status: "completed", rows: 1 })
    expect(yield* rejects(first.runId)).toEqual([])
    const late = yield* replay(first.runId)
    expect(late.err).toBe(`error: nothing of run ${first.runId} can be replayed: it has no open rejects\n`)
    expect((yield* lines("ids.jsonl")).map((line) => JSON.parse(line))).toEqual([
      { id: "a", change: "new" },
      { id: "b", change: "new" }
    ])
  })

  scoped("writes rows that did not fit a CSV behind it where its columns are declared, else beside it", function* () {
    const system = yield* FileSystem.FileSystem
    const steps = (onNewField: string) => `steps:
  - read: in.jsonl
  - write: { csv: a.csv, columns: { id: integer }, onNewField: ${onNewField} }
    onError: reject
`
    const declared = yield* project(steps("error"), { "in.jsonl": '{"id":1}\n{"id":2,"more":"x"}\n{"id":3}\n' })
    const first = yield* declared.run()
    expect(first.report, first.err).toMatchObject({ rows: 2, rejects: 1 })
    yield* declared.define(steps("drop"))
    expect((yield* declared.replay(first.report.runId)).report).toMatchObject({ status: "completed", rows: 1 })
    expect(yield* declared.lines("a.csv")).toEqual(["id", "1", "3", "2"])

    const free = (expression: string) => `steps:
  - read: in.jsonl
  - select: { id: "${expression}" }
  - write: { csv: b.csv }
`
    const other = yield* project(free("id = 2 ? $number('x') : id"), { "in.jsonl": '{"id":1}\n{"id":2}\n' })
    const { report } = yield* other.run()
    yield* other.define(free("id"))
    const again = yield* other.replay(report.runId)
    expect(again.report, again.err).toMatchObject({ status: "completed", rows: 1 })
    const names = yield* list(`${other.root}/out`)
    expect(names).toHaveLength(2)
    const beside = names.find((name) => name !== "b.csv") ?? ""
    expect(beside).toContain(again.report.runId)
    expect(yield* other.lines("b.csv")).toEqual(["id", "1"])
    expect(yield* other.lines(beside)).toEqual(["id", "2"])
    expect(yield* system.exists(`${other.root}/out/b.csv`)).toBe(true)
  })

  scoped("runs a source for the row again that it could not be run for", function* () {
    const { url } = yield* serve
    const steps = (address: string) => `steps:
  - read: in.jsonl
  - each: true
    crawl: { url: { expr: "${address}" }, limit: 1, scrapeOptions: { formats: [markdown] } }
  - select: { page: metadata.sourceURL }
  - write: { jsonl: pages.jsonl }
`
    const { define, lines, rejects, replay, run } = yield* project(steps("id = 2 ? $number('x') : url"), {
      "in.jsonl": `{"id":1,"url":"${url}/a"}\n{"id":2,"url":"${url}/b"}\n`
    })
    const first = yield* run(open)
    expect(first.report, first.err).toMatchObject({ rows: 1, rejects: 1 })
    expect(yield* rejects(first.report.runId)).toMatchObject([{ step: "crawl", row: { id: 2 } }])
    yield* define(steps("url"))
    expect((yield* replay(first.report.runId, open)).report).toMatchObject({ status: "completed", rows: 1 })
    expect((yield* lines("pages.jsonl")).map((line) => JSON.parse(line).page)).toEqual([`${url}/a`, `${url}/b`])
  })
})
