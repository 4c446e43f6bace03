/**
 * Options of a scrape that need a browser (actions, screenshot, waitFor, mobile, profile), validated before a browser starts.
 */
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { type Action, actionTypes, decodeAction, screenshotFields, type Viewport } from "../../Api/Actions.ts"
import { BadRequest } from "../../Api/Errors.ts"
import { faultsOfError } from "../../Api/Issues.ts"
import { type Format, formatName } from "../../Api/ScrapeOptions.ts"
import { loginOf, type Options, type Refusal } from "../ScrapeOptions.ts"

/** Maximum actions of a request, and maximum screenshots and PDFs among them. */
const maxActions = 50
const maxCaptures = 10

interface FieldError {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

/** Field errors of a parse error, with `path` in front of each path. */
const fieldErrors = (path: ReadonlyArray<PropertyKey>, error: ParseResult.ParseError): ReadonlyArray<FieldError> =>
  faultsOfError(error).map((fault) => ({ path: [...path, ...fault.path], message: fault.message }))

const readAction = (
  given: { readonly type: string },
  index: number
): Either.Either<Action, ReadonlyArray<FieldError>> => {
  const decoded = decodeAction(given)
  if (decoded === undefined) {
    const message = `"${given.type}" is not an action; use ${actionTypes.join(", ")}`
    return Either.left([{ path: ["actions", index, "type"], message }])
  }
  return Either.mapLeft(decoded, (error) => fieldErrors(["actions", index], error))
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
  const decoded = (options.actions ?? []).map(readAction)
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
