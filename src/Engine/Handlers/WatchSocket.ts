/**
 * Watches a job over a WebSocket: sends the stored documents, then each new document, then the final status.
 *
 * Each watcher holds one slice of stored bytes in memory. Watchers that answer no ping are disconnected: at once if they read nothing, and
 * later if they read, because their answer waits until they have read what was sent before the ping.
 */
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { WebSocket } from "ws"
import { BadRequest, codeOf, NotFound, RateLimited, Unauthorized } from "../../Api/Errors.ts"
import { invalidJobId, JobId } from "../../Api/Field.ts"
import { pageSize } from "../../Api/JobStatus.ts"
import { on, safely } from "../../Callback.ts"
import { acceptedBytes } from "../Http/AcceptedBytes.ts"
import * as Upgrade from "../Http/Upgrade.ts"
import { ChangeSignal } from "../Jobs/ChangeSignal.ts"
import { failureCodeOf, type JobRow, type Kind, type Version } from "../Jobs/JobRecord.ts"
import { Jobs } from "../Jobs/Jobs.ts"
import { type Page, Results } from "../Jobs/Results.ts"
import * as FairQueue from "../Teams/FairQueue.ts"
import { Owner } from "../Teams/FairQueue.ts"
import { bearer, Keys } from "../Teams/Keys.ts"
import { envelopeOf, lookup, originOf, pathOf } from "./JobAnswer.ts"

export interface WatchOptions {
  /** Maximum watchers per key, and for all teams together, divided fairly. */
  readonly perKey?: number | undefined
  readonly total?: number | undefined
  /** Interval of pings. A watcher that has neither answered nor read anything by the next ping is disconnected. */
  readonly heartbeat?: Duration.DurationInput | undefined
}

interface WatchedPath {
  readonly version: Version
  readonly kind: Kind
  readonly id: string
}

const parsePath = (url = ""): WatchedPath | undefined => {
  const [, version, kind, id] = /^\/v([12])\/(crawl|batch\/scrape)\/([^/?]+)\/?(?:\?.*)?$/.exec(url) ?? []
  if (id === undefined || id === "active") return undefined
  return { version: version === "1" ? 1 : 2, kind: kind === "crawl" ? "crawl" : "batch", id }
}

const isUuid = Schema.is(JobId)

/** Maximum subprotocols looked up as keys; clients offer one or two. */
const maxOffered = 8

/** Keys that the request may carry: in its header, or as a subprotocol, because browsers can set only that. */
const offeredKeys = ({ headers }: IncomingMessage): ReadonlyArray<string> => [
  bearer(headers.authorization) ?? "",
  ...(headers["sec-websocket-protocol"] ?? "").split(",", maxOffered).map((name) => name.trim())
]

type Known = { readonly team: string; readonly name: string }

/** Accepts watchers while the scope is open; closes their connections with it. */
export const layer = ({ heartbeat = "30 seconds", perKey = 64, total = 512 }: WatchOptions = {}) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const keys = yield* Keys
      const jobs = yield* Jobs
      const upgrades = yield* Upgrade.Upgrades
      const tell = yield* make
      const run = yield* FiberSet.makeRuntime<never, void>()
      const watchers = new Map<string, number>()
      const shares = yield* FairQueue.ofEngine(total)
      // The size limit is low, because watchers send nothing. The first subprotocol, which may be the key, is echoed in the handshake.
      const server = Upgrade.webSocketServer(4096)

      const known = (request: IncomingMessage): Effect.Effect<Known, Unauthorized> => {
        const given = offeredKeys(request).filter((secret) => secret !== "")
        const found = given.flatMap((secret) => Option.toArray(keys.find(Redacted.make(secret))))[0]
        if (found !== undefined) return Effect.succeed(found)
        const error = given.length === 0 ? "Unauthorized: Token missing" : "Unauthorized: Invalid token"
        return Effect.fail(new Unauthorized({ error }))
      }

      const checked = ({ id }: WatchedPath) =>
        isUuid(id) ? Effect.void : new BadRequest({ error: invalidJobId, code: "BAD_REQUEST" })

      /** Counts the watcher until the scope closes; fails when the limit of its key or team is reached. */
      const countWatcher = ({ name, team }: Known) =>
        Effect.acquireRelease(
          Effect.suspend(() => {
            const key = `${team}/${name}`
            const mine = watchers.get(key) ?? 0
            if (mine >= perKey || !shares.fits(team)) {
              const error = `${mine >= perKey ? `This key has ${mine}` : `This team has ${shares.heldBy(team)}`} watchers, its current limit: close one, or retry in 5 seconds.`
              return Effect.fail(new RateLimited({ error, code: "RATE_LIMITED", retryAfter: 5 }))
            }
            watchers.set(key, mine + 1)
            shares.take(team)
            return Effect.succeed(key)
          }),
          (key) =>
            Effect.sync(() => {
              shares.release(team)
              const left = (watchers.get(key) ?? 1) - 1
              if (left === 0) watchers.delete(key)
              else watchers.set(key, left)
            })
        )

      const serve = (place: WatchedPath, request: IncomingMessage, socket: Duplex, head: Buffer) =>
        Effect.gen(function* () {
          const who = yield* known(request)
          yield* checked(place)
          const job = yield* lookup(jobs, who.team, place)
          yield* countWatcher(who)
          const ws = yield* Upgrade.handshake(server, request, socket, head)
          const line = yield* open(ws, Duration.decode(heartbeat), () => acceptedBytes(socket))
          const again = jobs.find(who.team, job.kind, job.id)
          const watched = { job, version: place.version, origin: originOf(request.headers) }
          yield* Effect.raceFirst(line.lost, tell(line, again, watched))
        }).pipe(
          Effect.scoped,
          Effect.catchTag("Lost", () => Effect.sync(() => void socket.destroy())),
          Upgrade.guarded(socket, "A watcher of a job")
        )

      yield* upgrades.add((request, socket, head) => {
        const place = parsePath(request.url)
        if (place === undefined || !Upgrade.isWebSocket(request)) return false
        run(serve(place, request, socket, head))
        return true
      })
    })
  )

export interface Watched {
  readonly job: JobRow
  readonly version: Version
  /** Address of the engine, as the watcher wrote it. */
  readonly origin: string
}

/** Poll interval for jobs that another process works on, because their changes are not signalled here. */
const pollInterval = Duration.seconds(1)

/** v1 clients learn from the reason of the close frame how the job ended: there, "done" means success. v2 clients always get "done". */
const reasonOf = ({ status }: JobRow, version: Version): string =>
  `{"type":"${version === 1 && status === "failed" ? "failed" : "done"}"}`

const before = Buffer.from('{"type":"document","data":')
const after = Buffer.from("}")

export const make = Effect.map(Effect.all([Jobs, Results, ChangeSignal]), ([jobs, results, changes]) => {
  const headOf = (job: JobRow, { origin, version }: Watched, position: number) =>
    `${envelopeOf(job, {
      expiresAt: jobs.expiresAt(job),
      address: `${origin}${pathOf(job.kind, version)}/${job.id}`,
      position
    })},"data":[`

  return Effect.fnUntraced(function* (
    line: Connection,
    find: Effect.Effect<JobRow, NotFound>,
    watched: Watched
  ): Effect.fn.Return<void, Lost> {
    let position = 0

    const text = (frame: string) => line.send(Buffer.from(frame), true)

    const catchUp = (job: JobRow, { count, slices }: Page) =>
      Effect.gen(function* () {
        yield* line.send(Buffer.from(`{"type":"catchup","data":${headOf(job, watched, position + count)}`), false)
        for (const slice of slices) yield* line.send(yield* slice, false)
        yield* text("]}}")
        position += count
      })

    const documents = Effect.gen(function* () {
      const bodies = yield* results.some(watched.job.id, position, watched.version)
      // The job existed a moment ago, so it has expired.
      if (bodies.length === 0) return yield* new NotFound({ error: "Job expired" })
      for (const body of bodies) {
        yield* line.send(Buffer.concat([before, body, after]), true)
        position++
      }
    })

    /**
     * Sends the catchup: one message with a page of stored documents. Clients take a catchup with a final status as the end, so for an
     * ended job it has the last page; earlier documents are sent before it.
     */
    const begin = (job: JobRow): Effect.Effect<void, Lost | NotFound> =>
      Effect.gen(function* () {
        const page = yield* results
          .page(job.id, position, pageSize.max, watched.version)
          .pipe(Effect.provideService(Owner, job.team))
        if (job.status === "scraping" || position + page.count >= job.results) return yield* catchUp(job, page)
        yield* documents
        yield* begin(job)
      })

    /** Sends the last frame. Its type is "done" for a completed job, else the job's status. */
    const end = (job: JobRow) => {
      const data = `${headOf(job, watched, position)}]}`
      if (job.status === "failed") {
        return text(
          `{"type":"error","error":${JSON.stringify(job.error ?? "The job failed")},"code":${JSON.stringify(failureCodeOf(job))},"data":${data}}`
        )
      }
      return text(`{"type":"${job.status === "completed" ? "done" : job.status}","data":${data}}`)
    }

    let { job } = watched
    const tell = Effect.gen(function* () {
      yield* begin(job)
      let told = job.status !== "scraping"
      // v1 clients ignore a failure in the catchup, so they get the last frame, too.
      if (watched.version === 1 && job.status === "failed") yield* end(job)
      while (!told) {
        const changed = yield* changes.listen(job.id)
        job = yield* find
        while (position < job.results) yield* documents
        if (job.status === "scraping") yield* Effect.timeoutOption(changed, pollInterval)
        else {
          if (watched.version === 2 || job.status === "failed") yield* end(job)
          told = true
        }
      }
    })

    yield* Effect.catchTag(tell, "NotFound", (failure) =>
      text(JSON.stringify({ type: "error", error: failure.error, code: codeOf(failure) }))
    )
    yield* line.close(1000, reasonOf(job, watched.version))
  })
})

/** The watcher has stopped reading, or has left. */
export class Lost extends Data.TaggedError("Lost") {}

export interface Connection {
  /** Sends a piece of a message. Completes when the system has accepted the piece, so a slow reader holds only one piece in memory. */
  readonly send: (bytes: Uint8Array, last: boolean) => Effect.Effect<void, Lost>
  readonly close: (code: number, reason: string) => Effect.Effect<void>
  /** Completes when the watcher has left. */
  readonly lost: Effect.Effect<void>
}

/** Timeouts for sending one piece, and for the watcher's answer to the close frame. */
const writeTimeout = Duration.minutes(1)
const closeTimeout = Duration.millis(500)

/** Pings without an answer after which a watcher is disconnected that still reads. */
const maxUnanswered = 4

/** `accepted`: number of bytes that the system has accepted for the watcher so far. */
export const open = (
  ws: WebSocket,
  heartbeat: Duration.Duration,
  accepted: () => number
): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.gen(function* () {
    const drop = () => ws.terminate()
    const gone = yield* Deferred.make<void>()
    let unanswered = 0
    let acceptedBefore = 0
    on(ws, "close", () => Deferred.unsafeDone(gone, Effect.void), drop)
    ws.on(
      "pong",
      safely(() => {
        unanswered = 0
      }, drop)
    )
    ws.resume()
    if (ws.readyState !== ws.OPEN) yield* Deferred.succeed(gone, undefined)
    const beat = Effect.sync(() => {
      const isStuck = unanswered > 0 && accepted() === acceptedBefore
      if (isStuck || unanswered >= maxUnanswered) return ws.terminate()
      unanswered += 1
      ws.ping()
      // The ping itself does not count as something that was read.
      acceptedBefore = accepted()
    })
    yield* Effect.forkScoped(Effect.schedule(beat, Schedule.spaced(heartbeat)))

    const send = (bytes: Uint8Array, last: boolean) =>
      Effect.async<void, Lost>((resume) => {
        if (ws.readyState !== ws.OPEN) return resume(new Lost())
        ws.send(
          bytes,
          { binary: false, fin: last },
          safely((error) => resume(error == null ? Effect.void : new Lost()), drop)
        )
      }).pipe(Effect.timeoutFail({ duration: writeTimeout, onTimeout: () => new Lost() }))

    const close = (code: number, reason: string) =>
      Effect.suspend(() => {
        ws.close(code, reason)
        // Also runs in a finalizer, which is uninterruptible: a timeout only works there if the wait is interruptible.
        return Effect.asVoid(Effect.timeoutOption(Effect.interruptible(Deferred.await(gone)), closeTimeout))
      })

    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => (ws.readyState === ws.OPEN ? close(1001, "The engine stops") : Effect.void)).pipe(
        Effect.zipRight(Effect.sync(() => ws.terminate()))
      )
    )
    return { send, close, lost: Deferred.await(gone) }
  })
