/** Reads the part `options` of an upload, and refuses by name what makes no sense for a file. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { isDeepJson } from "../../Api/Depth.ts"
import { BadRequest } from "../../Api/Errors.ts"
import { type Settled, settle } from "../../Api/Field.ts"
import { optionFields, ParseOptions, unsupportedFormats, unsupportedOptions } from "../../Api/Parse.ts"
import { formatName } from "../../Api/ScrapeOptions.ts"
import { parseSelector } from "../Html/Select.ts"
import { ExcessiveJson, maxDepth } from "../JsonBody.ts"
import * as Parsers from "./Parsers.ts"

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
  Either.match(Parsers.read(parsers), {
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
