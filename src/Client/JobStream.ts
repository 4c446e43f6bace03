/** Streams the documents of a batch or crawl job while it runs: each once, in order, with one page in memory. */
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Document } from "../Api/Document.ts"
import { JobId } from "../Api/Field.ts"
import { JobEnvelope, statuses } from "../Api/JobStatus.ts"
import { count } from "../Row/Count.ts"
import { excerpt } from "./Answer.ts"
import { invalidRequest, mismatches, type Versioned } from "./Calls.ts"
import {
  type Call,
  type ClientError,
  CrossOrigin,
  JobExpired,
  JobFailed,
  Timeout,
  UnexpectedResponse
} from "./ClientErrors.ts"
import type { Connection } from "./Connection.ts"
import * as Cursor from "./JobStream/Cursor.ts"
import * as Repeats from "./JobStream/Repeats.ts"

/** State of a job, from one response of the status endpoint. */
export interface JobProgress {
  /** Position of the first document of this response: 0 for the first of the job. */
  readonly position: number
  /** Position after this response. Pass it as `from` to resume here. */
  readonly next: number
  readonly status: string
  readonly total: number
  readonly completed: number
  readonly creditsUsed: number
}

/** One response of the status endpoint. */
export interface JobPage extends JobProgress {
  /** The new documents. None of them was on an earlier page. */
  readonly documents: ReadonlyArray<Document>
}

/** Options of reading the documents of a job. */
export interface JobReadOptions extends Versioned {
  /** Position of the first document to read. Default: 0. Has no effect if the service's `next` contains no position. */
  readonly from?: number | undefined
  /** Documents per page, 1 to 1000. Default: the service's. */
  readonly limit?: number | undefined
  /**
   * How the stream of a failed or cancelled job ends: `fail` with `JobFailed` after its last document, or `end` normally. Default: `fail`.
   */
  readonly onFailure?: "fail" | "end" | undefined
}

export interface JobStreamOptions extends JobReadOptions {
  /**
   * Delays between polls of a running job. Restarts after new documents; when the schedule ends, the stream fails with `Timeout`. Default:
   * from 500 ms, growing by half to 10 seconds. An engine in the same process is polled more often at first.
   */
  readonly poll?: Schedule.Schedule<unknown, JobProgress> | undefined
}

/** Errors of a stream of documents. */
export type JobStreamError = ClientError | JobFailed

const defaultPoll: Schedule.Schedule<unknown, JobProgress> = Schedule.exponential("500 millis", 1.5).pipe(
  Schedule.modifyDelay((_, delay) => Duration.min(delay, "10 seconds"))
)

/** Shortest delay between polls of an engine in the same process, in milliseconds. */
const minLocalDelay = 50

/**
 * Delays for an engine in the same process, where a poll costs little: at most half of the time since the first poll, so that a job of one
 * second is not followed by a wait of half a second.
 */
const localPoll = (start: number): Schedule.Schedule<unknown, JobProgress> =>
  Schedule.modifyDelayEffect(defaultPoll, (_, delay) =>
    Effect.map(Clock.currentTimeMillis, (now) =>
      Duration.min(delay, Duration.millis(Math.max(minLocalDelay, (now - start) / 2)))
    )
  )

/** Retries of the first request: a job that was just started may not be known everywhere yet. */
const startupRetries = Schedule.spaced("500 millis").pipe(Schedule.upTo("10 seconds"))

const decodeEnvelope = Schema.decodeUnknownEither(JobEnvelope)
const isKnown = (status: string) => statuses.some((known) => known === status)

type Connected = Context.Tag.Service<typeof Connection>

interface Reading {
  readonly cursor: Cursor.Cursor
  /** Progress of the last page, without its documents, so that these can be freed. */
  readonly last: JobProgress | undefined
  readonly expiresAt: string | undefined
  /** Error that ends the stream after the last page. */
  readonly failure: JobStreamError | undefined
}

const reader = Effect.fnUntraced(function* (
  connection: Connected,
  kind: string,
  id: string,
  options: JobStreamOptions
) {
  const { scrub } = connection
  const { version = "v2", from = 0, limit, onFailure = "fail" } = options
  const path = `${connection.baseUrl}/${version}/${kind}/${id}`
  const call = { method: "GET", url: scrub(path) }
  yield* Effect.mapError(Schema.decodeUnknown(JobId)(id), (error) => invalidRequest(call, error))
  const poll = connection.isLocal ? localPoll(yield* Clock.currentTimeMillis) : defaultPoll
  const waiting = yield* Schedule.driver(options.poll ?? poll)
  const repeats = Repeats.make()

  const address = ({ position, move }: Cursor.Cursor): string => {
    if (move._tag === "Follow") return move.url
    const query = new URLSearchParams()
    if (position > 0) query.set("skip", String(position))
    if (limit !== undefined) query.set("limit", String(limit))
    return query.size === 0 ? path : `${path}?${query}`
  }

  const wait = (progress: JobProgress) =>
    Effect.mapError(
      waiting.next(progress),
      () =>
        new Timeout({
          ...call,
          said: `the job is still ${scrub(progress.status)} at ${progress.completed} of ${count(progress.total, "page")}`
        })
    )

  const fetch = ({ cursor, expiresAt }: Reading) => {
    const answer = connection.json(HttpClientRequest.get(address(cursor)))
    if (cursor.pages === 0) {
      return Effect.retry(answer, { schedule: startupRetries, while: (error) => error._tag === "JobNotFound" })
    }
    return Effect.catchTag(answer, "JobNotFound", (error) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const isExpired = expiresAt !== undefined && Date.parse(expiresAt) <= now
        return Effect.fail(
          isExpired ? new JobExpired({ ...call, said: `they were kept until ${scrub(expiresAt)}` }) : error
        )
      })
    )
  }

  const failureOf = ({ code, status, error }: JobEnvelope, cursor: Cursor.Cursor): JobFailed | undefined => {
    const { move, position, completed, total } = cursor
    return move._tag === "End" && onFailure === "fail" && (status === "failed" || status === "cancelled")
      ? new JobFailed({
          ...call,
          id,
          said: error == null ? undefined : scrub(error),
          ...(code == null ? {} : { code }),
          status,
          position,
          completed,
          total
        })
      : undefined
  }

  return {
    start: { cursor: Cursor.start(from), last: undefined, expiresAt: undefined, failure: undefined } satisfies Reading,
    step: (reading: Reading): Effect.Effect<Option.Option<readonly [JobPage, Reading]>, JobStreamError> =>
      Effect.gen(function* () {
        if (reading.failure !== undefined) return yield* Effect.fail(reading.failure)
        if (reading.cursor.move._tag === "End") return Option.none<readonly [JobPage, Reading]>()
        if (reading.cursor.move._tag === "Wait" && reading.last !== undefined) yield* wait(reading.last)
        const json = yield* fetch(reading)
        const decoded = decodeEnvelope(json)
        if (Either.isLeft(decoded)) {
          const body = excerpt(scrub(JSON.stringify(json)))
          return yield* new UnexpectedResponse({
            ...call,
            said: mismatches(decoded.left, scrub),
            status: 200,
            excerpt: body
          })
        }
        const envelope = decoded.right
        if (!isKnown(envelope.status) && envelope.status !== reading.last?.status) {
          yield* Effect.logWarning(`Unknown job status "${scrub(envelope.status)}" is treated as "still running"`)
        }
        const next = Cursor.resolve(envelope.next, address(reading.cursor))
        const received = yield* documentsOf(envelope.data ?? [], call)
        const { documents, first, cursor } = Cursor.advance(reading.cursor, envelope, next, received, repeats)
        if (documents.length > 0) yield* waiting.reset
        if (cursor.move._tag === "End" && cursor.position < cursor.completed) {
          yield* Effect.logWarning(
            `Job ${id} ended after ${count(cursor.position, "document")}, but its status counts ${cursor.completed}: some documents are missing`
          )
        }
        const progress: JobProgress = {
          position: first,
          next: cursor.position,
          status: envelope.status,
          total: cursor.total,
          completed: cursor.completed,
          creditsUsed: cursor.creditsUsed
        }
        const failure =
          next._tag === "OtherOrigin"
            ? new CrossOrigin({ ...call, target: scrub(next.url) })
            : failureOf(envelope, cursor)
        const after: Reading = { cursor, last: progress, expiresAt: envelope.expiresAt ?? undefined, failure }
        return Option.some<readonly [JobPage, Reading]>([{ ...progress, documents }, after])
      })
  }
})

/** One element per response of the status endpoint, even without documents: for progress, and for resuming. */
export const pages = (
  connection: Connected,
  kind: string,
  id: string,
  options: JobStreamOptions = {}
): Stream.Stream<JobPage, JobStreamError> =>
  Stream.unwrap(
    Effect.map(reader(connection, kind, id, options), ({ start, step }) => Stream.unfoldEffect(start as Reading, step))
  )

/** The documents only, in one chunk per page. */
export const stream = (
  connection: Connected,
  kind: string,
  id: string,
  options: JobStreamOptions = {}
): Stream.Stream<Document, JobStreamError> =>
  Stream.unwrap(
    Effect.map(reader(connection, kind, id, options), ({ start, step }) =>
      Stream.unfoldChunkEffect(start as Reading, (reading) =>
        Effect.map(
          step(reading),
          Option.map(([{ documents }, after]) => [Chunk.unsafeFromArray(documents), after] as const)
        )
      )
    )
  )

const isDocument = Schema.is(Document)
const decodeDocument = Schema.decodeUnknownEither(Document)

/** The documents of a page. Keeps objects that do not match the schema and drops anything else; a warning counts both. */
export const documentsOf = (data: ReadonlyArray<unknown>, call: Call): Effect.Effect<ReadonlyArray<Document>> => {
  let mismatching = 0
  let noObjects = 0
  let read: Array<unknown> | undefined
  for (const [at, item] of data.entries()) {
    if (isDocument(item)) continue
    // Some services send numbers as strings, which decoding converts.
    const decoded = decodeDocument(item)
    if (Either.isRight(decoded)) {
      read ??= [...data]
      read[at] = decoded.right
      continue
    }
    mismatching++
    if (typeof item !== "object" || item === null) noObjects++
  }
  const all = read ?? data
  if (mismatching === 0) return Effect.succeed(all as ReadonlyArray<Document>)
  const objects = noObjects === 0 ? all : all.filter((item) => typeof item === "object" && item !== null)
  return Effect.as(
    Effect.logWarning(
      `${mismatching} of ${count(data.length, "document")} ${mismatching === 1 ? "does" : "do"} not match the schema of the API; not objects, and therefore left out: ${noObjects}`
    ).pipe(Effect.annotateLogs({ url: call.url })),
    objects as ReadonlyArray<Document>
  )
}
