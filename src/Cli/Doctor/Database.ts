/** The Postgres of the settings: whether it can be reached, is new enough, and takes the ledger's tables. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Values } from "../Profile.ts"
import { broken, type Finding, ok } from "./Finding.ts"

/** Makes the tables where they are missing, as the first run would. */
export const look = ({ databaseUrl }: Values): Effect.Effect<ReadonlyArray<Finding>> =>
  databaseUrl === undefined
    ? Effect.succeed([])
    : Effect.gen(function* () {
        const Postgres = yield* Effect.promise(() => import("../../Ledger/Postgres.ts"))
        const place = yield* Postgres.placeOf(databaseUrl)
        yield* Effect.scoped(Layer.build(Postgres.database(databaseUrl)))
        return ok("database", `${place} keeps the ledger`)
      }).pipe(
        Effect.catchAll((error) =>
          Effect.succeed(broken("database", error.message, "put SLUICE_DATABASE_URL right, or unset it"))
        ),
        Effect.map((finding) => [finding])
      )
