/**
 * Long tests: those that take more than a second. Some 600 of 5,700 take most of the time of all. `npm test` leaves them out; CI runs them,
 * and so do `npm run faults` and `SLUICE_LONG_TESTS=1 npm test`.
 */

export const isCi = !["", "0", "false"].includes(process.env.CI ?? "")

/** True where they are left out: `it.scoped.skipIf(isQuick)(…)`. */
export const isQuick = !isCi && process.env.SLUICE_LONG_TESTS === undefined
