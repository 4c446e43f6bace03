/** `sluice extract`: shows the data that saved pages have, without a service. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeStream from "@effect/platform-node/NodeStream"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { decodeText } from "../Html/Charset.ts"
import { type PageData, readPageData, typesOf } from "../Html/StructuredData.ts"
import { nearFiles } from "../Row/NearFiles.ts"
import { FileUnusable, WrongUsage } from "./CommandErrors.ts"
import { count } from "./Format.ts"
import * as Parameter from "./Parameter.ts"
import { paint, type Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  files: Parameter.many("FILE", "An HTML file of at most 50 MB, or - for standard input."),
  base: Parameter.text("URL", "Address of the page: makes its links absolute. Without it they stay as they are."),
  json: Parameter.toggle(
    "A line of JSON for each file: its structured data, breadcrumbs, article and tables, or its error."
  )
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "Reads JSON-LD, microdata, Open Graph, breadcrumbs, the facts of an article, and tables. It takes files, not addresses. A file that cannot be read is reported on stderr; the other files are still shown, and the exit code is 1.",
  parameters,
  examples: [
    { line: "sluice extract page.html", what: "an overview" },
    { line: "sluice extract *.html --json", what: "all of it, a line for each page" },
    {
      line: "sluice extract - --base https://example.org/ < page.html",
      what: "from another program"
    }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Some of the files could not be read; each one has been reported. */
class PagesUnread extends Data.TaggedError("PagesUnread")<{ readonly files: number; readonly of: number }> {
  override get message() {
    return `${this.files} of ${count(this.of, "file")} could not be read`
  }
}

const maxBytes = 50_000_000

const bytesOf = (file: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    if (file === "-") {
      return NodeStream.fromReadable<FileUnusable>(
        () => process.stdin,
        (cause) => new FileUnusable({ path: "standard input", reason: String(cause), cause })
      )
    }
    const info = yield* Effect.catchAll(files.stat(file), (cause) =>
      Effect.flatMap(nearFiles(file), (near) => {
        const isGone = cause._tag === "SystemError" && cause.reason === "NotFound"
        const reason = isGone ? `there is no such file${near}` : fileErrorReason(cause)
        return new FileUnusable({ path: file, reason, cause })
      })
    )
    if (info.type === "Directory") {
      return yield* new FileUnusable({ path: file, reason: "it is a folder: name the files in it" })
    }
    return Stream.mapError(
      files.stream(file),
      (cause) => new FileUnusable({ path: file, reason: fileErrorReason(cause), cause })
    )
  })

const read = (file: string, base: string | undefined) =>
  Effect.gen(function* () {
    let size = 0
    const chunks = yield* Stream.unwrap(bytesOf(file)).pipe(
      Stream.tap((chunk) => {
        size += chunk.byteLength
        return size > maxBytes
          ? new FileUnusable({ path: file, reason: "it is larger than 50 MB: cut it, or take it apart" })
          : Effect.void
      }),
      Stream.runCollect
    )
    const bytes = Buffer.concat(Chunk.toReadonlyArray(chunks))
    return readPageData(decodeText(bytes, undefined).text, base, yield* Clock.currentTimeMillis)
  })

/** Control characters would reach the terminal. */
const plain = (text: string): string => text.replace(/\p{Cc}/gu, " ").slice(0, 200)

/** Lines of the overview. */
const overview = ({ article, breadcrumbs, structured, tables, warning }: PageData): ReadonlyArray<string> => {
  const lines: Array<string> = []
  const add = (label: string, value: string) => lines.push(`  ${label.padEnd(13)}${plain(value)}`)
  for (const [syntax, types] of Object.entries(typesOf(structured))) {
    if (types.length > 0)
      add(syntax, types.map(([type, times]) => (times === 1 ? type : `${type} × ${times}`)).join(", "))
  }
  if (breadcrumbs.length > 0) add("breadcrumbs", breadcrumbs.map(({ name }) => name).join(" > "))
  for (const [name, value] of Object.entries(article)) if (value !== undefined) add(name, value)
  for (const { caption, header, rows } of tables) {
    const columns = header.length === 0 ? "no header" : header.join(" | ")
    add("table", `${caption === undefined ? "" : `${caption}: `}${columns} (${count(rows.length, "row")})`)
  }
  if (warning !== undefined) add("warning", warning)
  return lines.length === 0 ? ["  nothing found"] : lines
}

const write = (file: string, result: Either.Either<PageData, FileUnusable>, json: boolean, { err, out }: Terminal) => {
  if (json) {
    const value = Either.isRight(result) ? { file, ...result.right } : { file, error: result.left.reason }
    out.write(`${JSON.stringify(value)}\n`)
  } else if (Either.isLeft(result)) err.write(`${paint(err).red("error:")} ${result.left.message}\n`)
  else out.write(`${file}\n${overview(result.right).join("\n")}\n`)
}

const run = ({ base, files, json }: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    if (base !== undefined && !/^https?:/i.test(base)) {
      return yield* new WrongUsage({ reason: `--base ${base} is no address: begin it with https:// or http://` })
    }
    let unread = 0
    for (const file of files) {
      const result = yield* Effect.either(read(file, base))
      if (Either.isLeft(result)) unread += 1
      write(file, result, json, terminal)
    }
    if (unread > 0) return yield* new PagesUnread({ files: unread, of: files.length })
  })
