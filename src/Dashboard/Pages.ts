/** The page ledger: searched by parts of addresses, one page through all runs, and what differs between two of its versions. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Dialect from "../Database/Dialect.ts"
import { Ledger } from "../Ledger.ts"
import { canonicalUrl } from "../Row/Url.ts"
import { page } from "../Web/Dashboard/Protocol.ts"
import type { PageDiff, PageList, PageVersion, PageVersions, RunPages } from "../Web/Dashboard/RunProtocol.ts"
import * as AddressBook from "./AddressIndex.ts"
import * as Contents from "./PageDiff.ts"
import type { Attempt } from "./Queries.ts"
import * as Queries from "./Queries.ts"
import { noRun, type Query, Refusal } from "./Request.ts"

export class Addresses extends Context.Tag("sluice/Dashboard/Addresses")<Addresses, AddressBook.AddressIndex>() {}

export const layer = Layer.scoped(Addresses, Effect.flatMap(Queries.survey, AddressBook.make))

const wordsAtMost = 8

const versionOf = ({
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

/** Many more keys may have been forgotten than are wanted; so often the search goes on behind them. */
const rounds = 20

export const search = (query: Query) =>
  Effect.gen(function* () {
    const { isShared } = yield* Ledger
    const survey = yield* Queries.survey
    const addresses = yield* Addresses
    const began = yield* Clock.currentTimeMillis
    const limit = yield* query.number("limit", { least: 1, most: page.most, otherwise: page.pages })
    const words = (query.text("text", 500) ?? "")
      .split(/\s+/)
      .filter((word) => word !== "")
      .slice(0, wordsAtMost)
      .map(Dialect.encodeText)
    let after = query.text("after", 100_000) ?? ""
    const pages: Array<PageList["pages"][number]> = []
    let isOver = false
    // A database searches by itself, in processes of its own.
    const ask = isShared ? survey.search : addresses.search
    if (!isShared) yield* addresses.prepare
    for (let round = 0; round < rounds && !isOver && pages.length < limit; round++) {
      const keys = yield* ask(words, after, limit - pages.length + 1)
      isOver = keys.length <= limit - pages.length
      const wanted = keys.slice(0, limit - pages.length)
      after = wanted.at(-1) ?? after
      for (const each of yield* survey.met(wanted)) pages.push({ ...each, last: versionOf(each.last) })
    }
    const isPartial = !isOver && pages.length < limit
    return {
      pages,
      next: isOver ? null : after,
      isPartial,
      took: (yield* Clock.currentTimeMillis) - began
    } satisfies PageList
  })

/** The page that is meant: by its key, or by any address of it. */
const keyOf = (query: Query): Either.Either<string, Refusal> => {
  const given = query.text("key", 100_000)
  return given === undefined
    ? Either.left(new Refusal({ status: 400, reason: "key: which page is meant is missing" }))
    : Either.right(given)
}

export const versions = (query: Query) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const survey = yield* Queries.survey
    const given = yield* keyOf(query)
    const limit = yield* query.number("limit", { least: 1, most: page.most, otherwise: page.versions })
    const offset = yield* query.number("after", { most: 1_000_000, otherwise: 0 })
    const exact = yield* history.sightings(given)
    const key = exact === undefined ? (canonicalUrl(given) ?? given) : given
    const seen = exact ?? (yield* history.sightings(key))
    const found = yield* survey.attempts(key, { limit: limit + 1, offset })
    return {
      key,
      attempts: seen?.attempts ?? 0,
      firstSeen: seen?.firstSeen,
      lastSeen: seen?.lastSeen,
      versions: found.slice(0, limit).map(versionOf),
      next: found.length > limit ? String(offset + limit) : null
    } satisfies PageVersions
  })

export const ofRun = (id: string, query: Query) =>
  Effect.gen(function* () {
    const survey = yield* Queries.survey
    const limit = yield* query.number("limit", { least: 1, most: page.most, otherwise: page.pages })
    const after = yield* query.number("after", { most: Number.MAX_SAFE_INTEGER, otherwise: 0 })
    if (!(yield* survey.known([id])).has(id)) return yield* noRun(id)
    const found = yield* survey.attemptsOf(id, after, limit + 1)
    return {
      pages: found.slice(0, limit).map(versionOf),
      next: found.length > limit ? String(found[limit - 1]?.number) : null
    } satisfies RunPages
  })

/** `RUN:NUMBER`. */
const attemptAt = (query: Query, name: "from" | "to", key: string) =>
  Effect.gen(function* () {
    const survey = yield* Queries.survey
    const [, run = "", number] = /^(.+):(\d{1,15})$/.exec(query.text(name) ?? "") ?? []
    const found = yield* survey.attempt(run, Number(number ?? 0))
    if (found !== undefined && found.key === key) return found
    return yield* new Refusal({ status: 404, reason: `${name}: the ledger has no such version of ${key}` })
  })

const compared = ["status", "error", "hash", "step", "jobId", "credits", "price"] as const

export const diff = (query: Query) =>
  Effect.gen(function* () {
    const key = yield* keyOf(query)
    const from = versionOf(yield* attemptAt(query, "from", key))
    const to = versionOf(yield* attemptAt(query, "to", key))
    const say = (value: number | string | undefined) => (value === undefined ? undefined : String(value))
    return {
      from,
      to,
      fields: compared.flatMap((name) =>
        from[name] === to[name] ? [] : [{ name, from: say(from[name]), to: say(to[name]) }]
      ),
      isSame: from.hash === undefined || to.hash === undefined ? null : from.hash === to.hash,
      ...(yield* Contents.compare(from, to))
    } satisfies PageDiff
  })
