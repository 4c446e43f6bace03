/** Validates a scrape request before anything is fetched. Refuses formats that are not implemented instead of ignoring them. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { NotImplemented } from "../../Api/Errors.ts"
import { formats as built, formatName, rareFormats } from "../../Api/ScrapeOptions.ts"
import type { AttributeQuery } from "../Html/Extract.ts"
import { parseSelector, type Test } from "../Html/Select.ts"
import * as Parsers from "../Parse/Options.ts"
import * as Attributes from "./Attributes.ts"
import * as Freshness from "./Freshness.ts"
import * as Json from "./Json.ts"
import { type Options, particularsOf } from "./Options.ts"
import { invalid, missing, type Refusal } from "./Refusals.ts"
import * as Rendering from "./Rendering.ts"
import * as Route from "./Route.ts"
import * as Tracking from "./Tracking.ts"

export type Format = (typeof built)[number]

/** Formats that existing clients know and this engine does not implement. */
const unbuilt: ReadonlySet<string> = new Set(rareFormats)

export interface Plan {
  readonly options: Options
  readonly formats: ReadonlySet<Format>
  readonly include: ReadonlyArray<Test>
  readonly exclude: ReadonlyArray<Test>
  readonly freshness: Freshness.Freshness
  /** Undefined when the page is not compared with its last version. */
  readonly tracking: Tracking.Tracking | undefined
  readonly parsers: Parsers.Parsers
  readonly attributes: ReadonlyArray<AttributeQuery>
  /** Extraction by a language model. */
  readonly wish: Json.Wish | undefined
  readonly route: Route.Route
  /** Undefined when no browser is needed. */
  readonly rendering: Rendering.Rendering | undefined
}

const readFormat = (name: string): Either.Either<Format, Refusal> => {
  const known = built.find((format) => format === (Rendering.isScreenshot(name) ? "screenshot" : name))
  if (known !== undefined) return Either.right(known)
  return unbuilt.has(name.split("@", 1)[0] ?? name)
    ? Either.left(missing(`formats: ${name}`, `Built are ${built.join(", ")}.`))
    : Either.left(invalid("formats", `"${name}" is not a format; there are ${built.join(", ")}`))
}

const readSelectors = (path: string, selectors: ReadonlyArray<string> | undefined) =>
  Either.mapLeft(Either.all((selectors ?? []).map(parseSelector)), (message) => invalid(path, message))

const readParsers = ({ parsers }: Options): Either.Either<Parsers.Parsers, Refusal> =>
  Either.mapLeft(Parsers.readParsers(parsers), ({ message, unbuilt }) =>
    unbuilt
      ? new NotImplemented({ error: `parsers: ${message}`, code: "NOT_IMPLEMENTED" })
      : invalid("parsers", message)
  )

/** Formats that are made of the page's markdown after it is read, whether or not that is handed out. */
const followers = ["json", "extract", "changeTracking"]

/** Whether something that follows the page reads its markdown. */
export const readsMarkdown = ({ options }: Pick<Plan, "options">): boolean =>
  followers.some((name) => particularsOf(options, name) !== undefined)

/** The same for pages that are scraped together: a profile has one browser at a time that saves it. */
export const makeForMany = (options: Options) =>
  options.profile === undefined
    ? make(options)
    : Effect.fail(
        invalid("profile", "many pages at once have none: scrape them one after the other, or open a browser session")
      )

/** What to do, or the first option that cannot be honoured. */
export const make = (options: Options): Effect.Effect<Plan, Refusal> =>
  Effect.gen(function* () {
    const rendering = yield* Rendering.read(options)
    const freshness = yield* Freshness.read(options)
    const tracking = yield* Tracking.read(options)
    const route = yield* Route.read(options)
    const formats = yield* Either.all(options.formats.map((format) => readFormat(formatName(format))))
    return {
      options,
      formats: new Set(formats),
      include: yield* readSelectors("includeTags", options.includeTags),
      exclude: yield* readSelectors("excludeTags", options.excludeTags),
      parsers: yield* readParsers(options),
      attributes: yield* Attributes.read(options),
      wish: yield* Json.read(options),
      freshness,
      tracking,
      route,
      rendering
    }
  })
