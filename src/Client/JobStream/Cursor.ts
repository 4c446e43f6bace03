/** Where the reading of a job stands, and what the page just read makes of it: the rules without the requests (spec 2.7, 3). */
import type { Document } from "../../Api/Document.ts"
import type { JobEnvelope } from "../../Api/JobStatus.ts"
import type { Next } from "./Next.ts"
import type { Repeats } from "./Repeats.ts"

/** What to do next. */
export type Move =
  /** Ask for this address, a continuation of the page just read. */
  | { readonly _tag: "Follow"; readonly url: string; readonly skip: number | undefined }
  /** Ask by position. */
  | { readonly _tag: "Ask" }
  /** Wait as the poll schedule says, then ask by position. */
  | { readonly _tag: "Wait" }
  | { readonly _tag: "End" }

export interface Cursor {
  /** The documents up to here have been read. */
  readonly position: number
  readonly move: Move
  /** While the job runs, this pass reads up to here: what was there when it began. */
  readonly end: number
  /** Fruitless passes in a row over a job that has ended but promises more. */
  readonly idle: number
  readonly pages: number
  /** The highest numbers seen: a status that shrinks is an old one. */
  readonly total: number
  readonly completed: number
  readonly creditsUsed: number
}

export const start = (position: number): Cursor => ({
  position,
  move: { _tag: "Ask" },
  end: position,
  idle: 0,
  pages: 0,
  total: 0,
  completed: 0,
  creditsUsed: 0
})

/** A page's documents that are new, and the reading after it. */
export interface Read {
  readonly cursor: Cursor
  readonly documents: ReadonlyArray<Document>
  /** Position of the first of them. */
  readonly first: number
}

/** After so many fruitless passes a job that has ended is read to its end, whatever it promises. */
const patience = 3

const ended: ReadonlySet<string> = new Set(["completed", "failed", "cancelled"])

/**
 * Three kinds of servers are read alike: those that honour `skip`, those that ignore it and send everything again, and those
 * whose `next` is opaque. The numbers of a page are trusted when its `next` (or its count, on a last page) agrees with where it
 * was asked to begin; otherwise what is new on it is told by contents.
 */
export const advance = (
  before: Cursor,
  page: JobEnvelope,
  next: Next,
  received: ReadonlyArray<Document>,
  repeats: Repeats
): Read => {
  const count = page.data?.length ?? 0
  const begin = before.move._tag === "Follow" ? before.move.skip : before.position
  const total = Math.max(before.total, page.total ?? 0)
  const completed = Math.max(before.completed, page.completed ?? 0)
  const nextSkip = next._tag === "Here" ? next.skip : undefined
  const trusted =
    begin !== undefined && (next._tag === "None" ? begin + count <= completed : nextSkip === begin + count)
  // A reading that began in the middle, at a server that ignores `skip`: the page holds everything from the first document.
  const whole =
    before.pages === 0 &&
    before.position > 0 &&
    (nextSkip === count || (total > 0 && next._tag === "None" && before.position + count > total))
  const old = whole ? before.position : trusted ? before.position - begin : 0
  const candidates = old > 0 ? received.slice(old) : received
  const documents = repeats.filter(candidates, trusted)

  const read = whole
    ? Math.max(before.position, count)
    : trusted
      ? Math.max(before.position, begin + count)
      : before.position + documents.length
  const position = Math.max(read, nextSkip ?? 0)
  const advanced = position > before.position || documents.length > 0
  const isOver = ended.has(page.status)
  const end = before.move._tag === "Follow" ? before.end : Math.max(completed, position)
  const more = next._tag === "Here" || (count === 0 && position < completed)
  const idle = isOver && more && !advanced ? before.idle + 1 : 0

  const follow = (): Move =>
    next._tag === "Here" && (next.skip === undefined || next.skip === position)
      ? { _tag: "Follow", url: next.url, skip: next.skip }
      : { _tag: "Ask" }
  const move = (): Move => {
    if (isOver && (!more || idle >= patience)) return { _tag: "End" }
    if (!advanced || next._tag !== "Here") return { _tag: "Wait" }
    return isOver || position < end ? follow() : { _tag: "Wait" }
  }
  return {
    documents,
    first: read - documents.length,
    cursor: {
      position,
      move: move(),
      end,
      idle,
      pages: before.pages + 1,
      total,
      completed,
      creditsUsed: Math.max(before.creditsUsed, page.creditsUsed ?? 0)
    }
  }
}
