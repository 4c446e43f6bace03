/**
 * Page ledger: searches pages by parts of URLs, and lists the pages of one run.
 *
 * The search uses an in-memory index of all page URLs: scanning a million URLs takes milliseconds.
 * - Loaded in the background at the first search, and dropped after {@link idleTimeout} without a search. Until it is loaded, and if the
 *   URLs need more memory than {@link limits} allows, searches go to the ledger.
 * - Sorted blocks hold the loaded URLs; `fresh` holds those that runs have added since. More than 200,000 fresh URLs cause a reload.
 * - One load or refresh at a time. A search sees every page that was stored before it began.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as Struct from "effect/Struct"
import * as Dialect from "../Database/Dialect.ts"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { PageRecord } from "../Ledger/Pages.ts"
import { Ledger } from "../Ledger.ts"
import { page } from "../Web/Dashboard/Protocol.ts"
import type { PageList, PageVersion, RunPages } from "../Web/Dashboard/RunProtocol.ts"
import type { DashboardQueries } from "./Queries.ts"
import * as Queries from "./Queries.ts"
import { noRun, type Query } from "./Request.ts"

const maxWords = 8

export const versionOf = (record: PageRecord): PageVersion => ({
  run: record.runId,
  ...Struct.pick(record, "number", "step", "key", "at", "status", "error", "hash", "jobId", "credits", "price")
})

/** Maximum rounds of a search. A round may give too few pages, because the index may contain keys whose pages were pruned. */
const maxRounds = 20

export const search = (query: Query) =>
  Effect.gen(function* () {
    const { isShared } = yield* Ledger
    const queries = yield* Queries.ofLedger
    const addresses = yield* Addresses
    const began = yield* Clock.currentTimeMillis
    const limit = yield* query.number("limit", { least: 1, most: page.most, otherwise: page.pages })
    const words = (query.text("text", 500) ?? "")
      .split(/\s+/)
      .filter((word) => word !== "")
      .slice(0, maxWords)
      .map(Dialect.encodeText)
    let after = query.text("after", 100_000) ?? ""
    const pages: Array<PageList["pages"][number]> = []
    let isOver = false
    // Postgres searches by itself. The index is for SQLite, whose queries would block this process.
    const ask = isShared ? queries.search : addresses.search
    if (!isShared) yield* addresses.prepare
    for (let round = 0; round < maxRounds && !isOver && pages.length < limit; round++) {
      const keys = yield* ask(words, after, limit - pages.length + 1)
      isOver = keys.length <= limit - pages.length
      const wanted = keys.slice(0, limit - pages.length)
      after = wanted.at(-1) ?? after
      for (const each of yield* queries.pages(wanted)) pages.push({ ...each, last: versionOf(each.last) })
    }
    const isPartial = !isOver && pages.length < limit
    return {
      pages,
      next: isOver ? null : after,
      isPartial,
      took: (yield* Clock.currentTimeMillis) - began
    } satisfies PageList
  })

export const ofRun = (id: string, query: Query) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const queries = yield* Queries.ofLedger
    const limit = yield* query.number("limit", { least: 1, most: page.most, otherwise: page.pages })
    const after = yield* query.number("after", { most: Number.MAX_SAFE_INTEGER, otherwise: 0 })
    if (!(yield* queries.known([id])).has(id)) return yield* noRun(id)
    const found = yield* history.pagesOf(id, { after, limit: limit + 1 })
    return {
      pages: found.slice(0, limit).map(versionOf),
      next: found.length > limit ? String(found[limit - 1]?.number) : null
    } satisfies RunPages
  })

/** Maximum URLs of a block (loaded without a pause), bytes of all blocks, and URLs outside of blocks. */
const limits = { block: 500, bytes: 256 * 1024 * 1024, fresh: 200_000 }
/** Milliseconds. */
const idleTimeout = 5 * 60_000

const newline = 0x0a

/** Lower-cases A to Z only, so that byte offsets stay the same. */
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Sorted keys, one per line; `lowered` is the same buffer when no key has upper-case letters. */
interface Block {
  readonly lines: Buffer
  readonly lowered: Buffer
  readonly last: Buffer
}

const blockOf = (keys: ReadonlyArray<string>): Block => {
  const text = `\n${keys.join("\n")}\n`
  const small = lower(text)
  const lines = Buffer.from(text)
  return { lines, lowered: small === text ? lines : Buffer.from(small), last: Buffer.from(keys.at(-1) ?? "") }
}

/** Keys of a block after `after` that contain all words, in order. */
const searchBlock = ({ lines, lowered }: Block, words: ReadonlyArray<Buffer>, after: Buffer, limit: number) => {
  const keys: Array<string> = []
  // The caller sorts the words by length: the longest is usually the rarest.
  const [first = Buffer.alloc(0), ...others] = words
  for (let at = lowered.indexOf(first, 0); at >= 0 && keys.length < limit; ) {
    const start = lowered.lastIndexOf(newline, at) + 1
    const end = lowered.indexOf(newline, at)
    const line = lowered.subarray(start, end)
    if (others.every((word) => line.includes(word))) {
      if (Buffer.compare(lines.subarray(start, end), after) > 0) keys.push(lines.toString("utf8", start, end))
    }
    at = lowered.indexOf(first, end)
  }
  return keys
}

/** Compares strings byte by byte, like the database. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

export interface AddressIndex {
  /** Stored keys after `after` that contain all words (ignoring case), in order. */
  readonly search: (
    words: ReadonlyArray<string>,
    after: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Loads the index in the background unless it is loaded. */
  readonly prepare: Effect.Effect<void>
}

interface Loaded {
  readonly blocks: ReadonlyArray<Block>
  readonly fresh: Set<string>
  /** Number of the last page read, by run. */
  readonly seen: Map<string, number>
  /** Time of the last query of the ledger. */
  at: number
  /** Version of the ledger at the last refresh. */
  mark: number | undefined
}

export const makeIndex = (queries: DashboardQueries): Effect.Effect<AddressIndex, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const turn = yield* Effect.makeSemaphore(1)
    let loaded: Loaded | undefined
    let isTooLarge = false
    let isLoading = false
    let usedAt = 0

    const load = Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      // Read before the keys, so that the next refresh reads pages again that are stored during the load.
      const seen = new Map(yield* queries.lastOf(yield* queries.touched(at)))
      const blocks: Array<Block> = []
      let bytes = 0
      let last = ""
      for (;;) {
        const keys = yield* queries.keys(last, limits.block)
        if (keys.length === 0) break
        const block = blockOf(keys)
        bytes += block.lines.length + (block.lines === block.lowered ? 0 : block.lowered.length)
        if (bytes > limits.bytes) {
          isTooLarge = true
          return undefined
        }
        blocks.push(block)
        last = keys[keys.length - 1] ?? ""
        // Let other requests run.
        yield* Effect.sleep(0)
        if (keys.length < limits.block) break
      }
      return { blocks, fresh: new Set<string>(), seen, at, mark: undefined }
    })

    /** Adds the URLs that runs have stored since the last refresh; undefined if more than `limits.fresh` are not in blocks. */
    const refresh = (known: Loaded) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const mark = yield* queries.version
        if (mark !== undefined && mark === known.mark) return known
        for (const run of yield* queries.touched(known.at)) {
          for (;;) {
            const after = known.seen.get(run) ?? 0
            const rows = yield* queries.keysOf(run, after, limits.block)
            for (const { key } of rows) known.fresh.add(key)
            const last = rows[rows.length - 1]
            if (last !== undefined) known.seen.set(run, last.number)
            if (known.fresh.size > limits.fresh) return undefined
            if (rows.length < limits.block) break
            yield* Effect.sleep(0)
          }
        }
        // Clocks of machines differ, so the next refresh overlaps this one by a minute.
        known.at = now - 60_000
        known.mark = mark
        return known
      })

    const prepare = turn
      .withPermits(1)(
        Effect.gen(function* () {
          if (loaded !== undefined || isTooLarge) return
          loaded = yield* load
        })
      )
      .pipe(Effect.ignoreLogged)

    /** Drops the index after an idle time. */
    const expire = Effect.gen(function* () {
      while ((yield* Clock.currentTimeMillis) - usedAt < idleTimeout) yield* Effect.sleep(idleTimeout)
      loaded = undefined
    })

    const inBackground = Effect.suspend(() => {
      if (isLoading || loaded !== undefined || isTooLarge) return Effect.void
      isLoading = true
      return prepare.pipe(
        Effect.ensuring(
          Effect.sync(() => {
            isLoading = false
          })
        ),
        Effect.zipRight(Effect.suspend(() => (loaded === undefined ? Effect.void : expire))),
        Effect.forkIn(scope),
        Effect.asVoid
      )
    })

    return {
      prepare: inBackground,
      search: (words, after, limit) =>
        Effect.gen(function* () {
          usedAt = yield* Clock.currentTimeMillis
          const known = loaded
          if (known === undefined || words.length === 0) {
            yield* inBackground
            return yield* queries.search(words, after, limit)
          }
          if ((yield* turn.withPermits(1)(refresh(known))) === undefined) {
            loaded = undefined
            yield* inBackground
            return yield* queries.search(words, after, limit)
          }
          const lowered = words.map(lower).sort((a, b) => b.length - a.length)
          const bytes = lowered.map((word) => Buffer.from(word))
          const keys: Array<string> = []
          const start = Buffer.from(after)
          for (const block of known.blocks) {
            if (keys.length >= limit) break
            if (Buffer.compare(block.last, start) <= 0) continue
            keys.push(...searchBlock(block, bytes, start, limit - keys.length))
          }
          for (const key of known.fresh) {
            const small = lower(key)
            if (lowered.every((word) => small.includes(word)) && byBytes(key, after) > 0) keys.push(key)
          }
          return [...new Set(keys)].sort(byBytes).slice(0, limit)
        })
    }
  })

export class Addresses extends Context.Tag("sluice/Dashboard/Addresses")<Addresses, AddressIndex>() {}

export const layer = Layer.scoped(Addresses, Effect.flatMap(Queries.ofLedger, makeIndex))
