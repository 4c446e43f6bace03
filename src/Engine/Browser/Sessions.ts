/**
 * Browser sessions: opened within the quota, found by id or secret, and ended without leaving files or processes.
 *
 * - A session owns a browser process, its files, its place in the quota, and the lease of its profile. They are released in reverse order
 *   when it ends, and also if opening it fails or is interrupted.
 * - A session ends once, for one `Ending`. From then on its id and its secrets are refused with that reason: the secrets for `endingTtl`,
 *   the id for `rowTtl`. Sessions of an engine that was killed are refused as ended.
 * - The first minute is charged when the session opens, each further minute when it begins. Without credits the session ends.
 *
 * Ports: the store (`Sql`), `Guard` for the network, `Usage` for credits, `Profiles` for saved storage, `SessionQuota` for numbers and
 * memory. `Cdp`, `LiveView` and `Execute` use sessions through `Session.devtools`.
 */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import {
  type Conflict,
  Gone,
  type InsufficientStorage,
  NotFound,
  type PaymentRequired,
  type RateLimited,
  type Unavailable
} from "../../Api/Errors.ts"
import { Guard } from "../../Guard.ts"
import * as Chromium from "../../Settings/Chromium.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { DnsResolver } from "../Fetch/DnsResolver.ts"
import { defaultPool, Proxies, poolFor } from "../Fetch/Proxies.ts"
import { unavailable } from "../Render/RunningBrowser.ts"
import { failing, Sql } from "../Store/Sql.ts"
import { prices, type Spender, Usage } from "../Usage/Usage.ts"
import type { Devtools } from "./Devtools.ts"
import * as Process from "./Process.ts"
import { Profiles } from "./Profiles.ts"
import { SessionQuota } from "./SessionQuota.ts"

/** Kinds of access to a session. Each has its own secret. */
export const accesses = ["cdp", "watch", "interact"] as const
export type Access = (typeof accesses)[number]

/** Reason why a session ended. */
export type Ending = "deleted" | "closed" | "expired" | "inactive" | "crashed" | "spent" | "credits" | "stopped"

/** The reasons as texts for error messages. */
export const endingTexts: Readonly<Record<Ending, string>> = {
  deleted: "it was deleted",
  closed: "a program closed its browser",
  expired: "its ttl is over",
  inactive: "it was not used for its activityTtl",
  crashed: "its browser crashed",
  spent: "it has used up what a session may load",
  credits: "the team's credits are used up",
  stopped: "the engine was stopped"
}

export interface Session {
  readonly id: string
  readonly team: Spender
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly expiresAt: number
  /** True if it has a live view. */
  readonly streamWebView: boolean
  readonly secrets: Readonly<Record<Access, string>>
  /** Channels to the browser. */
  readonly devtools: Devtools
  /** Folder of downloads. */
  readonly downloads: string
  /** Records activity, which restarts the `activityTtl`. */
  readonly touch: () => void
  /** Milliseconds since 1970. */
  readonly lastActivity: () => number
  /** Completes when the session starts to end. */
  readonly ended: Effect.Effect<Ending>
  /** Reason why the profile was not saved; known once the session has ended. */
  readonly warning: () => string | undefined
  /** Ends the session, and waits until its processes and files are gone. */
  readonly end: (why: Ending) => Effect.Effect<void>
}

const hash = (secret: string): Buffer => createHash("sha256").update(secret).digest()

/** Hashes of the secrets of a session. */
export type SecretHashes = Readonly<Record<Access, Buffer>>

export const makeSecrets = (): Readonly<Record<Access, string>> => ({
  cdp: randomBytes(24).toString("base64url"),
  watch: randomBytes(24).toString("base64url"),
  interact: randomBytes(24).toString("base64url")
})

export const hashesOf = ({ cdp, interact, watch }: Readonly<Record<Access, string>>): SecretHashes => ({
  cdp: hash(cdp),
  watch: hash(watch),
  interact: hash(interact)
})

/** Finds the session that a secret belongs to. Compares with all sessions, so that the time does not reveal anything about the secret. */
export const unlock = <A extends { readonly locks: SecretHashes }>(all: Iterable<A>, way: Access, secret: string) => {
  const asked = hash(secret)
  let found: A | undefined
  for (const one of all) if (timingSafeEqual(one.locks[way], asked)) found = one
  return found
}

/** Timer of a session: `wait` completes with `expired` or `inactive`; `touch` records activity. */
export const lifetime = (expiresAt: number, activityTtl: Duration.Duration) =>
  Effect.map(Effect.clock, (clock) => {
    let active = clock.unsafeCurrentTimeMillis()
    const wait: Effect.Effect<Ending> = Effect.suspend(() => {
      const now = clock.unsafeCurrentTimeMillis()
      const idle = active + Duration.toMillis(activityTtl)
      if (now >= expiresAt) return Effect.succeed("expired")
      if (now >= idle) return Effect.succeed("inactive")
      return Effect.zipRight(Effect.sleep(Math.min(idle, expiresAt) - now), wait)
    })
    const touch = () => {
      active = clock.unsafeCurrentTimeMillis()
    }
    return { wait: Effect.withClock(wait, clock), touch, lastActivity: () => active }
  })

export interface SessionRequest {
  readonly team: Spender
  /** Seconds. */
  readonly ttl: number
  readonly activityTtl: number
  readonly streamWebView: boolean
  readonly profile?: { readonly name: string; readonly saveChanges: boolean } | undefined
}

/** Result of looking up a secret. */
export type Found =
  | { readonly _tag: "Open"; readonly session: Session }
  | { readonly _tag: "Over"; readonly ending: Ending; readonly streamWebView: boolean }

export type OpenFailure = Conflict | InsufficientStorage | PaymentRequired | RateLimited | Unavailable

export class Sessions extends Context.Tag("sluice/Engine/Browser/Sessions")<
  Sessions,
  {
    readonly open: (request: SessionRequest) => Effect.Effect<Session, OpenFailure>
    /** Open sessions of a team, oldest first. */
    readonly list: (team: string) => Effect.Effect<ReadonlyArray<Session>>
    /** Sessions of a team that ended within the last 30 minutes, in the order in which they ended. */
    readonly ended: (team: string) => Effect.Effect<ReadonlyArray<SessionState>>
    /** Returns a session of the team. Fails with {@link Gone} for a day after it has ended. */
    readonly find: (team: string, id: string) => Effect.Effect<Session, Gone | NotFound>
    /** Returns the session that a secret belongs to, or, for a while after its end, the reason for the end. */
    readonly unlock: (way: Access, secret: string) => Found | undefined
  }
>() {}

export interface SessionsOptions {
  /** Path of a Chromium. Default: searched on the machine. */
  readonly chromium?: string | undefined
  readonly chromiumSandbox?: boolean | undefined
}

/** After a session has ended: how long its id is answered with `Gone`, and how long its links show the reason. */
const rowTtl = Duration.days(1)
const endingTtl = Duration.minutes(30)

interface Entry {
  readonly session: Session
  readonly locks: SecretHashes
}

/** Snapshot of a session as plain data. */
export interface SessionState extends Pick<Session, "createdAt" | "expiresAt" | "id" | "streamWebView"> {
  readonly team: string
  readonly lastActivity: number
  /** Set at the end of the session if the profile could not be saved. */
  warning: string | undefined
}

/** Ended session as plain data, so that the browser objects can be garbage-collected. */
interface EndedSession {
  readonly session: SessionState
  readonly locks: SecretHashes
  readonly ending: Ending
  readonly at: number
}

export const stateOf = ({ createdAt, expiresAt, id, lastActivity, streamWebView, team, warning }: Session) =>
  ({
    id,
    createdAt,
    expiresAt,
    streamWebView,
    team: team.id,
    lastActivity: lastActivity(),
    warning: warning()
  }) satisfies SessionState

const gone = (id: string, why: string, warning?: string) =>
  new Gone({
    error: `The browser session ${id} has ended: ${why}. ${warning === undefined ? "" : `${warning} `}Open another.`,
    code: "SESSION_GONE"
  })

const findChromium = (path: string | undefined) =>
  Effect.mapError(
    Effect.suspend(() => Chromium.find(path, process.env.PATH)),
    ({ found, todo }) => unavailable(`A browser session needs Chromium, and ${found}. To fix this: ${todo}`)
  )

/** Charges each minute; `onPoor` is executed when the team has no credits left. */
const bookEachMinute = (book: Effect.Effect<unknown, PaymentRequired | RateLimited>, onPoor: Effect.Effect<unknown>) =>
  Effect.sleep("1 minute").pipe(
    Effect.zipRight(Effect.catchTags(book, { PaymentRequired: () => onPoor, RateLimited: () => onPoor })),
    failing,
    Effect.ignoreLogged,
    Effect.forever
  )

export const layer = (options: SessionsOptions) =>
  Layer.scoped(
    Sessions,
    Effect.gen(function* () {
      const sql = yield* Sql
      const guard = yield* Guard
      const resolver = yield* DnsResolver
      const proxies = yield* Proxies
      const usage = yield* Usage
      const profiles = yield* Profiles
      const quota = yield* SessionQuota
      const all = yield* Scope.fork(yield* Scope.Scope, ExecutionStrategy.parallel)
      const entries = new Map<string, Entry>()
      const endedSessions = new Map<string, EndedSession>()

      const forget = (now: number) => {
        for (const [id, { at }] of endedSessions) if (at <= now - Duration.toMillis(endingTtl)) endedSessions.delete(id)
      }

      const remember = (entry: Entry, ending: Ending) =>
        Effect.map(Clock.currentTimeMillis, (at) => {
          const session = stateOf(entry.session)
          entries.delete(session.id)
          forget(at)
          endedSessions.set(session.id, { session, locks: entry.locks, ending, at })
        })

      /** Charges one minute; fails if the team has no credits left. */
      const book = (team: Spender) => usage.within(team, prices.browser, usage.charge(team, "browser", prices.browser))

      const open = Trace.fn("Sessions.open")(function* (request: SessionRequest) {
        const { activityTtl, profile, streamWebView, team, ttl } = request
        // Owns everything of the session; closing it releases all in reverse order.
        const scope = yield* Scope.fork(all, ExecutionStrategy.sequential)
        const build = Effect.gen(function* () {
          yield* quota.take(team, yield* Clock.currentTimeMillis)
          const executable = yield* findChromium(options.chromium)
          const id = randomUUID()
          const asked = yield* Deferred.make<Ending>()
          const ended = yield* Deferred.make<Ending>()
          const over = yield* Deferred.make<void>()
          let unsaved: string | undefined
          const state = profile === undefined ? undefined : yield* profiles.open(team.id, profile)
          const pool = poolFor(proxies, team.id, [defaultPool])
          const process = yield* Process.start({
            executable,
            sandbox: options.chromiumSandbox ?? true,
            guard,
            proxy: pool === undefined ? undefined : { pool, host: id, session: id },
            furnish: state?.furnish,
            onAsked: (why) => void Deferred.unsafeDone(asked, Effect.succeed(why))
          }).pipe(Effect.provideService(DnsResolver, resolver), Effect.provideService(Proxies, proxies))
          if (state !== undefined) {
            yield* Effect.ignore(state.restore(process.devtools.root))
            yield* Effect.addFinalizer(() =>
              Effect.map(state.save(process), (warning) => {
                unsaved = warning
                const was = endedSessions.get(id)
                if (was !== undefined) was.session.warning = warning
              })
            )
          }
          const createdAt = yield* Clock.currentTimeMillis
          const expiresAt = createdAt + ttl * 1000
          yield* sql`DELETE FROM browser_sessions WHERE expires_at <= ${createdAt - Duration.toMillis(rowTtl)}`
          yield* sql`INSERT INTO browser_sessions ${sql.insert({ id, team: team.id, expires_at: expiresAt })}`
          yield* book(team)
          const life = yield* lifetime(expiresAt, Duration.seconds(activityTtl))
          const secrets = makeSecrets()
          const session: Session = {
            id,
            team,
            createdAt,
            expiresAt,
            streamWebView,
            secrets,
            devtools: process.devtools,
            downloads: process.downloads,
            touch: life.touch,
            lastActivity: life.lastActivity,
            ended: Deferred.await(ended),
            warning: () => unsaved,
            end: (why) => Effect.zipRight(Deferred.succeed(asked, why), Deferred.await(over))
          }
          const entry: Entry = { session, locks: hashesOf(secrets) }
          entries.set(id, entry)
          // Runs first when the scope closes: refuses new connections before anything is released.
          yield* Effect.addFinalizer(() =>
            Effect.gen(function* () {
              yield* Deferred.succeed(asked, "stopped")
              const why = yield* Deferred.await(asked)
              yield* Deferred.succeed(ended, why)
              yield* remember(entry, why)
            })
          )
          yield* Effect.forkIn(bookEachMinute(book(team), Deferred.succeed(asked, "credits")), scope)
          const crashed = Effect.as(process.gone, "crashed" as const)
          yield* Effect.raceFirst(life.wait, crashed).pipe(
            Effect.raceFirst(Deferred.await(asked)),
            Effect.flatMap((why) => Deferred.succeed(asked, why)),
            Effect.zipRight(Scope.close(scope, Exit.void)),
            Effect.ensuring(Deferred.succeed(over, undefined)),
            Effect.forkDaemon
          )
          return session
        })
        return yield* Effect.onExit(Scope.extend(build, scope), (exit) =>
          Exit.isFailure(exit) ? Scope.close(scope, exit) : Effect.void
        )
      })

      const list = (team: string) =>
        Effect.sync(() => [...entries.values()].flatMap(({ session }) => (session.team.id === team ? [session] : [])))

      const ended = (team: string) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          forget(now)
          return [...endedSessions.values()].flatMap(({ session }) => (session.team === team ? [session] : []))
        })

      const find = Trace.fn("Sessions.find")(function* (team: string, id: string) {
        const session = entries.get(id)?.session
        if (session?.team.id === team) return session
        const rows = yield* sql`SELECT id FROM browser_sessions WHERE id = ${id} AND team = ${team}`
        const was = endedSessions.get(id)
        const warning = was?.session.warning
        return yield* rows.length === 0
          ? new NotFound({ error: "Browser session not found", code: "SESSION_NOT_FOUND" })
          : gone(
              id,
              was === undefined ? "that was a while ago, or the engine was restarted" : endingTexts[was.ending],
              warning
            )
      })

      const enter = (way: Access, secret: string): Found | undefined => {
        const entry = unlock(entries.values(), way, secret)
        if (entry !== undefined) return { _tag: "Open", session: entry.session }
        const was = unlock(endedSessions.values(), way, secret)
        if (was === undefined) return undefined
        return { _tag: "Over", ending: was.ending, streamWebView: was.session.streamWebView }
      }

      return { open, list, ended, find, unlock: enter }
    })
  )
