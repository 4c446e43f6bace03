/**
 * Records how reliable the evidence is that pages of a host have not changed, by team and subject: its validators, its sitemap, and the
 * change rates learned from its pages.
 *
 * - A share of the pages is fetched in full anyway ({@link checkShare}): all pages until the host has reported changes, then fewer the more
 *   pages were unchanged. Unchanged pages prove little on a site where most pages never change.
 * - After a wrong answer, all pages are checked again. After a wrong answer for a second page, the host's validators, or its sitemap, are
 *   not used for {@link distrustTime}; then the host counts as new.
 * - Rates are estimates and may be wrong. They are not used for the same time once more than {@link maxMissed} of the pages that they would
 *   have skipped had changed.
 * - A host whose tags differ each time while its pages do not gets no `If-None-Match`, until a tag stays the same; `If-Modified-Since` is
 *   still sent.
 *
 * Records are in memory for as long as this process runs, and are written to the store in groups: a crash loses the conclusions of the last
 * {@link writeDelay}. Only distrust is written without delay. Other processes see them when they start, and do not overwrite a record of
 * wrong answers. A record that cannot be written is only logged. Teams are separate: the pages that one team reads do not change the
 * requests of another.
 */
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Struct from "effect/Struct"
import { repeatedly } from "../../../Telemetry/Log.ts"
import { failing, Sql } from "../../Store/Sql.ts"

/** Kind of evidence that a page has not changed: its HTTP validators, its sitemap, or the change rates learned from its visits. */
export type Subject = "validators" | "sitemap" | "rates"

export interface HostRecord {
  /** Number of checked pages that had not changed, as the subject claimed. */
  readonly confirmed: number
  /** Number of pages that had changed, as the subject reported. */
  readonly told: number
  /**
   * Validators: number of new ETags on unchanged pages since the host last sent the same ETag again. Rates: number of checked pages that
   * had changed although the rates said that they had not. Not used for sitemaps.
   */
  readonly wrong: number
  /** URL of a page that had changed although the subject claimed otherwise. Not stored. */
  readonly suspect?: string | undefined
  /** Time at which the subject was wrong about a second page. */
  readonly liedAt: number | undefined
}

/**
 * Conclusion from the response of one visit.
 *
 * - `confirmed`, `lied`: the subject claims that a page has not changed, and a check shows that this is true or false.
 * - `told`: a page has changed, and the subject reports it.
 * - `differed`: the page differs from the stored one, but its validators do not promise equal bytes.
 * - `renewed`: an unchanged page has a new tag. `sameTag`: a page has the stored tag.
 */
export type Observation = "confirmed" | "differed" | "lied" | "renewed" | "sameTag" | "told"

interface Service {
  readonly of: (team: string, host: string, subject?: Subject) => Effect.Effect<HostRecord>
  readonly note: (team: string, page: URL, observation: Observation, subject?: Subject) => Effect.Effect<void>
}

export const newHost: HostRecord = { confirmed: 0, told: 0, wrong: 0, liedAt: undefined }

/** Without a layer every host stays new, so that all of its 304 responses are checked. */
export class HostTrust extends Context.Tag("sluice/Engine/Scrape/Recrawl/HostTrust")<HostTrust, Service>() {}

const distrustTime = Duration.toMillis(Duration.days(30))

/** True while the subject must not be used. */
export const isDistrusted = ({ liedAt }: HostRecord, now: number): boolean =>
  liedAt !== undefined && now - liedAt < distrustTime

/** Consecutive new tags on unchanged pages after which the tags of a host are no longer sent. */
const maxRenewed = 5

export const usesEtag = ({ wrong }: HostRecord): boolean => wrong < maxRenewed

/**
 * Minimum number of changes that a host has reported, or of its pages that were found unchanged, before some of its claims go unchecked.
 */
const minTold = 2
const minConfirmed = 200

/**
 * Probability that a page is fetched to check the claim that it has not changed: 1 until the host has reported `minTold` changes, or
 * `minConfirmed` pages were found unchanged. Then 16 divided by the number of confirmed pages, and at least 1/50. If 2 % of the pages
 * change, a host that never reports changes is detected after about 100 checks, while every page is still checked.
 */
export const checkShare = ({ confirmed, told }: HostRecord): number =>
  told < minTold && confirmed < minConfirmed ? 1 : Math.min(1, Math.max(0.02, 16 / (confirmed + 1)))

/** Maximum share of checked pages that had changed although the learned rates said otherwise, and minimum number of such pages. */
export const maxMissed = 0.02
const minMissed = 3

/** Number of checks at which all checks so far are halved, so that later ones count more. */
const maxChecks = 20_000

const afterEstimate = ({ confirmed, wrong }: HostRecord, observation: Observation, now: number): HostRecord => {
  const weight = confirmed + wrong >= maxChecks ? 0.5 : 1
  const next = {
    told: 0,
    confirmed: Math.floor(confirmed * weight) + (observation === "confirmed" ? 1 : 0),
    wrong: Math.floor(wrong * weight) + (observation === "lied" ? 1 : 0)
  }
  const isTooWrong = next.wrong >= minMissed && next.wrong > maxMissed * (next.confirmed + next.wrong)
  return isTooWrong ? { ...newHost, liedAt: now } : { ...next, liedAt: undefined }
}

const after = (
  record: HostRecord,
  { href }: URL,
  observation: Observation,
  subject: Subject,
  now: number
): HostRecord => {
  // The distrust has expired: the host counts as new.
  const known = record.liedAt === undefined || isDistrusted(record, now) ? record : newHost
  if (subject === "rates") return known.liedAt === undefined ? afterEstimate(known, observation, now) : known
  switch (observation) {
    case "confirmed":
      return { ...known, confirmed: known.confirmed + 1 }
    case "told":
      return { ...known, told: known.told + 1 }
    case "differed":
      return { ...known, confirmed: 0, told: 0 }
    case "renewed":
      return { ...known, wrong: known.wrong + 1 }
    case "sameTag":
      return { ...known, wrong: 0 }
    case "lied":
      return known.suspect === undefined || known.suspect === href
        ? { ...known, confirmed: 0, told: 0, suspect: href }
        : { ...newHost, liedAt: now }
  }
}

interface Row {
  readonly confirmed: number
  readonly told: number
  readonly wrong: number
  readonly lied_at: number | null
}

/** Maximum records in memory. The least recently read are removed first. */
const maxRecords = 10_000

/** Milliseconds after which a change is written, together with all other changes until then. */
const writeDelay = 1_000

/** Number of changed records that triggers an early write, and maximum rows per statement. */
const maxUnwritten = 1_000

interface Changed {
  readonly team: string
  readonly host: string
  readonly subject: Subject
  readonly record: HostRecord
  readonly at: number
}

const make = Effect.gen(function* () {
  const sql = yield* Sql
  const records = new Map<string, HostRecord>()
  let unwritten = new Map<string, Changed>()
  /** The records that are being written now. */
  let leaving: typeof unwritten = new Map()
  const some = yield* Queue.sliding<void>(1)
  const many = yield* Queue.sliding<void>(1)
  const nameOf = (team: string, host: string, subject: Subject) => `${team}\n${host}\n${subject}`

  const remember = (name: string, record: HostRecord) => {
    records.delete(name)
    records.set(name, record)
    for (const oldest of records.keys()) {
      if (records.size <= maxRecords) break
      records.delete(oldest)
    }
    return record
  }

  const load = (team: string, host: string, subject: Subject) =>
    sql<Row>`SELECT confirmed, told, wrong, lied_at FROM host_trust
      WHERE team = ${team} AND host = ${host} AND subject = ${subject}`.pipe(
      Effect.map(([row]) =>
        row === undefined
          ? newHost
          : { confirmed: row.confirmed, told: row.told, wrong: row.wrong, liedAt: row.lied_at ?? undefined }
      ),
      failing,
      Effect.catchAll((error) =>
        Effect.as(Effect.logWarning(`The records about the ${subject} of ${host} could not be read`, error), newHost)
      )
    )

  /** Record of a host, as this process knows it. */
  const known = (name: string): HostRecord | undefined =>
    records.get(name) ?? (unwritten.get(name) ?? leaving.get(name))?.record

  const of = (team: string, host: string, subject: Subject = "validators") =>
    Effect.suspend(() => {
      const name = nameOf(team, host, subject)
      const record = known(name)
      return record === undefined
        ? Effect.map(load(team, host, subject), (loaded) => known(name) ?? remember(name, loaded))
        : Effect.succeed(remember(name, record))
    })

  const insert = (changed: ReadonlyArray<Changed>) => {
    const rows = changed.map(({ record, ...place }) => ({
      ...place,
      ...Struct.pick(record, "confirmed", "told", "wrong"),
      lied_at: record.liedAt ?? null
    }))
    return sql`INSERT INTO host_trust ${sql.insert(rows)}
      ON CONFLICT (team, host, subject) DO UPDATE SET confirmed = excluded.confirmed, told = excluded.told,
        wrong = excluded.wrong, lied_at = excluded.lied_at, at = excluded.at
      WHERE excluded.lied_at IS NOT NULL OR COALESCE(host_trust.lied_at, 0) <= excluded.at - ${distrustTime}`
  }

  const write = Effect.suspend(() => {
    if (unwritten.size === 0) return Effect.void
    leaving = unwritten
    unwritten = new Map()
    return Effect.forEach(Arr.chunksOf(leaving.values(), maxUnwritten), insert, { discard: true })
  }).pipe(
    Effect.catchAllCause((cause) =>
      Effect.logWarning(
        "The records about the validators, sitemaps and change rates of hosts could not be written",
        cause
      )
    ),
    Effect.ensuring(
      Effect.sync(() => {
        leaving = new Map()
      })
    ),
    Effect.uninterruptible
  )

  const note = Effect.fnUntraced(function* (
    team: string,
    page: URL,
    observation: Observation,
    subject: Subject = "validators"
  ) {
    const { host } = page
    const name = nameOf(team, host, subject)
    const at = yield* Clock.currentTimeMillis
    const before = yield* of(team, host, subject)
    const record = remember(name, after(before, page, observation, subject, at))
    const { confirmed, liedAt, told, wrong } = before
    const isSame = record.confirmed === confirmed && record.told === told && record.wrong === wrong
    if (isSame && record.liedAt === liedAt) return
    unwritten.set(name, { team, host, subject, record, at })
    some.unsafeOffer()
    if (unwritten.size >= maxUnwritten) many.unsafeOffer()
    if (!isDistrusted(record, at) || isDistrusted(before, at)) return
    yield* Effect.logWarning(`${host} ${warnings[subject]}`)
    many.unsafeOffer()
  })

  yield* Effect.addFinalizer(() => write)
  yield* Queue.take(some).pipe(
    Effect.zipRight(Effect.timeoutOption(Queue.take(many), Duration.millis(writeDelay))),
    Effect.zipRight(write),
    Effect.forever,
    Effect.forkScoped
  )
  return { of, note } satisfies Service
})

const warnings: Readonly<Record<Subject, string>> = {
  validators:
    "says that pages are unchanged although they have changed: its ETag and Last-Modified are not used for 30 days",
  sitemap:
    "lists pages in its sitemap as unchanged although they have changed: its lastmod and changefreq are not used for 30 days",
  rates: "changes more often than its earlier visits suggest: crawls visit all of its pages for 30 days"
}

/** Removes records that have not changed for {@link distrustTime}. */
const sweep = Effect.gen(function* () {
  const sql = yield* Sql
  const before = (yield* Clock.currentTimeMillis) - distrustTime
  yield* sql`DELETE FROM host_trust WHERE at < ${before}`
})

/** Provides the service, and removes old records daily. */
export const layer: Layer.Layer<HostTrust, never, Sql> = Layer.merge(
  Layer.scoped(HostTrust, make),
  Layer.scopedDiscard(repeatedly(sweep, "1 day", "Old records of validators could not be removed; retrying tomorrow"))
)
