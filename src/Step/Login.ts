/**
 * `login` of a definition: one sign-in for all steps of a run that fetch pages or call an API.
 *
 * - Pages are fetched by the engine, which signs in and keeps the cookies in a profile of the run, encrypted; it is deleted with the run,
 *   or after three days if the run was killed. Calls of `request` are made by this process, with their own session, which is in memory
 *   only.
 * - A run signs in when the first step needs it. If that fails, the run fails.
 * - Only Sluice's own engine is ever sent a login.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { loginFields, type SignIn } from "../Api/BrowserSession.ts"
import { PageUrl } from "../Api/Field.ts"
import { loginPrefix } from "../Api/ScrapeOptions.ts"
import { Browser } from "../Client/Browser.ts"
import { parseSelector } from "../Html/Select.ts"
import { readCookieFile } from "../Login/CookieFile.ts"
import type { Recipe } from "../Login/SignIn.ts"
import { Permissions, whyNotSent } from "../Permissions.ts"
import type { LocalServices, Services } from "../Step.ts"
import { addSecret } from "../Telemetry/Redaction.ts"
import { readable, refuse } from "./Access.ts"
import { withoutSessionLinks } from "./BrowserSession.ts"
import type { Context, RunLogin } from "./Context.ts"
import { isOwnEngine, Tariff } from "./Cost.ts"
import * as Code from "./ProjectCode.ts"
import { StepError } from "./StepError.ts"

const Secret = Schema.Redacted(
  Schema.Union(Schema.String, Schema.Number, Schema.Boolean).annotations({
    description: "a string or number, usually ${{ secrets.NAME }}"
  })
)

/** Matches the names of fields whose values are secrets. */
export const isPassword = /pass|pwd|secret|token|\bpin\b|kennwort|contrase|mot_?de_?passe|senha/i

const ways = ["fields", "basic", "cookies", "run"] as const

const isSelector = (success: Recipe["success"]): boolean =>
  typeof success !== "string" || Either.isRight(parseSelector(success))

export const Login = Schema.Struct({
  url: Schema.optional(PageUrl).annotations({
    description: "Address of the login page; for `basic`, of a page that asks for user and password."
  }),
  fields: Schema.optional(Schema.Record({ key: Schema.String, value: Secret })).annotations({
    description:
      "A form: its fields by name or id, such as `{ email: me@example.com, password: ${{ secrets.PASSWORD }} }`. Hidden fields, CSRF tokens among them, are sent as the page has them."
  }),
  submit: loginFields.submit,
  success: loginFields.success,
  basic: Schema.optional(
    Schema.Struct({
      user: Schema.propertySignature(Schema.String).annotations({ description: "User name." }),
      password: Schema.propertySignature(Secret).annotations({ description: "Password, usually ${{ secrets.NAME }}." })
    })
  ).annotations({ description: "User and password for HTTP basic authentication, sent to the origin of `url` only." }),
  cookies: Schema.optional(
    Schema.NonEmptyString.annotations({ description: "a file, relative to the definition" })
  ).annotations({
    description:
      "A file with cookies: Netscape `cookies.txt`, the JSON of a browser extension, or the storage state of Playwright, without its localStorage. It is read and never changed."
  }),
  run: Schema.optional(
    Code.FunctionReference.annotations({
      description: "a function of the project that is given a browser session: its file, or { module, export, with }"
    })
  ).annotations({
    description:
      "Signs in within a browser: a function `({ cdpUrl, with, … })` of the project, which needs `--allow-code`. Pages are then requested with the cookies and the storage of this session."
  }),
  profile: Schema.optional(
    Schema.String.pipe(Schema.pattern(/^[\w.-]{1,64}$/)).annotations({
      description: "a name of letters, digits, . - and _"
    })
  ).annotations({
    description:
      "Keeps the cookies under this name, encrypted, for the next runs, which sign in only when the site asks for it. `sluice profile rm NAME` forgets them."
  })
}).pipe(
  Schema.filter((login) => {
    const named = ways.filter((way) => login[way] !== undefined)
    if (named.length !== 1)
      return `needs one of ${ways.join(", ")}${named.length > 1 ? `, not ${named.join(" and ")}` : ""}`
    if (login.url === undefined && (login.fields !== undefined || login.basic !== undefined))
      return `needs the url of the ${login.fields === undefined ? "site" : "login page"}`
    if (login.fields !== undefined && Object.keys(login.fields).length === 0)
      return { path: ["fields"], message: "names no field: name at least one, such as { email: …, password: … }" }
    if (login.submit !== undefined && login.fields === undefined)
      return { path: ["submit"], message: "names the button of a form: add fields, or leave submit out" }
    if (login.success !== undefined && login.url === undefined)
      return { path: ["success"], message: "needs url, the page on which the success is checked" }
    return (
      isSelector(login.success) || {
        path: ["success"],
        message: `${JSON.stringify(login.success)} is not a CSS selector: to look for words on the page, write { text: … }`
      }
    )
  })
)
export type Login = typeof Login.Type

/** The field `login: false`, with which a step does not use the login of the definition. */
export const without = Schema.optional(Schema.Literal(false)).annotations({
  description: "false: the step does not use the `login` of the definition."
})

const failed = (message: string) => new StepError({ reason: "LoginFailed", scope: "run", message: `login: ${message}` })

const textOf = (secret: typeof Secret.Type): string => String(Redacted.value(secret))

/** Maximum time for the code of a login, and for ending its session. */
const patience = Duration.minutes(5)

type Made = Pick<Context, "allowCode" | "folder" | "runId">

interface Making extends Made {
  readonly login: Login
  /** Names of the secrets in the login. */
  readonly secrets: ReadonlyArray<string>
}

const recipeOf = ({ folder, login, secrets }: Making): Effect.Effect<Recipe, StepError, LocalServices> =>
  Effect.gen(function* () {
    const { basic, cookies: file, fields, submit, success, url } = login
    const why = url === undefined ? undefined : whyNotSent(yield* Permissions, secrets, url)
    if (why !== undefined) return yield* refuse(why)
    const shared = { ...(url === undefined ? {} : { url }), ...(success === undefined ? {} : { success }) }
    if (fields !== undefined) {
      const filled = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOf(value)]))
      for (const [name, value] of Object.entries(filled)) if (isPassword.test(name)) addSecret(value)
      return { ...shared, fields: filled, ...(submit === undefined ? {} : { submit }) }
    }
    if (basic !== undefined) {
      const password = textOf(basic.password)
      addSecret(password)
      return { ...shared, basic: { user: basic.user, password } }
    }
    if (file === undefined) return shared
    const path = yield* readable(file, folder)
    const text = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(path)).pipe(
      Effect.mapError(({ message }) => failed(`the file ${file} cannot be read: ${message}`))
    )
    const read = readCookieFile(text)
    if (Either.isLeft(read)) return yield* failed(`the file ${file} cannot be used: ${read.left}`)
    const { cookies, hasStorage } = read.right
    if (hasStorage)
      yield* Effect.logWarning(
        `login: only the cookies of ${file} are used, not its localStorage: if the site needs that, sign in with run`
      )
    return { ...shared, cookies }
  })

/** Signs in inside a browser session, whose storage becomes the profile. */
const inBrowser = (
  run: NonNullable<Login["run"]>,
  begin: (...args: ReadonlyArray<unknown>) => unknown,
  url: string | undefined,
  name: string
) =>
  Effect.gen(function* () {
    const client = yield* Browser
    const { success: _, ...session } = yield* Effect.mapError(
      client.create({ ttl: 600, activityTtl: 300, streamWebView: false, profile: { name, saveChanges: true } }),
      ({ message }) => failed(message)
    )
    const close = client.delete(session.id)
    yield* Effect.tryPromise({
      try: async () => begin({ ...session, url, with: run.with }),
      catch: (thrown) => Code.functionFailed(run.module, withoutSessionLinks(thrown, Object.values(session)))
    }).pipe(
      Effect.timeoutFail({
        duration: patience,
        onTimeout: () => failed(`${run.module} did not finish within ${Duration.format(patience)}`)
      }),
      Effect.mapError(({ message }) => failed(message)),
      Effect.onError(() => Effect.ignore(close))
    )
    const { warning } = yield* Effect.mapError(close, ({ message }) => failed(message))
    if (typeof warning === "string") return yield* failed(warning)
  })

/** Tags of failures that say nothing about the service behind the address. */
const noAnswer: ReadonlySet<string> = new Set(["CircuitOpen", "NetworkError", "RateLimited", "Timeout", "Unauthorized"])

/** Fails for a hosted service, which has no logins, before the login is sent to it. */
const ensureOwn = Effect.gen(function* () {
  const { rate } = yield* Tariff
  if (isOwnEngine(rate)) return
  const client = yield* Browser
  // Sluice's engine answers that there is nothing to delete; other services do not know this address.
  const answer = yield* Effect.either(client.signOut("none"))
  if (Either.isRight(answer)) return
  const { _tag, message } = answer.left
  if (noAnswer.has(_tag)) return yield* failed(message)
  return yield* failed(
    "the connected service has no logins, so its pages cannot be fetched while signed in. Let Sluice's own engine fetch them (SLUICE_ENGINE=local), or write login: false into the step"
  )
})

/** Makes the login of a run. Nothing is sent until a step needs it. */
export const make = (making: Making): Effect.Effect<RunLogin, never, Services> =>
  Effect.gen(function* () {
    const services = yield* Effect.context<Services>()
    const { login, runId } = making
    const name = login.profile ?? `run-${runId}`
    let isOpen = false
    const recipe = yield* Effect.cached(Effect.provide(recipeOf(making), services))
    const profile = yield* Effect.cached(
      Effect.gen(function* () {
        const { run } = login
        // Load the code first: if it may not run, nothing must be sent.
        const begin = run === undefined ? undefined : yield* Code.loadFunction("login", run, making)
        yield* ensureOwn
        const client = yield* Browser
        const request: SignIn = { name, keep: login.profile !== undefined, ...(yield* recipe) }
        isOpen = true
        const { cookies } = yield* Effect.mapError(client.signIn(request), ({ message }) => failed(message))
        // With cookies from an earlier run, which seem to be still valid, the code does not run.
        if (run !== undefined && begin !== undefined && cookies === 0) yield* inBrowser(run, begin, login.url, name)
        return { name: `${loginPrefix}${name}` }
      }).pipe(Effect.provide(services))
    )
    return {
      profile,
      recipe: login.run === undefined ? recipe : Effect.succeed(undefined),
      close: Effect.suspend(() =>
        !isOpen || login.profile !== undefined
          ? Effect.void
          : Effect.flatMap(Browser, (client) => client.signOut(name)).pipe(
              Effect.timeout("10 seconds"),
              Effect.ignore,
              Effect.provide(services)
            )
      )
    }
  })

/** Adds the profile of the login to the options of a page. */
export const asMember = <Options extends { readonly profile?: object | undefined }>(
  options: Options,
  login: false | undefined,
  context: Pick<Context, "login">
): Effect.Effect<Options, StepError> =>
  login === false || context.login === undefined || options.profile !== undefined
    ? Effect.succeed(options)
    : Effect.map(context.login.profile, (profile) => ({ ...options, profile }))
