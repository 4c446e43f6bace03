/**
 * Logins: the cookies of profiles, and the recipes for signing in again.
 *
 * - A profile has one live session in the process, which all of its jobs and scrapes share. Its cookies and its recipe are in the store,
 *   encrypted.
 * - A profile that belongs to a single run is deleted by the runner, or `lifetime` after its last use.
 */
import { hash } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { NotFound, Unprocessable } from "../../Api/Errors.ts"
import * as Dialect from "../../Database/Dialect.ts"
import { Jar, SavedCookie } from "../../Login/Jar.ts"
import { type Cookies, make as makeLogin, type Session } from "../../Login/Session.ts"
import { type Exchange, Recipe } from "../../Login/SignIn.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import * as Seal from "../Store/Seal.ts"
import { failing, Sql } from "../Store/Sql.ts"
import { Owner } from "../Teams/FairQueue.ts"
import { Fetch, type FetchFailure } from "./Fetch.ts"
import { defaultPool, Proxies, poolFor } from "./Proxies.ts"

/** Milliseconds for which a single run's profile is kept after its last use, so that a killed run can be resumed. */
const lifetime = 3 * 86_400_000

/** Timeout in milliseconds of each sign-in request. */
const timeout = 60_000

/** Minimum milliseconds between two writes of cookies that responses have changed. */
const saveInterval = 30_000

const Sealed = Schema.parseJson(
  Schema.Struct({
    cookies: Schema.Array(SavedCookie),
    recipe: Schema.optional(Recipe),
    /** Hash of the recipe that has signed in. */
    signedIn: Schema.optional(Schema.String)
  })
)
type Sealed = typeof Sealed.Type

export interface LoginSession extends Session {
  /** Call after a page that showed a signed-in user. Calls `noteMember`, and saves changed cookies at most every 30 seconds. */
  readonly hasWorked: (renewed: boolean) => Effect.Effect<void>
}

/** The one session that a process has of a profile. */
interface Live extends LoginSession {
  /** Hash of the recipe that has signed in. */
  readonly signedIn: string | undefined
}

export interface LoginRequest {
  readonly team: string
  readonly name: string
  readonly recipe: Recipe
  /** True keeps the profile until you delete it; false deletes it three days after its last use. */
  readonly keeps: boolean
}

interface Service {
  /** Signs in, unless the same recipe has already signed in to the profile. Returns the number of cookies. */
  readonly open: (request: LoginRequest) => Effect.Effect<number, Unprocessable>
  /** Returns the session of a profile. */
  readonly find: (team: string, name: string) => Effect.Effect<LoginSession, NotFound>
  /** Stores the cookies of a browser that used the profile. */
  readonly adopt: (team: string, name: string, cookies: ReadonlyArray<SavedCookie>) => Effect.Effect<void>
  /** True for a single run's profile; false for a profile that is kept, and if there is none. */
  readonly isTemporary: (team: string, name: string) => Effect.Effect<boolean>
  /** Forgets the live session of a removed profile. */
  readonly forget: (team: string, name: string) => Effect.Effect<void>
}

const noProfile = (name: string) =>
  new NotFound({
    error: `The profile ${JSON.stringify(name)} has no cookies: it does not exist, or no session has saved it since the engine was updated. Save it again in a browser session.`,
    code: "PROFILE_NOT_FOUND"
  })

export class Logins extends Context.Tag("sluice/Engine/Fetch/Logins")<Logins, Service>() {}

/** No logins, for programs that only list and remove profiles. */
export const none = Layer.succeed(Logins, {
  open: () => Effect.succeed(0),
  find: (_, name) => noProfile(name),
  adopt: () => Effect.void,
  isTemporary: () => Effect.succeed(false),
  forget: () => Effect.void
})

const hashOf = (recipe: Recipe): string =>
  hash("sha256", JSON.stringify(Schema.encodeSync(Recipe)(recipe)), "base64url")

const keyOf = (team: string, name: string): string => JSON.stringify([team, name])

interface Row {
  readonly sealed: ArrayBuffer | Uint8Array | null
}

export const layer = (dataDir: string) =>
  Layer.effect(
    Logins,
    Effect.gen(function* () {
      const sql = yield* Sql
      const fetch = yield* Fetch
      const proxies = yield* Proxies
      const encryption = yield* Seal.open(dataDir)
      const live = new Map<string, Live>()
      const where = (team: string, name: string) => sql`team = ${team} AND name = ${Dialect.encodeText(name)}`

      const sweep = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        yield* sql`DELETE FROM browser_profiles WHERE expires_at < ${now} AND saver IS NULL`
      }).pipe(failing, Effect.ignoreLogged)
      yield* sweep

      const read = (team: string, name: string) =>
        Effect.map(
          sql<Row>`SELECT sealed FROM browser_profiles WHERE ${where(team, name)}`,
          ([row]): Sealed | undefined =>
            row?.sealed == null
              ? undefined
              : Either.getOrUndefined(
                  Either.flatMap(encryption.open(new Uint8Array(row.sealed)), Schema.decodeUnknownEither(Sealed))
                )
        )

      /** Writes a profile. Without `keeps`, a temporary profile stays temporary, and a kept one stays kept. */
      const write = (team: string, name: string, sealed: Sealed, keeps?: boolean) =>
        Effect.gen(function* () {
          const now = yield* Clock.currentTimeMillis
          const body = encryption.seal(Schema.encodeSync(Sealed)(sealed))
          const expires_at = keeps === true ? null : now + lifetime
          const values = { sealed: body, saved_at: now }
          if (keeps !== undefined) {
            yield* sql`INSERT INTO browser_profiles ${sql.insert({ team, name: Dialect.encodeText(name), expires_at })}
              ON CONFLICT (team, name) DO NOTHING`
          }
          yield* sql`UPDATE browser_profiles SET ${sql.update(values)},
            expires_at = CASE WHEN ${keeps === true ? 1 : 0} = 1 OR expires_at IS NULL THEN NULL ELSE ${now + lifetime} END
            WHERE ${where(team, name)}`
        })

      const exchangeOf =
        (team: string) =>
        (login: Cookies): Exchange<FetchFailure> =>
        ({ body, headers, url }) =>
          fetch.get({ url, headers, timeout, proxy: poolFor(proxies, team, [defaultPool]), login, body }).pipe(
            // Copies the body before its memory is released.
            Effect.map((fetched) => ({ ...fetched, body: Uint8Array.from(fetched.body) })),
            Effect.scoped,
            Effect.provideService(Owner, team)
          )

      const makeSession = (team: string, name: string, { cookies, recipe, ...sealed }: Sealed): Live => {
        const jar = new Jar(cookies)
        let saved = { changes: jar.changes, at: 0 }
        const save = (mark: string | undefined) =>
          Effect.flatMap(Clock.currentTimeMillis, (at) => {
            saved = { changes: jar.changes, at }
            return write(team, name, { cookies: jar.cookies(), recipe, signedIn: mark })
          })
        const own = recipe === undefined ? undefined : hashOf(recipe)
        const signedIn = sealed.signedIn ?? own
        const session = makeLogin(recipe, jar, exchangeOf(team), save(own))
        return {
          ...session,
          signedIn,
          hasWorked: (renewed) => {
            session.noteMember(renewed)
            if (jar.changes === saved.changes) return Effect.void
            return Effect.flatMap(Clock.currentTimeMillis, (now) =>
              now - saved.at < saveInterval ? Effect.void : save(signedIn)
            )
          }
        }
      }

      const find = (team: string, name: string) =>
        Effect.gen(function* () {
          const key = keyOf(team, name)
          const known = live.get(key)
          if (known !== undefined) return known
          const saved = yield* read(team, name)
          if (saved === undefined) {
            return yield* noProfile(name)
          }
          const session = live.get(key) ?? makeSession(team, name, saved)
          live.set(key, session)
          return session
        })

      const open = Trace.fn("Logins.open")(function* ({ keeps, name, recipe, team }: LoginRequest) {
        yield* sweep
        const saved = yield* read(team, name)
        const own = hashOf(recipe)
        if (saved?.signedIn === own && saved.cookies.length > 0) {
          // Cookies may have expired; the pages of the site will show that. The live session stays, because other runs may be using it.
          const known = live.get(keyOf(team, name))
          // Waits for a sign-in in progress, which begins without cookies. One that has failed leaves none.
          if (known !== undefined) yield* known.lend
          const isGood = known?.signedIn === own && known.jar.cookies().length > 0
          const session = isGood ? known : makeSession(team, name, saved)
          yield* write(team, name, { ...saved, cookies: session.jar.cookies() }, keeps)
          session.noteRun()
          live.set(keyOf(team, name), session)
          return session.jar.cookies().length
        }
        const session = makeSession(team, name, { cookies: [], recipe })
        yield* write(team, name, { cookies: [], recipe }, keeps)
        yield* Effect.mapError(
          session.signIn,
          ({ message }) => new Unprocessable({ error: message, code: "LOGIN_FAILED" })
        )
        live.set(keyOf(team, name), session)
        return session.jar.cookies().length
      })

      const adopt = Trace.fn("Logins.adopt")(function* (
        team: string,
        name: string,
        cookies: ReadonlyArray<SavedCookie>
      ) {
        const before = yield* read(team, name)
        const after = { ...before, cookies, signedIn: before?.signedIn ?? hashOf(before?.recipe ?? {}) }
        yield* write(team, name, after)
        live.set(keyOf(team, name), makeSession(team, name, after))
      })

      const isTemporary = (team: string, name: string) =>
        Effect.map(
          sql<{
            expires_at: number | null
          }>`SELECT expires_at FROM browser_profiles WHERE ${where(team, name)}`,
          ([row]) => row !== undefined && row.expires_at !== null
        )

      const service: Service = {
        open,
        find,
        adopt,
        isTemporary,
        forget: (team, name) => Effect.sync(() => void live.delete(keyOf(team, name)))
      }
      return service
    })
  )
