/** Read position in a job: how a page advances it, and whether its `next` URL may be followed with the API key. Makes no requests. */
import type { Document } from "../../Api/Document.ts"
import { ended, type JobEnvelope } from "../../Api/JobStatus.ts"
import { canParse } from "../../Api/Url.ts"
import type { Repeats } from "./Repeats.ts"

/** Next action of the reader. */
type Move =
  /** Ask for this address, which continues the page just read; an opaque one does not say at which position. */
  | { readonly _tag: "Follow"; readonly url: string; readonly opaque: boolean }
  /** Ask by position, because there is nothing yet or `next` does not lead on. */
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
  /** Documents and pages received in this pass, old and new. */
  readonly passed: number
  readonly steps: number
  /** A `next` seen earlier in this pass; it is moved on at every power of two of steps, so that any circle meets it. */
  readonly anchor: string
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
  passed: 0,
  steps: 0,
  anchor: "",
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

/** Limit of documents in one pass, as a multiple of the job's documents: pages may overlap. */
const maxReplay = 8

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
  const { position: begin, move: moved } = before
  const total = Math.max(before.total, page.total ?? 0)
  const completed = Math.max(before.completed, page.completed ?? 0)
  const skip = next._tag === "Here" ? next.skip : undefined
  const isOpaque = moved._tag === "Follow" && moved.opaque
  const trusted = !isOpaque && (next._tag === "None" ? begin + count <= completed : skip === begin + count)
  // A reading that began in the middle, at a server that ignores `skip`: the page holds everything from the first document.
  const isWhole =
    before.pages === 0 && begin > 0 && (skip === count || (total > 0 && next._tag === "None" && begin + count > total))
  const documents = repeats.filter(isWhole ? received.slice(begin) : received, trusted)

  const read = isWhole ? Math.max(begin, count) : begin + (trusted ? count : documents.length)
  const position = Math.max(read, skip ?? 0)
  const advanced = position > begin || documents.length > 0
  const isOver = ended.has(page.status)
  const continues = before.pages > 0 && moved._tag !== "Wait"
  const end = continues ? before.end : Math.max(completed, position)
  const passed = count + (continues ? before.passed : 0)
  const more = next._tag === "Here" || (count === 0 && position < completed)
  const steps = continues ? before.steps + 1 : 1
  const url = next._tag === "Here" ? next.url : ""
  const circles = continues && url === before.anchor
  // An opaque `next` may first lead through what is known already, but not for ever.
  const replays = url !== "" && skip === undefined && count > 0 && !circles && passed <= end * maxReplay
  const idle = advanced ? 0 : before.idle + (isOver && more && !replays ? 1 : 0)

  const move = (): Move => {
    if (isOver && (!more || idle >= patience)) return { _tag: "End" }
    if (next._tag !== "Here" || !(advanced ? isOver || position < end : replays)) return { _tag: "Wait" }
    return skip === undefined || skip === position
      ? { _tag: "Follow", url: next.url, opaque: skip === undefined }
      : { _tag: "Ask" }
  }
  return {
    documents,
    first: read - documents.length,
    cursor: {
      position,
      move: move(),
      end,
      passed,
      steps,
      anchor: (steps & (steps - 1)) === 0 ? url : before.anchor,
      idle,
      pages: before.pages + 1,
      total,
      completed,
      creditsUsed: Math.max(before.creditsUsed, page.creditsUsed ?? 0)
    }
  }
}

export type Next =
  | { readonly _tag: "None" }
  /** An address of the service; `skip` is the position it names, when it names one. */
  | { readonly _tag: "Here"; readonly url: string; readonly skip: number | undefined }
  | { readonly _tag: "Elsewhere"; readonly url: string }

const none: Next = { _tag: "None" }

/**
 * Services behind a proxy write `http://` for themselves although they are asked by `https://`: the same host on the usual
 * ports is the same service, and is asked the way the base URL says. Every other origin is elsewhere. `asked` is the address
 * of the page.
 */
export const resolve = (next: string | null | undefined, asked: string): Next => {
  if (next === null || next === undefined || !canParse(next, asked)) return none
  const base = new URL(asked)
  const url = new URL(next, base)
  const sameHost = url.hostname === base.hostname && url.port === "" && base.port === ""
  if (url.origin !== base.origin && !(sameHost && url.protocol === "http:" && base.protocol === "https:")) {
    return { _tag: "Elsewhere", url: url.origin }
  }
  const skip = url.searchParams.get("skip")
  return {
    _tag: "Here",
    url: base.origin + url.pathname + url.search,
    skip: skip !== null && /^\d+$/.test(skip) ? Number(skip) : undefined
  }
}
