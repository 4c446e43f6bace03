/** Outputs and state that the parts of a run leave for the run to merge. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import * as PgClient from "@effect/sql-pg/PgClient"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Merge from "../../src/Cluster/Merge.ts"
import { total } from "../../src/Cluster/PartResult.ts"
import * as RejectLine from "../../src/Ledger/RejectLine.ts"
import * as Runs from "../../src/Ledger/Runs.ts"
import { Ledger } from "../../src/Ledger.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { checked, context, database, folder, submit } from "./Ground.ts"

const steps = "version: 1\nname: adopted\nsteps:\n  - urls: [https://a.example/]\n  - select: { url: url }\n"

/** The run of a part, as that of its run began. */
const begun = (runId: string, id: string) =>
  Effect.flatMap(
    PgClient.PgClient,
    (sql) => sql`INSERT INTO runs SELECT (jsonb_populate_record(r, ${JSON.stringify({ id, job_credits: 3 })}::jsonb)).*
      FROM runs r WHERE id = ${runId}`
  )

/** Rejects of a part. */
const plainReject = { key: "k", step: "use", definedAt: "", error: "Failed", message: "", at: "", row: 1 }

const rejected = (id: string, count: number) =>
  Effect.flatMap(
    PgClient.PgClient,
    (sql) => sql`INSERT INTO rejects (run_id, seq, step, key, defined_at, error, message, at, content)
      SELECT ${id}, n, 'select', ${id} || ' ' || n, '', '', '', '', 'null' FROM generate_series(1, ${count}::int) AS n`
  )

describeWithPostgres("the results of the shards of a run", () => {
  it.live("are merged into the run once, also by two processes at the same moment", () =>
    Effect.gen(function* () {
      const out = yield* folder
      const definition = yield* checked(out, steps)
      const layer = yield* database
      yield* Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const { runId } = yield* submit(definition, out)
        const reject = (key: string) => ({ ...plainReject, key })
        // The first worker is of version 0.1, whose lines say no version.
        const lines = { s0000: `${JSON.stringify(reject("s0000"))}\n`, s0001: RejectLine.write(reject("s0001")) }
        for (const [part, line] of Object.entries(lines)) {
          yield* begun(runId, `${runId}.${part}`)
          mkdirSync(`${out}/${part}`)
          writeFileSync(`${out}/${part}/rejects.jsonl`, line)
        }
        const parts = ["none", "s0000", "s0001"].map((part) => ({
          id: `${runId}.${part}`,
          rejectFile: `${out}/${part}/rejects.jsonl`
        }))
        const file = `${out}/.sluice/runs/${runId}/rejects.jsonl`
        const once = Merge.merge(runId, parts, total([{ rows: 5, rejects: 2 }]), file)
        yield* Effect.all([once, once, once], { concurrency: "unbounded" })
        yield* once
        expect(yield* (yield* Ledger).find(runId)).toMatchObject({ rows: 5, rejects: 2, credits: 6 })
        expect(readFileSync(file, "utf8")).toBe(["s0000", "s0001"].map((key) => RejectLine.write(reject(key))).join(""))
        expect(readdirSync(`${out}/.sluice/runs/${runId}`)).toEqual(["rejects.jsonl"])
        expect((yield* sql`SELECT id FROM runs`).length).toBe(1)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live("are read once, also while they are being merged", () =>
    Effect.gen(function* () {
      const out = yield* folder
      const definition = yield* checked(out, steps)
      const layer = yield* database
      yield* Effect.gen(function* () {
        const { runId } = yield* submit(definition, out)
        const counts = [10, 1500, 700]
        const parts = [Runs.splitOf(runId), Runs.shardOf(runId, 0), Runs.shardOf(runId, 1)]
        for (const [index, id] of parts.entries()) {
          yield* begun(runId, id)
          yield* rejected(id, counts[index] ?? 0)
        }
        const takeOver = Merge.merge(
          runId,
          parts.map((id) => ({ id, rejectFile: `${out}/none.jsonl` })),
          total([]),
          `${out}/rejects.jsonl`
        )
        const read = yield* (yield* Ledger).history.rejects(runId, { which: "open" }).pipe(
          // By then there is more to come of the first shard, and all of the others.
          Stream.mapChunksEffect((chunk) => Effect.as(takeOver, chunk)),
          Stream.runCollect
        )
        const keys = Chunk.toReadonlyArray(read).map(({ key }) => key)
        expect(keys).toHaveLength(2210)
        expect(new Set(keys).size).toBe(2210)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )
})

describe("the reject files of parts", () => {
  it.live("are not merged with rejects of a newer version: its lines may say what this one does not know", () =>
    Effect.gen(function* () {
      const out = yield* folder
      const part = `${out}/newer.jsonl`
      writeFileSync(part, `${RejectLine.write(plainReject)}${JSON.stringify({ version: 2, ...plainReject })}\n`)
      const error = yield* Effect.flip(Merge.gather([part], `${out}/draft`))
      expect(error.message).toContain(`Line 2 of ${part} is not a reject that this version of Sluice can read`)
    }).pipe(Effect.scoped, Effect.provide(context))
  )

  it.live("are merged line by line, also lines that are longer than what is read at once", () =>
    Effect.gen(function* () {
      const out = yield* folder
      const parts = ["a", "b"].map((name) => `${out}/${name}.jsonl`)
      const long = { ...plainReject, message: "ü".repeat(300_000) }
      for (const part of parts) writeFileSync(part, `${JSON.stringify(long)}\n`.repeat(3))
      const bytes = yield* Merge.gather([...parts, `${out}/none.jsonl`], `${out}/draft`)
      expect(readFileSync(`${out}/draft`, "utf8")).toBe(RejectLine.write(long).repeat(6))
      expect(bytes).toBe(statSync(`${out}/draft`).size)
    }).pipe(Effect.scoped, Effect.provide(context))
  )
})
