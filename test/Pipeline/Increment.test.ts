/** Outputs that would keep only the latest increment: `check` warns of them. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { sluice } from "../Cli/Console.ts"
import { folderOf, platform } from "../Cli/Project.ts"
import { describe, expect, it } from "../It.ts"

const warningsOf = (steps: string) =>
  Effect.flatMap(parseText("p.yaml", "/tmp", `version: 1\nname: t\nsteps:\n${steps}`), (source) =>
    check(source, { env: {}, secrets: () => undefined, inputs: {}, complete: false })
  ).pipe(
    Effect.map(({ warnings }) => warnings.map(({ column, line, message }) => `${line}:${column} ${message}`)),
    Effect.provide(NodeContext.layer)
  )

const source = "  - read: rows.jsonl\n"
const increments = `${source}  - dedupe: { key: id, across: runs }\n`
const inbox = "  - files: { glob: '*.pdf', skipSeen: content }\n"

describe("an output that each run replaces with the rows that are new since the last run", () => {
  it.effect.each([
    ["dedupe across runs", `${increments}  - write: { jsonl: a.jsonl }\n`],
    ["mode: replace, written out", `${increments}  - write: { csv: a.csv, mode: replace }\n`],
    ["steps in between", `${increments}  - where: id > 0\n  - select: { id: id }\n  - write: { jsonl: a.jsonl }\n`],
    ["files that were seen", `${inbox}  - parse: { formats: [markdown] }\n  - write: { jsonl: a.jsonl }\n`],
    [
      "a branch",
      `${increments}    id: fresh\n  - write: { jsonl: "all-{runId}.jsonl" }\n  - from: fresh\n    write: { jsonl: a.jsonl }\n`
    ],
    [
      "branches that merge",
      `  - id: a\n    read: rows.jsonl\n  - id: b\n    dedupe: { across: runs }\n  - from: [a, b]\n    write: { jsonl: a.jsonl }\n`
    ],
    [
      "a step in between that is switched off",
      `${increments}  - where: id > 0\n    when: false\n  - write: { jsonl: a.jsonl }\n`
    ],
    ["partitions of rows", `${increments}  - write: { jsonl: "{kind}.jsonl", partitionBy: { kind: kind } }\n`]
  ])("is warned of: %s", function* ([, steps = ""]) {
    const warnings = yield* warningsOf(steps)
    expect(warnings.length).toBe(1)
    expect(warnings[0]).toMatch(
      /^\d+:\d+ this file will hold only the latest run's new rows .*use mode: append or perRun, or put \{runId\} in the path/
    )
  })

  it.effect.each([
    ["mode: append", `${increments}  - write: { jsonl: a.jsonl, mode: append }\n`],
    ["mode: perRun", `${increments}  - write: { jsonl: a.jsonl, mode: perRun }\n`],
    ["{runId} in the path", `${increments}  - write: { jsonl: "a-{runId}.jsonl" }\n`],
    ["{date} in the path", `${increments}  - write: { jsonl: "a-{date}.jsonl" }\n`],
    ["the run in the path", `${increments}  - write: { jsonl: "a-\${{ run.id }}.jsonl" }\n`],
    [
      "unchanged rows, too",
      `${source}  - dedupe: { across: runs, emit: [new, unchanged] }\n  - write: { jsonl: a.jsonl }\n`
    ],
    ["dedupe within the run", `${source}  - dedupe: { key: id }\n  - write: { jsonl: a.jsonl }\n`],
    ["a write in front of it", `${source}  - write: { jsonl: a.jsonl }\n  - dedupe: { across: runs }\n`],
    [
      "another branch",
      `${source}    id: a\n  - dedupe: { across: runs }\n  - from: a\n    write: { jsonl: a.jsonl }\n`
    ],
    ["files that are given again", "  - files: { glob: '*.pdf' }\n  - write: { jsonl: a.jsonl }\n"]
  ])("is not warned of: %s", function* ([, steps = ""]) {
    expect(yield* warningsOf(steps)).toEqual([])
  })

  it.effect.each([
    ["a write of its own rows", `${source}  - { id: w, from: w, write: { jsonl: a.jsonl } }\n`],
    [
      "two steps that read each other",
      `${source}  - { id: a, from: b, where: id > 0 }\n  - { id: b, from: a, write: { jsonl: a.jsonl } }\n`
    ]
  ])("is looked for behind a loop, too, which is a mistake: %s", function* ([, steps = ""]) {
    const { _tag } = yield* Effect.flip(warningsOf(steps))
    expect(_tag).toBe("DefinitionInvalid")
  })

  it.effect("is found after hundreds of branches that split and merge", function* () {
    const diamonds = Array.from({ length: 200 }, (_, n) => {
      const above = n === 0 ? "dedupe" : `m${n - 1}`
      return `  - { id: a${n}, from: ${above}, where: id > 0 }\n  - { id: b${n}, from: ${above}, where: id > 0 }
  - { id: m${n}, from: [a${n}, b${n}], where: id > 0 }\n`
    })
    const warnings = yield* warningsOf(`${increments}${diamonds.join("")}  - write: { jsonl: a.jsonl }\n`)
    expect(warnings.length).toBe(1)
  })

  it.scoped("is a warning of sluice check with its place", platform, function* () {
    const path = yield* folderOf({
      "p.yaml": `version: 1\nname: p\nsteps:\n${increments}  - write: { jsonl: a.jsonl }\n`
    })
    const { code, out } = yield* sluice(["check", `${path}/p.yaml`])
    expect(code).toBe(0)
    expect(out).toContain(
      `${path}/p.yaml:6:12  warning: steps[2].write: this file will hold only the latest run's new rows`
    )
    expect(out).toContain('("dedupe" skips rows of earlier runs)')
    const report = JSON.parse((yield* sluice(["check", `${path}/p.yaml`, "--json"])).out)
    expect([report.mistakes.length, report.warnings.length, report.warnings[0].line]).toEqual([0, 1, 6])
  })
})
