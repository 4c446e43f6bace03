/**
 * The format `changeTracking`: a page against its last version that was tracked.
 *
 * Versions are told apart by team, address and tag. `changeStatus` is `new` the first time, `same` or `changed` after
 * that (white space does not count), and `removed` when the site answers 404 or 410; the last version is then kept, in
 * case it comes back. `visibility` is always `visible`: a page that was scraped or found can be reached, and that
 * nothing links to it any more cannot be known from the page. The page is fetched whatever `maxAge` says, and its version
 * is kept whatever `storeInCache` says: that is what was asked for.
 */
import { createHash } from "node:crypto"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { Document } from "../../Api/Document.ts"
import { NotImplemented } from "../../Api/Errors.ts"
import { list } from "../../Api/Field.ts"
import { nextTurn } from "../../Callback/EventLoop.ts"
import type { Version, Versions } from "../Copies/Versions.ts"
import type { Service as ModelService } from "../Model.ts"
import { sorted } from "../Repeat.ts"
import * as Difference from "./Difference.ts"
import type { Enrichment, Part, Subject } from "./Enrich.ts"
import * as Json from "./Json.ts"
import { type Options, particularsOf } from "./Options.ts"
import { invalid, type Refusal } from "./Refusals.ts"

const Particulars = Schema.Struct({
  modes: Schema.optional(Schema.NullOr(list(Schema.Literal("git-diff", "json")))),
  tag: Schema.optional(Schema.NullOr(Schema.String.pipe(Schema.maxLength(1000)))),
  schema: Schema.optional(Schema.Unknown),
  prompt: Schema.optional(Schema.Unknown)
})

const decode = Schema.decodeUnknownEither(Particulars)

export interface Tracking {
  readonly tag: string
  readonly showsDifference: boolean
  /** What a model is to read out of both versions. */
  readonly wish: Json.Wish | undefined
}

const told = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .filter(({ message }) => !/^Expected (undefined|null)/.test(message))
    .map(({ message, path }) => `${path.map(String).join(".")}: ${message}`)
    .join("; ")

/** Undefined when the format is not asked for. */
export const read = (options: Options): Effect.Effect<Tracking | undefined, Refusal> =>
  Effect.gen(function* () {
    const particulars = particularsOf(options, "changeTracking")
    if (particulars === undefined) return undefined
    const path = "formats.changeTracking"
    const { modes, prompt, schema, tag } = yield* Either.mapLeft(decode(particulars), (error) =>
      invalid(path, told(error))
    )
    const nothing = options.zeroDataRetention ? "zeroDataRetention" : options.lockdown ? "lockdown" : undefined
    if (nothing !== undefined) {
      return yield* invalid(path, `it keeps each version of the page, and with "${nothing}" nothing is kept`)
    }
    if (options.minAge !== undefined)
      return yield* invalid(path, `it needs the page as it is, and "minAge" an old copy`)
    const own = { type: "json", schema, prompt }
    const formats = schema === undefined && prompt === undefined ? options.formats : [own]
    const wish = modes?.includes("json")
      ? yield* Json.read({ ...options, formats: formats.length === 0 ? [own] : formats })
      : undefined
    if (modes?.includes("json") && wish === undefined) {
      return yield* invalid(path, `the mode json needs a schema or a prompt: { modes: ["json"], schema, prompt }`)
    }
    return { tag: tag ?? "", showsDifference: modes?.includes("git-diff") ?? false, wish }
  })

const hash = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url")

/** Characters that are hashed without a pause: some milliseconds. */
const sliceLength = 64 * 1024

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00

/** Hash of a text whose runs of white space count as one space: white space comes and goes with the way a page is laid out. */
export const contentHash = (text: string, length = sliceLength): Effect.Effect<string> =>
  Effect.gen(function* () {
    // The same as hash(text.replace(/\s+/g, " ").trim()), which takes seconds for 20 MB.
    const digest = createHash("sha256").update('["')
    let [isBegun, isSpaceDue] = [false, false]
    for (let start = 0, end = 0; start < text.length; start = end) {
      if (start > 0) yield* nextTurn
      end = Math.min(text.length, start + length)
      if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1
      const slice = text.slice(start, end).replace(/\s+/g, " ")
      const words = slice.trim()
      if (words === "") {
        isSpaceDue = true
        continue
      }
      if (isBegun && (isSpaceDue || slice.startsWith(" "))) digest.update(" ")
      digest.update(JSON.stringify(words).slice(1, -1))
      isBegun = true
      isSpaceDue = slice.endsWith(" ")
    }
    return digest.update('"]').digest("base64url")
  })

const wishHash = ({ prompt, schema, systemPrompt }: Json.Wish): string =>
  hash(JSON.stringify(sorted({ prompt, schema: schema?.json, systemPrompt })))

const written = (value: unknown): string => JSON.stringify(sorted(value)) ?? "null"

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : { value }

/** The fields whose value is another one. */
const fieldsChanged = (before: unknown, after: unknown) => {
  const [previous, current] = [fieldsOf(before), fieldsOf(after)]
  return Object.fromEntries(
    [...new Set([...Object.keys(current), ...Object.keys(previous)])]
      .filter((name) => written(previous[name]) !== written(current[name]))
      .map((name) => [name, { previous: previous[name] ?? null, current: current[name] ?? null }])
  )
}

const isGone = (status: number): boolean => status === 404 || status === 410

type ChangeTracking = NonNullable<Document["changeTracking"]>

const answer = (
  changeStatus: "new" | "same" | "changed" | "removed",
  before: Version | undefined,
  more: Pick<ChangeTracking, "diff" | "json"> = {}
): ChangeTracking => ({
  previousScrapeAt: before === undefined ? null : new Date(before.at).toISOString(),
  changeStatus,
  visibility: "visible",
  ...more
})

const tooLong = "The last version was too long to be kept: only that the page has changed is known."

const compare = (versions: NonNullable<Context.Tag.Service<typeof Versions>>, model: ModelService | undefined) => {
  const reads = Json.make(model)

  /** What the model reads out of a version. */
  const readingOf = (subject: Subject, wish: Json.Wish, markdown: string): Effect.Effect<Part, never> =>
    Effect.catchAll(
      reads({
        ...subject,
        plan: { ...subject.plan, wish: { ...wish, keys: ["json"] } },
        page: { ...subject.page, markdown }
      }) ?? Effect.succeed({}),
      ({ error }) => Effect.succeed({ warning: error })
    )

  /** What was read out of the last version, now if it was not then. */
  const earlierReading = (subject: Subject, wish: Json.Wish, { reading, text }: Version) => {
    if (reading?.wish === wishHash(wish)) return Effect.succeed<Part>({ document: { json: reading.value } })
    return text === undefined ? Effect.succeed<Part>({ warning: tooLong }) : readingOf(subject, wish, text)
  }

  const changed = Effect.fnUntraced(function* (subject: Subject, { showsDifference, wish }: Tracking, parts: Compared) {
    const { before, current, text } = parts
    const diff = showsDifference && before.text !== undefined ? Difference.between(before.text, text) : undefined
    const previous = wish === undefined ? {} : yield* earlierReading(subject, wish, before)
    const json =
      previous.document?.json === undefined || current.document?.json === undefined
        ? undefined
        : fieldsChanged(previous.document.json, current.document.json)
    const more = { ...(diff === undefined ? {} : { diff }), ...(json === undefined ? {} : { json }) }
    const warnings = [current.warning, previous.warning, showsDifference && diff === undefined ? tooLong : undefined]
    return {
      document: { changeTracking: answer("changed", before, more) },
      credits: current.credits,
      warning: [...new Set(warnings.filter((warning) => warning !== undefined))].join(" ") || undefined
    } satisfies Part
  })

  return Effect.fn("Tracking.compare")(function* (subject: Subject, tracking: Tracking) {
    const { page, target } = subject
    const key = hash(target.teamId, target.url, tracking.tag)
    if (isGone(page.statusCode)) {
      return { document: { changeTracking: answer("removed", yield* versions.last(key)) } } satisfies Part
    }
    if (page.statusCode >= 400) {
      return { warning: `Changes were not looked for: the site answered ${page.statusCode}.` } satisfies Part
    }
    const text = page.markdown ?? ""
    const { wish } = tracking
    const current = wish === undefined ? {} : yield* readingOf(subject, wish, text)
    const value = current.document?.json
    const words = yield* contentHash(text)
    const before = yield* versions.replace(key, {
      at: yield* Clock.currentTimeMillis,
      hash: words,
      text,
      reading: wish === undefined || value === undefined ? undefined : { wish: wishHash(wish), value }
    })
    if (before !== undefined && before.hash !== words) {
      return yield* changed(subject, tracking, { before, current, text })
    }
    const status = before === undefined ? "new" : "same"
    return {
      document: { changeTracking: answer(status, before) },
      credits: current.credits,
      warning: current.warning
    } satisfies Part
  })
}

interface Compared {
  readonly before: Version
  readonly text: string
  /** What a model has read out of the page as it is. */
  readonly current: Part
}

/** Compares with the versions of the store; where there is none, there is nothing to compare with. */
export const make = (versions: Context.Tag.Service<typeof Versions>, model: ModelService | undefined): Enrichment => {
  if (versions === undefined) {
    return ({ plan }) =>
      plan.tracking === undefined
        ? undefined
        : new NotImplemented({
            error: "formats: changeTracking needs a store for the versions of pages, and there is none.",
            code: "NOT_IMPLEMENTED"
          })
  }
  const run = compare(versions, model)
  return (subject) =>
    subject.plan.tracking === undefined
      ? undefined
      : // A store that refuses is our fault, and told as that.
        Effect.catchTag(run(subject, subject.plan.tracking), "SqlError", Effect.die)
}
