/** Machine-readable content of a page: structured data by syntax, breadcrumbs, facts of its article, tables, and record lists. */
import type { DataFormat } from "../Api/PageData.ts"
import { type Article, readArticle } from "./Article.ts"
import { type Breadcrumb, readBreadcrumbs } from "./Breadcrumbs.ts"
import { lazily, type ParsedPage } from "./Fields.ts"
import { readLinkedData } from "./LinkedData.ts"
import type { PageMetadata } from "./Metadata.ts"
import { type MicrodataItem, readMicrodata } from "./Microdata.ts"
import { type MicroformatItem, readMicroformats } from "./Microformats.ts"
import { type PageItems, toItems } from "./PageItems.ts"
import type { PageUrls } from "./PageUrls.ts"
import { type Product, readProduct } from "./Product.ts"
import { publishedDate } from "./PublishedDate.ts"
import { type RdfaNode, readRdfa } from "./Rdfa.ts"
import { type RecordList, readRecordLists } from "./RecordLists.ts"
import { readTables, type TableData } from "./TableData.ts"
import type { Tree } from "./Tree.ts"

export interface StructuredData {
  /** The parsed objects, in page order. */
  readonly jsonld: ReadonlyArray<object>
  readonly microdata: ReadonlyArray<MicrodataItem>
  readonly rdfa: ReadonlyArray<RdfaNode>
  /** At most one object: maps `"og:title"` to its value, or to an array of all its values. */
  readonly opengraph: ReadonlyArray<Readonly<Record<string, string | ReadonlyArray<string>>>>
  readonly microformats: ReadonlyArray<MicroformatItem>
}

/** Formats that {@link readData} returns. */
type StatedFormat = Exclude<DataFormat, "fields">

export interface PageData {
  readonly structured: StructuredData
  /** Present only on product pages. */
  readonly product?: Product
  readonly breadcrumbs: ReadonlyArray<Breadcrumb>
  /** `text` is the main content of a page that has an author or a date. */
  readonly article: Article & { readonly text?: string }
  readonly tables: ReadonlyArray<TableData>
  /** Record lists of the page, the main one first. */
  readonly lists: ReadonlyArray<RecordList>
  /** Describes data that was left out, if any. */
  readonly warning?: string
}

const maxProperties = 1_000

/** Prefixes of the Open Graph protocol and its types. */
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

/** A parsed page, with the parts that several data formats need. */
interface DataPage {
  readonly tree: Tree
  readonly urls: PageUrls
  readonly url: string | undefined
  readonly metadata: () => PageMetadata
  /** Returns the absolute URL, or the given one if it cannot be resolved. */
  readonly resolve: (href: string) => string
  readonly syntaxes: () => Pick<StructuredData, "jsonld" | "microdata" | "rdfa">
  readonly items: () => PageItems
  readonly warn: (text: string) => void
  /** Current time in milliseconds since 1970. Later dates are rejected as publication dates. */
  readonly now: number
}

const readers: { readonly [Format in StatedFormat]: (page: DataPage) => PageData[Format] } = {
  structured: ({ syntaxes, tree, urls, warn }) => ({
    ...syntaxes(),
    opengraph: readOpenGraph(tree),
    microformats: readMicroformats(tree, urls, warn)
  }),
  product: ({ items, tree, urls, warn }) => readProduct(tree, urls, warn, items()),
  lists: ({ tree, urls }) => readRecordLists(tree, urls),
  breadcrumbs: ({ resolve, tree, warn }) => readBreadcrumbs(tree, readLinkedData(tree, warn), resolve),
  article: ({ items, metadata, now, tree, url }) =>
    readArticle(tree, items(), metadata(), publishedDate(tree, url, now)),
  tables: ({ tree, warn }) => readTables(tree, warn)
}

/** The result of `read`, with a warning about anything left out. `url` is the URL of the page. */
const withWarning = <Data extends object>(
  { metadata, tree, urls }: ParsedPage,
  url: string | undefined,
  now: number,
  read: (page: DataPage) => Data
): Data & { readonly warning?: string } => {
  const warnings = new Set<string>()
  const warn = (warning: string) => warnings.add(warning)
  const syntaxes = lazily(() => ({
    jsonld: readLinkedData(tree, warn),
    microdata: readMicrodata(tree, urls, warn),
    rdfa: readRdfa(tree, urls, warn)
  }))
  const items = lazily(() => {
    const { jsonld, microdata, rdfa } = syntaxes()
    return toItems(jsonld, microdata, rdfa)
  })
  const resolve = (href: string) => urls.resolve(href) ?? href
  const data = read({ tree, url, urls, metadata, resolve, syntaxes, items, warn, now })
  return warnings.size === 0 ? data : { ...data, warning: [...warnings].join("; ") }
}

/** Reads only the wanted formats. */
export const readFormats = (
  page: ParsedPage,
  wanted: ReadonlySet<string>,
  url: string | undefined,
  now: number
): Partial<PageData> =>
  withWarning(page, url, now, (data) =>
    Object.fromEntries(
      Object.entries(readers).flatMap(([format, read]) => {
        const value = wanted.has(format) ? read(data) : undefined
        return value === undefined ? [] : [[format, value]]
      })
    )
  )

/** Reads all formats. */
export const readAllFormats = (page: ParsedPage, url: string | undefined, now: number): PageData =>
  withWarning(page, url, now, (data) => {
    const product = readers.product(data)
    return {
      structured: readers.structured(data),
      ...(product === undefined ? {} : { product }),
      breadcrumbs: readers.breadcrumbs(data),
      article: readers.article(data),
      tables: readers.tables(data),
      lists: readers.lists(data)
    }
  })

/** Counts the top-level items of each type, by syntax. */
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
