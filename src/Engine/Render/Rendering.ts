/**
 * Options of a scrape that need a browser (actions, screenshot, waitFor, mobile, profile), validated before a browser starts.
 */
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { BadRequest } from "../../Api/Errors.ts"
import { characters } from "../../Api/Field.ts"
import { faultsOfError } from "../../Api/Issues.ts"
import { type actionTypes, type Format, formatName } from "../../Api/ScrapeOptions.ts"
import { loginOf, type Options, type Refusal } from "../ScrapeOptions.ts"

/** Maximum actions of a request, and maximum screenshots and PDFs among them. */
const maxActions = 50
const maxCaptures = 10
/** Schema for the width or height of a viewport in pixels. */
const side = Schema.Int.pipe(Schema.between(50, 4096))

export const Viewport = Schema.Struct({ width: side, height: side })
export type Viewport = typeof Viewport.Type

export const screenshotFields = {
  fullPage: Schema.optional(Schema.Boolean),
  quality: Schema.optional(Schema.Int.pipe(Schema.between(1, 100))),
  viewport: Schema.optional(Viewport)
}

const selector = characters(1000, 1)
const text = (most: number) => characters(most)
const milliseconds = Schema.Int.pipe(Schema.between(0, 300_000))

/** Creates a schema for one of several words, with one error message that lists all of them. */
const oneOf = <const Words extends ReadonlyArray<string>>(...words: Words) =>
  Schema.Literal(...words).annotations({ message: () => ({ message: `expected ${words.join(", ")}`, override: true }) })

const wait = Schema.Struct({
  type: Schema.Literal("wait"),
  milliseconds: Schema.optional(milliseconds),
  selector: Schema.optional(selector)
}).pipe(
  Schema.filter((action) => (action.milliseconds === undefined) !== (action.selector === undefined), {
    message: () => "expected either milliseconds or selector"
  })
)

const actionSchemas = {
  wait,
  click: Schema.Struct({ type: Schema.Literal("click"), selector, all: Schema.optional(Schema.Boolean) }),
  write: Schema.Struct({ type: Schema.Literal("write"), text: text(10_000) }),
  press: Schema.Struct({ type: Schema.Literal("press"), key: text(50).pipe(Schema.minLength(1)) }),
  scroll: Schema.Struct({
    type: Schema.Literal("scroll"),
    direction: Schema.optional(oneOf("up", "down")),
    selector: Schema.optional(selector)
  }),
  screenshot: Schema.Struct({ type: Schema.Literal("screenshot"), ...screenshotFields }),
  scrape: Schema.Struct({ type: Schema.Literal("scrape") }),
  executeJavascript: Schema.Struct({ type: Schema.Literal("executeJavascript"), script: text(100_000) }),
  pdf: Schema.Struct({
    type: Schema.Literal("pdf"),
    format: Schema.optional(oneOf("A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Ledger")),
    landscape: Schema.optional(Schema.Boolean),
    scale: Schema.optional(Schema.Number.pipe(Schema.between(0.1, 2)))
  })
} satisfies Readonly<Record<(typeof actionTypes)[number], Schema.Schema.Any>>

export type Action = {
  readonly [K in keyof typeof actionSchemas]: (typeof actionSchemas)[K]["Type"]
}[keyof typeof actionSchemas]

interface FieldError {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

const strictParsing = { errors: "all", onExcessProperty: "error" } as const

/** Field errors of a parse error, with `path` in front of each path. */
export const fieldErrors = (
  path: ReadonlyArray<PropertyKey>,
  error: ParseResult.ParseError
): ReadonlyArray<FieldError> =>
  faultsOfError(error).map((fault) => ({ path: [...path, ...fault.path], message: fault.message }))

const actionNames = Object.keys(actionSchemas) as ReadonlyArray<keyof typeof actionSchemas>

const decodeAction = (
  given: { readonly type: string },
  index: number
): Either.Either<Action, ReadonlyArray<FieldError>> => {
  const name = actionNames.find((known) => known === given.type)
  if (name === undefined) {
    const message = `"${given.type}" is not an action; use ${actionNames.join(", ")}`
    return Either.left([{ path: ["actions", index, "type"], message }])
  }
  return Either.mapLeft(
    Schema.decodeUnknownEither(actionSchemas[name] as Schema.Schema<Action>, strictParsing)(given),
    (error) => fieldErrors(["actions", index], error)
  )
}

export const fieldErrorsToBadRequest = (errors: ReadonlyArray<FieldError>): BadRequest =>
  new BadRequest({
    error: errors.map(({ message, path }) => `${path.map(String).join(".")}: ${message}`).join("; "),
    code: "BAD_REQUEST",
    details: errors.map(({ message, path }) => ({ path, message, code: "invalid_value" }))
  })

const limitErrors = (actions: ReadonlyArray<Action>, { timeout, waitFor }: Options): ReadonlyArray<FieldError> => {
  const errors: Array<FieldError> = []
  const add = (path: string, message: string) => errors.push({ path: [path], message })
  const captures = actions.filter(({ type }) => type === "screenshot" || type === "pdf").length
  const waits = actions.reduce((sum, action) => sum + (action.type === "wait" ? (action.milliseconds ?? 0) : 0), 0)
  if (actions.length > maxActions)
    add("actions", `there are ${actions.length} actions; at most ${maxActions} are allowed`)
  if (captures > maxCaptures)
    add("actions", `there are ${captures} screenshots and pdfs; at most ${maxCaptures} are allowed`)
  if (waitFor + waits >= timeout) {
    const waiting = `waiting takes ${waitFor + waits} ms, but the whole request may take ${timeout} ms`
    add(waits > 0 ? "actions" : "waitFor", `${waiting}: raise "timeout" or wait less`)
  }
  return errors
}

/** Decodes all actions, or fails with all of their errors. */
export const readActions = (options: Options): Either.Either<ReadonlyArray<Action>, BadRequest> => {
  const decoded = (options.actions ?? []).map(decodeAction)
  const errors = decoded.flatMap((each) => (Either.isLeft(each) ? each.left : []))
  const actions = decoded.flatMap((each) => (Either.isRight(each) ? [each.right] : []))
  const all = errors.length > 0 ? errors : limitErrors(actions, options)
  return all.length > 0 ? Either.left(fieldErrorsToBadRequest(all)) : Either.right(actions)
}

export interface ScreenshotOptions {
  readonly fullPage?: boolean | undefined
  /** Quality in percent; makes the screenshot a JPEG instead of a PNG. */
  readonly quality?: number | undefined
  readonly viewport?: Viewport | undefined
}

/** Options for rendering a page. */
export interface Rendering {
  /** Milliseconds to wait after the page has loaded. */
  readonly waitFor: number
  /** Emulates a phone. */
  readonly mobile: boolean
  readonly actions: ReadonlyArray<Action>
  /** Screenshot to take after the actions. */
  readonly screenshot: ScreenshotOptions | undefined
  /** Browser profile of the team, with the cookies and storage of earlier sessions. */
  readonly profile:
    | { readonly name: string; readonly saveChanges: boolean; readonly isLogin?: boolean | undefined }
    | undefined
}

/** Rendering that only runs the page's scripts. */
export const scriptsOnly: Rendering = {
  waitFor: 0,
  mobile: false,
  actions: [],
  screenshot: undefined,
  profile: undefined
}

const Screenshot = Schema.Struct({ type: Schema.String, ...screenshotFields })

/** True for the names of screenshot formats. */
export const isScreenshot = (name: string): boolean => name === "screenshot" || name === "screenshot@fullPage"

const readScreenshot = (format: Format | undefined): Either.Either<ScreenshotOptions | undefined, Refusal> => {
  if (format === undefined) return Either.right(undefined)
  const whole = formatName(format) === "screenshot@fullPage"
  if (typeof format === "string") return Either.right({ fullPage: whole })
  const decode = Schema.decodeUnknownEither(Screenshot, { errors: "all", onExcessProperty: "error" })
  return Either.mapBoth(decode(format), {
    onLeft: (error) => fieldErrorsToBadRequest(fieldErrors(["formats", "screenshot"], error)),
    onRight: ({ type: _, ...picture }) => (whole ? { ...picture, fullPage: true } : picture)
  })
}

/** Profile of a login. It needs no browser by itself, because its cookies are also sent with plain requests. */
export const loginProfile = (options: Pick<Options, "profile">): Rendering["profile"] => {
  const name = loginOf(options)
  return name === undefined ? undefined : { name, saveChanges: false, isLogin: true }
}

/** Reads the rendering options of a scrape request. Undefined if no browser is needed. */
export const read = (options: Options): Either.Either<Rendering | undefined, Refusal> =>
  Either.gen(function* () {
    const actions = yield* readActions(options)
    const screenshot = yield* readScreenshot(options.formats.find((format) => isScreenshot(formatName(format))))
    const { mobile, waitFor, zeroDataRetention } = options
    const login = loginProfile(options)
    const profile =
      login !== undefined || options.profile === undefined
        ? login
        : { name: options.profile.name, saveChanges: (options.profile.saveChanges ?? true) && !zeroDataRetention }
    const isShown = profile !== undefined && login === undefined
    const needed = waitFor > 0 || mobile || actions.length > 0 || screenshot !== undefined || isShown
    return needed ? { waitFor, mobile, actions, screenshot, profile } : undefined
  })
