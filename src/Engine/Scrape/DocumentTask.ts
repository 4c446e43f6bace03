/** Parsing tasks of documents and prompts, as plain data, so that a worker thread can run them. */
import * as Either from "effect/Either"
import type { Document, Metadata } from "../../Api/Document.ts"
import type { NextLink } from "../../Api/Paging.ts"
import { type Blocked, describeBlocked, type Suspicion } from "../../Html/BlockedPage.ts"
import { decodeText, linkCharset } from "../../Html/Charset.ts"
import {
  type AttributeQuery,
  type Extracted,
  type ExtractOptions,
  extract,
  extractData,
  nothingIncluded
} from "../../Html/Extract.ts"
import { fenceFor } from "../../Html/MarkdownEscape.ts"
import { publishedOf } from "../../Html/Metadata.ts"
import { compileNext } from "../../Html/NextLink.ts"
import { directivesOf, type PageDirectives } from "../../Html/PageDirectives.ts"
import { crawlable } from "../../Html/PageUrls.ts"
import { parseSelector } from "../../Html/Select.ts"
import { maxExcerpt } from "../../Html/TextAnalysis.ts"
import { bodyHash, type PackedText, packNow, plain } from "../PageCache/Packing.ts"
import type { Converted } from "../PageCache/PageSource.ts"
import { type Preview, rules } from "../Preview/Rules.ts"
import { queryOf, type WrittenData } from "../ScrapeOptions.ts"
import { makeEntry } from "../Search/Entry.ts"
import type { IndexedPage } from "../Search/Gather.ts"
import { documentOf } from "./ScrapedPage.ts"
import { readSitemap, type SitemapFile } from "./SitemapFile.ts"
import type { StoredPage } from "./StoredConversion.ts"
import * as StoredConversion from "./StoredConversion.ts"

/** Options of `extract`, with selectors as strings. */
export interface PageOptions
  extends Omit<ExtractOptions, "include" | "exclude" | "attributes" | "charset" | "data" | "next"> {
  readonly include?: ReadonlyArray<string> | undefined
  readonly exclude?: ReadonlyArray<string> | undefined
  readonly attributes?: ReadonlyArray<Pick<AttributeQuery, "selector" | "attribute">> | undefined
  readonly data?: WrittenData | undefined
  readonly next?: NextLink | undefined
  /** True if the result includes the unchanged HTML. */
  readonly rawHtml: boolean
}

export interface PageTask {
  readonly kind: "page"
  readonly bytes: Uint8Array
  readonly contentType: string | undefined
  readonly options: PageOptions
}

/** Task that converts an HTML response to everything that a scrape returns, indexes and stores. */
export interface ScrapeTask extends Omit<PageTask, "kind" | "options"> {
  readonly kind: "scrape"
  readonly options: PageOptions & { readonly url: string }
  readonly formats: ReadonlySet<string>
  /** Metadata of the response. Takes precedence over the markup's metadata. */
  readonly metadata: Metadata
  /** Response headers that may have directives for crawlers. */
  readonly headers: Readonly<Record<string, string>>
  /** Warning to add if the page shows nothing without its scripts. */
  readonly emptyWarning: string | undefined
  /** True if an enrichment reads the Markdown. */
  readonly readsMarkdown: boolean
  /** True if the page is added to the search index. */
  readonly isIndexed: boolean
  /** True if the requested formats should be returned as bytes. */
  readonly takesBytes: boolean
  /** Parts that the page cache will store; undefined if it stores none. */
  readonly stores: { readonly body: boolean; readonly conversion: boolean } | undefined
}

/** Task that converts a response with text to everything that a scrape returns, indexes and stores. */
export interface TextTask
  extends Pick<
    ScrapeTask,
    | "bytes"
    | "contentType"
    | "formats"
    | "headers"
    | "isIndexed"
    | "metadata"
    | "readsMarkdown"
    | "stores"
    | "takesBytes"
  > {
  readonly kind: "text"
  readonly url: string
  /** The computer language of the text, for its code block; undefined for text that is used as Markdown. */
  readonly language: string | undefined
  readonly data: WrittenData | undefined
}

export interface SitemapTask {
  readonly kind: "sitemap"
  readonly bytes: Uint8Array
  readonly url: string
  /** True if the end of the file is missing. */
  readonly isCut: boolean
  readonly limit: number
}

/** Task that derives crawl parameters from a prompt. */
export interface PromptTask {
  readonly kind: "prompt"
  /** The prompt, encoded as UTF-8. */
  readonly bytes: Uint8Array
  /** Address where the crawl starts. */
  readonly url: string
}

export type DocumentTask = PageTask | ScrapeTask | TextTask | SitemapTask | PromptTask

export interface ScrapeResult {
  readonly document: Document
  /**
   * JSON of the requested formats, which `document` then omits. Present if the task takes bytes. Compressed if the conversion is stored.
   */
  readonly content: PackedText | undefined
  readonly links: ReadonlyArray<string>
  readonly directives: PageDirectives
  readonly markdown: string | undefined
  readonly blocked: Blocked | undefined
  readonly suspicion: Suspicion | undefined
  readonly indexed: Omit<IndexedPage, "teamId" | "url"> | undefined
  /**
   * Beginning of the text, if the page does not declare its language. The language is detected on the main thread, so that worker threads
   * need not load the detector.
   */
  readonly excerpt: string | undefined
  /** Parts for the page cache to store. Present if the task asks for them and the page is not a block page. */
  readonly stored: StoredPage | undefined
}

/** Result of a task, by its kind. */
export interface Results {
  readonly page: Extracted & {
    readonly rawHtml: string
    /** Present if the charset is a guess. */
    readonly charsetWarning: string | undefined
  }
  readonly scrape: ScrapeResult
  readonly text: Pick<ScrapeResult, "content" | "directives" | "document" | "indexed" | "markdown" | "stored">
  readonly sitemap: SitemapFile
  readonly prompt: Preview
}

/** Compiles a selector. Cannot fail, because the selectors were parsed when the request was validated. */
const test = (selector: string) => Either.getOrThrow(parseSelector(selector))

const page = ({ bytes, contentType, options }: Omit<PageTask, "kind">): Results["page"] => {
  const decoded = decodeText(bytes, contentType)
  const { text, warning: charsetWarning } = decoded
  const { attributes, data, exclude, include, next, rawHtml, ...rest } = options
  const found = extract(text, {
    ...rest,
    charset: linkCharset(bytes, contentType, decoded),
    data: queryOf(data),
    next: next === undefined ? undefined : Either.getOrThrow(compileNext(next)),
    include: include?.map(test),
    exclude: exclude?.map(test),
    attributes: attributes?.map((query) => ({ ...query, test: test(query.selector) }))
  })
  return { ...found, rawHtml: rawHtml || found.data?.needsHtml === true ? text : "", charsetWarning }
}

const tooLong = "The page is too long to be converted: only its text was kept."

const stored = (
  { bytes, stores }: Pick<ScrapeTask, "bytes" | "stores">,
  converted: () => Converted | undefined
): StoredPage | undefined => {
  if (stores === undefined) return undefined
  const found = stores.conversion ? converted() : undefined
  return {
    hash: bodyHash(bytes),
    body: stores.body ? packNow(bytes) : undefined,
    conversion: found === undefined ? undefined : StoredConversion.write(found)
  }
}

/** Returns a function that writes the JSON of the document once, because the result and the stored conversion have the same bytes. */
const contentOf = ({ stores }: Pick<ScrapeTask, "stores">, document: Document): (() => PackedText) => {
  let packed: PackedText | undefined
  return () => {
    if (packed !== undefined) return packed
    const bytes = StoredConversion.contentOf(document)
    packed =
      stores?.conversion === true && bytes.byteLength <= StoredConversion.maxBytes ? packNow(bytes) : plain(bytes)
    return packed
  }
}

const scrape = (task: ScrapeTask): ScrapeResult => {
  const found = page(task)
  const { url } = task.options
  const { blocked, facts, markdown, suspicion, text = "" } = found
  const metadata: Metadata = {
    ...found.metadata,
    ...task.metadata,
    ...(blocked === undefined ? {} : { error: describeBlocked(blocked), blocked })
  }
  const contentWarning = found.needsScript
    ? task.emptyWarning
    : found.onlyText
      ? tooLong
      : found.includesNothing && blocked === undefined && !(Number(metadata.statusCode) >= 400)
        ? `${nothingIncluded(task.options.include ?? [])} For parts that scripts fill in, set waitFor.`
        : undefined
  const warnings = [contentWarning, found.charsetWarning, found.data?.warning].filter((text) => text !== undefined)
  const warning = warnings.length === 0 ? undefined : warnings.join(" ")
  const document = documentOf(task.formats, { ...found, metadata, warning })
  const links = crawlable(found.links)
  const directives = directivesOf(url, task.headers, found.directives)
  const content = contentOf(task, document)
  // Not stored if the page is suspicious, because each visit judges such a page again.
  const converted = () =>
    suspicion === undefined && !StoredConversion.isTooLong(document)
      ? { content: content(), metadata, links, directives }
      : undefined
  return {
    document: task.takesBytes ? { metadata } : document,
    content: task.takesBytes ? content() : undefined,
    links,
    directives,
    markdown: task.readsMarkdown ? markdown : undefined,
    blocked,
    suspicion,
    indexed:
      task.isIndexed && blocked === undefined
        ? {
            ...makeEntry({
              title: found.title,
              description: found.description,
              text,
              headings: found.headings,
              images: facts?.pictures
            }),
            published: publishedOf(found.metadata, facts?.dates, url)
          }
        : undefined,
    excerpt: found.metadata.language === undefined ? (found.text ?? markdown ?? "").slice(0, maxExcerpt) : undefined,
    stored: blocked === undefined ? stored(task, converted) : undefined
  }
}

/** Text in a computer language becomes a code block; other text is used as Markdown. */
const text = (task: TextTask): Results["text"] => {
  const { data, formats, isIndexed, language, metadata, readsMarkdown, takesBytes, url } = task
  const { charset, text, warning } = decodeText(task.bytes, task.contentType)
  const fence = language === undefined ? "" : fenceFor(text, 3)
  const markdown = language === undefined ? text : `${fence}${language}\n${text.trimEnd()}\n${fence}`
  const found = extractData(text, queryOf(data), url, charset)
  const warnings = [warning, found?.warning].filter((each) => each !== undefined)
  const document = documentOf(formats, {
    markdown,
    html: text,
    rawHtml: text,
    links: [],
    images: [],
    text,
    data: found,
    metadata,
    warning: warnings.length === 0 ? undefined : warnings.join(" ")
  })
  const content = contentOf(task, document)
  const directives = directivesOf(url, task.headers, undefined)
  const converted = () =>
    StoredConversion.isTooLong(document) ? undefined : { content: content(), metadata, links: [], directives }
  return {
    document: takesBytes ? { metadata } : document,
    content: takesBytes ? content() : undefined,
    directives,
    markdown: readsMarkdown ? markdown : undefined,
    indexed: isIndexed ? makeEntry({ title: "", description: "", text }) : undefined,
    stored: stored(task, converted)
  }
}

export const runTask = <K extends DocumentTask["kind"]>(
  task: Extract<DocumentTask, { readonly kind: K }>
): Results[K] => {
  const work: DocumentTask = task
  const run = () => {
    switch (work.kind) {
      case "page":
        return page(work)
      case "scrape":
        return scrape(work)
      case "text":
        return text(work)
      case "sitemap":
        return readSitemap(work.bytes, work.url, work.limit, work.isCut)
      case "prompt":
        return rules(work.url, Buffer.from(work.bytes).toString("utf8"))
    }
  }
  return run() as Results[K]
}
