/** API keys, taken from the setting or created on the first start, and the middleware that finds the team of a bearer key. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Path from "@effect/platform/Path"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { Auth } from "../../Api/Auth.ts"
import { Unauthorized } from "../../Api/Errors.ts"
import { reasonOf } from "../../Database/DriverErrors.ts"
import { createOnce } from "../../Files.ts"
import * as Trace from "../../Telemetry/Trace.ts"

/** An API key and its team. Usage is recorded under the name. */
export interface Key {
  readonly team: string
  readonly name: string
  readonly secret: Redacted.Redacted
}

/** The keys cannot be read or created. */
export class KeysError extends Data.TaggedError("KeysError")<{
  readonly where: string
  readonly reason: string
  readonly cause?: unknown
}> {
  override get message() {
    return `Cannot use the keys of ${this.where}: ${this.reason}`
  }
}

export class Keys extends Context.Tag("sluice/Engine/Teams/Keys")<
  Keys,
  {
    /** Returns team and name of a key. Takes the same time for every wrong key. */
    readonly find: (secret: Redacted.Redacted) => Option.Option<{ readonly team: string; readonly name: string }>
    /** First key, used by the process itself. */
    readonly own: Redacted.Redacted
    /** The file with the generated key; undefined when the keys come from the setting. */
    readonly file: string | undefined
    readonly teams: ReadonlySet<string>
  }
>() {}

/** Returns the bearer key of an `Authorization` header: empty when there is none, undefined for another scheme. */
export const bearer = (authorization = ""): string | undefined => {
  const text = authorization.trim()
  const [whole, secret = ""] = /^(?:Bearer(?:\s+(.*))?)?$/i.exec(text) ?? []
  return whole === undefined ? undefined : secret
}

const entry = /^(?:([\w.-]{1,64})\/)?([\w.-]{1,64}):(fc-[0-9a-f]{32})$/

/**
 * Parses `name:fc-<32 hex>,team/name:fc-<32 hex>,…`; the team is `default` unless given. An error gives the position of the invalid entry,
 * and never repeats its text.
 */
export const parse = (text: Redacted.Redacted, where = "SLUICE_ENGINE_KEYS") => {
  const keys = Arr.empty<Key>()
  for (const [index, part] of Redacted.value(text).split(",").entries()) {
    const [, team = "default", name, secret] = entry.exec(part.trim()) ?? []
    if (name === undefined || secret === undefined) {
      return Effect.fail(
        new KeysError({ where, reason: `entry ${index + 1} is not "name:fc-<32 hex>" or "team/name:fc-<32 hex>"` })
      )
    }
    if (keys.some((key) => key.team === team && key.name === name)) {
      return Effect.fail(new KeysError({ where, reason: `entry ${index + 1} repeats the name of an earlier one` }))
    }
    if (keys.some((key) => Redacted.value(key.secret) === secret)) {
      return Effect.fail(new KeysError({ where, reason: `entry ${index + 1} repeats the key of an earlier one` }))
    }
    keys.push({ team, name, secret: Redacted.make(secret) })
  }
  return Arr.isNonEmptyArray(keys)
    ? Effect.succeed(keys)
    : Effect.fail(new KeysError({ where, reason: "it contains no key" }))
}

/** Warning about keys without a team, which share the team `default`; undefined for a single key, and if every key has a team. */
export const withoutTeam = (text: Redacted.Redacted): string | undefined => {
  const names = Redacted.value(text)
    .split(",")
    .flatMap((part) => {
      const [, team, name] = entry.exec(part.trim()) ?? []
      return name === undefined ? [] : [{ team, name }]
    })
  const shared = names.filter(({ team }) => team === undefined).map(({ name }) => name)
  return names.length < 2 || shared.length === 0
    ? undefined
    : `Keys without a team in SLUICE_ENGINE_KEYS belong to the team default, which sees all their jobs, pages and usage: ${shared.join(", ")}. Write team/name:fc-… to give a key a team of its own, or default/name:fc-… to leave it in the team default.`
}

const KeyFile = Schema.parseJson(
  Schema.Struct({
    keys: Schema.NonEmptyArray(
      Schema.Struct({ team: Schema.String, name: Schema.String, key: Schema.Redacted(Schema.String) })
    )
  })
)

/** Reads the key from `keys.json`. If the file is missing, creates it with a new key, readable only by its owner. */
const readOrMake = Trace.fn("Keys.readOrMake")(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const failed = (what: string) => (cause: unknown) =>
    new KeysError({ where: file, reason: `the file cannot be ${what}: ${reasonOf(cause)}`, cause })
  const broken = (cause: unknown) =>
    new KeysError({
      where: file,
      reason: "the file is not a key file of this program. Remove it to create a new key",
      cause
    })
  const read = files.readFileString(file).pipe(
    Effect.mapError(failed("read")),
    Effect.flatMap((text) => Effect.mapError(Schema.decode(KeyFile)(text), broken))
  )
  const write = Effect.gen(function* () {
    const key = Redacted.make(`fc-${randomBytes(16).toString("hex")}`)
    const text = yield* Schema.encode(KeyFile)({ keys: [{ team: "default", name: "local", key }] })
    yield* createOnce(files, file, Buffer.from(text))
  }).pipe(Effect.mapError(failed("written")))
  const exists = yield* Effect.mapError(files.exists(file), failed("looked at"))
  if (!exists) yield* write
  const { keys } = yield* read
  return Arr.map(keys, ({ team, name, key }): Key => ({ team, name, secret: key }))
})

const hash = (secret: Redacted.Redacted) => createHash("sha256").update(Redacted.value(secret)).digest()

/** Creates the service. It holds only hashes of keys, and each lookup compares with all of them, so that its time reveals nothing. */
const service = (keys: Arr.NonEmptyReadonlyArray<Key>, file: string | undefined) => {
  const known = keys.map(({ team, name, secret }) => ({ team, name, hash: hash(secret) }))
  return Keys.of({
    own: keys[0].secret,
    file,
    teams: new Set(keys.map(({ team }) => team)),
    find: (secret) => {
      const asked = hash(secret)
      let found: { readonly team: string; readonly name: string } | undefined
      for (const key of known) if (timingSafeEqual(key.hash, asked)) found = key
      return Option.map(Option.fromNullable(found), ({ team, name }) => ({ team, name }))
    }
  })
}

/** Keys from the setting; without a setting the key in the data folder, which must exist. */
export const layer = (dataDir: string, setting: Redacted.Redacted | undefined) =>
  Layer.effect(
    Keys,
    Effect.gen(function* () {
      const path = yield* Path.Path
      if (setting !== undefined) {
        const keys = yield* parse(setting)
        const warning = withoutTeam(setting)
        if (warning !== undefined) yield* Effect.logWarning(warning)
        return service(keys, undefined)
      }
      const file = path.join(dataDir, "keys.json")
      return service(yield* readOrMake(file), file)
    })
  )

const unauthorized = (why: string) => new Unauthorized({ error: `Unauthorized: ${why}` })

export const authLayer = Layer.effect(
  Auth,
  Effect.map(Keys, (keys) =>
    Auth.of({
      // The header is parsed again, because the platform would accept any scheme whose name has the length of `Bearer`.
      bearer: () =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
          const secret = bearer(headers.authorization)
          if (secret === undefined) return unauthorized("Bearer expected")
          if (secret === "") return unauthorized("Token missing")
          return Option.match(keys.find(Redacted.make(secret)), {
            onNone: () => unauthorized("Invalid token"),
            onSome: ({ team, name }) => Effect.succeed({ id: team, keyId: name, keyName: name })
          })
        })
    })
  )
)
