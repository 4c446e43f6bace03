/** Instants are claimed: of many who want one, one has it, and what goes on already decides what becomes of it. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { type InstantRow, open, type Sql, textOf, toRecord, type Which } from "./InstantRows.ts"
import * as Notices from "./Notices.ts"
import { untilOf } from "./Pause.ts"
import * as Scheduled from "./Scheduled.ts"
import type { Claim } from "./Schedules.ts"

/** Instants of a pipeline that may wait for earlier ones. */
const queueAtMost = 1000

/** Rows of one statement. */
const block = 50

const byTime = (one: Which, other: Which): number =>
  one.pipeline < other.pipeline ? -1 : one.pipeline > other.pipeline ? 1 : one.instant - other.instant

const blocks = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / block) }, (_, index) => items.slice(index * block, (index + 1) * block))

/** Of two who claim instants of one pipeline at once, one sees what the other has claimed. */
const inTurn = (sql: Sql, pipelines: ReadonlyArray<string>) =>
  sql.onDialectOrElse({
    // A transaction has the file to itself.
    sqlite: () => Effect.void,
    orElse: () =>
      Effect.forEach(
        blocks(pipelines),
        (some) => sql`SELECT pipeline FROM schedules WHERE ${sql.in("pipeline", some)} ORDER BY pipeline FOR UPDATE`,
        { discard: true }
      )
  })

/** What becomes of the claims of a pipeline that is paused. */
const held = (claim: Claim, { at, why }: { readonly at: number; readonly why: string | undefined }): Claim => ({
  ...claim,
  status: "skipped",
  reason: `the pipeline is paused since ${new Date(at).toISOString()}${why === undefined ? "" : `: ${why}`}`,
  notices: []
})

/** What becomes of a claim while these instants are not over. */
const settled = (claim: Claim, earlier: ReadonlyArray<Which>): Pick<Claim, "status" | "reason"> => {
  const [first] = earlier
  if (claim.status !== "waiting" || first === undefined) return claim
  if (claim.overlap === "skip") {
    return { status: "skipped", reason: `the run for ${new Date(first.instant).toISOString()} was not over` }
  }
  return claim.overlap === "queue" && earlier.length >= queueAtMost
    ? { status: "skipped", reason: `${queueAtMost} earlier instants were not over` }
    : claim
}

/** A later instant takes the place of those before it: what runs is to be stopped by whoever runs it. */
const replace = (sql: Sql, { instant, pipeline }: Which, now: number) =>
  Effect.zipRight(
    sql`UPDATE instants SET replaced_by = ${instant}
      WHERE pipeline = ${pipeline} AND instant < ${instant} AND ended_at IS NULL`,
    sql`UPDATE instants SET status = 'replaced', reason = ${`the instant ${new Date(instant).toISOString()} took its place`},
      ended_at = ${now}, next_at = NULL
      WHERE pipeline = ${pipeline} AND instant < ${instant} AND ended_at IS NULL AND status <> 'running'`
  )

/** The first to write an instant down has it; of the others nothing is written. */
export const claim = (sql: Sql, owner: string, claims: ReadonlyArray<Claim>) =>
  Effect.gen(function* () {
    if (claims.length === 0) return []
    const now = yield* Clock.currentTimeMillis
    const wanted = [...claims].sort(byTime)
    yield* inTurn(sql, [...new Set(wanted.map(({ pipeline }) => pipeline))])
    const unfinished = new Map<string, Array<Which>>()
    const note = (each: Which) => {
      const known = unfinished.get(each.pipeline)
      if (known === undefined) unfinished.set(each.pipeline, [each])
      else known.push(each)
    }
    for (const each of yield* open(sql)) note(each)
    const paused = new Map((yield* Scheduled.paused(sql)).map((each) => [each.pipeline, each]))
    const decided = wanted.map((each) => {
      const earlier = unfinished.get(each.pipeline)?.filter(({ instant }) => instant !== each.instant) ?? []
      const pause = each.cause === "hand" ? undefined : paused.get(each.pipeline)
      // A pause ends with its instant, whenever somebody comes to write that down.
      const made: Claim =
        pause === undefined || each.instant >= (untilOf(pause.why) ?? Number.POSITIVE_INFINITY)
          ? { ...each, ...settled(each, earlier) }
          : held(each, pause)
      if (made.status === "waiting") note(made)
      return made
    })
    const won = yield* Effect.forEach(
      blocks(decided),
      (some) =>
        sql<InstantRow>`INSERT INTO instants ${sql.insert(
          some.map((each) => ({
            pipeline: each.pipeline,
            instant: each.instant,
            due: each.due,
            cause: each.cause,
            status: each.status,
            owner: each.status === "waiting" ? owner : null,
            attempt: 0,
            reason: textOf(each.reason),
            claimed_at: now,
            ended_at: each.status === "waiting" ? null : now
          }))
        )} ON CONFLICT (pipeline, instant) DO NOTHING RETURNING *`
    )
    const mine = won.flat().map(toRecord).sort(byTime)
    const keyOf = ({ instant, pipeline }: Which) => `${pipeline} ${instant}`
    const byKey = new Map(decided.map((each) => [keyOf(each), each]))
    for (const each of mine) {
      const made = byKey.get(keyOf(each))
      if (made === undefined) continue
      if (made.notices.length > 0) yield* Notices.add(sql, each, made.notices, now)
      const isFirst = (unfinished.get(each.pipeline)?.length ?? 0) < 2
      if (made.status === "waiting" && made.overlap === "replace" && !isFirst) yield* replace(sql, each, now)
    }
    return mine
  })

/** Claims one that is over and was not completed. */
export const again = (sql: Sql, owner: string, { instant, pipeline }: Which) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const [row] = yield* sql<InstantRow>`UPDATE instants SET status = 'waiting', owner = ${owner}, reason = NULL,
      replaced_by = NULL, next_at = NULL, ended_at = NULL, claimed_at = ${now}, cause = 'hand'
      WHERE pipeline = ${pipeline} AND instant = ${instant} AND ended_at IS NOT NULL AND status <> 'completed'
      RETURNING *`
    return row === undefined ? undefined : toRecord(row)
  })
