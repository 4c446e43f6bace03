/** Tests that need a Postgres server: without one they are skipped under a name that says so. */
import { describe } from "@effect/vitest"
import * as Server from "./Postgres.ts"

export const describeWithPostgres = (name: string, tests: () => void, concurrent = false): void => {
  if (Server.isHere) describe(name, { concurrent }, tests)
  else describe.skip(`${name} (no Postgres here)`, tests)
}

/** Tests that wait for most of their time, each with a schema of its own: they wait side by side. */
export const describeBeside = (name: string, tests: () => void): void => describeWithPostgres(name, tests, true)
