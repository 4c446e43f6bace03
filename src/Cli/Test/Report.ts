/** What tests came to: the one value that every reporter tells in its way. */
import type { Failure } from "../../Run/Test/Assertions.ts"

/** A failure, and where in the test file it stands. */
export interface Fault extends Failure {
  /** `file:line:column`. */
  readonly place: string
}

export interface Result {
  /** The test file, as it was named. */
  readonly file: string
  readonly pipeline: string
  readonly name: string
  readonly place: string
  readonly passed: boolean
  readonly millis: number
  readonly faults: ReadonlyArray<Fault>
  /** What happened to the test besides: a recording that was written. */
  readonly notes: ReadonlyArray<string>
}

export interface Report {
  readonly results: ReadonlyArray<Result>
  readonly millis: number
}

export const failed = ({ results }: Report): ReadonlyArray<Result> => results.filter(({ passed }) => !passed)

/** `search-to-csv › gives each page once`. */
export const titleOf = ({ name, pipeline }: Result): string => `${pipeline} › ${name}`

/** `expect.rows.select.equals`, below the test. */
export const pathOf = ({ path }: Failure): string =>
  path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`))
    .join("")

/** Texts of pages may hold anything: what would steer a terminal, or what no XML may hold, is left out. */
export const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/gu, "\ufffd")
