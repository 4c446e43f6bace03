/**
 * Browser profiles: named storage that sessions share.
 *
 * Every session works on a copy of the last version. At most one session holds the lease that permits it to save; the lease is a
 * row of the store and expires when its holder dies or stops renewing it. A save is atomic: it becomes the last version completely
 * or not at all.
 */
import { createHash, randomUUID } from "node:crypto"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { Conflict, type InsufficientStorage, NotFound } from "../../Api/Errors.ts"
import * as Dialect from "../../Database/Dialect.ts"
import type { SavedCookie } from "../../Login/Jar.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { Logins } from "../Fetch/Logins.ts"
import { failing, Sql } from "../Store/Sql.ts"
import * as Storage from "../Store/Storage.ts"
import type { CdpClient } from "./Devtools.ts"
import type { Process } from "./Process.ts"
import * as ProfileStore from "./ProfileStore.ts"
import * as SaveLease from "./SaveLease.ts"

export interface ProfileRequest {
  readonly name: string
  readonly saveChanges: boolean
  /** True if what the browser changes in its cookies is changed in the jar of a login, too, which the login's other pages share. */
  readonly isLogin?: boolean | undefined
}

/** CDP connection of a browser, for reading and setting its cookies. */
export type Root = Pick<CdpClient, "call">
export interface EndingBrowser extends Pick<Process, "chromium" | "close"> {
  /** Waits until the storage of its pages is on disk. */
  readonly flush: Effect.Effect<void, { readonly message: string }>
  readonly devtools: { readonly root: Root }
}

/** Profile of one session. */
export interface ProfileState {
  /** Copies the last version into the profile folder of a browser before it starts. */
  readonly furnish: (profile: string) => Effect.Effect<void>
  /** Restores the cookies that the browser does not store itself. Call it when the browser runs. */
  readonly restore: (root: Root) => Effect.Effect<void>
  /** Ends the browser, and saves its storage if the session saves changes. Returns a warning for the team if that fails. */
  readonly save: (process: EndingBrowser) => Effect.Effect<string | undefined>
}

/** Entry of a list of profiles. */
export interface ListedProfile {
  readonly name: string
  readonly bytes: number
  /** Milliseconds since 1970; undefined until the profile is saved for the first time. */
  readonly savedAt: number | undefined
  readonly isInUse: boolean
}

export class Profiles extends Context.Tag("sluice/Engine/Browser/Profiles")<
  Profiles,
  {
    readonly open: (
      team: string,
      request: ProfileRequest
    ) => Effect.Effect<ProfileState, Conflict | InsufficientStorage, Scope.Scope>
    /** Profiles of a team, ordered by name. */
    readonly list: (team: string) => Effect.Effect<ReadonlyArray<ListedProfile>>
    /** Removes a profile and its files. */
    readonly remove: (team: string, name: string) => Effect.Effect<void, Conflict | NotFound>
  }
>() {}

/** Converts a cookie for CDP: a host-only cookie gets a URL instead of a domain. */
const asParameter = ({ domain, path = "/", sameSite, secure = false, ...cookie }: SavedCookie) => ({
  ...cookie,
  path,
  secure,
  ...(domain.startsWith(".") ? { domain } : { url: `${secure ? "https" : "http"}://${domain}${path}` }),
  // Chromium would ignore a cookie with `None` that is not secure.
  ...(sameSite === undefined || (sameSite === "None" && !secure) ? {} : { sameSite })
})

type Cookies = ReadonlyArray<SavedCookie>

/** The cookies that a browser has changed. Those that it has removed have an expiry that has passed. */
const changesOf = (before: Cookies, after: Cookies): Cookies => {
  const idOf = ({ domain, name, partitionKey, path }: SavedCookie) => JSON.stringify([name, domain, path, partitionKey])
  const stateOf = ({ expires, httpOnly, sameSite, secure, value }: SavedCookie) =>
    JSON.stringify([value, expires, secure, httpOnly, sameSite])
  const states = new Map(before.map((cookie) => [idOf(cookie), stateOf(cookie)]))
  const left = new Set(after.map(idOf))
  const now = Date.now() / 1000
  // One that has expired by itself may have a successor in the jar.
  const isOver = ({ expires = -1 }: SavedCookie) => expires > 0 && expires <= now
  return [
    ...before
      .filter((cookie) => !left.has(idOf(cookie)) && !isOver(cookie))
      .map((cookie) => ({ ...cookie, expires: 1 })),
    ...after.filter((cookie) => states.get(idOf(cookie)) !== stateOf(cookie))
  ]
}

/** Sets cookies in a browser. Chromium sets none if it refuses one of them: then they are set one by one. */
const setCookies = (root: Root, cookies: ReadonlyArray<ProfileStore.Cookie>) => {
  const set = (some: typeof cookies) => root.call("Storage.setCookies", { cookies: some })
  return Effect.catchAll(set(cookies), () =>
    Effect.gen(function* () {
      const [refusals] = yield* Effect.partition(cookies, (cookie) => set([cookie]), { concurrency: 16 })
      if (refusals[0] !== undefined)
        yield* Effect.logWarning(
          `The browser refused ${refusals.length} of ${cookies.length} cookies of a profile`,
          refusals[0]
        )
    })
  )
}

/** Maximum time for the browser to write the storage of its pages. */
const flushTimeout = "10 seconds"

/** Maximum profiles per team, and maximum bytes per profile. */
export const maxProfiles = 100
export const maxBytes = 200 * 1024 * 1024

interface Row extends SaveLease.LeaseColumns {
  readonly version: string | null
  readonly bytes: number
  readonly saved_at: number | null
}

const profileInUse = (name: string) =>
  new Conflict({
    error: `Only one writer is allowed at a time: another session saves the profile ${JSON.stringify(name)}. End it, or open this one with "saveChanges": false.`,
    code: "PROFILE_IN_USE"
  })

/** Access to the rows and folders of the profiles in a data folder. */
const tableOf = (sql: Sql, dataDir: string) => {
  const root = join(dataDir, "browser-profiles")
  /** Hashes the names, because a name can be any text. */
  const folderOf = (team: string, name: string) =>
    join(
      root,
      createHash("sha256")
        .update(JSON.stringify([team, name]))
        .digest("hex")
    )
  const rowOf = (team: string, name: string) => sql`team = ${team} AND name = ${Dialect.encodeText(name)}`
  const find = (team: string, name: string) =>
    Effect.map(sql<Row>`SELECT * FROM browser_profiles WHERE ${rowOf(team, name)}`, (rows) => rows[0])

  /** The versions to keep by folder: the current one, or all of them while a session may save another. */
  const kept = Effect.gen(function* () {
    const rows = yield* sql<Row & { readonly team: string; readonly name: string }>`SELECT * FROM browser_profiles`
    const now = yield* Clock.currentTimeMillis
    return new Map(
      rows.map((row) => [
        folderOf(row.team, Dialect.decodeText(row.name)),
        SaveLease.isHeld(row, now) ? ("all" as const) : row.version
      ])
    )
  })
  return { sql, root, folderOf, rowOf, find, kept }
}

type Table = ReturnType<typeof tableOf>

/** Storage of one session: a copy of the last version, and the right to save another if it holds the lease. */
const stateOf = (
  { find, folderOf, rowOf, sql }: Table,
  logins: typeof Logins.Service,
  limits: Context.Tag.Service<typeof Storage.StorageLimits>,
  team: string,
  { isLogin, name, saveChanges }: ProfileRequest,
  lease: SaveLease.Lease
): ProfileState => {
  const folder = folderOf(team, name)
  let cookies: ReadonlyArray<ProfileStore.Cookie> = []
  /** Retried, because the version may be replaced while it is copied. */
  const furnish = (profile: string) =>
    Effect.gen(function* () {
      const version = (yield* find(team, name))?.version
      if (version == null) return
      cookies = yield* ProfileStore.load(join(folder, version), profile)
    }).pipe(Effect.retry({ times: 3 }), Effect.orDie)

  /** The cookies of a browser. Those of an opaque partition, such as a sandboxed frame's, cannot be set again. */
  const cookiesOf = (root: Root) =>
    root
      .call<{ readonly cookies: ReadonlyArray<SavedCookie & { readonly partitionKeyOpaque?: boolean }> }>(
        "Storage.getCookies"
      )
      .pipe(
        Effect.map(({ cookies }) => cookies.filter(({ partitionKeyOpaque }) => partitionKeyOpaque !== true)),
        Effect.interruptible,
        Effect.timeout("5 seconds")
      )

  const cookiesForLogin = (root: Root) =>
    cookiesOf(root).pipe(
      Effect.tapError((cause) =>
        Effect.logWarning("A browser did not give its cookies, so what it changes in them is not kept", cause)
      ),
      Effect.option
    )

  /** Gives the login what the browser has changed in its cookies. The others may be older by now than those of the login. */
  let takeCookies: (root: Root) => Effect.Effect<void> = () => Effect.void

  const restore = (root: Root) =>
    Effect.gen(function* () {
      const found = Option.getOrUndefined(yield* Effect.option(logins.find(team, name)))
      const giveBack = isLogin === true && found !== undefined ? yield* found.lend : undefined
      const all = found === undefined ? cookies : found.jar.cookies().map(asParameter)
      if (all.length > 0) yield* setCookies(root, all)
      if (giveBack === undefined) return
      // Read from the browser, because it may refuse cookies, and the profile's folder may have others.
      const before = yield* cookiesForLogin(root)
      if (Option.isNone(before)) return
      takeCookies = (root) =>
        Effect.map(cookiesForLogin(root), (after) => {
          if (Option.isSome(after)) giveBack(changesOf(before.value, after.value))
        })
    })

  /** Saves a new version. Returns false if the lease was lost to another session; the profile stays unchanged then. */
  const store = (profile: string, cookies: ReadonlyArray<SavedCookie>) =>
    Effect.gen(function* () {
      const version = randomUUID()
      // The new version replaces the current one, whose space becomes free.
      const taken = (yield* Storage.used(sql, team)) - ((yield* find(team, name))?.bytes ?? 0)
      const room = Math.max(0, Math.min(maxBytes, limits.team - taken))
      const bytes = yield* ProfileStore.save(profile, join(folder, version), room)
      const saved_at = yield* Clock.currentTimeMillis
      const { before, isSaved } = yield* Effect.gen(function* () {
        const row = yield* find(team, name)
        const updated = yield* sql`UPDATE browser_profiles SET ${sql.update({ version, bytes, saved_at })}
          WHERE ${rowOf(team, name)} AND saver = ${lease.id} RETURNING version`
        const isSaved = updated.length > 0
        return { isSaved, before: isSaved ? row?.version : version }
      }).pipe(sql.withTransaction)
      if (before != null) yield* ProfileStore.discard(join(folder, before))
      if (isSaved) yield* logins.adopt(team, name, cookies)
      return isSaved
    })

  const unsaved = (why: string) =>
    `The browser profile ${JSON.stringify(name)} was not saved and is as it was before: ${why}.`

  const save = ({ chromium, close, devtools, flush }: EndingBrowser) =>
    Effect.gen(function* () {
      if (!saveChanges) return yield* Effect.as(Effect.ensuring(takeCookies(devtools.root), close), undefined)
      if (!chromium.isAlive()) return yield* Effect.as(close, unsaved("its browser had ended"))
      const cookies = yield* cookiesOf(devtools.root)
      const flushed = yield* flush.pipe(Effect.interruptible, Effect.timeout(flushTimeout), Effect.either)
      yield* close
      if (Either.isLeft(flushed)) {
        yield* Effect.logWarning(
          "A browser did not write its storage in time, so its profile was not saved",
          flushed.left
        )
        return unsaved("its browser did not write the storage of its pages in time")
      }
      if (chromium.isAlive()) {
        yield* Effect.logWarning("A browser did not end in time, so its profile was not saved")
        return unsaved("its browser did not end in time")
      }
      const isSaved = yield* failing(store(chromium.profile, cookies))
      return isSaved
        ? undefined
        : unsaved("the session no longer had the right to save it; another session may have taken the profile over")
    }).pipe(
      Effect.catchTag("ProfileTooLarge", ({ message }) => Effect.succeed(unsaved(message))),
      Effect.catchAll((cause) =>
        Effect.as(
          Effect.logWarning("A browser profile could not be saved; it stays as it was", cause),
          unsaved("the engine could not write it")
        )
      )
    )
  return { furnish, restore, save }
}

export const layer = (dataDir: string) =>
  Layer.scoped(
    Profiles,
    Effect.gen(function* () {
      const sql = yield* Sql
      const limits = yield* Storage.StorageLimits
      const logins = yield* Logins
      const table = tableOf(sql, dataDir)
      const { find, folderOf, kept, root, rowOf } = table
      // Removes versions that a killed process did not save completely.
      yield* Effect.ignoreLogged(failing(ProfileStore.sweep(root, kept)))

      /** Creates the row of a new profile and takes the lease, if the session saves changes. */
      const enter = (team: string, { name, saveChanges }: ProfileRequest, lease: SaveLease.Lease) =>
        Effect.gen(function* () {
          const known = yield* find(team, name)
          if (known === undefined) {
            const rows = yield* sql<{ count: number }>`SELECT count(*) AS count FROM browser_profiles
              WHERE team = ${team} AND expires_at IS NULL`
            if ((rows[0]?.count ?? 0) >= maxProfiles) {
              return yield* new Conflict({
                error: `This team has ${maxProfiles} browser profiles, the limit for a team. Remove one first: "sluice profile list" shows them, "sluice profile rm NAME" removes one.`,
                code: "TOO_MANY_PROFILES"
              })
            }
            // Without `saveChanges` no row is created: the profile exists only once it was saved.
            if (saveChanges)
              yield* sql`INSERT INTO browser_profiles ${sql.insert({ team, name: Dialect.encodeText(name) })}`
          }
          if (!saveChanges) return
          // Checked now, because at the end of the session it is too late to free space.
          yield* Storage.ensureRoom(sql, team, limits, known?.bytes)
          if (known !== undefined && SaveLease.isHeld(known, yield* Clock.currentTimeMillis))
            return yield* profileInUse(name)
          yield* lease.take(rowOf(team, name))
        }).pipe(sql.withTransaction)

      const open = Trace.fn("Profiles.open")(function* (team: string, request: ProfileRequest) {
        const { name, saveChanges } = request
        const where = rowOf(team, name)
        const lease = SaveLease.make(sql)
        yield* Effect.acquireRelease(enter(team, request, lease), () =>
          saveChanges
            ? Effect.zipRight(
                lease.release(where),
                // Removes the row of a profile that was never saved.
                sql`DELETE FROM browser_profiles WHERE ${where} AND version IS NULL AND saver IS NULL AND sealed IS NULL`
              ).pipe(failing, Effect.ignoreLogged)
            : Effect.void
        )
        if (saveChanges) yield* Effect.forkScoped(lease.renew(where))

        return stateOf(table, logins, limits, team, request, lease)
      })

      const list = Trace.fn("Profiles.list")(function* (team: string) {
        const now = yield* Clock.currentTimeMillis
        const rows = yield* sql<Row & { readonly name: string }>`SELECT * FROM browser_profiles
          WHERE team = ${team} AND expires_at IS NULL ORDER BY name`
        return rows.map((row) => ({
          name: Dialect.decodeText(row.name),
          bytes: row.bytes,
          savedAt: row.saved_at ?? undefined,
          isInUse: SaveLease.isHeld(row, now)
        }))
      })

      const remove = Trace.fn("Profiles.remove")(function* (team: string, name: string) {
        yield* Effect.gen(function* () {
          const row = yield* find(team, name)
          if (row === undefined) {
            return yield* new NotFound({ error: `There is no browser profile ${JSON.stringify(name)}.` })
          }
          if (SaveLease.isHeld(row, yield* Clock.currentTimeMillis)) return yield* profileInUse(name)
          yield* sql`DELETE FROM browser_profiles WHERE ${rowOf(team, name)}`
        }).pipe(sql.withTransaction)
        yield* logins.forget(team, name)
        yield* ProfileStore.discard(folderOf(team, name))
      })

      return { open, list, remove }
    })
  )
