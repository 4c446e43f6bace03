/** Parsing tasks of documents, as plain data, so that a worker thread can run them. */
import * as Either from "effect/Either"
import { decodeText } from "../Html/Charset.ts"
import { type AttributeQuery, type Extracted, type ExtractOptions, extract } from "../Html/Extract.ts"
import { parseSelector } from "../Html/Select.ts"
import { readSitemap, type SitemapFile } from "./SitemapFile.ts"

/** Options of `extract`, with selectors as strings. */
export interface PageOptions extends Omit<ExtractOptions, "include" | "exclude" | "attributes"> {
  readonly include?: ReadonlyArray<string> | undefined
  readonly exclude?: ReadonlyArray<string> | undefined
  readonly attributes?: ReadonlyArray<Pick<AttributeQuery, "selector" | "attribute">> | undefined
  /** True if the result includes the unchanged HTML. */
  readonly rawHtml: boolean
}

export interface PageTask {
  readonly kind: "page"
  readonly bytes: Uint8Array
  readonly contentType: string | undefined
  readonly options: PageOptions
}

export interface SitemapTask {
  readonly kind: "sitemap"
  readonly bytes: Uint8Array
  readonly url: string
  readonly limit: number
}

export type DocumentTask = PageTask | SitemapTask

/** Result of a task, by its kind. */
export interface Results {
  readonly page: Extracted & { readonly rawHtml: string }
  readonly sitemap: SitemapFile
}

/** Cannot fail: the selectors were parsed when the request was validated. */
const test = (selector: string) => Either.getOrThrow(parseSelector(selector))

const page = ({ bytes, contentType, options }: PageTask): Results["page"] => {
  const { text } = decodeText(bytes, contentType)
  const { attributes, exclude, include, rawHtml, ...rest } = options
  const found = extract(text, {
    ...rest,
    include: include?.map(test),
    exclude: exclude?.map(test),
    attributes: attributes?.map((query) => ({ ...query, test: test(query.selector) }))
  })
  return { ...found, rawHtml: rawHtml ? text : "" }
}

export const runTask = <K extends DocumentTask["kind"]>(
  task: Extract<DocumentTask, { readonly kind: K }>
): Results[K] => {
  const work: DocumentTask = task
  const result = work.kind === "page" ? page(work) : readSitemap(work.bytes, work.url, work.limit)
  return result as Results[K]
}
