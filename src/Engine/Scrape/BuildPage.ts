/** Turns a response into a page: converts HTML, keeps text, and passes files to the parser. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { Document } from "../../Api/Document.ts"
import { Unprocessable, UnsupportedType } from "../../Api/Errors.ts"
import { settle } from "../../Api/Field.ts"
import { formatName } from "../../Api/ScrapeOptions.ts"
import { type Extension, optionFields } from "../../Api/Upload.ts"
import { describeBlocked, markingHeaders } from "../../Html/BlockedPage.ts"
import type { Wanted } from "../../Html/Extract.ts"
import { directivesOf } from "../../Html/PageDirectives.ts"
import { crawlable } from "../../Html/PageUrls.ts"
import { detectLanguage } from "../../Html/TextAnalysis.ts"
import { kindOf } from "../Fetch/ContentKind.ts"
import { unpackNow } from "../PageCache/Packing.ts"
import type { Converted } from "../PageCache/PageSource.ts"
import type { Parser } from "../Parse/Parser.ts"
import { formats as fileFormatNames } from "../Parse/Protocol.ts"
import { queryOf } from "../ScrapeOptions.ts"
import type { Work } from "../Teams/Work.ts"
import type { ScrapeTask } from "./DocumentTask.ts"
import type { DocumentThreads } from "./DocumentThreads.ts"
import { type Plan, readsMarkdown } from "./Plan.ts"
import type { RepeatedPages } from "./RepeatedPages.ts"
import { documentOf, fetchMetadata, isIndexed, type Page, type Source } from "./ScrapedPage.ts"
import { emptyFrame } from "./Sources.ts"

interface FileServices {
  readonly parser: Context.Tag.Service<typeof Parser>
  readonly files: FileSystem.FileSystem
}

export interface Services extends FileServices {
  readonly threads: DocumentThreads
  readonly repeated: RepeatedPages
}

/** Converts the response, or uses the stored conversion. A page with a stored conversion is not indexed again. Rejects with a failure. */
export const buildPage = async (work: Work, source: Source, services: Services): Promise<Page> =>
  source.fetched.converted === undefined
    ? withShown(await convert(work, source, services), source)
    : restored(source, source.fetched.converted)

/** Builds the page from a stored conversion. */
export const restored = (source: Source, { content, directives, links, metadata }: Converted): Page => {
  const { fetched, takesBytes = false } = source
  // The stored visit may have used another proxy than this one.
  const { proxy: _, ...stored } = metadata
  const document: Document = takesBytes ? {} : JSON.parse(Buffer.from(unpackNow(content)).toString())
  return {
    document: { ...document, metadata: { ...stored, ...fetchMetadata(source) } },
    ...(takesBytes ? { content } : {}),
    url: fetched.url,
    statusCode: fetched.statusCode,
    links,
    directives
  }
}

/** Adds the robots directives of the response headers, for a page without markup. */
const withDirectives = (page: Page, { fetched: { headers, url } }: Source): Page => ({
  ...page,
  directives: directivesOf(url, headers, undefined)
})

/** Adds the screenshot, the results of actions and the warnings of the browser. */
const withShown = (page: Page, { fetched: { shown } }: Source): Page => {
  if (shown === undefined) return page
  const { actions, screenshot } = shown
  const warnings = [page.document.warning, shown.warning].filter((text) => typeof text === "string")
  return {
    ...page,
    document: {
      ...page.document,
      ...(screenshot === undefined ? {} : { screenshot }),
      ...(actions === undefined ? {} : { actions }),
      ...(warnings.length === 0 ? {} : { warning: warnings.join(" ") })
    }
  }
}

const convert = async (work: Work, source: Source, services: Services): Promise<Page> => {
  const { fetched } = source
  const isError = fetched.statusCode >= 400
  // The file name in the address says nothing about the type of an error page.
  const path = isError ? "/" : new URL(fetched.url).pathname
  const kind = kindOf(fetched.headers["content-type"], path, fetched.body)
  switch (kind._tag) {
    case "Html":
      return fromHtml(work, source, services)
    case "Text":
      return fromText(work, source, kind.language, services)
    case "File":
      return isError
        ? fromError(work, source, services)
        : withDirectives(await fromFile(work, source, kind.extension, services), source)
    case "Other":
      if (isError) return fromError(work, source, services)
      throw new UnsupportedType({
        error: `${fetched.url} is ${kind.contentType}, which contains no text. Web pages, text files and office documents are supported.`,
        code: "UNSUPPORTED_FILE_TYPE"
      })
  }
}

const wantedOf = (source: Source): ReadonlySet<Wanted> => {
  const { formats } = source.plan
  const wanted = new Set<Wanted>()
  if (formats.has("markdown") || readsMarkdown(source.plan)) wanted.add("markdown")
  if (formats.has("html")) wanted.add("html")
  if (formats.has("images")) wanted.add("images")
  if (formats.has("summary") || isIndexed(source)) wanted.add("text")
  if (isIndexed(source)) wanted.add("facts")
  return wanted
}

const stillEmpty = "The page shows nothing, even after its scripts have run."

/** Response headers that may have directives for crawlers. */
const directiveHeaders = ["link", "x-robots-tag"]

const responseOf = (source: Source) => {
  const { fetched, plan } = source
  const { headers, shown } = fetched
  return {
    bytes: fetched.body,
    contentType: headers["content-type"],
    formats: plan.formats,
    metadata: fetchMetadata(source),
    headers: Object.fromEntries(
      directiveHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]] as const]))
    ),
    readsMarkdown: readsMarkdown(plan),
    isIndexed: isIndexed(source),
    // The browser's results are added to the document, so it must be an object rather than the bytes of its JSON.
    takesBytes: source.takesBytes === true && shown === undefined,
    stores: fetched.stores
  }
}

const taskOf = (source: Source): ScrapeTask => {
  const { fetched, plan } = source
  const { options } = plan
  const { headers, shown } = fetched
  return {
    ...responseOf(source),
    kind: "scrape",
    emptyWarning: shown === undefined ? emptyFrame : shown.warning === undefined ? stillEmpty : undefined,
    options: {
      wanted: wantedOf(source),
      url: fetched.url,
      onlyMainContent: options.onlyMainContent,
      removeBase64Images: options.removeBase64Images,
      blockAds: options.blockAds,
      include: options.includeTags,
      exclude: options.excludeTags,
      onlyCleanContent: options.onlyCleanContent,
      attributes: plan.attributes.map(({ attribute, selector }) => ({ attribute, selector })),
      data: plan.data,
      next: options.next,
      rawHtml: plan.formats.has("rawHtml"),
      isMember: options.profile !== undefined,
      answer: {
        statusCode: fetched.statusCode,
        headers: Object.fromEntries(markingHeaders.map((name) => [name, headers[name] ?? ""])),
        requested: source.url,
        url: fetched.url
      }
    }
  }
}

/** Converts HTML on a worker thread, or here if that is faster. */
const fromHtml = async (work: Work, source: Source, { repeated, threads }: Services): Promise<Page> => {
  const { fetched, plan } = source
  const { document, excerpt, indexed, suspicion, ...found } = await threads.open<"scrape">(
    work,
    taskOf(source),
    fetched.url,
    plan.options.timeout
  )
  const language = excerpt === undefined ? undefined : await detectLanguage(excerpt)
  work.check()
  const repetition =
    found.blocked === undefined && suspicion !== undefined ? repeated.judge(source, suspicion, work.now()) : undefined
  const more = {
    ...(language === undefined ? {} : { language }),
    ...(repetition === undefined ? {} : { error: describeBlocked(repetition), blocked: repetition })
  }
  return {
    ...found,
    document: { ...document, metadata: { ...document.metadata, ...more } },
    url: fetched.url,
    statusCode: fetched.statusCode,
    isSuspicious: suspicion !== undefined,
    ...(repetition === undefined ? { indexed } : { blocked: repetition })
  }
}

/** Converts a text file on a worker thread, or here if it is small. */
const fromText = async (
  work: Work,
  source: Source,
  language: string | undefined,
  { threads }: Services
): Promise<Page> => {
  const { fetched, plan } = source
  const found = await threads.open<"text">(
    work,
    { ...responseOf(source), kind: "text", url: fetched.url, language, data: plan.data },
    fetched.url,
    plan.options.timeout
  )
  return { ...found, url: fetched.url, statusCode: fetched.statusCode, links: [] }
}

/** Page of an error response whose body is not text: it has the status and no content. */
const fromError = (work: Work, source: Source, services: Services): Promise<Page> =>
  fromText(work, { ...source, fetched: { ...source.fetched, body: new Uint8Array() } }, undefined, services)

/** Returns the file name in the URL, or `document` with the extension. */
const nameOf = (url: string, extension: Extension): string => {
  const last = new URL(url).pathname.split("/").at(-1) ?? ""
  return last.toLowerCase().endsWith(extension) ? last : `document${extension}`
}

/** Returns the requested formats that the parser supports, plus Markdown if an enrichment reads it. */
const fileFormats = (plan: Plan) => {
  const made = plan.options.formats.filter((format) => fileFormatNames.includes(formatName(format)))
  return readsMarkdown(plan) && !plan.formats.has("markdown") ? (["markdown", ...made] as const) : made
}

const withoutMarkdown = ({ markdown: _, ...document }: Document): Document => document

/** Maximum bytes of a file that is returned unparsed. */
const maxUnparsedBytes = 20 * 1024 * 1024

/** Page for a PDF that `parsers` excludes: its bytes in base64, in every requested text format. */
const withoutParsing = async (source: Source): Promise<Page> => {
  const { fetched } = source
  if (fetched.body.byteLength > maxUnparsedBytes) {
    throw new Unprocessable({
      error: `${fetched.url} has ${fetched.body.byteLength} bytes; files are returned unparsed up to ${maxUnparsedBytes} bytes. Add "pdf" to "parsers" to parse it.`,
      code: "SCRAPE_FILE_TOO_LARGE"
    })
  }
  const { extractData } = await import("../../Html/Extract.ts")
  const base64 = Buffer.from(fetched.body).toString("base64")
  const metadata = fetchMetadata(source)
  return {
    document: documentOf(source.plan.formats, {
      markdown: base64,
      html: base64,
      rawHtml: base64,
      links: [],
      images: [],
      text: "",
      data: extractData(base64, queryOf(source.plan.data), fetched.url),
      metadata
    }),
    url: fetched.url,
    statusCode: fetched.statusCode,
    links: [],
    markdown: ""
  }
}

const fromFile = async (work: Work, source: Source, extension: Extension, services: FileServices): Promise<Page> =>
  extension === ".pdf" && !source.plan.parsers.pdf
    ? withoutParsing(source)
    : work.run(parsedFile(source, extension, services))

const parsedFile = (source: Source, extension: Extension, services: FileServices) =>
  Effect.gen(function* () {
    const { fetched, plan, url } = source
    const { parser, files } = services
    const { options } = plan
    const directory = yield* files.makeTempDirectoryScoped()
    const path = `${directory}/download${extension}`
    yield* files.writeFile(path, fetched.body)
    const parsed = yield* parser.parse({
      path,
      name: nameOf(fetched.url, extension),
      url: fetched.url,
      team: source.teamId,
      options: settle(optionFields, {
        formats: fileFormats(plan),
        ...Struct.pick(options, "onlyMainContent", "onlyCleanContent", "timeout", "removeBase64Images", "blockAds"),
        ...Struct.pick(options, "zeroDataRetention", "includeTags", "excludeTags", "parsers")
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
      indexed: isIndexed(source) ? { ...parsed.indexed, extension: extension.slice(1) } : undefined
    } satisfies Page
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      BadArgument: Effect.die,
      SystemError: (error) =>
        new Unprocessable({
          error: `The file at ${source.fetched.url} could not be written to disk for parsing: ${error.message}`,
          code: "SCRAPE_TEMPORARY_FILE"
        })
    })
  )
