/** What a page says for programs: structured data by syntax, breadcrumbs, facts of its article, and tables. */
import { type Article, readArticle } from "./Article.ts"
import { type Breadcrumb, readBreadcrumbs } from "./Breadcrumbs.ts"
import { readMainText } from "./Extract.ts"
import { readLinkedData } from "./LinkedData.ts"
import { readMetadata } from "./Metadata.ts"
import { type MicrodataItem, readMicrodata } from "./Microdata.ts"
import { type MicroformatItem, readMicroformats } from "./Microformats.ts"
import { toItems } from "./PageItems.ts"
import { PageUrls } from "./PageUrls.ts"
import { publishedDate } from "./PublishedDate.ts"
import { type RdfaNode, readRdfa } from "./Rdfa.ts"
import { readTables, type TableData } from "./TableData.ts"
import { parseTree, type Tree } from "./Tree.ts"

export interface StructuredData {
  /** The objects as parsed, in page order. */
  readonly jsonld: ReadonlyArray<object>
  readonly microdata: ReadonlyArray<MicrodataItem>
  readonly rdfa: ReadonlyArray<RdfaNode>
  /** At most one object: `"og:title"` → value, or all its values. */
  readonly opengraph: ReadonlyArray<Readonly<Record<string, string | ReadonlyArray<string>>>>
  readonly microformats: ReadonlyArray<MicroformatItem>
}

export interface PageData {
  readonly structured: StructuredData
  readonly breadcrumbs: ReadonlyArray<Breadcrumb>
  /** `text` is the main content of a page that has an author or a date. */
  readonly article: Article & { readonly text?: string }
  readonly tables: ReadonlyArray<TableData>
  /** What was left out of the data, if anything was. */
  readonly warning?: string
}

const maxProperties = 1_000

/** Prefixes of the Open Graph protocol and of its types. */
const openGraph =
  /^(?:og|article|book|profile|video|music|product|fb|place|restaurant|business|books|fitness|game|vr):/i

const readOpenGraph = (tree: Tree): StructuredData["opengraph"] => {
  const found = new Map<string, Array<string>>()
  for (const { attributes } of tree.metas) {
    const { content, name, property } = attributes
    const key = (property ?? name)?.trim()
    if (key === undefined || content === undefined || content === "" || !openGraph.test(key)) continue
    const values = found.get(key)
    if (values !== undefined) values.push(content)
    else if (found.size < maxProperties) found.set(key, [content])
  }
  if (found.size === 0) return []
  return [
    Object.fromEntries([...found].map(([key, values]) => [key, values.length === 1 ? (values[0] ?? "") : values]))
  ]
}

/** `url` is the address of the page; `now` bounds its dates. */
export const readPageData = (html: string, url: string | undefined, now: number): PageData => {
  const tree = parseTree(html)
  const urls = new PageUrls(tree, url, false)
  /** Leaves an address as it is if it cannot be resolved. */
  const resolve = (href: string): string => urls.resolve(href) ?? href
  const warnings: Array<string> = []
  const warn = (warning: string) => warnings.push(warning)
  const structured: StructuredData = {
    jsonld: readLinkedData(tree, warn),
    microdata: readMicrodata(tree, urls, warn),
    rdfa: readRdfa(tree, urls, warn),
    opengraph: readOpenGraph(tree),
    microformats: readMicroformats(tree, urls, warn)
  }
  const { jsonld, microdata, rdfa } = structured
  const dates = publishedDate(tree, url, now)
  const article = readArticle(tree, toItems(jsonld, microdata, rdfa), readMetadata(tree, resolve), dates)
  const data = {
    structured,
    breadcrumbs: readBreadcrumbs(tree, jsonld, resolve),
    article,
    tables: readTables(tree, warn)
  }
  // Last, as it changes the tree.
  const text = article.published === undefined && article.author === undefined ? undefined : readMainText(tree)
  const whole = text === undefined || text === "" ? data : { ...data, article: { ...article, text } }
  return warnings.length === 0 ? whole : { ...whole, warning: warnings.join("; ") }
}

/** How often each type occurs at the top of each syntax. */
export const typesOf = ({
  jsonld,
  microdata,
  microformats,
  opengraph,
  rdfa
}: StructuredData): Readonly<Record<string, ReadonlyArray<readonly [string, number]>>> => {
  const counted = (types: ReadonlyArray<unknown>) => {
    const counts = new Map<string, number>()
    for (const type of types.flat()) if (typeof type === "string") counts.set(type, (counts.get(type) ?? 0) + 1)
    return [...counts]
  }
  const declared = jsonld.flatMap((node) => [node, ...("@graph" in node ? [node["@graph"]].flat() : [])])
  return {
    "JSON-LD": counted(
      declared.map((node) => (typeof node === "object" && node !== null && "@type" in node ? node["@type"] : undefined))
    ),
    microdata: counted(microdata.map(({ type }) => type ?? "without type")),
    RDFa: counted(rdfa.map((node) => node["@type"])),
    microformats: counted(microformats.map(({ type }) => type)),
    "Open Graph": counted(opengraph.map((properties) => properties["og:type"] ?? "without type"))
  }
}
