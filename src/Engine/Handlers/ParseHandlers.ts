/** Handlers of group `parse`: parse the upload, call the model if a requested format needs it, charge the credits, index the document. */
import { createHash } from "node:crypto"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Team } from "../../Api/Auth.ts"
import type { Document } from "../../Api/Document.ts"
import { formatName } from "../../Api/ScrapeOptions.ts"
import { Parsed } from "../../Api/Upload.ts"
import { Api } from "../../Api.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import * as Failures from "../Http/Failures.ts"
import { Model } from "../Model/Model.ts"
import * as Options from "../Parse/Options.ts"
import { Parser } from "../Parse/Parser.ts"
import { receive } from "../Parse/Upload.ts"
import * as Json from "../Scrape/Json.ts"
import * as Plan from "../Scrape/Plan.ts"
import { SearchIndex } from "../Search/SearchIndex.ts"
import { repeat } from "../Usage/Idempotency.ts"
import { adding, PaidCalls } from "../Usage/PaidCalls.ts"
import { priced, prices, Usage } from "../Usage/Usage.ts"

/** SHA-256 of the file. */
const digest = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const hash = createHash("sha256")
  yield* Stream.runForEach(files.stream(path), (bytes) => Effect.sync(() => hash.update(bytes)))
  return hash.digest("hex")
}, Effect.orDie)

const modelFormats = ["json", "extract"]

const hasFormat = ({ formats }: Options.Options, name: string): boolean => formats.map(formatName).includes(name)

/** Formats for the parser, always with Markdown, because the model reads Markdown. */
const parserFormats = (options: Options.Options): Options.Options["formats"] => [
  ...options.formats.filter((format) => !modelFormats.includes(formatName(format))),
  ...(hasFormat(options, "markdown") ? [] : (["markdown"] as const))
]

/** Returns the document with the model's results, and the price of the results in credits. */
const readByModel = Effect.fnUntraced(function* (
  document: Document,
  name: string,
  options: Options.Options,
  extraction: Plan.Extraction | undefined,
  deadline: number
) {
  const model = yield* Model
  if (extraction === undefined || model === undefined) return { document, credits: 0 }
  const { markdown = "", ...rest } = document
  const answer = yield* Json.read(model, { extraction, name, text: markdown ?? "", deadline })
  const warnings = [document.warning, answer.warning].filter((each) => each !== undefined && each !== null)
  return {
    credits: answer.credits,
    document: {
      ...(hasFormat(options, "markdown") ? document : rest),
      ...answer.document,
      ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") })
    } satisfies Document
  }
})

/** Handles one upload. Its temporary file is deleted after the answer is sent, or when the client disconnects. */
const upload = Trace.fn("Parse.upload")(function* (
  request: HttpServerRequest.HttpServerRequest,
  key: string | undefined
) {
  const { name, options: text, path } = yield* receive(request)
  const options = yield* Options.read(text)
  const extraction = yield* Plan.readExtraction(options)
  const deadline = (yield* Clock.currentTimeMillis) + options.timeout
  const team = yield* Team
  const parser = yield* Parser
  const usage = yield* Usage
  const index = yield* SearchIndex
  const calls = yield* PaidCalls
  const keeps = !options.zeroDataRetention
  const repeated =
    key !== undefined && keeps ? repeat(key, "v2 parse", { name, options, file: yield* digest(path) }) : undefined
  const parserOptions = extraction === undefined ? options : { ...options, formats: parserFormats(options) }
  const parsed = Effect.gen(function* () {
    const file = yield* parser.parse({ path, name, options: parserOptions, uploaded: true, team: team.id })
    const { waitedMillis } = file
    const metadata = {
      ...file.document.metadata,
      url: name,
      concurrencyLimited: waitedMillis !== undefined,
      concurrencyQueueDurationMs: waitedMillis ?? 0
    }
    const read = { ...file.document, metadata }
    const { credits, document } = yield* readByModel(read, name, options, extraction, deadline)
    const price = prices.parse + credits
    return {
      answer: { success: true, data: priced(document, price) },
      book: usage.charge(team, "parse", price),
      adds:
        keeps && options.storeInCache
          ? adding(index.add, { teamId: team.id, url: `upload:${encodeURIComponent(name)}`, ...file.indexed })
          : undefined
    }
  })
  const price = prices.parse + (extraction === undefined ? 0 : prices.jsonFormat)
  return yield* Failures.withoutCause(!keeps, calls.answer(Parsed, { team, repeat: repeated, price }, parsed))
})

/** Implements the API group `parse`. */
export const handlers = HttpApiBuilder.group(Api, "parse", (group) =>
  group.handleRaw("parse", ({ headers, request }) => upload(request, headers["x-idempotency-key"]))
)
