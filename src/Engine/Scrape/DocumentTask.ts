/** Parsing tasks of documents and prompts, as plain data, so that a worker thread can run them. */
import * as Either from "effect/Either"
import { decodeText } from "../Html/Charset.ts"
import { type AttributeQuery, type Extracted, type ExtractOptions, extract } from "../Html/Extract.ts"
import { parseSelector } from "../Html/Select.ts"
import { type Preview, rules } from "../Preview/Rules.ts"
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

/** Crawl parameters from a prompt. */
export interface PromptTask {
  readonly kind: "prompt"
  /** The prompt in UTF-8. */
  readonly bytes: Uint8Array
  /** Address where the crawl starts. */
  readonly url: string
}

export type DocumentTask = PageTask | SitemapTask | PromptTask

/** Result of a task, by its kind. */
export interface Results {
  readonly page: Extracted & { readonly rawHtml: string }
  readonly sitemap: SitemapFile
  readonly prompt: Preview
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
  const run = () => {
    switch (work.kind) {
      case "page":
        return page(work)
      case "sitemap":
        return readSitemap(work.bytes, work.url, work.limit)
      case "prompt":
        return rules(work.url, Buffer.from(work.bytes).toString("utf8"))
    }
  }
  return run() as Results[K]
}
