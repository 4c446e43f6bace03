/** `sluice parse`: converts local files, without a service and without sending them anywhere. */

import { basename, extname } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Document } from "../Api/Document.ts"
import { settle } from "../Api/Field.ts"
import { optionFields } from "../Api/Upload.ts"
import * as Parser from "../Engine/Parse/Parser.ts"
import { oneTeam } from "../Engine/Teams/FairQueue.ts"
import { nearFiles } from "../Row/NearFiles.ts"
import { FilesUnread, FileUnusable, unusable } from "./CommandErrors.ts"
import * as Parameter from "./Parameter.ts"
import { paint, type Terminal, warn } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  files: Parameter.many("FILE", "A file: .html .htm .pdf .docx .doc .odt .rtf .xlsx .xls, of at most 50 MB."),
  format: Parameter.choice(
    "FORMAT",
    ["markdown", "html", "rawHtml", "links", "images", "summary"],
    "What to print of each file; default: markdown. Links and images are printed one per line."
  ),
  whole: Parameter.toggle("Prints all of an HTML page; without this flag, only its main content."),
  json: Parameter.toggle("Prints a line of JSON for each file: its content, metadata and warning, or its error.")
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "Each file is read in a separate process with limits on memory and time. With several files, each one begins with its name in a comment. A file that cannot be read is reported on stderr; the other files are still converted, and the exit code is 1.",
  parameters,
  examples: [
    { line: "sluice parse report.pdf > report.md", what: "one file" },
    { line: "sluice parse *.docx --json", what: "content and metadata of several files, one line each" },
    { line: "sluice parse page.html --format links", what: "the addresses that the page links to" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Files parsed at the same time: as many as the parser has child processes. */
const atOnce = 2
const timeout = 300_000

type Format = NonNullable<Options["format"]>

const shown = (document: Document, format: Format): string => {
  const value = document[format]
  return Array.isArray(value) ? value.join("\n") : String(value ?? "")
}

const read = (file: string, { format = "markdown", whole }: Options) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const parser = yield* Parser.Parser
    const path = paths.resolve(file)
    const refused = unusable(file)
    yield* Effect.catchAll(files.access(path, { readable: true }), (cause) =>
      cause._tag === "SystemError" && cause.reason === "NotFound"
        ? Effect.flatMap(
            nearFiles(file, { isCandidate: (name) => extname(name).toLowerCase() === extname(file).toLowerCase() }),
            (near) => new FileUnusable({ path: file, reason: `there is no such file${near}`, cause })
          )
        : refused(cause)
    )
    const { type } = yield* Effect.mapError(files.stat(path), refused)
    if (type === "Directory") {
      return yield* new FileUnusable({ path: file, reason: "it is a folder: name the files in it" })
    }
    const options = settle(optionFields, { formats: [format], onlyMainContent: !whole, timeout })
    const { document } = yield* Effect.mapError(
      parser.parse({ path, name: basename(file), options, uploaded: true }),
      ({ error }) => new FileUnusable({ path: file, reason: error })
    )
    return document
  })

const write = (
  file: string,
  result: Either.Either<Document, FileUnusable>,
  options: Options,
  { err, out }: Terminal
): void => {
  const { files, format = "markdown", json } = options
  if (json) {
    const value = Either.isRight(result) ? { file, ...result.right } : { file, error: result.left.reason }
    out.write(`${JSON.stringify(value)}\n`)
    return
  }
  if (Either.isLeft(result)) {
    err.write(`${paint(err).red("error:")} ${result.left.message}\n`)
    return
  }
  const { warning } = result.right
  if (warning !== undefined) warn(err, `${file}: ${warning}`)
  // Two hyphens in the name would end the HTML comment.
  const name = files.length === 1 ? "" : `<!-- ${file.replaceAll("--", "- -")} -->\n\n`
  out.write(`${name}${shown(result.right, format)}\n${files.length === 1 ? "" : "\n"}`)
}

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { files } = options
    let unread = 0
    yield* Stream.fromIterable(files).pipe(
      Stream.mapEffect((file) => Effect.map(Effect.either(read(file, options)), (result) => ({ file, result })), {
        concurrency: atOnce
      }),
      Stream.runForEach(({ file, result }) =>
        Effect.sync(() => {
          if (Either.isLeft(result)) unread += 1
          write(file, result, options, terminal)
        })
      )
    )
    if (unread > 0) return yield* new FilesUnread({ files: unread, of: files.length, noun: "file" })
  }).pipe(Effect.provide(Layer.provide(Parser.layer, oneTeam)))
