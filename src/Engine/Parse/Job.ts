/** Protocol between the server and a parser child process. */
import type { ParsedFile } from "./Parser.ts"
import type { RefusalCode } from "./Refusal.ts"
import type { Kind } from "./Sniff.ts"

/** The options that a reader can act on, plain enough for a message between processes. */
export interface ReadOptions {
  readonly formats: ReadonlyArray<string>
  readonly onlyMainContent: boolean
  readonly onlyCleanContent: boolean
  readonly includeTags: ReadonlyArray<string>
  readonly excludeTags: ReadonlyArray<string>
  readonly removeBase64Images: boolean
  readonly blockAds: boolean
  /** Of a PDF; undefined for all. */
  readonly maxPages?: number | undefined
  /** After this long a reader that works page by page stops and says so. */
  readonly budgetMillis: number
}

export interface Job {
  readonly path: string
  readonly name: string
  /** What the name says the file is; undefined when it says nothing. */
  readonly promised: Kind | undefined
  /** After this long at work the child is killed. */
  readonly limitMillis: number
  readonly options: ReadOptions
}

/** The outcome of a job. */
export type Reply =
  | { readonly kind: "parsed"; readonly file: ParsedFile }
  | { readonly kind: "refused"; readonly code: RefusalCode; readonly message: string }

/** All that a child says: `ready` when it has started, `begun` when it has taken a job. */
export type Message = Reply | { readonly kind: "ready" | "begun" }
