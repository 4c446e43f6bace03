/** The Chromium that benchmarks drive: the one that the engine would. */
import * as Either from "effect/Either"
import * as Chromium from "../../src/Settings/Chromium.ts"

/** Chromium refuses its sandbox to root. */
export const chromiumSandbox = process.env.SLUICE_CHROMIUM_NO_SANDBOX === undefined && process.getuid?.() !== 0

export const flags: ReadonlyArray<string> = chromiumSandbox ? [] : ["--no-sandbox"]

/** Its path; throws where there is none, so that the table says what is missing. */
export const chromium = (): string =>
  Either.getOrThrowWith(
    Chromium.find(process.env.SLUICE_CHROMIUM, process.env.PATH),
    ({ found, todo }) => new Error(`This benchmark needs a Chromium: ${found}; ${todo}`)
  )
