/** Validates a scrape request before anything is fetched. Refuses formats that are not implemented instead of ignoring them. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { NotImplemented } from "../../Api/Errors.ts"
import { characters, lengthOf, list } from "../../Api/Field.ts"
import { faultsOfError, faultText } from "../../Api/Issues.ts"
import { formatName, formats as implemented, rareFormats } from "../../Api/ScrapeOptions.ts"
import type { AttributeQuery } from "../../Html/Extract.ts"
import { parseSelector, type Test } from "../../Html/Select.ts"
import { catalogue } from "../../Settings.ts"
import type { Proxies } from "../Fetch/Proxies.ts"
import * as AnswerSchema from "../Model/AnswerSchema.ts"
import { Model } from "../Model/Model.ts"
import * as Parsers from "../Parse/Options.ts"
import * as Rendering from "../Render/Rendering.ts"
import {
  invalid,
  missing,
  type Options,
  particularsOf,
  type Refusal,
  readData,
  type WrittenData
} from "../ScrapeOptions.ts"
import * as Route from "./Route.ts"

export type Format = (typeof implemented)[number]

export interface Plan {
  readonly options: Options
  readonly formats: ReadonlySet<Format>
  readonly include: ReadonlyArray<Test>
  readonly exclude: ReadonlyArray<Test>
  readonly freshness: Freshness
  /** Undefined when the page is not compared with its last version. */
  readonly tracking: Tracking | undefined
  readonly parsers: Parsers.Parsers
  readonly attributes: ReadonlyArray<AttributeQuery>
  /** Undefined if no format for data is requested. */
  readonly data: WrittenData | undefined
  /** Undefined when no language model is needed. */
  readonly extraction: Extraction | undefined
  readonly route: Route.Route
  /** Undefined when no browser is needed. */
  readonly rendering: Rendering.Rendering | undefined
}

/** Accepted age of a cached page, in milliseconds. */
export interface Acceptable {
  readonly minAge: number
  readonly maxAge: number
}

/**
 * Age limits for cached pages, and whether the page is stored.
 *
 * - `maxAge`: a cached page at most this many milliseconds old is used; otherwise the page is fetched. Without it, and with 0, every page
 *   is fetched.
 * - `minAge`: only a cached page at least this old is used; 0 accepts any. The cache holds only the newest copy of a page, so this means
 *   that the page was not fetched for that long. Without a match the answer is 404.
 * - `lockdown`: only a cached page is used, of any age unless `maxAge` or `minAge` restrict it; no request leaves this machine for the
 *   page, and nothing new is stored. Without a match the answer is 404.
 * - `storeInCache: false`, `zeroDataRetention: true`: nothing is stored, but a cached page may still be used.
 */
export interface Freshness {
  /** True if the page may be stored, in the page cache or the search index. */
  readonly keeps: boolean
  /** Age of cached pages that may be used; undefined when the page must be fetched. */
  readonly acceptable: Acceptable | undefined
  /** True if the page is fetched when the cache has no page of the accepted age. */
  readonly fetches: boolean
}

/** Format `json` or `extract`: data extraction by a language model. */
export interface Extraction {
  /** Fields of the document that receive the model's answer. */
  readonly keys: ReadonlyArray<"json" | "extract">
  readonly schema: AnswerSchema.AnswerSchema | undefined
  readonly prompt: string | undefined
  readonly systemPrompt: string | undefined
}

/** Format `changeTracking`. */
export interface Tracking {
  readonly tag: string
  readonly showsDifference: boolean
  /** Data to extract from both versions and to compare field by field. */
  readonly extraction: Extraction | undefined
}

/** Creates the plan. Fails for the first option that is invalid or not supported. */
export const make = (options: Options): Effect.Effect<Plan, Refusal, Model | Proxies> =>
  Effect.gen(function* () {
    const rendering = yield* Rendering.read(options)
    const freshness = yield* readFreshness(options)
    const tracking = yield* readTracking(options)
    const route = yield* Route.read(options)
    const formats = yield* Either.all(options.formats.map((format) => readFormat(formatName(format))))
    return {
      options,
      formats: new Set(formats),
      include: yield* readSelectors("includeTags", options.includeTags),
      exclude: yield* readSelectors("excludeTags", options.excludeTags),
      parsers: yield* readParsers(options),
      attributes: yield* readAttributes(options),
      data: yield* readData(options),
      extraction: yield* readExtraction(options),
      freshness,
      tracking,
      route,
      rendering
    }
  })

/** Like `make`, for a job with many pages. They share the cookies of a profile, and none of them saves the profile. */
export const makeForMany = (options: Options) =>
  options.profile?.saveChanges === true
    ? Effect.fail(
        invalid(
          "profile",
          "a job only reads a profile, and cannot save it: leave saveChanges out, or scrape the pages one by one"
        )
      )
    : make(options)

/** Formats whose enrichments read the page's Markdown, even if the request does not ask for Markdown. */
const markdownReaders = ["json", "extract", "changeTracking"]

/** True if an enrichment reads the Markdown of the page. */
export const readsMarkdown = ({ options }: Pick<Plan, "options">): boolean =>
  markdownReaders.some((name) => particularsOf(options, name) !== undefined)

/** Formats that clients know and this engine does not implement. */
const unimplemented: ReadonlySet<string> = new Set(rareFormats)

const readFormat = (name: string): Either.Either<Format, Refusal> => {
  const known = implemented.find((format) => format === (Rendering.isScreenshot(name) ? "screenshot" : name))
  if (known !== undefined) return Either.right(known)
  return unimplemented.has(name.split("@", 1)[0] ?? name)
    ? Either.left(missing(`formats: ${name}`, `Available: ${implemented.join(", ")}.`))
    : Either.left(invalid("formats", `"${name}" is not a format. Available: ${implemented.join(", ")}`))
}

const readSelectors = (path: string, selectors: ReadonlyArray<string> | undefined) =>
  Either.mapLeft(Either.all((selectors ?? []).map(parseSelector)), (message) => invalid(path, message))

const readParsers = ({ parsers }: Options): Either.Either<Parsers.Parsers, Refusal> =>
  Either.mapLeft(Parsers.readParsers(parsers), ({ message, unbuilt }) =>
    unbuilt
      ? new NotImplemented({ error: `parsers: ${message}`, code: "NOT_IMPLEMENTED" })
      : invalid("parsers", message)
  )

const readFreshness = (options: Options): Either.Either<Freshness, Refusal> => {
  const { lockdown, maxAge, minAge } = options
  // Change tracking always needs the current page, to compare it with the last version.
  const isTracked = particularsOf(options, "changeTracking") !== undefined
  const fetches = minAge === undefined && !lockdown
  if (!fetches && maxAge !== undefined && maxAge < Math.max(1, minAge ?? 0)) {
    const other = minAge === undefined ? `"lockdown"` : `"minAge"`
    return Either.left(
      invalid(
        "maxAge",
        `no cached page can be at most ${maxAge} ms old and match ${other}: raise maxAge, or leave it out`
      )
    )
  }
  return Either.right({
    keeps: options.storeInCache && !options.zeroDataRetention && !lockdown,
    acceptable:
      fetches && ((maxAge ?? 0) === 0 || isTracked)
        ? undefined
        : { minAge: minAge ?? 0, maxAge: maxAge ?? Number.POSITIVE_INFINITY },
    fetches
  })
}

const maxSelectors = 50

const Attributes = Schema.Struct({
  selectors: Schema.Array(Schema.Struct({ selector: Schema.String, attribute: characters(200, 1) })).pipe(
    Schema.minItems(1),
    Schema.maxItems(maxSelectors)
  )
})

const decodeAttributes = Schema.decodeUnknownEither(Attributes)

/** Format `attributes`: values of attributes of the elements that match the selectors. */
const readAttributes = (options: Options): Effect.Effect<ReadonlyArray<AttributeQuery>, Refusal> => {
  const particulars = particularsOf(options, "attributes")
  if (particulars === undefined) return Effect.succeed([])
  return Effect.gen(function* () {
    const { selectors } = yield* Either.mapLeft(decodeAttributes(particulars), () =>
      invalid(
        "formats",
        `attributes needs { type: "attributes", selectors: [{ selector, attribute }] } with 1 to ${maxSelectors} selectors`
      )
    )
    return yield* Either.all(
      selectors.map(({ attribute, selector }) =>
        Either.mapBoth(parseSelector(selector), {
          onLeft: (message) => invalid("formats", `attributes: ${message}`),
          onRight: (test) => ({ selector, attribute, test })
        })
      )
    )
  })
}

const extractionFormats = ["json", "extract"] as const

const maxPrompt = 10_000

const readPrompt = (value: unknown, name: string): Either.Either<string | undefined, Refusal> => {
  if (value === undefined || value === null || value === "") return Either.right(undefined)
  return typeof value === "string" && lengthOf(value) <= maxPrompt
    ? Either.right(value)
    : Either.left(invalid("formats", `json: ${name} is not a string of at most ${maxPrompt} characters`))
}

/** Input of the language model; undefined without the formats `json` and `extract`. */
export const readExtraction = (
  options: Pick<Options, "formats">
): Effect.Effect<Extraction | undefined, Refusal, Model> =>
  Effect.gen(function* () {
    const keys = extractionFormats.filter((name) => particularsOf(options, name) !== undefined)
    if (keys.length === 0) return undefined
    const given = Object.assign({}, ...keys.map((name) => particularsOf(options, name))) as Record<string, unknown>
    const prompt = yield* readPrompt(given.prompt, "prompt")
    const systemPrompt = yield* readPrompt(given.systemPrompt, "systemPrompt")
    if ((given.schema === undefined || given.schema === null) && prompt === undefined) {
      return yield* invalid(
        "formats",
        `${keys[0]} needs a schema or a prompt: { type: "json", schema, prompt } (v1: jsonOptions)`
      )
    }
    const schema =
      given.schema === undefined || given.schema === null
        ? undefined
        : yield* Either.mapLeft(AnswerSchema.read(given.schema), (reason) => invalid("formats", `json: ${reason}`))
    if ((yield* Model) === undefined) {
      return yield* new NotImplemented({
        error: `formats: ${keys[0]} needs a language model, and none is set. Set ${catalogue.modelUrl.env} to an OpenAI-compatible endpoint and ${catalogue.model.env} to a model there.`,
        code: "NOT_IMPLEMENTED"
      })
    }
    return { keys, schema, prompt, systemPrompt }
  })

const TrackingParticulars = Schema.Struct({
  modes: Schema.optional(Schema.NullOr(list(Schema.Literal("git-diff", "json")))),
  tag: Schema.optional(Schema.NullOr(characters(1000))),
  schema: Schema.optional(Schema.Unknown),
  prompt: Schema.optional(Schema.Unknown)
})

const decodeTracking = Schema.decodeUnknownEither(TrackingParticulars)

const messageOf = (error: ParseResult.ParseError): string => faultsOfError(error).map(faultText).join("; ")

const readTracking = (options: Options): Effect.Effect<Tracking | undefined, Refusal, Model> =>
  Effect.gen(function* () {
    const particulars = particularsOf(options, "changeTracking")
    if (particulars === undefined) return undefined
    const path = "formats.changeTracking"
    const { modes, prompt, schema, tag } = yield* Either.mapLeft(decodeTracking(particulars), (error) =>
      invalid(path, messageOf(error))
    )
    const conflict = options.zeroDataRetention ? "zeroDataRetention" : options.lockdown ? "lockdown" : undefined
    if (conflict !== undefined) {
      return yield* invalid(path, `it stores each version of the page, which "${conflict}" forbids`)
    }
    if (options.minAge !== undefined)
      return yield* invalid(path, `it needs the current page, and "minAge" asks for a cached one`)
    const own = { type: "json", schema, prompt }
    const formats = schema === undefined && prompt === undefined ? options.formats : [own]
    const extraction = modes?.includes("json")
      ? yield* readExtraction({ ...options, formats: formats.length === 0 ? [own] : formats })
      : undefined
    if (modes?.includes("json") && extraction === undefined) {
      return yield* invalid(path, `the mode json needs a schema or a prompt: { modes: ["json"], schema, prompt }`)
    }
    return { tag: tag ?? "", showsDifference: modes?.includes("git-diff") ?? false, extraction }
  })
