/** Tests that need a Postgres server: without one they are skipped under a name that says so. */
import { describe } from "@effect/vitest"
import * as Server from "./Postgres.ts"

/** Workers and servers start, and wait for each other, on a machine that may be busy with other tests: they get a minute. */
export const describeWithPostgres = (name: string, tests: () => void, timeout = 60_000, concurrent = false): void => {
  if (Server.isHere) describe(name, { timeout, concurrent }, tests)
  else describe.skip(`${name} (no Postgres here)`, tests)
}

/** Tests that wait for most of their time, each with a schema of its own: they wait side by side. */
export const describeBeside = (name: string, tests: () => void): void =>
  describeWithPostgres(name, tests, 180_000, true)
