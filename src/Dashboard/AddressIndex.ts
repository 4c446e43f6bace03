/** The addresses of all pages in memory while somebody searches: a million of them are looked through in a blink. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { LedgerError } from "../Ledger/LedgerErrors.ts"
import type { Survey } from "./Queries.ts"

/** Addresses of a block, bytes that are kept at most, and new addresses that are kept beside the blocks. */
export const limits = { block: 20_000, bytes: 256 * 1024 * 1024, fresh: 200_000 }
/** After so many milliseconds without a search they are let go. */
const idleTimeout = 5 * 60_000

const newline = 0x0a

/** Letters from A to Z alone: every byte keeps its place. */
const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Sorted keys, one on each line; `lowered` is the same memory where no letter is large. */
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

/** Keys of a block in which all words occur, in their order, behind one; no more than wanted. */
const found = ({ lines, lowered }: Block, words: ReadonlyArray<Buffer>, after: Buffer, limit: number) => {
  const keys: Array<string> = []
  // The longest word is the rarest.
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

/** As the database has them in order: by their bytes. */
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

export interface AddressIndex {
  /**
   * Stored keys in which all words occur, in whatever case, in their order, behind one. Where they are too many to be
   * kept, or not there yet, the ledger is asked.
   */
  readonly search: (
    words: ReadonlyArray<string>,
    after: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<string>, LedgerError>
  /** Gets ready for a search. */
  readonly prepare: Effect.Effect<void>
}

interface Loaded {
  readonly blocks: ReadonlyArray<Block>
  readonly fresh: Set<string>
  /** Numbers of pages that were seen, by run. */
  readonly seen: Map<string, number>
  /** When the ledger was asked last. */
  at: number
  /** Nobody has written since, as long as this is the ledger's own. */
  mark: number | undefined
}

export const make = (survey: Survey): Effect.Effect<AddressIndex, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const turn = yield* Effect.makeSemaphore(1)
    let loaded: Loaded | undefined
    let isTooLarge = false
    let isLoading = false
    let usedAt = 0

    const load = Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      // What is written while it is read is read once more.
      const seen = new Map(yield* survey.lastOf(yield* survey.touched(at)))
      const blocks: Array<Block> = []
      let bytes = 0
      let last = ""
      for (;;) {
        const keys = yield* survey.keys(last, limits.block)
        if (keys.length === 0) break
        const block = blockOf(keys)
        bytes += block.lines.length + (block.lines === block.lowered ? 0 : block.lowered.length)
        if (bytes > limits.bytes) {
          isTooLarge = true
          return undefined
        }
        blocks.push(block)
        last = keys[keys.length - 1] ?? ""
        // Others have their turn.
        yield* Effect.sleep(0)
        if (keys.length < limits.block) break
      }
      return { blocks, fresh: new Set<string>(), seen, at, mark: undefined }
    })

    /** Takes in what runs have met since; undefined when it is too much beside the blocks. */
    const refresh = (known: Loaded) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const mark = yield* survey.mark
        if (mark !== undefined && mark === known.mark) return known
        for (const run of yield* survey.touched(known.at)) {
          for (;;) {
            const after = known.seen.get(run) ?? 0
            const rows = yield* survey.keysOf(run, after, limits.block)
            for (const { key } of rows) known.fresh.add(key)
            const last = rows[rows.length - 1]
            if (last !== undefined) known.seen.set(run, last.number)
            if (known.fresh.size > limits.fresh) return undefined
            if (rows.length < limits.block) break
            yield* Effect.sleep(0)
          }
        }
        // Clocks of machines differ a little.
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

    /** Let go of when nobody has searched for a while. */
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
            return yield* survey.search(words, after, limit)
          }
          if ((yield* turn.withPermits(1)(refresh(known))) === undefined) {
            loaded = undefined
            yield* inBackground
            return yield* survey.search(words, after, limit)
          }
          const wanted = words.map(lower).sort((a, b) => b.length - a.length)
          const bytes = wanted.map((word) => Buffer.from(word))
          const keys: Array<string> = []
          const behind = Buffer.from(after)
          for (const block of known.blocks) {
            if (keys.length >= limit) break
            if (Buffer.compare(block.last, behind) <= 0) continue
            keys.push(...found(block, bytes, behind, limit - keys.length))
          }
          for (const key of known.fresh) {
            const small = lower(key)
            if (wanted.every((word) => small.includes(word)) && byBytes(key, after) > 0) keys.push(key)
          }
          return [...new Set(keys)].sort(byBytes).slice(0, limit)
        })
    }
  })
