/** Page ledger: lists of pages, their versions, and the diff of two versions. */
import type { Next } from "../Protocol.ts"

/** An attempt of a run at a page. */
export interface PageVersion {
  readonly run: string
  /** In its run. `RUN:NUMBER` names it. */
  readonly number: number
  readonly step: string
  readonly key: string
  readonly at: number
  readonly status?: number | undefined
  readonly error?: string | undefined
  /** SHA-256 of its content. */
  readonly hash?: string | undefined
  readonly jobId?: string | undefined
  readonly credits?: number | undefined
  /** `known`, `shared` with the other pages of its job, `unknown` or `none`. */
  readonly price: string
}

export interface RunPages {
  readonly pages: ReadonlyArray<PageVersion>
  readonly next: Next
}

/** A page, whichever runs met it. */
export interface PageLine {
  readonly key: string
  readonly attempts: number
  readonly firstSeen: number
  readonly lastSeen: number
  /** Of its newest attempt. */
  readonly last: PageVersion
}

/** In the order of their addresses. All words of the text occur in the key, in whatever case. */
export interface PageList {
  readonly pages: ReadonlyArray<PageLine>
  readonly next: Next
  /** The search was cut short for its time: `next` goes on with it, even when `pages` is empty. */
  readonly isPartial: boolean
  /** Milliseconds that it took. */
  readonly took: number
}

/** Newest first. */
export interface PageVersions {
  readonly key: string
  readonly attempts: number
  readonly firstSeen?: number | undefined
  readonly lastSeen?: number | undefined
  readonly versions: ReadonlyArray<PageVersion>
  readonly next: Next
}

/** A stretch of lines; `same` stretches are whole: whoever shows them may fold them. */
export interface DiffPart {
  readonly kind: "same" | "added" | "removed"
  readonly lines: ReadonlyArray<string>
}

export interface PageDiff {
  readonly from: PageVersion
  readonly to: PageVersion
  /** What differs of what the ledger has: status, error, hash, credits … */
  readonly fields: ReadonlyArray<{
    readonly name: string
    readonly from?: string | undefined
    readonly to?: string | undefined
  }>
  /** `same` by their hashes; null when a hash is missing. */
  readonly isSame: boolean | null
  /**
   * Of the contents, as the outputs of both runs have them. Null when they are not there any more (`why` says so: an
   * output was replaced by a later run, or holds no such field).
   */
  readonly parts: ReadonlyArray<DiffPart> | null
  readonly why?: string | undefined
  /** What was compared: `markdown`, another field, or `row` for the whole row as JSON. */
  readonly of?: string | undefined
}
