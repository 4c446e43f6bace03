import { existsSync, mkdirSync } from "node:fs"
import * as PgClient from "@effect/sql-pg/PgClient"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { sweep } from "../../src/Cluster/Sweep.ts"
import * as Cluster from "../../src/Cluster.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { checked, context, database, folder, submit } from "./Ground.ts"

const steps = "version: 1\nname: swept\nsteps:\n  - urls: [https://a.example/]\n  - select: { url: url }\n"

describeWithPostgres("files that workers keep of runs", () => {
  it.live("are removed a day after the ledger has removed the run, and not before", () =>
    Effect.gen(function* () {
      const out = yield* folder
      const definition = yield* checked(out, steps)
      yield* Effect.gen(function* () {
        const sql = yield* PgClient.PgClient
        const [old, kept] = [yield* submit(definition, out), yield* submit(definition, out)]
        const files = (runId: string) => `${out}/.sluice/cluster/${runId}`
        for (const { runId } of [old, kept]) mkdirSync(files(runId), { recursive: true })
        yield* sql`UPDATE submissions SET status = 'failed', ended_at = now() - interval '25 hours'`
        yield* sql`UPDATE parts SET ended_at = now() - interval '25 hours'`
        yield* sql`DELETE FROM runs WHERE id = ${old.runId}`
        yield* sweep
        const board = yield* Cluster.Board
        expect([yield* board.standing(old.runId), existsSync(files(old.runId))]).toEqual([undefined, false])
        expect([(yield* board.standing(kept.runId))?.status, existsSync(files(kept.runId))]).toEqual(["failed", true])
      }).pipe(Effect.provide(yield* database))
    }).pipe(Effect.scoped, Effect.provide(context))
  )
})
