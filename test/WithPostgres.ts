/** Tests that need a Postgres server: without one they are skipped under a name that says so. */
import { describe } from "@effect/vitest"
import * as Server from "./Postgres.ts"

export const describeWithPostgres = (name: string, tests: () => void): void => {
  if (Server.isHere) describe(name, tests)
  else describe.skip(`${name} (no Postgres here)`, tests)
}
