import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import * as Sqlite from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import * as Run from "../../src/Run.ts"
import { collide } from "../../src/Sink/Destination.ts"
import type { Destination } from "../../src/Step/Output.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { tempDir } from "../Local.ts"

const scope = { env: {}, secrets: () => undefined }

const checkText = (folder: string, body: string, complete = true) =>
  Effect.flatMap(
    parseText(
      "p.yaml",
      folder,
      `version: 1\nname: t\ninputs: { a: { type: string }, b: { type: string, default: "0" } }\nsteps:\n${body}`
    ),
    (source) => check(source, { ...scope, inputs: complete ? { a: "x" } : {}, complete })
  ).pipe(Effect.provide(NodeContext.layer))

const issuesIn = (body: string, complete = true) =>
  Effect.map(Effect.flip(checkText("/tmp", body, complete)), ({ issues }) =>
    issues.map(({ column, line, message }) => `${line}:${column} ${message}`)
  )

const target = (path: string, partitions: ReadonlyArray<string> = [], mode = "replace"): Destination => ({
  format: "jsonl",
  path,
  partitions,
  mode
})

describe("two writes to one file", () => {
  it("are recognized by paths that can be equal, however they are written", () => {
    const same: ReadonlyArray<readonly [Destination, Destination]> = [
      [target("a.jsonl"), target("./a.jsonl")],
      [target("out/a.jsonl"), target("out/../out//a.jsonl")],
      [target("a.jsonl"), target("a.jsonl", [], "append")],
      [target("a-{runId}.jsonl"), target("a-{runId}.jsonl")],
      [target("a.jsonl", [], "perRun"), target("a-{runId}.jsonl")],
      [target("A.jsonl"), target("a.jsonl")],
      [target("{host}/a.jsonl", ["host"]), target("{name}/a.jsonl", ["name"])],
      [target("{host}.jsonl", ["host"]), target("index.jsonl")],
      [target("{date}.jsonl", ["date"]), target("{date}.jsonl")],
      [target("p-{seq}.jsonl"), target("p-{seq}.jsonl")],
      [target("p-{seq}.jsonl"), target("p-00001.jsonl")],
      [target("p-{seq}.jsonl"), target("p-123456.jsonl")],
      [target("p-{seq}.jsonl"), target("p-2024{n}.jsonl", ["n"])],
      [target("x{a}y.jsonl", ["a"]), target("{b}zy.jsonl", ["b"])],
      [target("${{ inputs.a }}/b.jsonl"), target("${{ inputs.a }}/b.jsonl")],
      [target("-"), target("-")]
    ]
    const different: ReadonlyArray<readonly [Destination, Destination]> = [
      [target("a.jsonl"), target("a.jsonl.gz")],
      [target("a.jsonl"), target("a.csv")],
      [target("a.jsonl"), target("b/a.jsonl")],
      [target("a-{runId}.jsonl"), target("a.jsonl")],
      [target("a.jsonl", [], "perRun"), target("a.jsonl")],
      [target("a-{runId}.jsonl"), target("b-{runId}.jsonl")],
      [target("{host}/a.jsonl", ["host"]), target("{host}/b.jsonl", ["host"])],
      [target("{host}/a.jsonl", ["host"]), target("a.jsonl")],
      [target("p-{seq}.jsonl"), target("p-last.jsonl")],
      [target("p-{seq}.jsonl"), target("p-2024.jsonl")],
      [target("{date}.jsonl"), target("{runId}.jsonl")],
      [target("${{ inputs.a }}.jsonl"), target("${{ inputs.b }}.jsonl")],
      [target("/tmp/a.jsonl"), target("a.jsonl")],
      [target("-"), target("a.jsonl")]
    ]
    for (const [one, other] of same) {
      expect([one.path, other.path, collide(one, other)]).toEqual([one.path, other.path, true])
      expect(collide(other, one)).toBe(true)
    }
    for (const [one, other] of different) {
      expect([one.path, other.path, collide(one, other)]).toEqual([one.path, other.path, false])
      expect(collide(other, one)).toBe(false)
    }
  })

  scoped("are refused by check at the second one, also across branches and beside other errors", function* () {
    const why = "choose another path, or merge the branches with from: [a, b] and write once"
    expect(
      yield* issuesIn(`  - id: rows
    read: rows.jsonl
  - write: { jsonl: out/all.jsonl, mod: append }
  - id: good
    where: n > 0
  - write: { jsonl: out/good.jsonl }
  - from: rows
    where: n <
  - write: { csv: ./out/x/../good.jsonl }
  - write: { jsonl: "out/{n}.jsonl", partitionBy: { n: n } }
  - write: { jsonl: out/good.jsonl }
    when: false
`)
    ).toEqual([
      '7:36 unknown key "mod", did you mean "mode"?',
      "12:12 Unexpected end of expression (character 4 of: n <)",
      '13:19 "write-2" (line 10) can write the same file, with its path out/good.jsonl: choose another name or folder',
      '14:21 "write" (line 7) can write the same file, with its path out/all.jsonl: choose another name or folder'
    ])
    const twice = `  - read: rows.jsonl
  - write: { jsonl: "out/\${{ inputs.a }}.jsonl" }
  - where: n > 0
  - write: { jsonl: "out/\${{ inputs.a }}.jsonl" }
`
    const expected = [`8:21 "write" (line 6) writes this file already: ${why}`]
    expect(yield* issuesIn(twice)).toEqual(expected)
    expect(yield* issuesIn(twice, false)).toEqual(expected)
  })

  scoped("are valid when the run decides which of them takes part", function* () {
    const steps = `  - read: rows.jsonl
  - id: site
    crawlPreview: { url: "http://127.0.0.1:9", prompt: all of it }
  - write: { jsonl: out.jsonl }
    when: "\${{ steps.site.output }}"
  - write: { jsonl: out.jsonl, mode: append }
    when: "\${{ steps.site.output }}"
`
    const { nodes } = yield* checkText("/tmp", steps)
    expect(nodes.length).toBe(4)
    const byInput = steps.replaceAll("steps.site.output", "inputs.a = 'x'")
    expect((yield* checkText("/tmp", byInput, false)).nodes.length).toBe(4)
    expect((yield* issuesIn(byInput))[0]).toContain("writes this file already")
  })

  it.scopedLive("are refused before the first row when links lead both to one file", function* () {
    const folder = yield* tempDir
    mkdirSync(`${folder}/out`)
    symlinkSync(`${folder}/out`, `${folder}/link`)
    symlinkSync(`${folder}/out/real.jsonl`, `${folder}/out/other.jsonl`)
    writeFileSync(`${folder}/rows.jsonl`, '{"n":1}\n')
    writeFileSync(`${folder}/out/real.jsonl`, "")
    const run = (one: string, other: string) =>
      Effect.gen(function* () {
        const checked = yield* checkText(
          folder,
          `  - read: rows.jsonl\n  - write: { jsonl: ${one} }\n  - write: { jsonl: ${other} }\n`
        )
        const made = yield* Run.make(checked, { ...scope, out: folder, dataDir: `${folder}/data` })
        return yield* Effect.flip(Effect.provide(made.execute, Sqlite.layer(`${folder}/data`)))
      }).pipe(
        Effect.provide(
          Layer.provideMerge(
            Layer.provide(Client.layer, Connection.layer({ baseUrl: "http://127.0.0.1:9" })),
            NodeContext.layer
          )
        )
      )
    expect((yield* run("out/a.jsonl", "link/a.jsonl")).message).toContain("is written by two steps")
    expect((yield* run("out/real.jsonl", "out/other.jsonl")).message).toContain("is written by two steps")
  })
})
