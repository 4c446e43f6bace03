/**
 * Experience with the validators of each host, by team: how often a 304 was right, and whether one was wrong.
 *
 * - A share of the pages is fetched in full all the same ({@link checkShare}): all of a new host, fewer the more have been unchanged.
 * - After a wrong answer all pages are checked again. After one for a second page the validators of the host are not used for
 *   {@link distrustTime}; then the host counts as new.
 * - A host whose tags differ each time while its pages do not gets no `If-None-Match`, until a tag stays the same; `If-Modified-Since` is
 *   still sent.
 *
 * Records are in the store, and in memory for as long as this process runs: other processes see them when they start, and do not
 * overwrite a record of wrong answers. A record that cannot be written is only logged. Teams are separate: none can tell from the requests of another which hosts it reads.
 */
import * as SqlClient from "@effect/sql/SqlClient"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export interface HostRecord {
  /** Pages that had not changed, as their validators said, when they were fetched in full. */
  readonly confirmed: number
  /** New tags of unchanged pages since the last tag that stayed the same. */
  readonly renewed: number
  /** Address of a page that had changed although its validators said that it had not. Not stored. */
  readonly suspect?: string | undefined
  /** Time at which that was so for a second page. */
  readonly liedAt: number | undefined
}

/**
 * Conclusion from one answer.
 *
 * - `confirmed`, `lied`: a page fetched in full is, or is not, the stored one, as its validators say.
 * - `differed`: it is not, but its validators do not promise equal bytes.
 * - `renewed`: an unchanged page has a new tag. `sameTag`: a page has the stored tag.
 */
export type Observation = "confirmed" | "differed" | "lied" | "renewed" | "sameTag"

interface Service {
  readonly of: (team: string, host: string) => Effect.Effect<HostRecord>
  readonly note: (team: string, page: URL, observation: Observation) => Effect.Effect<void>
}

export const newHost: HostRecord = { confirmed: 0, renewed: 0, liedAt: undefined }

/** Without a layer every host stays new, so that each of its 304 answers is checked. */
export class HostTrust extends Context.Reference<HostTrust>()("sluice/Engine/HostTrust", {
  defaultValue: (): Service => ({ of: () => Effect.succeed(newHost), note: () => Effect.void })
}) {}

const distrustTime = Duration.toMillis(Duration.days(30))

/** True while the validators of the host must not be used. */
export const isDistrusted = ({ liedAt }: HostRecord, now: number): boolean =>
  liedAt !== undefined && now - liedAt < distrustTime

/** New tags of unchanged pages in a row after which the tags of a host are not sent. */
const maxRenewed = 5

export const usesEtag = ({ renewed }: HostRecord): boolean => renewed < maxRenewed

/**
 * Share of the pages that are checked: all at first, then less, about `√(32 n)` of n answers, and one in fifty in the long run.
 * Where one page in fifty changes, a host that always answers 304 is found out after about a hundred checks.
 */
export const checkShare = ({ confirmed }: HostRecord): number => Math.min(1, Math.max(0.02, 16 / (confirmed + 1)))

const after = (record: HostRecord, { href }: URL, observation: Observation, now: number): HostRecord => {
  // The time of distrust is over: the host starts anew.
  const known = record.liedAt === undefined || isDistrusted(record, now) ? record : newHost
  switch (observation) {
    case "confirmed":
      return { ...known, confirmed: known.confirmed + 1 }
    case "differed":
      return { ...known, confirmed: 0 }
    case "renewed":
      return { ...known, renewed: known.renewed + 1 }
    case "sameTag":
      return { ...known, renewed: 0 }
    case "lied":
      return known.suspect === undefined || known.suspect === href
        ? { ...known, confirmed: 0, suspect: href }
        : { ...newHost, liedAt: now }
  }
}

interface Row {
  readonly confirmed: number
  readonly renewed: number
  readonly lied_at: number | null
}

/** Records in memory; the least recently read go first. */
const maxRecords = 10_000

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const records = new Map<string, HostRecord>()
  const nameOf = (team: string, host: string) => `${team}\n${host}`

  const remember = (name: string, record: HostRecord) => {
    records.delete(name)
    records.set(name, record)
    for (const oldest of records.keys()) {
      if (records.size <= maxRecords) break
      records.delete(oldest)
    }
    return record
  }

  const load = (team: string, host: string) =>
    sql<Row>`SELECT confirmed, renewed, lied_at FROM host_validators WHERE team = ${team} AND host = ${host}`.pipe(
      Effect.map(([row]) =>
        row === undefined
          ? newHost
          : { confirmed: row.confirmed, renewed: row.renewed, liedAt: row.lied_at ?? undefined }
      ),
      Effect.catchAll((error) =>
        Effect.as(Effect.logWarning(`What is known of the validators of ${host} could not be read`, error), newHost)
      )
    )

  const of = (team: string, host: string) =>
    Effect.suspend(() => {
      const known = records.get(nameOf(team, host))
      return known === undefined
        ? Effect.map(
            load(team, host),
            (record) => records.get(nameOf(team, host)) ?? remember(nameOf(team, host), record)
          )
        : Effect.succeed(remember(nameOf(team, host), known))
    })

  const write = (team: string, host: string, { confirmed, liedAt, renewed }: HostRecord, at: number) =>
    sql`INSERT INTO host_validators ${sql.insert({ team, host, confirmed, renewed, lied_at: liedAt ?? null, at })}
      ON CONFLICT (team, host) DO UPDATE SET confirmed = excluded.confirmed, renewed = excluded.renewed,
        lied_at = excluded.lied_at, at = excluded.at
      WHERE excluded.lied_at IS NOT NULL OR COALESCE(host_validators.lied_at, 0) <= ${at - distrustTime}`.pipe(
      Effect.catchAll((error) =>
        Effect.logWarning(`What is known of the validators of ${host} could not be written`, error)
      )
    )

  const note = Effect.fnUntraced(function* (team: string, page: URL, observation: Observation) {
    const { host } = page
    const now = yield* Clock.currentTimeMillis
    const before = yield* of(team, host)
    const record = remember(nameOf(team, host), after(before, page, observation, now))
    const { confirmed, liedAt, renewed } = before
    if (record.confirmed === confirmed && record.renewed === renewed && record.liedAt === liedAt) return
    if (isDistrusted(record, now) && !isDistrusted(before, now)) {
      yield* Effect.logWarning(
        `${host} says that pages are unchanged although they have changed: its ETag and Last-Modified are not used for 30 days`
      )
    }
    yield* write(team, host, record, now)
  })

  return { of, note } satisfies Service
})

/** Removes records that no answer has changed for as long as distrust lasts. */
const sweep = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = (yield* Clock.currentTimeMillis) - distrustTime
  yield* sql`DELETE FROM host_validators WHERE at < ${before}`
})

/** Sweeps daily. */
export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.merge(
  Layer.effect(HostTrust, make),
  Layer.scopedDiscard(
    sweep.pipe(
      Effect.catchAllCause((cause) =>
        Effect.logWarning("Old records of validators could not be removed; retrying tomorrow", cause)
      ),
      Effect.zipRight(Effect.sleep(Duration.days(1))),
      Effect.forever,
      Effect.forkScoped
    )
  )
)
