/** A document at an address as a page: it goes to the parser, as an upload does. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Document } from "../../../Api/Document.ts"
import { Unprocessable } from "../../../Api/Errors.ts"
import { settle } from "../../../Api/Field.ts"
import { type Extension, optionFields } from "../../../Api/Parse.ts"
import { crawlable } from "../../Html/PageUrls.ts"
import type { Parser } from "../../Parse/Parser.ts"
import { type Plan, readsMarkdown } from "../Plan.ts"
import type { Page } from "../Scraper.ts"
import { documentOf, fetchMetadata, isKept, type Source } from "./Source.ts"

export interface FileServices {
  readonly parser: Context.Tag.Service<typeof Parser>
  readonly files: FileSystem.FileSystem
}

/** By name of the file in the address, which is what the sender called it. */
const nameOf = (url: string, extension: Extension): string => {
  const last = new URL(url).pathname.split("/").at(-1) ?? ""
  return last.toLowerCase().endsWith(extension) ? last : `document${extension}`
}

/** The formats that the parser makes, with the markdown that others are made of. */
const fileFormats = (plan: Plan): ReadonlyArray<string> => {
  const made = [...plan.formats].filter((name) => fileFormatNames.has(name))
  return readsMarkdown(plan) && !plan.formats.has("markdown") ? ["markdown", ...made] : made
}

const fileFormatNames: ReadonlySet<string> = new Set(["markdown", "html", "rawHtml", "links", "images", "summary"])

const withoutMarkdown = ({ markdown: _, ...document }: Document): Document => document

/** Bytes of a file that is handed out as it is. */
const maxUnread = 20 * 1024 * 1024

/** A PDF that nobody is to read: its bytes in base64, in every text format that was asked for. */
const unread = (source: Source): Effect.Effect<Page, Unprocessable> => {
  const { fetched } = source
  if (fetched.body.byteLength > maxUnread) {
    return new Unprocessable({
      error: `${fetched.url} has ${fetched.body.byteLength} bytes; unread, a file of at most ${maxUnread} is handed out. Add "pdf" to "parsers" to have it read.`,
      code: "SCRAPE_FILE_TOO_LARGE"
    })
  }
  const base64 = Buffer.from(fetched.body).toString("base64")
  const metadata = fetchMetadata(source)
  return Effect.succeed({
    document: documentOf(source, {
      markdown: base64,
      html: base64,
      rawHtml: base64,
      links: [],
      images: [],
      text: "",
      metadata
    }),
    url: fetched.url,
    statusCode: fetched.statusCode,
    links: [],
    markdown: ""
  })
}

/** Has it parsed, unless the PDF itself is wanted. */
export const fromFile = (source: Source, extension: Extension, services: FileServices) =>
  Effect.gen(function* () {
    const { fetched, plan, url } = source
    const { parser, files } = services
    const { options } = plan
    if (extension === ".pdf" && !plan.parsers.pdf) return yield* unread(source)
    const directory = yield* files.makeTempDirectoryScoped()
    const path = `${directory}/download${extension}`
    yield* files.writeFile(path, fetched.body)
    const parsed = yield* parser.parse({
      path,
      name: nameOf(fetched.url, extension),
      team: source.teamId,
      options: settle(optionFields, {
        formats: fileFormats(plan),
        onlyMainContent: options.onlyMainContent,
        onlyCleanContent: options.onlyCleanContent,
        timeout: options.timeout,
        removeBase64Images: options.removeBase64Images,
        blockAds: options.blockAds,
        zeroDataRetention: options.zeroDataRetention,
        ...(options.includeTags === undefined ? {} : { includeTags: options.includeTags }),
        ...(options.excludeTags === undefined ? {} : { excludeTags: options.excludeTags }),
        ...(options.parsers === undefined ? {} : { parsers: options.parsers })
      })
    })
    return {
      document: {
        ...(plan.formats.has("markdown") ? parsed.document : withoutMarkdown(parsed.document)),
        metadata: { ...parsed.document.metadata, ...fetchMetadata({ ...source, url }) }
      },
      markdown: parsed.document.markdown ?? undefined,
      url: fetched.url,
      statusCode: fetched.statusCode,
      links: crawlable(parsed.document.links ?? []),
      indexed: isKept(source) ? { ...parsed.indexed, extension: extension.slice(1) } : undefined
    } satisfies Page
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      BadArgument: Effect.die,
      SystemError: (error) =>
        new Unprocessable({
          error: `The file at ${source.fetched.url} could not be put on disk to be parsed: ${error.message}`,
          code: "SCRAPE_TEMPORARY_FILE"
        })
    })
  )
