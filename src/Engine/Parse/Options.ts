/** Options of an upload. Refuses options that do not apply to files. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { BadRequest } from "../../Api/Errors.ts"
import { type Settled, settle } from "../../Api/Field.ts"
import { faultsOfError, faultText } from "../../Api/Issues.ts"
import { type FileParser, formatName } from "../../Api/ScrapeOptions.ts"
import { optionFields, ParseOptions, unsupportedFormats, unsupportedOptions } from "../../Api/Upload.ts"
import { parseSelector } from "../../Html/Select.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { parseBody } from "../Http/RequestBody.ts"
import type { PageOptions } from "./Protocol.ts"

export type Options = Settled<typeof optionFields>

const fromText = (text: string): Effect.Effect<unknown, BadRequest> =>
  Effect.try(() => parseBody(text)).pipe(
    Effect.mapError(({ error }) => (error instanceof Error ? error.message : String(error))),
    Effect.mapError(
      (reason) =>
        new BadRequest({
          code: "BAD_REQUEST_INVALID_JSON",
          error: `The part "options" of the upload is not valid JSON: ${reason}`
        })
    )
  )

const decode = Schema.decodeUnknown(ParseOptions)

const invalid = (error: ParseResult.ParseError): BadRequest => {
  const details = faultsOfError(error).map((fault) => ({ ...fault, path: ["options", ...fault.path] }))
  const [first] = details
  return new BadRequest({
    code: "BAD_REQUEST",
    error: first === undefined ? "options is not valid" : faultText(first),
    details
  })
}

/** True if a value would change something. SDKs send defaults for every option. */
const hasEffect = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== 0 &&
  !(Array.isArray(value) && value.length === 0)

const refuseUnsupported = (raw: unknown, { formats }: Options): Effect.Effect<void, BadRequest> => {
  const sent: Readonly<Record<string, unknown>> = { ...(raw as object) }
  const names = [
    ...unsupportedOptions.filter((name) => hasEffect(sent[name])),
    ...formats
      .map(formatName)
      .filter((format) => unsupportedFormats.some((name) => format.split("@", 1)[0] === name))
      .map((format) => `formats.${format}`)
  ]
  return names.length === 0
    ? Effect.void
    : new BadRequest({
        code: "PARSE_UNSUPPORTED_OPTIONS",
        error: `These options do not apply to files: ${names.join(", ")}. Leave them out.`,
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

/** Reads the options and adds their defaults. */
export const read = Trace.fn("Parse.options")(function* (text: string | undefined) {
  const raw = text === undefined || text.trim() === "" ? {} : yield* fromText(text)
  const options = settle(optionFields, yield* Effect.mapError(decode(raw), invalid))
  yield* refuseUnsupported(raw, options)
  yield* checkSelectors(options)
  yield* checkParsers(options)
  return options
})

export interface Parsers {
  /** When false, a PDF is returned unparsed. */
  readonly pdf: boolean
  readonly maxPages: number | undefined
  /** Requested page output of a PDF; undefined for none. */
  readonly pages: PageOptions | undefined
}

/** Accepted values of `mode`. Both read the text layer: there is no OCR. */
const modes = ["auto", "fast"]

const maxPagesLimit = 10_000

const noOptions: Exclude<FileParser, string> = { type: "pdf" }

/** Validates `parsers`. `unbuilt` is true for a valid option that this engine does not implement. */
export const readParsers = (
  parsers: ReadonlyArray<FileParser> | undefined
): Either.Either<Parsers, { readonly unbuilt: boolean; readonly message: string }> => {
  const invalidParsers = (message: string, unbuilt = false) => Either.left({ unbuilt, message })
  if (parsers === undefined) return Either.right({ pdf: true, maxPages: undefined, pages: undefined })
  const unknown = parsers.map(formatName).find((name) => name !== "pdf")
  if (unknown !== undefined) return invalidParsers(`"${unknown}" is not a parser; use pdf`)
  const chosen = parsers.find((parser) => typeof parser !== "string")
  const { blocks, maxPages, mode, pageMarkdown, pageMarkers, pages } = typeof chosen === "object" ? chosen : noOptions
  if (maxPages !== undefined && !(Number.isInteger(maxPages) && maxPages >= 1 && maxPages <= maxPagesLimit))
    return invalidParsers(`maxPages is not a whole number from 1 to ${maxPagesLimit}`)
  if (mode === "ocr")
    return invalidParsers(`the mode "ocr" is not supported: use "auto", which reads the text layer`, true)
  if (mode !== undefined && !modes.includes(String(mode)))
    return invalidParsers(`"${mode}" is not a mode; use auto or fast`)
  const wanted = {
    pages: pages === true || pageMarkdown === true,
    blocks: blocks === true,
    pageMarkers: pageMarkers === true
  }
  return Either.right({
    pdf: parsers.length > 0,
    maxPages,
    pages: Object.values(wanted).includes(true) ? wanted : undefined
  })
}
