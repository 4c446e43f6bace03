import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as SqlClient from "@effect/sql/SqlClient"
import * as PgClient from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Adopt from "../../src/Cluster/Adopt.ts"
import { Ledger } from "../../src/Run/Ledger.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { checked, context, database, folder, submit } from "./Ground.ts"

const steps = "version: 1\nname: adopted\nsteps:\n  - urls: [https://a.example/]\n  - select: { url: url }\n"

describeWithPostgres("what the parts of a run have left", () => {
  it.live("is the run's own once, also when two take it over at the same moment", () =>
    Effect.gen(function* () {
      const out = yield* folder
      const definition = yield* checked(out, steps)
      const layer = yield* database
      yield* Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const { runId } = yield* submit(definition, out)
        for (const part of ["s0000", "s0001"]) {
          yield* sql`INSERT INTO runs SELECT (jsonb_populate_record(r, ${JSON.stringify({
            id: `${runId}.${part}`,
            job_credits: 3
          })}::jsonb)).* FROM runs r WHERE id = ${runId}`
          mkdirSync(`${out}/${part}`)
          writeFileSync(`${out}/${part}/rejects.jsonl`, `{"of":"${part}"}\n`)
        }
        const parts = ["none", "s0000", "s0001"].map((part) => ({
          id: `${runId}.${part}`,
          rejectFile: `${out}/${part}/rejects.jsonl`
        }))
        const file = `${out}/.sluice/runs/${runId}/rejects.jsonl`
        const once = Adopt.adopt(runId, parts, Adopt.total([{ rows: 5, rejects: 2 }]), file).pipe(
          Effect.provideService(SqlClient.SqlClient, sql)
        )
        yield* Effect.all([once, once, once], { concurrency: "unbounded" })
        yield* once
        expect(yield* (yield* Ledger).find(runId)).toMatchObject({ rows: 5, rejects: 2, credits: 6 })
        expect(readFileSync(file, "utf8")).toBe('{"of":"s0000"}\n{"of":"s0001"}\n')
        expect(readdirSync(`${out}/.sluice/runs/${runId}`)).toEqual(["rejects.jsonl"])
        expect((yield* sql`SELECT id FROM runs`).length).toBe(1)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provide(context))
  )
})
