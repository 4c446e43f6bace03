/**
 * Parses files to documents in child processes, so that a hostile file cannot harm the server.
 *
 * `parse` validates the options, the file name and the size, waits for a process (`Pool.ts`), and maps its failures to API errors. The time
 * limit for a file does not include waiting.
 */
import { stat } from "node:fs/promises"
import { extname } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { BadRequest, NotImplemented, TimedOut, TooLarge, Unprocessable, UnsupportedType } from "../../Api/Errors.ts"
import { formatName } from "../../Api/ScrapeOptions.ts"
import * as Parse from "../../Api/Upload.ts"
import { canParse } from "../../Api/Url.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { readData } from "../ScrapeOptions.ts"
import { type Options, readParsers } from "./Options.ts"
import * as Pool from "./Pool.ts"
import { formats, type Job, type Kind, type ParsedFile, type Reply } from "./Protocol.ts"
import { kindOfExtension } from "./Sniff.ts"

export type ParseFailure = BadRequest | NotImplemented | TimedOut | TooLarge | Unprocessable | UnsupportedType

export interface ParseTarget {
  /** Path of the file on disk. */
  readonly path: string
  /** File name given by the sender, or the URL of the file: becomes `metadata.sourceURL`. */
  readonly name: string
  readonly options: Options
  /** URL of a file that comes from a site. */
  readonly url?: string | undefined
  /** True if the name comes from an upload and is never a URL. */
  readonly uploaded?: boolean
  /** Team of the request: slow files of one team do not delay other teams. */
  readonly team?: string | undefined
}

export class Parser extends Context.Tag("sluice/Engine/Parse/Parser")<
  Parser,
  { readonly parse: (target: ParseTarget) => Effect.Effect<ParsedFile, ParseFailure> }
>() {}

/** Formats that web pages have and files do not. */
const otherFormats = ["json", "extract", "attributes", "audio", "video", "query", "question", "highlights"]

const checkFormats = (asked: ReadonlyArray<string>): Effect.Effect<void, BadRequest | NotImplemented> => {
  const missing = asked.filter((name) => !formats.includes(name))
  const unknown = missing.filter((name) => !otherFormats.includes(name))
  if (unknown.length > 0) {
    const details = unknown.map((name) => ({
      path: ["options", "formats"],
      message: `"${name}" is not a format; use ${formats.join(", ")}`,
      code: "invalid_value"
    }))
    const error = details.map(({ message }) => `options.formats: ${message}`).join("; ")
    return new BadRequest({ code: "BAD_REQUEST", error, details })
  }
  return missing.length === 0
    ? Effect.void
    : new NotImplemented({
        code: "NOT_IMPLEMENTED",
        error: `Files have no format ${missing.join(", ")}; use ${formats.join(", ")}.`
      })
}

/** Type according to the file name. A URL may have an unknown type, which its content then decides. */
const promisedKind = ({ name, uploaded = false }: ParseTarget): Effect.Effect<Kind | undefined, UnsupportedType> => {
  const address = !uploaded && /^https?:/i.test(name) && canParse(name) ? new URL(name) : undefined
  const extension = extname(address?.pathname ?? name).toLowerCase()
  const kind = kindOfExtension[extension]
  return kind !== undefined || address !== undefined
    ? Effect.succeed(kind)
    : new UnsupportedType({
        code: "UNSUPPORTED_FILE_TYPE",
        error: `${name} has ${extension === "" ? "no extension" : `the extension ${extension}`}; supported are ${Parse.extensions.join(", ")}.`
      })
}

const checkSize = ({ name, path }: ParseTarget) =>
  Effect.tryPromise({
    try: () => stat(path),
    catch: () => new Unprocessable({ code: "FILE_CORRUPT", error: `${name} cannot be opened: send it again.` })
  }).pipe(
    Effect.filterOrFail(
      ({ size }) => size <= Parse.maxFileSize,
      ({ size }) =>
        new TooLarge({ code: "FILE_TOO_LARGE", error: `${name} has ${size} bytes, over the limit of 50 MB.` })
    ),
    Effect.filterOrFail(
      ({ size }) => size > 0,
      () => new Unprocessable({ code: "FILE_CORRUPT", error: `${name} is empty.` })
    )
  )

const answer =
  (name: string) =>
  (reply: Reply): Effect.Effect<ParsedFile, Unprocessable | UnsupportedType> => {
    if (reply.kind === "parsed") return Effect.succeed(reply.file)
    const Failure = reply.code === "UNSUPPORTED_FILE_TYPE" ? UnsupportedType : Unprocessable
    return new Failure({ code: reply.code, error: `${name}: ${reply.message}` })
  }

const timeout = (error: string): TimedOut => new TimedOut({ code: "PARSE_TIMEOUT", error })

/** Maximum milliseconds that a file may wait for a process. The same as the longest time limit that a file can have. */
const maxWaitMillis = 300_000

/** Milliseconds for reading a file: the timeout less a tenth, at most 2 s, for writing and sending the response. */
const readingTime = (timeout: number): number => timeout - Math.min(2000, timeout / 10)

const make = Trace.fn("Parser.make")(function* (startsAhead: boolean) {
  const children = yield* Pool.make()
  if (startsAhead) yield* children.startAhead
  const parse = Trace.fn("Parse.parse")(function* (target: ParseTarget) {
    const { name, options, path } = target
    const asked = options.formats.map(formatName)
    yield* checkFormats(asked)
    const data = yield* readData(options)
    const promised = yield* promisedKind(target)
    yield* checkSize(target)
    const millis = readingTime(options.timeout)
    const job: Job = {
      path,
      name,
      promised,
      limitMillis: millis,
      options: {
        formats: asked,
        data,
        url: target.url,
        onlyMainContent: options.onlyMainContent,
        onlyCleanContent: options.onlyCleanContent,
        includeTags: options.includeTags ?? [],
        excludeTags: options.excludeTags ?? [],
        removeBase64Images: options.removeBase64Images,
        blockAds: options.blockAds,
        ...Either.match(readParsers(options.parsers), {
          onLeft: () => ({}),
          onRight: ({ maxPages, pages }) => ({ maxPages, pages })
        }),
        budgetMillis: millis * 0.8
      }
    }
    return yield* children.run(job, target.team).pipe(
      Effect.catchTag("ChildLost", ({ begun, message, reason }) =>
        !begun || reason === "start"
          ? Effect.dieMessage(message)
          : new Unprocessable({
              code: reason === "memory" ? "FILE_TOO_COMPLEX" : "FILE_CORRUPT",
              error: `${name} cannot be parsed. ${message} ${reason === "memory" ? "Split the file and send the parts" : "Open it in the program that made it and save it again"}.`
            })
      ),
      Effect.catchTag("ChildLate", () =>
        Effect.fail(timeout(`${name} was not parsed within ${options.timeout} ms. Raise timeout (at most 300000).`))
      ),
      Effect.flatMap(answer(name)),
      Effect.timeoutFail({
        duration: millis + maxWaitMillis,
        onTimeout: () => timeout(`${name} was not parsed: too many files are queued. Send it again later.`)
      })
    )
  })
  return { parse }
})

export const layer = Layer.scoped(Parser, make(false))

/** Parser that starts its processes at once, so that the first file need not wait for one. */
export const layerAhead = Layer.scoped(Parser, make(true))
