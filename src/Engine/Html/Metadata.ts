/** Metadata from the head of a page. */
import { type Element, textOf } from "./Element.ts"
import type { Tree } from "./Tree.ts"

/** `metadata` of a document, without what only the fetch knows. */
export type PageMetadata = Readonly<Record<string, string | ReadonlyArray<string>>>

/** `og:site_name` → `ogSiteName`. */
const camel = (key: string): string => key.replace(/[:_-]+([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase())

const squeeze = (text: string): string => text.replace(/\s+/g, " ").trim()

/** A page must not fill memory with its own description. */
const maxKeys = 200
const maxKey = 200
const maxLength = 10_000

/** What the engine says of a page, which the page cannot say of itself. */
const reserved = new Set([
  "error",
  "statusCode",
  "sourceURL",
  "url",
  "contentType",
  "cacheState",
  "cachedAt",
  "numPages",
  "creditsUsed",
  "concurrencyLimited",
  "concurrencyQueueDurationMs",
  "ogLocaleAlternate"
])

const times: ReadonlyMap<string, string> = new Map([
  ["article:published_time", "publishedTime"],
  ["article:modified_time", "modifiedTime"]
])

const isIcon = ({ attributes }: Element): boolean => /(?:^|\s)icon(?:\s|$)/i.test(attributes.rel ?? "")

/** Every `<meta>` under its own name, Open Graph also in camel case, and the usual few from elsewhere. */
export const readMetadata = (tree: Tree, resolve: (href: string) => string | undefined): PageMetadata => {
  const found: Record<string, string | Array<string>> = {}
  const put = (key: string, value: string | undefined) => {
    if (value === undefined || value === "" || reserved.has(key) || Object.hasOwn(found, key)) return
    found[key] = value
  }
  put("title", squeeze(tree.titles[0] === undefined ? "" : textOf(tree.titles[0])).slice(0, maxLength))
  put("language", tree.html?.attributes.lang ?? tree.html?.attributes["xml:lang"])
  const localeAlternates: Array<string> = []
  for (const { attributes } of tree.metas.slice(0, maxKeys)) {
    const value = attributes.content === undefined ? "" : squeeze(attributes.content.slice(0, maxLength))
    if (attributes["http-equiv"]?.toLowerCase() === "content-language") put("language", value)
    if (value === "") continue
    // One tag may say the same for two readers: <meta name="description" property="og:description">.
    for (const key of new Set([attributes.name, attributes.property ?? attributes.itemprop])) {
      if (key === undefined || key === "" || key.length > maxKey) continue
      const lower = key.toLowerCase()
      if (lower === "og:locale:alternate") localeAlternates.push(value)
      else if (lower.startsWith("og:")) {
        put(lower, value)
        put(camel(lower), value)
      } else put(usual.has(lower) ? lower : key, value)
      const time = times.get(lower)
      if (time !== undefined) put(time, value)
    }
  }
  if (localeAlternates.length > 0) {
    found["og:locale:alternate"] = localeAlternates
    found.ogLocaleAlternate = localeAlternates
  }
  const favicon = tree.relations.find(isIcon)?.attributes.href
  put("favicon", favicon === undefined ? undefined : resolve(favicon))
  const canonical = tree.relations.find(({ attributes }) => attributes.rel?.toLowerCase() === "canonical")?.attributes
    .href
  put("canonical", canonical === undefined ? undefined : resolve(canonical))
  put("title", first(found["og:title"] ?? found["twitter:title"]))
  put("description", first(found["og:description"] ?? found["twitter:description"]))
  return found
}

const usual = new Set(["description", "keywords", "author", "robots", "viewport", "generator", "theme-color"])

const first = (value: string | Array<string> | undefined): string | undefined =>
  typeof value === "string" ? value : value?.[0]
