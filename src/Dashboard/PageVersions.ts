/**
 * Versions of a page, and the difference between two of them. The ledger contains only hashes, so contents come from outputs of runs: found
 * by the content's hash over all attempts, or by the page's URL.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { PageRecord } from "../Ledger/Pages.ts"
import { Ledger } from "../Ledger.ts"
import { jsdiff } from "../Packages.ts"
import { sha256 } from "../Row/Hash.ts"
import { canonicalUrl } from "../Row/Url.ts"
import { type Data, keyOf, type Row } from "../Row.ts"
import { page } from "../Web/Dashboard/Protocol.ts"
import type { DiffPart, PageDiff, PageVersion, PageVersions } from "../Web/Dashboard/RunProtocol.ts"
import * as Outputs from "./Outputs.ts"
import { versionOf } from "./Pages.ts"
import * as Queries from "./Queries.ts"
import { type Query, Refusal } from "./Request.ts"
import * as RunView from "./RunView.ts"

/**
 * Maxima per version: bytes of outputs to search, files of a run, and attempts with the same content. Maxima per comparison: characters of
 * a content, and milliseconds.
 */
const limits = { bytes: 128 * 1024 * 1024, files: 20, attempts: 10, text: 1_000_000, millis: 2_000 }

/** For the default comparison: maximum contents examined, and maximum runs per content whose outputs may still exist. */
const compared = { hashes: 10, attempts: 5 }

/** Fields of a row that may contain a page's content; the first of them that a row has is used. */
const fields = ["markdown", "html", "rawHtml", "summary"] as const

interface Content {
  readonly of: string
  readonly text: string
}

const objectOf = (value: unknown): Data =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Data) : {}

const isAddress = /^https?:\S{1,8000}$/i

/** True if one of the row's URLs is the page's URL. */
const isAbout = (row: Row, key: string): boolean => {
  if (keyOf(row) === key) return true
  const metadata = objectOf(row.data.metadata)
  return [...Object.values(row.data), metadata.sourceURL, metadata.url].some(
    (value) => typeof value === "string" && (value === key || (isAddress.test(value) && canonicalUrl(value) === key))
  )
}

/** The first field whose content has the version's hash, with that content; undefined if there is none. */
const exactContent = (row: Row, hash: string | undefined): Content | undefined => {
  if (hash === undefined) return undefined
  for (const of of fields) {
    const text = row.data[of]
    if (typeof text === "string" && sha256(text) === hash) return { of, text }
  }
  return undefined
}

const rowContent = (row: Row): Content => {
  const of = fields.find((name) => typeof row.data[name] === "string")
  return of === undefined
    ? { of: "row", text: JSON.stringify(row.data, undefined, 2) }
    : { of, text: String(row.data[of]) }
}

/** Finds the content of a version in the outputs of one run. Without `isExact`, any row about the page is accepted, whatever its hash. */
const contentIn = (runId: string, { hash, key }: PageVersion, isExact: boolean, budget: Outputs.ByteBudget) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const run = yield* ledger.find(runId)
    const outputs = run === undefined ? [] : RunView.outputsOf(run)
    if (run === undefined || outputs.length === 0) return { why: `run ${runId} has no outputs` }
    const reasons: Array<string> = []
    for (const output of outputs.slice(0, limits.files)) {
      const found = yield* Outputs.rowsOf(output, run, budget)
      if ("why" in found) {
        reasons.push(`${output.path}: ${found.why}`)
        continue
      }
      const content = yield* Effect.option(
        Stream.runHead(
          Stream.filterMap(found.rows, (row) => {
            if (!isAbout(row, key)) return Option.none()
            return Option.fromNullable(exactContent(row, hash) ?? (isExact ? undefined : rowContent(row)))
          })
        )
      )
      const [text] = Option.toArray(Option.flatten(content))
      if (text !== undefined) return { content: text }
    }
    if (budget.left <= 0) {
      return {
        why: `the first ${limits.bytes / 2 ** 20} MB of the outputs of run ${runId} have no row with this URL`
      }
    }
    return { why: reasons[0] ?? `no output of run ${runId} has a row with this URL` }
  })

/**
 * Content of a version: from the outputs of its own run, or else of another run that read the same content, by hash. Outputs of one run may
 * be replaced while those of another still exist.
 */
const findContent = (version: PageVersion) =>
  Effect.gen(function* () {
    const budget = { left: limits.bytes }
    const own = yield* contentIn(version.run, version, false, budget)
    if ("content" in own || version.hash === undefined) return own
    const queries = yield* Queries.ofLedger
    for (const { runId } of yield* queries.attemptsWith(version.key, version.hash, limits.attempts)) {
      if (runId === version.run || budget.left <= 0) continue
      const other = yield* contentIn(runId, version, true, budget)
      if ("content" in other) return other
    }
    return own
  })

const linesOf = (text: string): ReadonlyArray<string> => (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n")

/** Difference of two texts, line by line; undefined if computing it takes longer than 2 seconds. */
export const linesChanged = (from: string, to: string): ReadonlyArray<DiffPart> | undefined =>
  jsdiff()
    .diffLines(from, to, { timeout: limits.millis })
    ?.map(
      ({ added, removed, value }): DiffPart => ({
        kind: added ? "added" : removed ? "removed" : "same",
        lines: linesOf(value)
      })
    )

/** The contents of two versions, line by line. */
const compare = (from: PageVersion, to: PageVersion) =>
  Effect.gen(function* () {
    const before = yield* findContent(from)
    const after = yield* findContent(to)
    const nothing = (why: string): Pick<PageDiff, "of" | "parts" | "why"> => ({ parts: null, why })
    if (!("content" in before)) return nothing(`The earlier content is missing: ${before.why}.`)
    if (!("content" in after)) return nothing(`The later content is missing: ${after.why}.`)
    const [a, b] = [before.content, after.content]
    if (a.of !== b.of) return nothing(`One run wrote ${a.of} of the page, the other one ${b.of}.`)
    if (a.text.length > limits.text || b.text.length > limits.text) return nothing("The page is too long to compare.")
    const parts = linesChanged(a.text, b.text)
    if (parts === undefined) return nothing("The versions differ too much to compare them.")
    return { parts, of: a.of } satisfies Pick<PageDiff, "of" | "parts" | "why">
  })

/** Key of the requested page. */
const pageKey = (query: Query): Either.Either<string, Refusal> => {
  const given = query.text("key", 100_000)
  return given === undefined
    ? Either.left(new Refusal({ status: 400, reason: "key: expected the key or the URL of a page" }))
    : Either.right(given)
}

/** The version given by a parameter as `RUN:NUMBER`. */
const versionAt = (query: Query, name: "from" | "to", key: string) =>
  Effect.gen(function* () {
    const queries = yield* Queries.ofLedger
    const [, run = "", number] = /^(.+):(\d{1,15})$/.exec(query.text(name) ?? "") ?? []
    const found = yield* queries.attempt(run, Number(number ?? 0))
    if (found !== undefined && found.key === key) return versionOf(found)
    return yield* new Refusal({ status: 404, reason: `${name}: the ledger has no such version of ${key}` })
  })

const comparedFields = ["status", "error", "hash", "step", "jobId", "credits", "price"] as const

export const diff = (query: Query) =>
  Effect.gen(function* () {
    const key = yield* pageKey(query)
    const from = yield* versionAt(query, "from", key)
    const to = yield* versionAt(query, "to", key)
    const text = (value: number | string | undefined) => (value === undefined ? undefined : String(value))
    return {
      from,
      to,
      fields: comparedFields.flatMap((name) =>
        from[name] === to[name] ? [] : [{ name, from: text(from[name]), to: text(to[name]) }]
      ),
      isSame: from.hash === undefined || to.hash === undefined ? null : from.hash === to.hash,
      ...(yield* compare(from, to))
    } satisfies PageDiff
  })

/** True when an output of the run still is what the run wrote. */
const hasOutput = (runId: string) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const run = yield* ledger.find(runId)
    if (run === undefined) return false
    const outputs = RunView.outputsOf(run).slice(0, limits.files)
    return yield* Effect.exists(outputs, (output) =>
      Effect.map(Outputs.missingReason(output, run), (reason) => reason === undefined && output.rows > 0)
    )
  })

/**
 * Versions compared by default: the two newest contents by hash over all attempts, preferably those whose outputs still exist. The earlier
 * attempt comes first, even if a content recurred. Undefined if the ledger has fewer than two contents.
 */
export const defaultPair = (key: string) =>
  Effect.gen(function* () {
    const queries = yield* Queries.ofLedger
    const contents = yield* queries.attemptsByHash(key, compared)
    if (contents.length < 2) return undefined
    const readable: Array<PageRecord> = []
    for (const attempts of contents) {
      const found = yield* Effect.findFirst(attempts, ({ runId }) => hasOutput(runId))
      if (Option.isSome(found)) readable.push(found.value)
      if (readable.length === 2) break
    }
    const newest = contents.flatMap((attempts) => attempts.slice(0, 1))
    const [one, other] = readable.length === 2 ? readable : newest
    if (one === undefined || other === undefined) return undefined
    const [from, to] = one.at < other.at ? [one, other] : [other, one]
    return { from: `${from.runId}:${from.number}`, to: `${to.runId}:${to.number}` }
  })

export const versions = (query: Query) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const given = yield* pageKey(query)
    const limit = yield* query.number("limit", { least: 1, most: page.most, otherwise: page.versions })
    const offset = yield* query.number("after", { most: 1_000_000, otherwise: 0 })
    const exact = yield* history.sightings(given)
    const key = exact === undefined ? (canonicalUrl(given) ?? given) : given
    const seen = exact ?? (yield* history.sightings(key))
    const found = yield* history.pagesAt(key, { limit: limit + 1, offset })
    return {
      key,
      attempts: seen?.attempts ?? 0,
      firstSeen: seen?.firstSeen,
      lastSeen: seen?.lastSeen,
      ...(offset === 0 ? { compare: yield* defaultPair(key) } : {}),
      versions: found.slice(0, limit).map(versionOf),
      next: found.length > limit ? String(offset + limit) : null
    } satisfies PageVersions
  })
