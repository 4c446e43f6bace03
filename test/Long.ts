/**
 * Long tests: those that take more than a second. Some 760 of 5,960 take most of the time of all. `npm test` skips them; `npm run faults`,
 * `SLUICE_LONG_TESTS=1 npm test` and `npx vitest run FILE` run them, and CI runs a part of them (`.ci/run`).
 */

const isSet = (value: string | undefined): boolean => !["", "0", "false"].includes(value ?? "")

export const isCi = isSet(process.env.CI)

/** True where they are skipped: `it.scoped.skipIf(skipsLong)(…)`. */
export const skipsLong =
  process.env.SLUICE_LONG_TESTS === undefined
    ? process.env.npm_lifecycle_event === "test" && !isCi
    : !isSet(process.env.SLUICE_LONG_TESTS)
