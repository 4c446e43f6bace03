/** A file becomes a document, in a child process that may die without harm (spec 4.2). */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Document } from "../../Api/Document.ts"
import type {
  BadRequest,
  NotImplemented,
  TimedOut,
  TooLarge,
  Unprocessable,
  UnsupportedType
} from "../../Api/Errors.ts"
import type { Settled } from "../../Api/Field.ts"
import type * as Parse from "../../Api/Parse.ts"

export type ParseFailure = BadRequest | NotImplemented | TimedOut | TooLarge | Unprocessable | UnsupportedType

export interface ParseTarget {
  /** Where the bytes are on disk. */
  readonly path: string
  /** What the file is called by whoever sent it, or the address it was fetched from: `metadata.sourceURL`. */
  readonly name: string
  readonly options: Settled<typeof Parse.optionFields>
}

export interface ParsedFile {
  readonly document: Document
  /** What the search index keeps. */
  readonly indexed: { readonly title: string; readonly description: string; readonly text: string }
}

export class Parser extends Context.Tag("sluice/Engine/Parse/Parser")<
  Parser,
  { readonly parse: (target: ParseTarget) => Effect.Effect<ParsedFile, ParseFailure> }
>() {}
