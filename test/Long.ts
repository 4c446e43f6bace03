/**
 * Tests that take more than two seconds on two quiet cores, some 300 of 5,700, take more than half of the time of all. `npm test` leaves them
 * out. CI runs them, and so do `npm run faults` and `SLUICE_LONG_TESTS=1 npm test`.
 */

export const isCi = !["", "0", "false"].includes(process.env.CI ?? "")

/** True where they are left out: `it.scoped.skipIf(isQuick)(…)`. */
export const isQuick = !isCi && process.env.SLUICE_LONG_TESTS === undefined
