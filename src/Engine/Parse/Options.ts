/** Options of an upload. Refuses options that make no sense for a file. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { isDeepJson } from "../../Api/Depth.ts"
import { BadRequest } from "../../Api/Errors.ts"
import { type Settled, settle } from "../../Api/Field.ts"
import { optionFields, ParseOptions, unsupportedFormats, unsupportedOptions } from "../../Api/Parse.ts"
import { type Format, formatName } from "../../Api/ScrapeOptions.ts"
import { parseSelector } from "../Html/Select.ts"
import { ExcessiveJson, maxDepth } from "../RequestBody.ts"

export type Options = Settled<typeof optionFields>

const fromText = (text: string): Effect.Effect<unknown, BadRequest> =>
  Effect.try((): unknown => {
    if (isDeepJson(text, maxDepth)) throw new ExcessiveJson({ limit: maxDepth })
    return JSON.parse(text)
  }).pipe(
    Effect.mapError(({ error }) => (error instanceof Error ? error.message : String(error))),
    Effect.mapError(
      (reason) =>
        new BadRequest({
          code: "BAD_REQUEST_INVALID_JSON",
          error: `The part options is not valid JSON: ${reason}`
        })
    )
  )

const decode = Schema.decodeUnknown(ParseOptions)

const invalid = (error: ParseResult.ParseError): BadRequest => {
  // That a field may be missing is no fault of its value.
  const issues = ParseResult.ArrayFormatter.formatErrorSync(error).filter(
    ({ message }) => !message.startsWith("Expected undefined")
  )
  const details = issues.map(({ message, path }) => ({ path: ["options", ...path], message, code: "invalid_value" }))
  const [first] = details
  return new BadRequest({
    code: "BAD_REQUEST",
    error: first === undefined ? "options is not valid" : `${first.path.map(String).join(".")}: ${first.message}`,
    details
  })
}

/** Clients send what they always send: only a value that would change something counts. */
const asks = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== 0 &&
  !(Array.isArray(value) && value.length === 0)

const refuseSenseless = (raw: unknown, { formats }: Options): Effect.Effect<void, BadRequest> => {
  const sent: Readonly<Record<string, unknown>> = { ...(raw as object) }
  const names = [
    ...unsupportedOptions.filter((name) => asks(sent[name])),
    ...formats
      .map(formatName)
      .filter((format) => unsupportedFormats.some((name) => format.split("@", 1)[0] === name))
      .map((format) => `formats.${format}`)
  ]
  return names.length === 0
    ? Effect.void
    : new BadRequest({
        code: "PARSE_UNSUPPORTED_OPTIONS",
        error: `These options make no sense for a file: ${names.join(", ")}. Leave them out.`,
        details: names.map((name) => ({
          path: name.split("."),
          message: "Not supported by parse",
          code: "unsupported"
        }))
      })
}

const checkSelectors = ({ excludeTags = [], includeTags = [] }: Options): Effect.Effect<void, BadRequest> => {
  const faults = [...includeTags, ...excludeTags]
    .map(parseSelector)
    .flatMap((parsed) => Option.toArray(Either.getLeft(parsed)))
  return faults.length === 0
    ? Effect.void
    : new BadRequest({
        code: "BAD_REQUEST",
        error: faults.join("; "),
        details: faults.map((message) => ({ path: ["options"], message, code: "invalid_value" }))
      })
}

const checkParsers = ({ parsers }: Options): Effect.Effect<void, BadRequest> =>
  Either.match(readParsers(parsers), {
    onRight: () => Effect.void,
    onLeft: ({ message }) =>
      new BadRequest({
        code: "BAD_REQUEST",
        error: `options.parsers: ${message}`,
        details: [{ path: ["options", "parsers"], message, code: "invalid_value" }]
      })
  })

/** The options with their defaults; no part means all defaults. */
export const read = Effect.fn("Parse.options")(function* (text: string | undefined) {
  const raw = text === undefined || text.trim() === "" ? {} : yield* fromText(text)
  const options = settle(optionFields, yield* Effect.mapError(decode(raw), invalid))
  yield* refuseSenseless(raw, options)
  yield* checkSelectors(options)
  yield* checkParsers(options)
  return options
})

export interface Parsers {
  /** Without it a PDF is handed out unread. */
  readonly pdf: boolean
  readonly maxPages: number | undefined
}

/** Both read the text layer: there is no other reader here. */
const modes = ["auto", "fast"]

const maxPagesLimit = 10_000

/** The left side says what cannot be had, and whether somebody else might have it. */
export const readParsers = (
  parsers: ReadonlyArray<Format> | undefined
): Either.Either<Parsers, { readonly unbuilt: boolean; readonly message: string }> => {
  const wrong = (message: string, unbuilt = false) => Either.left({ unbuilt, message })
  if (parsers === undefined) return Either.right({ pdf: true, maxPages: undefined })
  const stranger = parsers.map(formatName).find((name) => name !== "pdf")
  if (stranger !== undefined) return wrong(`"${stranger}" is not a parser that can be chosen; there is pdf`)
  const chosen = parsers.find((parser) => typeof parser !== "string")
  const { maxPages, mode }: Readonly<Record<string, unknown>> = typeof chosen === "object" ? chosen : {}
  if (
    maxPages !== undefined &&
    !(Number.isInteger(maxPages) && Number(maxPages) >= 1 && Number(maxPages) <= maxPagesLimit)
  )
    return wrong(`maxPages is not a whole number from 1 to ${maxPagesLimit}`)
  if (mode === "ocr") return wrong(`the mode "ocr" is not built: the text layer of a PDF is read; use "auto"`, true)
  if (mode !== undefined && !modes.includes(String(mode))) return wrong(`"${mode}" is not a mode; there are auto, fast`)
  return Either.right({ pdf: parsers.length > 0, maxPages: maxPages === undefined ? undefined : Number(maxPages) })
}
