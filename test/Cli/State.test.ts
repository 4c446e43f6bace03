import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { serve } from "../Client/Server.ts"
import { describe, expect, live, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, readText } from "./Project.ts"

/** A pipeline that remembers rows in two steps, after one run. */
const project = Effect.gen(function* () {
  const root = yield* folderOf({
    "in.jsonl": '{"id":"a"}\n{"id":"b"}\n',
    "p.yaml": `version: 1
name: p
state: { key: watch/p }
steps:
  - read: in.jsonl
  - dedupe: { key: id, across: runs }
  - write: { jsonl: new.jsonl }
`
  })
  const data = ["--data", `${root}/data`]
  const act = (...words: ReadonlyArray<string>) => sluice([...words, ...data])
  const run = Effect.map(act("run", `${root}/p.yaml`, "--out", `${root}/out`, "--json", "--quiet"), ({ err, out }) => {
    const { rows, status } = JSON.parse(out)
    expect(status, err).toBe("completed")
    return rows as number
  })
  expect(yield* run).toBe(2)
  return { root, act, run, state: (...words: ReadonlyArray<string>) => act("state", ...words) }
})

const json = (text: string) =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

describe("sluice state", () => {
  scoped("shows what is kept, by key, step and entry", function* () {
    const { state } = yield* project
    const { err, out } = yield* state("list")
    expect(err).toBe("")
    expect(
      out
        .trimEnd()
        .split("\n")
        .map((line) => line.split(/ {3,}/).slice(0, 3))
    ).toEqual([
      ["key", "step", "entries"],
      ["watch/p", "dedupe", "2"]
    ])
    expect(json((yield* state("list", "--json")).out)[0]).toMatchObject([
      { stateKey: "watch/p", step: "dedupe", entries: 2, firstSeen: expect.stringMatching(/^\d{4}-.*Z$/) }
    ])
    const entries = json((yield* state("get", "watch/p")).out)
    expect(entries).toMatchObject([
      { step: "dedupe", key: "a", value: null },
      { step: "dedupe", key: "b", value: null }
    ])
    expect(json((yield* state("get", "watch/p", "--entry", "b")).out)).toMatchObject([{ key: "b", value: null }])
  })

  scoped.skipIf(skipsLong)("makes what is cleared new again, and what is set known", function* () {
    const { run, state } = yield* project
    expect(yield* run).toBe(0)
    expect((yield* state("clear", "watch/p", "--entry", "b")).err).toBe("b is no longer in the state watch/p\n")
    expect(yield* run).toBe(1)
    const asked = yield* state("clear", "watch/p")
    expect(asked.code).toBe(2)
    expect(asked.err).toContain("confirm with --yes")
    expect((yield* state("clear", "watch/p", "--yes")).err).toBe("2 entries of watch/p cleared\n")
    expect((yield* state("list")).err).toBe("no pipeline has stored any state yet\n")
    yield* state("set", "watch/p", "--step", "dedupe", "--entry", "a", "--value", "null")
    expect(yield* run).toBe(1)
  })

  scoped.skipIf(skipsLong)(
    "sets the since of a request, and forgets the rows that are remembered beside it",
    function* () {
      const server = yield* serve(({ path }) => ({
        body: [1, 2, 3].flatMap((id) => (path.includes("since=3") && id < 3 ? [] : [{ id, at: id }]))
      }))
      const step = `{ url: "${server.url}/items", since: { param: since, field: at } }`
      const root = yield* folderOf({
        "p.yaml": `version: 1\nname: p\nsteps:\n  - request: ${step}\n  - write: { jsonl: new.jsonl }\n`
      })
      const act = (...words: ReadonlyArray<string>) =>
        sluice([...words, "--data", `${root}/data`], { env: { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" } })
      const run = Effect.map(act("run", `${root}/p.yaml`, "--out", `${root}/out`, "--json", "--quiet"), ({ out }) =>
        Number(JSON.parse(out).rows)
      )
      expect([yield* run, yield* run]).toEqual([3, 0])
      const wrong = yield* act("state", "set", "p", "--entry", "since", "--value", "{}")
      expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("since is a string or a number")])
      const set = yield* act("state", "set", "p", "--entry", "since", "--value", "3")
      expect(set.err).toBe("since is set under p; 1 row that had the old value may be given again by the next run\n")
      expect([yield* run, yield* run]).toEqual([1, 0])
      yield* act("state", "clear", "p", "--entry", "since")
      expect([yield* run, yield* run]).toEqual([3, 0])
    }
  )

  scoped.skipIf(skipsLong)("goes to another key and to a file and back, the same", function* () {
    const { root, run, state } = yield* project
    expect((yield* state("move", "watch/p", "--to", "other")).err).toBe("watch/p is now other\n")
    expect((yield* state("export", "other", "--file", `${root}/state.jsonl`)).err).toBe(
      `2 entries of other written to ${root}/state.jsonl\n`
    )
    const exported = (yield* state("export", "other")).out
    expect(yield* readText(`${root}/state.jsonl`)).toBe(exported)
    expect(yield* run).toBe(2)
    yield* state("clear", "watch/p", "--yes")
    expect((yield* state("import", "watch/p", "--file", `${root}/state.jsonl`)).err).toBe(
      "2 entries put under watch/p\n"
    )
    expect((yield* state("export", "watch/p")).out).toBe(exported)
    expect(yield* run).toBe(0)
  })

  scoped("says in one line what is wrong, what is there, and what to do", function* () {
    const { root, state } = yield* project
    const system = yield* FileSystem.FileSystem
    yield* system.writeFileString(`${root}/rubbish`, '{"step":"dedupe","key":"x"}\nno json\n')
    const cases: ReadonlyArray<readonly [words: ReadonlyArray<string>, said: string]> = [
      [[], "ACTION is missing"],
      [["lst"], '"lst" is not one of list, get, set, clear, move, export or import'],
      [["get"], "state get: KEY is missing: sluice state list shows all keys"],
      [["get", "watch/q"], 'state get: there is no state under "watch/q", did you mean "watch/p"?'],
      [["get", "watch/p", "--step", "x"], 'state get: no step "x" has state under watch/p: there is dedupe'],
      [["get", "watch/p", "--entry", "c"], "state get: watch/p has no entry c"],
      [["clear", "watch/p", "--entry", "c"], "state clear: watch/p has no entry c"],
      [["set", "watch/p", "--value", "1"], "state set: --entry is missing: name the entry to set"],
      [["set", "watch/p", "--entry", "a"], "state set: --value is missing"],
      [["set", "watch/p", "--entry", "a", "--value", "{"], "state set: --value is not JSON: {"],
      [["set", "fresh", "--entry", "a", "--value", "1"], "state set: --step is missing: there is no state under fresh"],
      [["move", "watch/p"], "state move: --to is missing: name the new key"],
      [["move", "watch/p", "--to", "watch/p"], "state move: the state is already under watch/p"],
      [["move", "watch/p", "--to", ""], "--to takes a value, got an empty one"],
      [["export", "watch/p", "--file", `${root}/rubbish/x`], `state export: cannot write ${root}/rubbish/x: `],
      [["import", "watch/p", "--file", `${root}/gone`], `state import: cannot read ${root}/gone: there is no such`],
      [["import", "watch/p", "--file", `${root}/rubbish`], `state import: line 1 of ${root}/rubbish is not an entry`],
      [["list", "watch/p"], "state list: it accepts no KEY"]
    ]
    for (const [words, said] of cases) {
      const { code, err, out } = yield* state(...words)
      expect([code, out], err).toEqual([2, ""])
      expect(err).toContain(said)
      expect(
        err
          .trimEnd()
          .split("\n")
          .filter((line) => line.startsWith("error:")).length
      ).toBe(1)
    }
    expect(json((yield* state("get", "watch/p")).out)).toHaveLength(2)
  })

  live("changes nothing while a run holds the key, and reads all the same", function* () {
    const { root, state } = yield* project
    const { Ledger } = yield* Effect.promise(() => import("../../src/Ledger.ts"))
    const Sqlite = yield* Effect.promise(() => import("../../src/Ledger.ts"))
    const { run } = yield* Effect.promise(() => import("../Ledger/Ledgers.ts"))
    yield* Effect.gen(function* () {
      const ledger = yield* Ledger
      yield* ledger.open(run("r1", { stateKey: "watch/p" }))
      for (const words of [
        ["clear", "watch/p", "--yes"],
        ["clear", "watch/p", "--entry", "a"],
        ["set", "watch/p", "--entry", "a", "--value", "1"],
        ["move", "watch/p", "--to", "q"]
      ]) {
        const { code, err } = yield* state(...words)
        expect(code, err).toBe(5)
        expect(err).toMatch(
          /^error: state watch\/p is in use by process \d+ on \S+, .* Wait for it to end, or stop it\.\n$/
        )
      }
      expect(json((yield* state("export", "watch/p")).out)).toHaveLength(2)
    }).pipe(Effect.scoped, Effect.provide(Sqlite.layer(`${root}/data`)))
  })
})
