/** Tests of both ledgers: SQLite and Postgres. */
import { describe } from "@effect/vitest"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { tempDir } from "../Local.ts"
import * as Server from "../Postgres.ts"
import { describeWithPostgres } from "../WithPostgres.ts"

/** The same promises for a ledger in a file and for one in Postgres; gives each test a place for its ledger. */
export const describeLedgers = (
  name: string,
  tests: (place: Effect.Effect<string, never, Scope.Scope>, isFile: boolean) => void
): void => {
  describe(`${name}, in a file`, () => tests(tempDir, true))
  describeWithPostgres(`${name}, in Postgres`, () => tests(Server.place, false))
}
