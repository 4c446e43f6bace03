/**
 * Delivers webhook events of jobs: in order, at least once. A job never waits for its webhook.
 *
 * The outbox row of a job holds its position; of two processes on one store, one delivers.
 */

import { createHmac } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Agent } from "undici"
import * as Dispatcher from "../Fetch/Dispatcher.ts"
import { Guard } from "../Fetch/Guard.ts"
import { ChangeSignal, removed, webhookDue } from "../Jobs/ChangeSignal.ts"
import type { JobRow } from "../Jobs/JobRecord.ts"
import * as Leases from "../Jobs/Leases.ts"
import { show } from "../Jobs/Slice.ts"
import * as Shares from "../Shares.ts"
import { view } from "../Store/Blob.ts"
import { type EventName, type WebhookRequest, Webhooks } from "../Webhook.ts"

export interface DeliveryOptions {
  /** Waits between the tries of an event: one try more than there are waits. */
  readonly waits?: ReadonlyArray<Duration.DurationInput> | undefined
  /** How long a receiver has to answer. */
  readonly limit?: Duration.DurationInput | undefined
}

const defaultWaits: ReadonlyArray<Duration.DurationInput> = ["2 seconds", "8 seconds", "30 seconds", "80 seconds"]
/** Deliveries at once, shared by teams: each holds one document. */
const atOnce = 16
/** Those of one team: receivers that do not answer hold up nobody else's. */
const perTeam = 4
/** After so many events in a row that nobody took, only the end is still told. */
const patience = 10
/** What is read of an answer, for the sake of the connection. */
const maxAnswer = 16 * 1024

class Undelivered extends Data.TaggedError("Undelivered")<{ readonly reason: string }> {}

const reasonOf = (cause: unknown): string => {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code === "string") return error.code
  }
  return cause instanceof Error ? cause.name : "unknown"
}

const send = (
  agent: Agent,
  order: WebhookRequest,
  headers: Record<string, string>,
  body: Buffer,
  limit: Duration.Duration
) => {
  const { origin, pathname, search } = new URL(order.url)
  return Effect.tryPromise({
    try: (signal) =>
      agent
        .request({ origin, path: pathname + search, method: "POST", headers, body, signal })
        .then(({ body, statusCode }) => body.dump({ limit: maxAnswer, signal }).then(() => statusCode)),
    catch: (cause) => new Undelivered({ reason: reasonOf(cause) })
  }).pipe(
    Effect.timeoutFail({ duration: limit, onTimeout: () => new Undelivered({ reason: "no answer in time" }) }),
    // A redirect may lead anywhere: it is not followed, and not taken for an answer.
    Effect.filterOrFail(
      (status) => status >= 200 && status < 300,
      (status) => new Undelivered({ reason: `it answered ${status}` })
    )
  )
}

const make = Effect.fnUntraced(function* ({ limit = "10 seconds", waits = defaultWaits }: DeliveryOptions) {
  const sql = yield* SqlClient.SqlClient
  const bell = yield* ChangeSignal
  const webhooks = yield* Webhooks
  const agent = yield* Dispatcher.makeAgent((yield* Guard).allowlist, { verifyTls: true })
  const owner = yield* Leases.make
  const outbox = makeOutbox(sql, owner)
  const rounds = yield* FiberMap.make<string>()
  const places = yield* Shares.ofEngine(atOnce)
  const teams = new Map<string, Effect.Semaphore>()

  const placesOf = (team: string): Effect.Semaphore => {
    const known = teams.get(team) ?? Effect.unsafeMakeSemaphore(perTeam)
    teams.set(team, known)
    return known
  }

  const documentOf = ({ id, version }: Told, { position }: Event) =>
    position === undefined
      ? Effect.succeed(undefined)
      : Effect.map(
          sql<{ body: ArrayBuffer | Uint8Array }>`SELECT body FROM job_results
            WHERE job_id = ${id} AND position = ${position}`,
          (rows) => (rows[0] === undefined ? undefined : show(view(rows[0].body), version))
        )

  const deliver = (job: Told, event: Event, order: WebhookRequest) =>
    Effect.gen(function* () {
      const body = bodyOf(job, event, order, yield* documentOf(job, event))
      const headers = headersOf(event, order, body, webhooks.secretOf(order, job.team))
      yield* send(agent, order, headers, body, Duration.decode(limit))
    }).pipe(places.withPlace(job.team), placesOf(job.team).withPermits(1))

  /** Tries one event once, and writes down what came of it. */
  const attempt = (row: OutboxRow, job: Told, event: Event, order: WebhookRequest, changed: Effect.Effect<void>) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (row.due_at > now) {
        // Looks again when the job changes, so that no retry waits for a job that was removed.
        return yield* Effect.timeoutOption(changed, Duration.millis(row.due_at - now))
      }
      const outcome = yield* Effect.either(deliver(job, event, order))
      if (Either.isRight(outcome)) return yield* outbox.passed(job, event, 0)
      if (outcome.left._tag === "SqlError") return yield* outcome.left
      const { reason } = outcome.left
      const wait =
        reason === "SSRF_BLOCKED" || (row.misses > 0 && event.name === "page") ? undefined : waits[row.attempts]
      if (wait !== undefined) {
        const due_at = (yield* Clock.currentTimeMillis) + Duration.toMillis(wait)
        return yield* outbox.write(job.id, { attempts: row.attempts + 1, due_at })
      }
      // Neither address nor answer: both may hold what is nobody else's.
      yield* Effect.logWarning(`The webhook of job ${job.id} did not take "${event.name}": ${reason}`)
      yield* outbox.passed(job, event, reason === "SSRF_BLOCKED" ? patience : row.misses + 1)
    })

  /** One step of a job's round; false when there is nothing more to tell. */
  const step = (jobId: string, orders: Map<string, WebhookRequest>) =>
    Effect.gen(function* () {
      const changed = yield* bell.listen(jobId)
      const row = yield* outbox.claim(jobId)
      const [job] =
        yield* sql<Told>`SELECT id, team, kind, version, status, error, results, completed, finished_at, purged
        FROM jobs WHERE id = ${jobId}`
      if (row === undefined) return false
      const opened = orders.get(jobId) ?? Either.getOrUndefined(webhooks.open(view(row.sealed)))
      // The end of a job that its team has removed (3) is delivered first.
      if (job === undefined || job.purged === 1 || job.purged === 2 || opened === undefined) {
        if (opened === undefined)
          yield* Effect.logWarning(`The webhook of job ${jobId} cannot be opened; it is dropped`)
        yield* outbox.drop(jobId)
        return false
      }
      orders.set(jobId, opened)
      // Of a removed job only the end is delivered: its bytes are kept no longer than that takes.
      if (job.purged === 3 && (row.started === 0 || row.pages < job.results)) {
        yield* outbox.write(jobId, { started: 1, pages: job.results, attempts: 0, due_at: 0 })
        return true
      }
      const event = next(row, job)
      if (event === undefined) {
        if (job.status === "scraping") yield* Effect.timeoutOption(changed, Duration.seconds(1))
        else yield* Effect.zipRight(outbox.close(job), job.purged === 3 ? bell.ring(removed) : Effect.void)
        return job.status === "scraping"
      }
      const isWanted = opened.events.includes(event.name)
      if (event.name === "page" && (!isWanted || row.misses >= patience))
        yield* outbox.write(jobId, { pages: job.results })
      else if (isWanted) yield* attempt(row, job, event, opened, changed)
      else yield* outbox.passed(job, event, row.misses)
      return true
    })

  const guarded = <A>(what: string, effect: Effect.Effect<A, SqlError.SqlError>, otherwise: A): Effect.Effect<A> =>
    Effect.catchAllCause(effect, (cause) =>
      Effect.logWarning(`${what} failed; it is tried again`, cause).pipe(
        Effect.zipRight(Effect.sleep(Duration.seconds(1))),
        Effect.as(otherwise)
      )
    )

  const round = (jobId: string) =>
    Effect.suspend(() => {
      const orders = new Map<string, WebhookRequest>()
      return Effect.repeat(guarded("The delivery of a webhook", step(jobId, orders), true), { while: (more) => more })
    })

  const survey = Effect.gen(function* () {
    const called = yield* bell.listen(webhookDue)
    for (const jobId of yield* outbox.open) {
      if (!(yield* FiberMap.has(rounds, jobId))) yield* FiberMap.run(rounds, jobId, round(jobId))
    }
    yield* Effect.timeoutOption(called, Duration.seconds(1))
  })

  const keepLease = Effect.delay(Leases.renew(sql, owner), Duration.millis(Leases.leaseMillis / 3))
  yield* Effect.forkScoped(Effect.forever(guarded("The survey of webhooks", survey, undefined)))
  yield* Effect.forkScoped(Effect.forever(guarded("The renewal of a lease", keepLease, undefined)))
})

/** On its rounds for as long as the scope is open. */
export const layer = (options: DeliveryOptions = {}) => Layer.scopedDiscard(make(options))

/** The outbox as `owner` sees it. */
export const makeOutbox = (sql: SqlClient.SqlClient, owner: string) => {
  const ours = sql`open = 1 AND (owner IS NULL OR owner = ${owner} OR owner NOT IN (SELECT id FROM job_owners))`

  /** The row of a job, if it is ours. It is asked for again and again: what is ours already is only read. */
  const claim = (jobId: string) =>
    Effect.gen(function* () {
      const [found] = yield* sql<OutboxRow>`SELECT * FROM webhooks WHERE job_id = ${jobId} AND ${ours}`
      if (found === undefined || found.owner === owner) return found
      const [claimed] = yield* sql<OutboxRow>`UPDATE webhooks SET owner = ${owner}
        WHERE job_id = ${jobId} AND ${ours} RETURNING *`
      return claimed
    })

  const write = (jobId: string, values: Partial<Omit<OutboxRow, "job_id" | "sealed">>) =>
    Effect.asVoid(sql`UPDATE webhooks SET ${sql.update(values)} WHERE job_id = ${jobId}`)

  const passed = (job: Told, event: Event, misses: number) =>
    write(job.id, {
      ...(event.name === "started" ? { started: 1 } : {}),
      ...(event.position === undefined ? {} : { pages: event.position + 1 }),
      ...(event.name === "completed" || event.name === "failed" ? { ended_at: job.finished_at } : {}),
      attempts: 0,
      due_at: 0,
      misses
    })

  /** Nothing more is told of a job, whatever comes of it. */
  const drop = (jobId: string) => Effect.asVoid(sql`UPDATE webhooks SET open = 0 WHERE job_id = ${jobId}`)

  /** All is told of a job that has ended; one that has been extended since it was looked at stays open. */
  const close = ({ finished_at, id }: Told) =>
    Effect.asVoid(sql`UPDATE webhooks SET open = 0 WHERE job_id = ${id}
      AND EXISTS (SELECT 1 FROM jobs WHERE id = ${id} AND finished_at = ${finished_at})`)

  const open = Effect.map(sql<{ job_id: string }>`SELECT job_id FROM webhooks WHERE open = 1`, (rows) =>
    rows.map(({ job_id }) => job_id)
  )

  return { claim, write, passed, drop, close, open }
}

/** What of a job is told, or needed to tell it; what was asked of it may be long, and is not. */
export type Told = Pick<
  JobRow,
  "id" | "team" | "kind" | "version" | "status" | "error" | "results" | "completed" | "finished_at" | "purged"
>

/** A row of `webhooks`: how far a job has been told. */
export interface OutboxRow {
  readonly job_id: string
  readonly sealed: ArrayBuffer | Uint8Array
  readonly started: number
  readonly pages: number
  readonly ended_at: number | null
  readonly attempts: number
  readonly due_at: number
  readonly misses: number
  readonly owner: string | null
}

export interface Event {
  readonly name: EventName
  /** The same whenever it is told again, so that a receiver recognises it. */
  readonly id: string
  /** Of a page: which of the job's documents. */
  readonly position?: number
}

/** What comes next; undefined when everything that there is has been told. */
export const next = (row: OutboxRow, job: Told): Event | undefined => {
  if (row.started === 0) return { name: "started", id: `${job.id}/started` }
  if (row.pages < job.results) return { name: "page", id: `${job.id}/page/${row.pages}`, position: row.pages }
  if (job.status === "scraping" || row.ended_at === job.finished_at) return undefined
  return { name: job.status === "completed" ? "completed" : "failed", id: `${job.id}/ended/${job.finished_at}` }
}

/** Why a document is none of a page that succeeded. */
const errorOf = (document: Uint8Array): string | undefined =>
  JSON.parse(Buffer.from(document).toString("utf8"))?.metadata?.error

const failureOf = (job: Told, event: Event, document: Uint8Array | undefined): string | undefined => {
  if (event.name === "failed")
    return job.status === "cancelled" ? "The job was cancelled." : (job.error ?? "It failed.")
  // Of a job without failures no document has to be read.
  return document === undefined || job.completed >= job.results ? undefined : errorOf(document)
}

/** The JSON that is sent; a document in it is the stored bytes. */
export const bodyOf = (
  job: Told,
  event: Event,
  { metadata }: WebhookRequest,
  document: Uint8Array | undefined
): Buffer => {
  const error = failureOf(job, event, document)
  const head = JSON.stringify({
    success: error === undefined,
    type: `${job.kind === "crawl" ? "crawl" : "batch_scrape"}.${event.name}`,
    id: job.id,
    event: event.id,
    ...(error === undefined ? {} : { error }),
    metadata
  })
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"data":[`), document ?? Buffer.alloc(0), Buffer.from("]}")])
}

export const headersOf = (
  event: Event,
  order: WebhookRequest,
  body: Buffer,
  secret: Redacted.Redacted | undefined
) => ({
  ...order.headers,
  "content-type": "application/json",
  "x-sluice-event": event.id,
  ...(secret === undefined
    ? {}
    : { "x-firecrawl-signature": `sha256=${createHmac("sha256", Redacted.value(secret)).update(body).digest("hex")}` })
})
