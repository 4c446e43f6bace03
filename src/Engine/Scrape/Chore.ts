/** The work that a document makes: plain data in, plain data out, so that a thread can be told to do it. */
import * as Either from "effect/Either"
import { decodeText } from "../Html/Charset.ts"
import { type AttributeQuery, type Extracted, type ExtractOptions, extract } from "../Html/Extract.ts"
import { parseSelector } from "../Html/Select.ts"
import { readSitemap, type SitemapFile } from "./SitemapFile.ts"

/** As it is for `extract`, selectors as text. */
export interface PageOptions extends Omit<ExtractOptions, "include" | "exclude" | "attributes"> {
  readonly include?: ReadonlyArray<string> | undefined
  readonly exclude?: ReadonlyArray<string> | undefined
  readonly attributes?: ReadonlyArray<Pick<AttributeQuery, "selector" | "attribute">> | undefined
  /** Whether the page is handed out as it came, too. */
  readonly rawHtml: boolean
}

export interface PageChore {
  readonly kind: "page"
  readonly bytes: Uint8Array
  readonly contentType: string | undefined
  readonly options: PageOptions
}

export interface SitemapChore {
  readonly kind: "sitemap"
  readonly bytes: Uint8Array
  readonly url: string
  readonly limit: number
}

export type Chore = PageChore | SitemapChore

/** What comes of a chore. */
export interface Results {
  readonly page: Extracted & { readonly rawHtml: string }
  readonly sitemap: SitemapFile
}

/** They were read once before, when the request was checked. */
const test = (selector: string) => Either.getOrThrow(parseSelector(selector))

const page = ({ bytes, contentType, options }: PageChore): Results["page"] => {
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

export const perform = <K extends Chore["kind"]>(chore: Extract<Chore, { readonly kind: K }>): Results[K] => {
  const work: Chore = chore
  const result = work.kind === "page" ? page(work) : readSitemap(work.bytes, work.url, work.limit)
  return result as Results[K]
}
