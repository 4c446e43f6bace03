/**
 * Delivers the webhook events of jobs, in order. A receiver may get an event twice, and misses events that it does not accept. A job never
 * waits for its webhook.
 *
 * - The row of a job in `webhooks` (the outbox) stores which events have been sent. The process that owns the row delivers its events;
 *   another process takes over the row once the owner's lease has expired.
 * - One fiber per job sends its events one after the other. A failed event is retried after `retryDelays`, or later if a receiver that
 *   answers 429 or 503 asks for it with `Retry-After` (at most an hour), then skipped. After a skipped event, a `page` event has only one
 *   attempt, which comes after the last of these delays, or at the time that the receiver asks for: so a receiver that is away for some
 *   minutes misses a few events. Once `maxMisses` events in a row have been skipped, or the guard refuses the address, no more `page`
 *   events are sent.
 * - A receiver gets at most `maxConcurrentPerReceiver` requests of a team at once, so that one that hangs leaves room for the others.
 * - After a crash between sending and storing, the event is sent again with the same id.
 * - Redirects are not followed, and no request reaches a network that the guard refuses.
 */

import { createHmac } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberMap from "effect/FiberMap"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Agent } from "undici"
import { retryAfterMillis } from "../../Api/RetryAfter.ts"
import { Guard } from "../../Guard.ts"
import * as Dispatcher from "../Fetch/Dispatcher.ts"
import { codeOf } from "../Fetch/FetchFailure.ts"
import { view } from "../Store/Blob.ts"
import * as Leases from "../Store/Leases.ts"
import { Sql } from "../Store/Sql.ts"
import * as FairQueue from "../Teams/FairQueue.ts"
import * as KeyedPermits from "../Teams/KeyedPermits.ts"
import { ChangeSignal, removed, webhookDue } from "./ChangeSignal.ts"
import type { JobRow } from "./JobRecord.ts"
import * as Slice from "./ResultSlice.ts"
import { type EventName, type WebhookRequest, Webhooks } from "./Webhook.ts"

export interface DeliveryOptions {
  /** Delays between attempts to send an event. The number of attempts is one more than the number of delays. */
  readonly retryDelays?: ReadonlyArray<Duration.DurationInput> | undefined
  /** Maximum time for one request. */
  readonly timeout?: Duration.DurationInput | undefined
}

const defaultRetryDelays: ReadonlyArray<Duration.DurationInput> = ["2 seconds", "8 seconds", "30 seconds", "80 seconds"]
/** Maximum concurrent requests, in fair shares between teams. Each has one document in memory. */
const maxConcurrent = 16
/** Maximum concurrent requests of one team, so that its slow receivers do not delay the events of other teams. */
const maxConcurrentPerTeam = 4
/** Maximum concurrent requests of one team to one origin, so that a receiver that hangs does not delay the team's other receivers. */
const maxConcurrentPerReceiver = 2
/** After this many undelivered events in a row, `page` events are skipped; only the end of the job is still sent. */
const maxMisses = 10
/** Maximum bytes read from a response, so that its connection can be reused. */
const maxAnswerBytes = 16 * 1024

/** Maximum milliseconds to wait because the receiver asks for it. */
const maxRetryAfter = 3_600_000

class DeliveryFailure extends Data.TaggedError("Undelivered")<{
  readonly reason: string
  /** Milliseconds after which the receiver wants to be asked again. */
  readonly retryAfter?: number | undefined
}> {}

const send = (
  agent: () => Agent,
  webhook: WebhookRequest,
  headers: Record<string, string>,
  body: Buffer,
  limit: Duration.Duration
) => {
  const { origin, pathname, search } = new URL(webhook.url)
  return Effect.tryPromise({
    try: (signal) =>
      agent()
        .request({ origin, path: pathname + search, method: "POST", headers, body, signal })
        .then((answer) => answer.body.dump({ limit: maxAnswerBytes, signal }).then(() => answer)),
    catch: (cause) =>
      new DeliveryFailure({ reason: codeOf(cause) || (cause instanceof Error ? cause.name : "unknown") })
  }).pipe(
    Effect.timeoutFail({ duration: limit, onTimeout: () => new DeliveryFailure({ reason: "no answer in time" }) }),
    // A redirect counts as a failure, because it could lead to any address.
    Effect.filterOrFail(
      ({ statusCode }) => statusCode >= 200 && statusCode < 300,
      ({ headers, statusCode }) => {
        const isBusy = statusCode === 429 || statusCode === 503
        const retryAfter = isBusy ? retryAfterMillis(String(headers["retry-after"] ?? ""), Date.now()) : undefined
        return new DeliveryFailure({ reason: `it answered ${statusCode}`, retryAfter })
      }
    )
  )
}

const make = Effect.fnUntraced(function* ({
  timeout = "10 seconds",
  retryDelays = defaultRetryDelays
}: DeliveryOptions) {
  const sql = yield* Sql
  const changes = yield* ChangeSignal
  const webhooks = yield* Webhooks
  const agent = yield* Dispatcher.makeAgent((yield* Guard).allowlist, { verifyTls: true })
  const owner = yield* Leases.make
  const outbox = makeOutbox(sql, owner)
  const deliveries = yield* FiberMap.make<string>()
  const places = yield* FairQueue.ofEngine(maxConcurrent)
  const teams = KeyedPermits.make(maxConcurrentPerTeam)
  const receivers = KeyedPermits.make(maxConcurrentPerReceiver)
  /** Time after which the event behind a missed one is sent. */
  const pause = Duration.toMillis(retryDelays.at(-1) ?? 0)

  const documentOf = ({ id, version }: WebhookJob, { position }: WebhookEvent) =>
    position === undefined
      ? Effect.succeed(undefined)
      : Effect.map(sql.unsafe<Slice.StoredDocument>(Slice.selectDocuments, [id, position, position + 1]), ([row]) =>
          row === undefined ? undefined : Slice.documentOf(row, version)
        )

  /** Sends an event. Returns false if it was not sent: another process took over, or the job was deleted, while it waited for a place. */
  const deliver = (row: OutboxRow, job: WebhookJob, event: WebhookEvent, webhook: WebhookRequest) =>
    Effect.gen(function* () {
      if (!(yield* outbox.isCurrent(row, job))) return false
      const body = bodyOf(job, event, webhook, yield* documentOf(job, event))
      const headers = headersOf(event, webhook, body, webhooks.secretOf(webhook, job.team))
      yield* send(agent, webhook, headers, body, Duration.decode(timeout))
      return true
    }).pipe(
      places.withPlace(job.team),
      teams.withPermit(job.team),
      receivers.withPermit(`${new URL(webhook.url).origin} ${job.team}`)
    )

  /** Sends an event once and stores the result. If its retry is not due yet, waits instead. */
  const attempt = (
    row: OutboxRow,
    job: WebhookJob,
    event: WebhookEvent,
    webhook: WebhookRequest,
    changed: Effect.Effect<void>
  ) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      if (row.due_at > now) {
        // Wake up when the job changes, so that no retry outlives a removed job.
        return yield* Effect.timeoutOption(changed, Duration.millis(row.due_at - now))
      }
      const outcome = yield* Effect.either(deliver(row, job, event, webhook))
      if (Either.isRight(outcome)) return outcome.right ? yield* outbox.markSent(job, event, 0) : undefined
      const { reason, retryAfter = 0 } = outcome.left
      // The end of a deleted job does not wait: its results are only kept for some minutes.
      const asked = job.purged === 3 ? 0 : Math.min(retryAfter, maxRetryAfter)
      const isBlocked = reason === "SSRF_BLOCKED"
      const failedAt = yield* Clock.currentTimeMillis
      const delay = isBlocked || (row.misses > 0 && event.name === "page") ? undefined : retryDelays[row.attempts]
      if (delay !== undefined) {
        const due_at = failedAt + Math.max(Duration.toMillis(delay), asked)
        return yield* outbox.write(job.id, { attempts: row.attempts + 1, due_at })
      }
      // URL and response are left out, because they may contain secrets of the team.
      yield* Effect.logWarning(`The webhook of job ${job.id} did not accept "${event.name}": ${reason}`)
      yield* isBlocked
        ? outbox.markSent(job, event, maxMisses)
        : outbox.markSent(job, event, row.misses + 1, failedAt + Math.max(pause, asked))
    })

  /** Handles the next event of a job. Returns false when no event is left. */
  const step = (jobId: string, decrypted: Map<string, WebhookRequest>) =>
    Effect.gen(function* () {
      const changed = yield* changes.listen(jobId)
      const row = yield* outbox.claim(jobId)
      const [job] =
        yield* sql<WebhookJob>`SELECT id, team, kind, version, status, error, results, completed, finished_at, purged
        FROM jobs WHERE id = ${jobId}`
      if (row === undefined) return false
      const opened = decrypted.get(jobId) ?? Either.getOrUndefined(webhooks.open(view(row.sealed)))
      if (job === undefined || job.purged === 1 || job.purged === 2 || opened === undefined) {
        if (opened === undefined)
          yield* Effect.logWarning(`The webhook of job ${jobId} cannot be decrypted, so its events are not sent`)
        yield* outbox.drop(jobId)
        return false
      }
      decrypted.set(jobId, opened)
      // The team has deleted the job (`purged` is 3): only its end is sent, at once, so that its stored bytes can be deleted soon.
      const isPausing = (row.attempts === 0 && row.due_at > 0) || row.due_at > (yield* Clock.currentTimeMillis) + pause
      if (job.purged === 3 && (row.started === 0 || row.pages < job.results || isPausing)) {
        yield* outbox.write(jobId, { started: 1, pages: job.results, attempts: 0, due_at: 0 })
        return true
      }
      const event = nextEvent(row, job)
      if (event === undefined) {
        if (job.status === "scraping") yield* Effect.timeoutOption(changed, Duration.seconds(1))
        else yield* Effect.zipRight(outbox.close(job), job.purged === 3 ? changes.notify(removed) : Effect.void)
        return job.status === "scraping"
      }
      const isWanted = opened.events.includes(event.name)
      if (event.name === "page" && (!isWanted || row.misses >= maxMisses))
        yield* outbox.write(jobId, { pages: job.results })
      else if (isWanted) yield* attempt(row, job, event, opened, changed)
      else yield* outbox.markSent(job, event, row.misses)
      return true
    })

  const guarded = <A>(what: string, effect: Effect.Effect<A>, otherwise: A): Effect.Effect<A> =>
    Effect.catchAllCause(effect, (cause) =>
      Effect.logWarning(`${what} failed and is retried`, cause).pipe(
        Effect.zipRight(Effect.sleep(Duration.seconds(1))),
        Effect.as(otherwise)
      )
    )

  const deliverAll = (jobId: string) =>
    Effect.suspend(() => {
      const decrypted = new Map<string, WebhookRequest>()
      return Effect.repeat(guarded("The delivery of a webhook", step(jobId, decrypted), true), {
        while: (more) => more
      })
    })

  const scan = Effect.gen(function* () {
    const called = yield* changes.listen(webhookDue)
    for (const jobId of yield* outbox.open) {
      if (!(yield* FiberMap.has(deliveries, jobId))) yield* FiberMap.run(deliveries, jobId, deliverAll(jobId))
    }
    yield* Effect.timeoutOption(called, Duration.seconds(1))
  })

  const keepLease = Effect.delay(Leases.renew(sql, owner), Duration.millis(Leases.leaseMillis / 3))
  yield* Effect.forkScoped(Effect.forever(guarded("The search for due webhooks", scan, undefined)))
  yield* Effect.forkScoped(Effect.forever(guarded("The renewal of a lease", keepLease, undefined)))
})

/** Delivers webhook events while the scope is open. */
export const layer = (options: DeliveryOptions = {}) => Layer.scopedDiscard(make(options))

/** Reads and writes the table `webhooks` on behalf of a lease owner. Changes nothing in rows that another process has taken over. */
export const makeOutbox = (sql: Sql, owner: string) => {
  const ours = sql`open = 1 AND (owner IS NULL OR owner = ${owner} OR owner NOT IN (SELECT id FROM job_owners))`

  /** Returns the row of a job if this process owns it, or can take it over. Called before each event: writes only when the owner changes. */
  const claim = (jobId: string) =>
    Effect.gen(function* () {
      const [found] = yield* sql<OutboxRow>`SELECT * FROM webhooks WHERE job_id = ${jobId} AND ${ours}`
      if (found === undefined || found.owner === owner) return found
      const [claimed] = yield* sql<OutboxRow>`UPDATE webhooks SET owner = ${owner}
        WHERE job_id = ${jobId} AND ${ours} RETURNING *`
      return claimed
    })

  /** True if this process still owns the row, no event of it was sent or skipped since it was read, and the job was not deleted. */
  const isCurrent = ({ ended_at, job_id, pages, started }: OutboxRow, { purged }: Pick<WebhookJob, "purged">) =>
    Effect.gen(function* () {
      const now = yield* claim(job_id)
      if (now === undefined || now.started !== started || now.pages !== pages || now.ended_at !== ended_at) return false
      const [job] = yield* sql<{ purged: number }>`SELECT purged FROM jobs WHERE id = ${job_id}`
      return job?.purged === purged
    })

  const write = (jobId: string, values: Partial<Omit<OutboxRow, "job_id" | "sealed">>) =>
    Effect.asVoid(sql`UPDATE webhooks SET ${sql.update(values)} WHERE job_id = ${jobId} AND owner = ${owner}`)

  /** Stores that an event was sent or skipped. `due_at`: when the next one is sent. */
  const markSent = (job: WebhookJob, event: WebhookEvent, misses: number, due_at = 0) =>
    write(job.id, {
      ...(event.name === "started" ? { started: 1 } : {}),
      ...(event.position === undefined ? {} : { pages: event.position + 1 }),
      ...(event.name === "completed" || event.name === "failed" ? { ended_at: job.finished_at } : {}),
      attempts: 0,
      due_at,
      misses
    })

  /** Ends the delivery for a job, whether or not all events were sent. */
  const drop = (jobId: string) =>
    Effect.asVoid(sql`UPDATE webhooks SET open = 0 WHERE job_id = ${jobId} AND owner = ${owner}`)

  /** Ends the delivery for an ended job, unless the job was resumed since it was read. */
  const close = ({ finished_at, id }: WebhookJob) =>
    Effect.asVoid(sql`UPDATE webhooks SET open = 0 WHERE job_id = ${id} AND owner = ${owner}
      AND EXISTS (SELECT 1 FROM jobs WHERE id = ${id} AND finished_at = ${finished_at})`)

  const open = Effect.map(sql<{ job_id: string }>`SELECT job_id FROM webhooks WHERE open = 1`, (rows) =>
    rows.map(({ job_id }) => job_id)
  )

  return { claim, isCurrent, write, markSent, drop, close, open }
}

/** Columns of a job that events need. `spec` is not among them, because it may be long. */
export type WebhookJob = Pick<
  JobRow,
  "id" | "team" | "kind" | "version" | "status" | "error" | "results" | "completed" | "finished_at" | "purged"
>

/** A row of `webhooks`; `Store/Schema.ts` describes the columns. */
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

export interface WebhookEvent {
  readonly name: EventName
  /** The same for every attempt, so that a receiver recognises a duplicate. */
  readonly id: string
  /** Position of the document in the job's results, for the event `page`. */
  readonly position?: number
}

/** Returns the first event that was not sent yet; undefined when all were. */
export const nextEvent = (row: OutboxRow, job: WebhookJob): WebhookEvent | undefined => {
  if (row.started === 0) return { name: "started", id: `${job.id}/started` }
  if (row.pages < job.results) return { name: "page", id: `${job.id}/page/${row.pages}`, position: row.pages }
  if (job.status === "scraping" || row.ended_at === job.finished_at) return undefined
  return { name: job.status === "completed" ? "completed" : "failed", id: `${job.id}/ended/${job.finished_at}` }
}

/** Error of a failed page; undefined for a successful one. */
const errorOf = (document: Uint8Array): string | undefined =>
  JSON.parse(Buffer.from(document).toString("utf8"))?.metadata?.error

const failureOf = (job: WebhookJob, event: WebhookEvent, document: Uint8Array | undefined): string | undefined => {
  if (event.name === "failed")
    return job.status === "cancelled" ? "The job was cancelled." : (job.error ?? "It failed.")
  // If no page of the job failed, its documents need not be parsed.
  return document === undefined || job.completed >= job.results ? undefined : errorOf(document)
}

/** Builds the JSON of an event. The document is inserted as its stored bytes, without parsing it. */
export const bodyOf = (
  job: WebhookJob,
  event: WebhookEvent,
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
  event: WebhookEvent,
  webhook: WebhookRequest,
  body: Buffer,
  secret: Redacted.Redacted | undefined
) => ({
  ...webhook.headers,
  "content-type": "application/json",
  "x-sluice-event": event.id,
  ...(secret === undefined
    ? {}
    : { "x-firecrawl-signature": `sha256=${createHmac("sha256", Redacted.value(secret)).update(body).digest("hex")}` })
})
