/**
 * Options of a scrape that need a browser (actions, screenshot, waitFor, mobile, profile), validated before a browser starts.
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { BadRequest } from "../../Api/Errors.ts"
import { type Format, formatName } from "../../Api/ScrapeOptions.ts"
import type { Options, Refusal } from "../ScrapeOptions.ts"

/** Of one request; each may take a while, and some bring back a picture. */
const maxActions = 50
const maxPictures = 10
/** Pixels of a side, and of both. */
const side = Schema.Int.pipe(Schema.between(50, 4096))

export const Viewport = Schema.Struct({ width: side, height: side })
export type Viewport = typeof Viewport.Type

/** How a picture is taken; with a quality it is a JPEG. */
export const pictureFields = {
  fullPage: Schema.optional(Schema.Boolean),
  quality: Schema.optional(Schema.Int.pipe(Schema.between(1, 100))),
  viewport: Schema.optional(Viewport)
}

const selector = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(1000))
const text = (most: number) => Schema.String.pipe(Schema.maxLength(most))
const milliseconds = Schema.Int.pipe(Schema.between(0, 300_000))

/** One of a few words; a mistake is told once, not once for each of them. */
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

const schemas = {
  wait,
  click: Schema.Struct({ type: Schema.Literal("click"), selector, all: Schema.optional(Schema.Boolean) }),
  write: Schema.Struct({ type: Schema.Literal("write"), text: text(10_000) }),
  press: Schema.Struct({ type: Schema.Literal("press"), key: text(50).pipe(Schema.minLength(1)) }),
  scroll: Schema.Struct({
    type: Schema.Literal("scroll"),
    direction: Schema.optional(oneOf("up", "down")),
    selector: Schema.optional(selector)
  }),
  screenshot: Schema.Struct({ type: Schema.Literal("screenshot"), ...pictureFields }),
  scrape: Schema.Struct({ type: Schema.Literal("scrape") }),
  executeJavascript: Schema.Struct({ type: Schema.Literal("executeJavascript"), script: text(100_000) }),
  pdf: Schema.Struct({
    type: Schema.Literal("pdf"),
    format: Schema.optional(oneOf("A0", "A1", "A2", "A3", "A4", "A5", "A6", "Letter", "Legal", "Tabloid", "Ledger")),
    landscape: Schema.optional(Schema.Boolean),
    scale: Schema.optional(Schema.Number.pipe(Schema.between(0.1, 2)))
  })
}

export type Action = { readonly [K in keyof typeof schemas]: (typeof schemas)[K]["Type"] }[keyof typeof schemas]

interface Fault {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

const strictly = { errors: "all", onExcessProperty: "error" } as const

/** What is wrong with a value, by the path that leads to it. */
export const faultsOf = (path: ReadonlyArray<PropertyKey>, error: ParseResult.ParseError): ReadonlyArray<Fault> =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    // That a field may be missing is no fault of its value.
    .filter(({ message }) => !message.startsWith("Expected undefined"))
    .map((issue) => ({ path: [...path, ...issue.path], message: issue.message }))

const names = Object.keys(schemas) as ReadonlyArray<keyof typeof schemas>

const readAction = (given: { readonly type: string }, index: number): Either.Either<Action, ReadonlyArray<Fault>> => {
  const name = names.find((known) => known === given.type)
  if (name === undefined) {
    const message = `"${given.type}" is not an action; there are ${names.join(", ")}`
    return Either.left([{ path: ["actions", index, "type"], message }])
  }
  return Either.mapLeft(Schema.decodeUnknownEither(schemas[name] as Schema.Schema<Action>, strictly)(given), (error) =>
    faultsOf(["actions", index], error)
  )
}

/** Every fault at once. */
export const refusal = (faults: ReadonlyArray<Fault>): BadRequest =>
  new BadRequest({
    error: faults.map(({ message, path }) => `${path.map(String).join(".")}: ${message}`).join("; "),
    code: "BAD_REQUEST",
    details: faults.map(({ message, path }) => ({ path, message, code: "invalid_value" }))
  })

const tooMuch = (actions: ReadonlyArray<Action>, { timeout, waitFor }: Options): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  const say = (path: string, message: string) => faults.push({ path: [path], message })
  const pictures = actions.filter(({ type }) => type === "screenshot" || type === "pdf").length
  const waits = actions.reduce((sum, action) => sum + (action.type === "wait" ? (action.milliseconds ?? 0) : 0), 0)
  if (actions.length > maxActions) say("actions", `there are ${actions.length}, and ${maxActions} are allowed`)
  if (pictures > maxPictures) say("actions", `${pictures} screenshots and pdfs, and ${maxPictures} are allowed`)
  if (waitFor + waits >= timeout) {
    const waiting = `waiting takes ${waitFor + waits} ms, and everything has to be done within ${timeout} ms`
    say(waits > 0 ? "actions" : "waitFor", `${waiting}: raise "timeout" or wait less`)
  }
  return faults
}

/** The actions in order, or every fault among them. */
export const readActions = (options: Options): Either.Either<ReadonlyArray<Action>, BadRequest> => {
  const decoded = (options.actions ?? []).map(readAction)
  const faults = decoded.flatMap((each) => (Either.isLeft(each) ? each.left : []))
  const actions = decoded.flatMap((each) => (Either.isRight(each) ? [each.right] : []))
  const all = faults.length > 0 ? faults : tooMuch(actions, options)
  return all.length > 0 ? Either.left(refusal(all)) : Either.right(actions)
}

/** A picture of the page. */
export interface Picture {
  readonly fullPage?: boolean | undefined
  /** Percent; then it is a JPEG. */
  readonly quality?: number | undefined
  readonly viewport?: Viewport | undefined
}

/** How a page is to be shown before it is read. */
export interface Rendering {
  /** Milliseconds after it is there. */
  readonly waitFor: number
  /** On a phone. */
  readonly mobile: boolean
  readonly actions: ReadonlyArray<Action>
  /** At the end. */
  readonly screenshot: Picture | undefined
  /** Of the team that asks: what earlier browsers have kept of sites. */
  readonly profile: { readonly name: string; readonly saveChanges: boolean } | undefined
}

/** Nothing asked for but that scripts have run. */
export const plain: Rendering = { waitFor: 0, mobile: false, actions: [], screenshot: undefined, profile: undefined }

const Screenshot = Schema.Struct({ type: Schema.String, ...pictureFields })

/** Whether a format is a picture, by the name before its `@`. */
export const isScreenshot = (name: string): boolean => name === "screenshot" || name === "screenshot@fullPage"

const readScreenshot = (format: Format | undefined): Either.Either<Picture | undefined, Refusal> => {
  if (format === undefined) return Either.right(undefined)
  const whole = formatName(format) === "screenshot@fullPage"
  if (typeof format === "string") return Either.right({ fullPage: whole })
  const decode = Schema.decodeUnknownEither(Screenshot, { errors: "all", onExcessProperty: "error" })
  return Either.mapBoth(decode(format), {
    onLeft: (error) => refusal(faultsOf(["formats", "screenshot"], error)),
    onRight: ({ type: _, ...picture }) => (whole ? { ...picture, fullPage: true } : picture)
  })
}

/** Undefined when the page can be read as it is sent. */
export const read = (options: Options): Either.Either<Rendering | undefined, Refusal> =>
  Either.gen(function* () {
    const actions = yield* readActions(options)
    const screenshot = yield* readScreenshot(options.formats.find((format) => isScreenshot(formatName(format))))
    const { mobile, waitFor, zeroDataRetention } = options
    const profile =
      options.profile === undefined
        ? undefined
        : { name: options.profile.name, saveChanges: (options.profile.saveChanges ?? true) && !zeroDataRetention }
    const needed = waitFor > 0 || mobile || actions.length > 0 || screenshot !== undefined || profile !== undefined
    return needed ? { waitFor, mobile, actions, screenshot, profile } : undefined
  })
