/**
 * Read position in a job: finds the new documents of each page, and decides which page to request next. Makes no requests.
 *
 * - Supports three kinds of servers: those that honour `skip`, those that ignore it and send every document again, and those whose `next`
 *   is opaque, which means that it contains no position.
 * - A page is trusted if its `next`, or the number of its documents on the last page, matches the requested position. The documents of any
 *   other page are compared with earlier ones (`Repeats.ts`).
 * - A running job is read in passes: up to the number of documents that were ready when the pass began. Then the reader waits, and starts
 *   the next pass.
 */
import type { Document } from "../../Api/Document.ts"
import { ended, type JobEnvelope } from "../../Api/JobStatus.ts"
import { canParse } from "../../Api/Url.ts"
import type { Repeats } from "./Repeats.ts"

/** Next action of the reader. */
type Move =
  /** Request this URL, the continuation of the last page. */
  | { readonly _tag: "Follow"; readonly url: string; readonly isOpaque: boolean }
  /** Request the page at the position: there was no page yet, or its `next` leads elsewhere. */
  | { readonly _tag: "Ask" }
  /** Wait according to the poll schedule, then request the page at the position. */
  | { readonly _tag: "Wait" }
  | { readonly _tag: "End" }

export interface Cursor {
  /** Number of the job's documents that have been read. */
  readonly position: number
  readonly move: Move
  /** Position at which the current pass over a running job ends. */
  readonly passEnd: number
  /** Documents received in this pass, including repeated ones. */
  readonly passDocuments: number
  readonly passPages: number
  /** `next` of an earlier page of this pass (page 1, 2, 4, 8 and so on), so that every loop of pages reaches it. */
  readonly loopAnchor: string
  /** Consecutive pages without a new document, of an ended job whose status announces more documents. */
  readonly stalls: number
  readonly pages: number
  /** Highest counts seen: a response with lower counts is outdated. */
  readonly total: number
  readonly completed: number
  readonly creditsUsed: number
}

export const start = (position: number): Cursor => ({
  position,
  move: { _tag: "Ask" },
  passEnd: position,
  passDocuments: 0,
  passPages: 0,
  loopAnchor: "",
  stalls: 0,
  pages: 0,
  total: 0,
  completed: 0,
  creditsUsed: 0
})

/** The new documents of a page, and the cursor after it. */
export interface Read {
  readonly cursor: Cursor
  readonly documents: ReadonlyArray<Document>
  /** Position of the first document. */
  readonly first: number
}

/** After this many pages without a new document, an ended job counts as read, even if its status announces more documents. */
const maxStalls = 3

/** Maximum documents of one pass, as a multiple of the job's documents: pages may overlap. */
const maxReplayFactor = 8

/** `next` of a page, classified for the reader. */
export type NextPage =
  | { readonly _tag: "None" }
  /** URL of the same service, with the position in its `skip`, if any. */
  | { readonly _tag: "SameService"; readonly url: string; readonly skip: number | undefined }
  /** URL of another origin. The reader must not follow it with the API key. */
  | { readonly _tag: "OtherOrigin"; readonly url: string }

const skipOf = (next: NextPage): number | undefined => (next._tag === "SameService" ? next.skip : undefined)

/** Moves the cursor past a page. */
export const advance = (
  before: Cursor,
  page: JobEnvelope,
  next: NextPage,
  received: ReadonlyArray<Document>,
  repeats: Repeats
): Read => {
  const count = page.data?.length ?? 0
  const skip = skipOf(next)
  const total = Math.max(before.total, page.total ?? 0)
  const completed = Math.max(before.completed, page.completed ?? 0)
  const { documents, read } = readDocuments(before, { completed, total, count }, next, received, repeats)
  const position = Math.max(read, skip ?? 0)

  const isSamePass = before.pages > 0 && before.move._tag !== "Wait"
  const passEnd = isSamePass ? before.passEnd : Math.max(completed, position)
  const passDocuments = count + (isSamePass ? before.passDocuments : 0)
  const passPages = isSamePass ? before.passPages + 1 : 1
  const isAnchor = (passPages & (passPages - 1)) === 0

  const hasAdvanced = position > before.position || documents.length > 0
  const isEnded = ended.has(page.status)
  const promisesMore = next._tag === "SameService" || (count === 0 && position < completed)
  const url = next._tag === "SameService" ? next.url : ""
  const isLoop = isSamePass && url === before.loopAnchor
  // An opaque `next` may first lead through documents that are already known, but only up to `maxReplayFactor` times the job's documents.
  const mayReplay =
    url !== "" && skip === undefined && count > 0 && !isLoop && passDocuments <= passEnd * maxReplayFactor
  const stalls = hasAdvanced ? 0 : before.stalls + (isEnded && promisesMore && !mayReplay ? 1 : 0)

  const nextMove = (): Move => {
    if (isEnded && (!promisesMore || stalls >= maxStalls)) return { _tag: "End" }
    const continues = hasAdvanced ? isEnded || position < passEnd : mayReplay
    if (url === "" || !continues) return { _tag: "Wait" }
    return skip === undefined || skip === position
      ? { _tag: "Follow", url, isOpaque: skip === undefined }
      : { _tag: "Ask" }
  }
  return {
    documents,
    first: read - documents.length,
    cursor: {
      position,
      move: nextMove(),
      passEnd,
      passDocuments,
      passPages,
      loopAnchor: isAnchor ? url : before.loopAnchor,
      stalls,
      pages: before.pages + 1,
      total,
      completed,
      creditsUsed: Math.max(before.creditsUsed, page.creditsUsed ?? 0)
    }
  }
}

/** The new documents of a page, and the number of documents read after it. */
const readDocuments = (
  { move, pages, position }: Cursor,
  { completed, count, total }: { readonly completed: number; readonly total: number; readonly count: number },
  next: NextPage,
  received: ReadonlyArray<Document>,
  repeats: Repeats
): { readonly documents: ReadonlyArray<Document>; readonly read: number } => {
  const skip = skipOf(next)
  const isOpaque = move._tag === "Follow" && move.isOpaque
  const isLast = next._tag === "None"
  const isTrusted = !isOpaque && (isLast ? position + count <= completed : skip === position + count)
  // First page of a resumed reader from a server that ignores `skip`: the page starts with the job's first document.
  const isWhole = pages === 0 && position > 0 && (skip === count || (total > 0 && isLast && position + count > total))
  const documents = repeats.filter(isWhole ? received.slice(position) : received, isTrusted)
  return { documents, read: isWhole ? Math.max(position, count) : position + (isTrusted ? count : documents.length) }
}

/**
 * Resolves `next` of a page that was requested from `pageUrl`.
 *
 * Services behind a proxy write `http://` for themselves even if they are called by `https://`. So the same host on the default ports is
 * the same service, and is called with the scheme of the base URL. Any other origin is a different service.
 */
export const resolve = (next: string | null | undefined, pageUrl: string): NextPage => {
  if (next === null || next === undefined || !canParse(next, pageUrl)) return { _tag: "None" }
  const base = new URL(pageUrl)
  const url = new URL(next, base)
  const isSameHost = url.hostname === base.hostname && url.port === "" && base.port === ""
  if (url.origin !== base.origin && !(isSameHost && url.protocol === "http:" && base.protocol === "https:")) {
    return { _tag: "OtherOrigin", url: url.origin }
  }
  const skip = url.searchParams.get("skip")
  return {
    _tag: "SameService",
    url: base.origin + url.pathname + url.search,
    skip: skip !== null && /^\d+$/.test(skip) ? Number(skip) : undefined
  }
}
