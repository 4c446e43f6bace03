/** What a request asks of a scrape, checked before anything is fetched: nothing unbuilt is pretended (spec 2.9). */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { BadRequest, NotImplemented } from "../../Api/Errors.ts"
import type { Settled } from "../../Api/Field.ts"
import { type fields, formatName } from "../../Api/ScrapeOptions.ts"
import { parseSelector, type Test } from "../Html/Select.ts"

export type Options = Settled<typeof fields>

const built = ["markdown", "html", "rawHtml", "links", "images", "summary"] as const
export type Format = (typeof built)[number]

/** Known to the clients people have, and not built. */
const unbuilt = new Set(["screenshot", "json", "extract", "changeTracking", "branding", "audio", "attributes", "query"])

/** Every request goes out directly, which is what these ask for or allow. */
const direct = new Set(["basic", "auto", "none"])

export interface Plan {
  readonly options: Options
  readonly formats: ReadonlySet<Format>
  readonly include: ReadonlyArray<Test>
  readonly exclude: ReadonlyArray<Test>
  /** Whether pages may be kept, in the search index or anywhere else. */
  readonly keeps: boolean
}

const missing = (name: string, instead: string) =>
  new NotImplemented({ error: `"${name}" is not built into this server yet. ${instead}`, code: "NOT_IMPLEMENTED" })

const invalid = (path: string, message: string) =>
  new BadRequest({
    error: `${path}: ${message}`,
    code: "BAD_REQUEST",
    details: [{ path: [path], message, code: "invalid_value" }]
  })

const refusal = (options: Options): NotImplemented | undefined => {
  const leaveOut = "Leave it out."
  if (options.waitFor > 0) return missing("waitFor", "Pages are read as they are sent; set it to 0.")
  if (options.mobile) return missing("mobile", leaveOut)
  if ((options.actions ?? []).length > 0) return missing("actions", leaveOut)
  if (options.location !== undefined) return missing("location", leaveOut)
  if (options.profile !== undefined) return missing("profile", leaveOut)
  if (options.onlyCleanContent) return missing("onlyCleanContent", "Use onlyMainContent.")
  if (options.minAge !== undefined) return missing("minAge", "Nothing is cached, so every page is fresh.")
  if (options.lockdown) return missing("lockdown", "Nothing is cached, so every page is fetched.")
  if (options.proxy !== undefined && !direct.has(options.proxy)) {
    return missing(`proxy: ${options.proxy}`, `Every request goes out directly; use "basic" or "auto".`)
  }
  return undefined
}

const readFormat = (name: string): Either.Either<Format, BadRequest | NotImplemented> => {
  const known = built.find((format) => format === name)
  if (known !== undefined) return Either.right(known)
  return unbuilt.has(name.split("@", 1)[0] ?? name)
    ? Either.left(missing(`formats: ${name}`, `Built are ${built.join(", ")}.`))
    : Either.left(invalid("formats", `"${name}" is not a format; there are ${built.join(", ")}`))
}

const readSelectors = (path: string, selectors: ReadonlyArray<string> | undefined) =>
  Either.mapLeft(Either.all((selectors ?? []).map(parseSelector)), (message) => invalid(path, message))

/** What to do, or the first option that cannot be honoured. */
export const make = (options: Options): Effect.Effect<Plan, BadRequest | NotImplemented> =>
  Effect.gen(function* () {
    const refused = refusal(options)
    if (refused !== undefined) return yield* refused
    const formats = yield* Either.all(options.formats.map((format) => readFormat(formatName(format))))
    return {
      options,
      formats: new Set(formats),
      include: yield* readSelectors("includeTags", options.includeTags),
      exclude: yield* readSelectors("excludeTags", options.excludeTags),
      keeps: options.storeInCache && !options.zeroDataRetention
    }
  })
