/** Rules across the steps of a definition that only warn: retries that can never match, states under a name that may change. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { describe, expect, it, scoped } from "../It.ts"

const warningsOf = (steps: string) =>
  Effect.gen(function* () {
    const source = yield* parseText("p.yaml", "/tmp", `version: 1\nname: t\nsteps:\n${steps}`)
    const { warnings } = yield* check(source, { env: {}, secrets: () => undefined, inputs: {}, complete: true })
    return warnings.map(({ column, line, message }) => `${line}:${column} ${message}`)
  }).pipe(Effect.provide(NodeContext.layer))

const why = (step: string) =>
  `never matches on ${step}: retry repeats the calls that read its job, not the pages of the job. Use \`sluice replay\` for failed pages, or scrape them row by row with \`scrape\``

describe("retry.on", () => {
  scoped("warns with its place about a status that never matches", function* () {
    expect(
      yield* warningsOf(
        "  - crawl: { url: https://a.example }\n    retry: { on: [429, 410, 5xx, 451] }\n  - batchScrape: {}\n    retry: { on: [423] }\n"
      )
    ).toEqual([`5:24 410 ${why("crawl")}`, `5:34 451 ${why("crawl")}`, `7:19 423 ${why("batchScrape")}`])
  })

  it.effect.each([
    [
      "what a service answers",
      "  - crawl: { url: https://a.example }\n    retry: { on: [403, 404, 408, 429, 503, 4xx, 5xx] }\n"
    ],
    ["faults", "  - crawl: { url: https://a.example }\n    retry: { on: [timeout, network] }\n"],
    ["steps that ask for each page", "  - urls: [https://a.example]\n  - scrape: {}\n    retry: { on: [410, 451] }\n"],
    ["no causes", "  - crawl: { url: https://a.example }\n    retry: { times: 3 }\n"]
  ])("is not warned of: %s", ([, steps]) => Effect.map(warningsOf(steps ?? ""), (found) => expect(found).toEqual([])))
})

describe("a state across runs", () => {
  const steps = (more: string) =>
    `  - urls: [https://a.example]\n  - dedupe: { key: url }\n  - dedupe: { key: url, across: runs }\n${more}`

  scoped("is warned of where the name of its step depends on the steps around it", function* () {
    expect(yield* warningsOf(steps(""))).toEqual([
      '6:5 keeps its state across runs under the name "dedupe-2", which another step would get if a dedupe were added or moved: write id: dedupe-2'
    ])
    expect(yield* warningsOf(steps("    id: dedupe-2\n"))).toEqual([])
    expect(yield* warningsOf("  - urls: [https://a.example]\n  - dedupe: { key: url, across: runs }\n")).toEqual([])
  })
})
