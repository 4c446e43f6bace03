import * as SqlClient from "@effect/sql/SqlClient"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Door from "../../src/Cluster/Door.ts"
import * as Database from "../../src/Database/Sqlite.ts"
import { Ledger } from "../../src/Ledger.ts"
import * as Fresh from "../Ledger/Fresh.ts"
import { skipsLong } from "../Long.ts"
import { place } from "../Postgres.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { checked, client, context, folder, lines } from "./Ground.ts"

const steps = `
version: 1
name: within
steps:
  - urls: [https://a.example/1, https://a.example/2, https://a.example/3]
  - write: { jsonl: out.jsonl }
`

describeWithPostgres("a worker within a program", () => {
  it.live.skipIf(skipsLong)("uses the database and ledger of the cluster, whatever the program has", () =>
    Effect.gen(function* () {
      const out = yield* folder
      const shared = Door.layer(Redacted.make(yield* place))
      const own = Layer.mergeAll(Database.layer(":memory:"), Fresh.layer(`${out}/.own`), client)
      // The ledger of the program is the nearer one.
      const program = Door.layerWorker({ host: "within" }).pipe(
        Layer.provideMerge(Layer.provideMerge(own, shared)),
        Layer.provideMerge(context)
      )
      yield* Effect.gen(function* () {
        const { ended, submit } = yield* Door.Cluster
        const runId = yield* submit(yield* checked(out, steps), {
          out,
          env: {},
          secrets: () => undefined,
          shardRows: 1
        })
        expect((yield* ended(runId)).rows).toBe(3)
        expect(lines(out, "out.")).toHaveLength(3)
        expect(yield* (yield* Ledger).history.runs({ limit: 9 })).toEqual([])
        const sql = yield* SqlClient.SqlClient
        expect(yield* sql`SELECT name FROM sqlite_master`).toEqual([])
      }).pipe(Effect.provide(program))
    }).pipe(Effect.scoped, Effect.provide(context))
  )
})
