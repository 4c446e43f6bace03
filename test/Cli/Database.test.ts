/** With SLUICE_DATABASE_URL the ledger is in Postgres: every machine sees the runs of the others, and can resume them. */
import { writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { expect, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { place } from "../Postgres.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { sluice } from "./Console.ts"
import { folderOf, list } from "./Project.ts"

const definition = `version: 1
name: seen
state: { key: seen }
steps:
  - read: in.jsonl
  - dedupe: { key: id, across: runs }
  - select: { id: id, n: "$number(n)" }
  - write: { jsonl: seen.jsonl }
`

describeWithPostgres("the ledger of the settings", () => {
  live.skipIf(skipsLong)("is the same for every machine: runs, state, rejects and their replay", function* () {
    const root = yield* folderOf({ "seen.yaml": definition, "in.jsonl": '{"id":1,"n":"1"}\n{"id":2,"n":"b"}\n' })
    const env = { SLUICE_DATABASE_URL: yield* place }
    const on = (machine: string, ...words: ReadonlyArray<string>) =>
      sluice([...words, "--data", `${root}/${machine}`], { env })
    const run = (machine: string) =>
      Effect.map(on(machine, "run", `${root}/seen.yaml`, "--out", root, "--json", "--quiet"), ({ code, err, out }) => {
        expect([code, err]).toEqual([0, ""])
        return JSON.parse(out) as { readonly runId: string; readonly rows: number; readonly rejects: number }
      })
    const first = yield* run("one")
    expect(first).toMatchObject({ rows: 1, rejects: 1 })
    expect(yield* list(`${root}/one`)).not.toContain("ledger.db")

    const listed = JSON.parse((yield* on("two", "runs", "--json")).out)
    expect(listed).toMatchObject([{ runId: first.runId, status: "completed", rows: 1 }])
    expect((yield* on("two", "show", first.runId)).out).toContain("seen")
    expect(yield* on("two", "state", "list")).toMatchObject({ code: 0, out: expect.stringContaining("seen") })
    // A row seen on one machine is not new on another; rejected rows come again.
    writeFileSync(`${root}/in.jsonl`, '{"id":1,"n":"1"}\n{"id":2,"n":"b"}\n{"id":3,"n":"3"}\n')
    expect(yield* run("two")).toMatchObject({ rows: 1, rejects: 1 })
    const again = yield* on("three", "replay", first.runId, "--json", "--quiet")
    expect([again.code, again.err]).toEqual([3, expect.stringContaining("was rejected")])
    expect(JSON.parse((yield* on("one", "runs", "--json")).out)).toHaveLength(3)
    expect((yield* on("three", "plan", `${root}/seen.yaml`)).code).toBe(0)
  })

  live.skipIf(skipsLong)("is checked by doctor, and no output shows its password", function* () {
    const root = yield* folderOf({ "seen.yaml": definition, "in.jsonl": "" })
    const doctor = (address: string) =>
      sluice(["doctor", "--data", `${root}/d`, "--out", root, "--json"], { env: { SLUICE_DATABASE_URL: address } })
    const good = yield* doctor(yield* place)
    expect([good.code, good.out]).toEqual([0, expect.stringMatching(/"name":"database","state":"ok"/)])
    const address = "postgres://me:hush@127.0.0.1:1/base"
    const bad = yield* doctor(address)
    expect([bad.code, bad.out]).toEqual([1, expect.stringContaining("postgres://me@127.0.0.1:1/base")])
    const env = { SLUICE_DATABASE_URL: address, DEBUG: "1" }
    const ran = yield* sluice(["run", `${root}/seen.yaml`, "--data", `${root}/d`, "--out", root], { env })
    expect(ran.code).not.toBe(0)
    expect(ran.err).toContain("is the server running, and are host and port right?")
    expect(bad.out + ran.out + ran.err).not.toContain("hush")
  })
})
