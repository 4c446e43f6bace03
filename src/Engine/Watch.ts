/** Watching a job over a WebSocket: what is there, then every document as it comes, then the end. */
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { WebSocketServer } from "ws"
import { BadRequest, RateLimited, Unauthorized } from "../Api/Errors.ts"
import { JobId } from "../Api/Field.ts"
import { lookup, originOf } from "./Jobs/Answer.ts"
import type { Kind, Version } from "./Jobs/Job.ts"
import { Jobs } from "./Jobs/Jobs.ts"
import { bearer, Keys } from "./Keys.ts"
import * as Shares from "./Shares.ts"
import * as Upgrade from "./Upgrade.ts"
import * as Frames from "./Watch/Frames.ts"
import * as Line from "./Watch/Line.ts"

export interface WatchOptions {
  /** Watchers of one key, and of all teams, who share them. */
  readonly perKey?: number | undefined
  readonly total?: number | undefined
  /** How often a watcher is asked whether it is still there; one that stays silent until the next time is let go. */
  readonly heartbeat?: Duration.DurationInput | undefined
}

interface Place {
  readonly version: Version
  readonly kind: Kind
  readonly id: string
}

const placeOf = (url = ""): Place | undefined => {
  const [, version, kind, id] = /^\/v([12])\/(crawl|batch\/scrape)\/([^/?]+)\/?(?:\?.*)?$/.exec(url) ?? []
  if (id === undefined || id === "active") return undefined
  return { version: version === "1" ? 1 : 2, kind: kind === "crawl" ? "crawl" : "batch", id }
}

const isUuid = Schema.is(JobId)

/** Each is looked up; clients offer one or two. */
const maxOffered = 8

/** The keys that a request may mean: its header's, or any of the subprotocols it offers, which browsers can set. */
const offered = ({ headers }: IncomingMessage): ReadonlyArray<string> => [
  bearer(headers.authorization) ?? "",
  ...(headers["sec-websocket-protocol"] ?? "").split(",", maxOffered).map((name) => name.trim())
]

type Known = { readonly team: string; readonly name: string }

/** Accepts watchers for as long as the scope is open; they are told when it closes. */
export const layer = ({ heartbeat = "30 seconds", perKey = 64, total = 512 }: WatchOptions = {}) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const keys = yield* Keys
      const jobs = yield* Jobs
      const upgrades = yield* Upgrade.Upgrades
      const tell = yield* Frames.make
      const run = yield* FiberSet.makeRuntime<never, void>()
      const watchers = new Map<string, number>()
      const shares = yield* Shares.ofEngine(total)
      // A watcher has nothing to say; the first subprotocol, which is the key, is echoed.
      const server = new WebSocketServer({ noServer: true, maxPayload: 4096, clientTracking: false })

      const known = (request: IncomingMessage): Effect.Effect<Known, Unauthorized> => {
        const given = offered(request).filter((secret) => secret !== "")
        const found = given.flatMap((secret) => Option.toArray(keys.find(Redacted.make(secret))))[0]
        if (found !== undefined) return Effect.succeed(found)
        const error = given.length === 0 ? "Unauthorized: Token missing" : "Unauthorized: Invalid token"
        return Effect.fail(new Unauthorized({ error }))
      }

      const checked = ({ id }: Place) =>
        isUuid(id)
          ? Effect.void
          : new BadRequest({ error: "Invalid job ID format. Job ID must be a valid UUID.", code: "BAD_REQUEST" })

      /** A watcher's place, given back when it has left. */
      const seat = ({ name, team }: Known) =>
        Effect.acquireRelease(
          Effect.suspend(() => {
            const key = `${team}/${name}`
            const mine = watchers.get(key) ?? 0
            if (mine >= perKey || !shares.fits(team)) {
              const error = `${mine >= perKey ? `This key has ${mine}` : `This team has ${shares.heldBy(team)}`} watchers, as many as it may now: close one, or retry in 5 seconds.`
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

      const serve = (place: Place, request: IncomingMessage, socket: Duplex, head: Buffer) =>
        Effect.gen(function* () {
          const who = yield* known(request)
          yield* checked(place)
          const job = yield* lookup(jobs, who.team, place)
          yield* seat(who)
          const ws = yield* Upgrade.handshake(server, request, socket, head)
          const line = yield* Line.open(ws, Duration.decode(heartbeat))
          const again = jobs.find(who.team, job.kind, job.id)
          const watched = { job, version: place.version, origin: originOf(request.headers) }
          yield* Effect.raceFirst(line.lost, tell(line, again, watched))
        }).pipe(
          Effect.scoped,
          Effect.catchTags({ SqlError: Effect.die, Lost: () => Effect.sync(() => void socket.destroy()) }),
          Upgrade.guarded(socket, "A watcher of a job")
        )

      yield* upgrades.add((request, socket, head) => {
        const place = placeOf(request.url)
        if (place === undefined || !Upgrade.isWebSocket(request)) return false
        run(serve(place, request, socket, head))
        return true
      })
    })
  )
