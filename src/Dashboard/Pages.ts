/** Page ledger: search by parts of URLs, and the pages of one run. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Dialect from "../Database/Dialect.ts"
import { Ledger } from "../Ledger.ts"
import { page } from "../Web/Dashboard/Protocol.ts"
import type { PageList, PageVersion, RunPages } from "../Web/Dashboard/RunProtocol.ts"
import * as AddressIndex from "./AddressIndex.ts"
import type { Attempt } from "./Queries.ts"
import * as Queries from "./Queries.ts"
import { noRun, type Query } from "./Request.ts"

export class Addresses extends Context.Tag("sluice/Dashboard/Addresses")<Addresses, AddressIndex.AddressIndex>() {}

export const layer = Layer.scoped(Addresses, Effect.flatMap(Queries.ofLedger, AddressIndex.make))

const maxWords = 8

export const versionOf = ({
  at,
  credits,
  error,
  hash,
  jobId,
  key,
  number,
  price,
  runId,
  status,
  step
}: Attempt): PageVersion => ({
  run: runId,
  number,
  step,
  key,
  at,
  status,
  error,
  hash,
  jobId,
  credits,
  price
})

/** The index may hold keys whose pages were pruned; the search continues after them so many times. */
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
    // Postgres searches itself: the index is for SQLite, which would block this process.
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
    const queries = yield* Queries.ofLedger
    const limit = yield* query.number("limit", { least: 1, most: page.most, otherwise: page.pages })
    const after = yield* query.number("after", { most: Number.MAX_SAFE_INTEGER, otherwise: 0 })
    if (!(yield* queries.known([id])).has(id)) return yield* noRun(id)
    const found = yield* queries.attemptsOf(id, after, limit + 1)
    return {
      pages: found.slice(0, limit).map(versionOf),
      next: found.length > limit ? String(found[limit - 1]?.number) : null
    } satisfies RunPages
  })
