/** How the lines of a file become rows. */
import * as Schema from "effect/Schema"
import type { Row } from "../../Row.ts"
import { type Failure, StepError } from "../../Step.ts"
import { type Lines, longestLine } from "./Lines.ts"

/** A line, or the record that begins there, that is no row. */
export interface Malformed {
  /** Counted from 1. */
  readonly line: number
  readonly message: string
  /** The beginning of it. */
  readonly text: string
}

/** What some lines came to. */
export interface Decoded {
  readonly rows: ReadonlyArray<Row>
  readonly malformed: ReadonlyArray<Malformed>
  /** An integer beyond 2^53 that was kept as a string, where there was one. */
  readonly kept?: string | undefined
}

/** Integers beyond 2^53 are kept as strings, or make the line malformed. */
export type Integers = "string" | "strict"

/** Why a line is malformed under `integers: strict`. */
export const tooLarge = (integer: string): string => {
  const shown = integer.length > 40 ? `${integer.slice(0, 39)}…` : integer
  return `has the integer ${shown}, beyond 2^53, and integers is strict`
}

/** Decodes one file; its lines are given one after the other. */
export interface Decoder {
  readonly decode: (parts: ReadonlyArray<Lines>) => Decoded
  /** The record that no line ends. */
  readonly end: () => Decoded
  /** What has been decoded, as far as it is complete: a decoder that is made with it goes on there. Plain JSON. */
  readonly state: () => Position
  /** Bytes of lines that belong to a record which is not complete. */
  readonly held: () => number
}

/** Where a decoder stands. */
export const Position = Schema.Struct({
  /** Lines before it. */
  line: Schema.Number,
  /** The names of a table's columns, once they are known. */
  header: Schema.optional(Schema.Array(Schema.String))
})
export type Position = typeof Position.Type

export const tooLongLine = `is longer than ${longestLine / 1024 / 1024} MiB`

/** The text of a line, without the byte order mark that may begin a file. */
export const withoutMark = (text: string, line: number): string =>
  line === 1 && text.startsWith("\ufeff") ? text.slice(1) : text

/** So much of a malformed line is shown. */
export const shown = 1000

export const malformed = (line: number, message: string, text: string): Malformed => ({
  line,
  message,
  text: text.length > shown ? `${text.slice(0, shown)}…` : text
})

/** A malformed line as a failed row. */
export const failedRow = (file: string, { line, message, text }: Malformed): Failure => [
  { data: { file, line, text }, key: `${file}:${line}`, position: line },
  new StepError({ reason: "LineMalformed", message: `${file}, line ${line} ${message}` })
]
