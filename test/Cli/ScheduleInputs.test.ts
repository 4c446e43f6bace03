import * as Effect from "effect/Effect"
import { describe, expect, scoped } from "../It.ts"
import { sluice } from "./Console.ts"
import { list, pipelinesOf, readText } from "./Project.ts"

const watch = (inputs: string) => `version: 1
name: watch
inputs:
  site: { type: url }
  size: { type: integer, default: 1, maximum: 10 }
schedule:
  cron: "0 3 * * *"
  inputs: ${inputs}
state: { key: "watch/\${{ inputs.site }}" }
steps:
  - read: rows.csv
  - dedupe: { key: n, across: runs }
  - select: { n: n, site: $inputs.site, size: $inputs.size }
  - write: { jsonl: "out/{runId}.jsonl" }
`

const plain = `version: 1
name: plain
schedule: { cron: "0 4 * * *" }
steps:
  - read: rows.csv
  - write: { jsonl: plain.jsonl }
`

const project = (definitions: Readonly<Record<string, string>>) =>
  Effect.map(pipelinesOf(definitions), (root) => {
    const places = ["--folder", `${root}/pipelines`, "--data", `${root}/data`, "--out", root]
    return { root, schedule: (...words: ReadonlyArray<string>) => sluice(["schedule", ...words, ...places]) }
  })

const site = "https://a.example/"

describe("inputs of a schedule", () => {
  scoped("stand in the definition, in place of defaults, and are part of the run and of its state key", function* () {
    const { root, schedule } = yield* project({ "watch.yaml": watch(`{ site: "${site}", size: 7 }`) })
    const { out } = yield* schedule("list", "--json")
    expect(JSON.parse(out).schedules?.[0] ?? JSON.parse(out)[0]).toMatchObject({ inputs: { site, size: 7 } })
    const run = yield* schedule("run", "watch", "--json")
    expect(run.code, run.err).toBe(0)
    const { outputs, runId } = JSON.parse(run.out)
    expect(yield* readText(outputs[0].path)).toBe(`{"n":"1","site":"${site}","size":7}\n`)
    const states = yield* sluice(["state", "list", "--data", `${root}/data`])
    expect(states.out).toContain(`watch/${site}`)
    const history = yield* schedule("history", "watch", "--json")
    expect(JSON.parse(history.out)).toMatchObject([{ run: runId, inputs: { site, size: 7 } }])
    expect((yield* schedule("history", "watch")).out).toContain(`site=${site}, size=7`)
    // By hand there is no schedule: its values are no defaults.
    const byHand = yield* sluice(["run", `${root}/pipelines/watch.yaml`, "--data", `${root}/data`])
    expect([byHand.code, byHand.err]).toEqual([78, expect.stringContaining("has no default: give it as --input site")])
  })

  scoped("are checked against the inputs that the definition declares, each mistake at its place", function* () {
    const { root } = yield* project({
      "watch.yaml": watch("{ site: nowhere, size: 11, sizes: 1 }"),
      "late.yaml": watch('{ site: "${{ env.SITE }}" }')
    })
    const { code, err, out } = yield* sluice(["check", `${root}/pipelines/watch.yaml`])
    expect(code).toBe(78)
    const said = out + err
    expect(said).toMatch(
      /watch\.yaml:8:19 .*schedule\.inputs\.site: expected an absolute http:\/\/ or https:\/\/ address/
    )
    expect(said).toMatch(/schedule\.inputs\.size: expected at most 10, got 11/)
    expect(said).toMatch(/schedule\.inputs\.sizes: there is no input "sizes", did you mean "?size/)
    const late = yield* sluice(["check", `${root}/pipelines/late.yaml`])
    expect([late.code, late.out + late.err]).toEqual([78, expect.stringContaining("needs a literal value")])
  })

  scoped("are given by --input to the pipelines that declare them, and an input of none is refused", function* () {
    const { root, schedule } = yield* project({ "watch.yaml": watch(`{ size: 7 }`), "plain.yaml": plain })
    const without = yield* schedule("list")
    expect(without.out + without.err).toContain("has no default")
    const listed = yield* schedule("list", "--input", `site=${site}`, "-i", "size=3")
    expect(listed.code, listed.err).toBe(0)
    expect(listed.out + listed.err).not.toContain("has no default")
    const run = yield* schedule("run", "watch", "--input", `site=${site}`, "-i", "size=3", "--json")
    expect(yield* readText(JSON.parse(run.out).outputs[0].path)).toBe(`{"n":"1","site":"${site}","size":3}\n`)
    for (const words of [["list"], ["run", "plain"], [`${root}/pipelines`], [`${root}/pipelines`, "--print", "cron"]]) {
      const given = ["--input", "sight=x", ...(words[0] === "run" ? [] : ["-i", `site=${site}`])]
      const refused = yield* schedule(...words, ...given)
      expect([words, refused.code, refused.err]).toEqual([
        words,
        2,
        expect.stringContaining("--input sight: no pipeline with a schedule has such an input")
      ])
    }
    const wrong = yield* schedule("run", `${root}/pipelines/watch.yaml`, "--input", "site=nowhere")
    expect(wrong.err).toContain("--input site: expected an absolute http")
    expect((yield* list(root)).includes("plain.jsonl")).toBe(false)
  })

  scoped("are part of what is printed for other schedulers, for the pipelines that declare them", function* () {
    const { root, schedule } = yield* project({ "watch.yaml": watch("{ size: 7 }"), "plain.yaml": plain })
    const print = (target: string) =>
      schedule(`${root}/pipelines`, "--print", target, "--input", "site=https://a.example/?q=$(x)%20 '")
    for (const [target, word] of [
      ["cron", `'site=https://a.example/?q=$(x)\\%20 '\\'''`],
      ["systemd", "site=https://a.example/?q="],
      ["github", `'site=https://a.example/?q=$(x)%20 '\\'''`],
      ["k8s", "site=https://a.example/?q=$$(x)%20 '"]
    ] as const) {
      const { code, err, out } = yield* print(target)
      expect([target, code, err]).toEqual([target, 0, ""])
      expect(out.split("--input").length, out).toBe(2)
      expect(out.replaceAll(/\\?\n\s+/g, " ")).toContain(word)
    }
  })
})
