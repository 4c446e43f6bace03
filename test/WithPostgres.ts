/** Tests that need a Postgres server: without one they are skipped under a name that says so. */
import { describe } from "@effect/vitest"
import * as Server from "./Postgres.ts"

/** Workers and servers start, and wait for each other, on a machine that may be busy with other tests: they get a minute. */
export const describeWithPostgres = (name: string, tests: () => void, timeout = 60_000): void => {
  if (Server.isHere) describe(name, { timeout }, tests)
  else describe.skip(`${name} (no Postgres here)`, tests)
}
