/** Converts a page of HTML to the requested formats. Parses once; plain functions without Effect. */

import * as Either from "effect/Either"
import type { FieldRows } from "../Api/PageData.ts"
import { type Detected, detectBlocked, type PageAnswer } from "./BlockedPage.ts"
import { hides, isAd, isClosed, isHidden, mayBeAd } from "./Boilerplate.ts"
import { type Element, isElement, makeElement } from "./Element.ts"
import { type FieldsQuery, failureIn, readFieldRows } from "./FieldRows.ts"
import { type ParsedPage, parsePage } from "./Fields.ts"
import { keepProse, mainContent } from "./MainContent.ts"
import { toMarkdown } from "./Markdown.ts"
import { type Facts, factsOf, type PageMetadata, readMetadata } from "./Metadata.ts"
import type { FindNext } from "./NextLink.ts"
import { type MarkupDirectives, readDirectives } from "./PageDirectives.ts"
import { PageUrls } from "./PageUrls.ts"
import { bounded, every, outermost, type Test } from "./Select.ts"
import { escapeText, type Heading, type PlainText, scanText, toHtml, toText } from "./Serialize.ts"
import { type PageData, readAllFormats, readFormats } from "./StructuredData.ts"
import { noAttributes } from "./Tokenizer.ts"
import { parseTree, type Tree } from "./Tree.ts"
import { addContentOfData, reveal } from "./Unrendered.ts"

/** Parts to extract. Links and metadata are always extracted. */
export type Wanted = "markdown" | "html" | "images" | "text" | "linkTexts" | "facts"

/** Attribute whose values are requested, for the elements that the test accepts. */
export interface AttributeQuery {
  readonly selector: string
  readonly attribute: string
  readonly test: Test
}

/** The data formats wanted from a page, such as `product` or `tables`, and the fields to extract. */
export interface DataQuery {
  /** Names of the formats, except `fields`. */
  readonly formats: ReadonlySet<string>
  readonly fields?: FieldsQuery | undefined
  /** Current time in milliseconds since 1970, to which relative dates refer. */
  readonly now: number
}

/** Result of a {@link DataQuery}. */
export interface DataFound {
  readonly formats: Omit<Partial<PageData>, "warning"> & { readonly fields?: FieldRows }
  /** Parts that were left out, or the reason why a page fails. */
  readonly warning: string | undefined
  /** True if the HTML must be included, because rows of the page have failed. */
  readonly needsHtml: boolean
}

export interface ExtractOptions {
  readonly wanted: ReadonlySet<Wanted>
  /** URL of the page. Without it, relative URLs stay relative. */
  readonly url?: string | undefined
  /** Charset of the page. Without it, the one that the markup declares. */
  readonly charset?: string | undefined
  readonly onlyMainContent: boolean
  readonly removeBase64Images: boolean
  readonly blockAds: boolean
  /** Keeps only these elements, without a search for the main content. See `parseSelector`. */
  readonly include?: ReadonlyArray<Test> | undefined
  readonly exclude?: ReadonlyArray<Test> | undefined
  /** Keeps only prose: drops boilerplate, images, controls and lists of links. */
  readonly onlyCleanContent?: boolean | undefined
  readonly attributes?: ReadonlyArray<AttributeQuery> | undefined
  readonly data?: DataQuery | undefined
  /** Finds links to the next page, for `directives`. */
  readonly next?: FindNext | undefined
  /** Response headers and URLs. If set, detects pages shown in place of the content. */
  readonly answer?: PageAnswer | undefined
  /** True for a page that is read with a login: logout links are added to `directives`, so that a crawl does not follow them. */
  readonly isMember?: boolean | undefined
}

export interface Extracted extends Detected {
  readonly markdown: string | undefined
  /** Cleaned HTML with absolute URLs. */
  readonly html: string | undefined
  /** All links of the page: absolute URLs, in page order, without duplicates. */
  readonly links: ReadonlyArray<string>
  readonly images: ReadonlyArray<string> | undefined
  /** Link text by URL; if a URL occurs several times, the text of the first link. */
  readonly linkTexts: ReadonlyMap<string, string> | undefined
  /** Dates and images of the page for the search index. */
  readonly facts: Facts | undefined
  /** One entry per attribute query, with values from the whole page. */
  readonly attributes: ReadonlyArray<{
    readonly selector: string
    readonly attribute: string
    readonly values: ReadonlyArray<string>
  }>
  readonly data: DataFound | undefined
  readonly metadata: PageMetadata
  readonly directives: MarkupDirectives
  readonly title: string
  readonly description: string
  /** Plain text. */
  readonly text: string | undefined
  /** Headings with their positions in the plain text. */
  readonly headings: ReadonlyArray<Heading> | undefined
  /** True if the page is an empty frame that scripts fill. */
  readonly needsScript: boolean
  /** True if the page was too large to convert: the Markdown is its plain text. */
  readonly onlyText: boolean
  /** True if nothing that is shown matches `include`: the content is empty. */
  readonly includesNothing: boolean
}

/** Warning about selectors that leave no content. */
export const nothingIncluded = (selectors: ReadonlyArray<string>): string =>
  `No content matches includeTags (${selectors.join(", ").slice(0, 200)}), so the content is empty: correct the selectors, or leave includeTags out.`

/** Maximum characters of HTML that are converted; a longer page is reduced to its text. */
const maxLength = 10_000_000
/** Characters of such a long page that are searched for metadata and links. */
const headLength = 1_000_000

const isUnwanted = (element: Element, blockAds: boolean, exclude: ReadonlyArray<Test>): boolean => {
  if (isHidden(element) || (blockAds && element.attributes !== noAttributes && isAd(element))) return true
  for (const test of exclude) if (test(element)) return true
  return false
}

const drop = (element: Element, blockAds: boolean, exclude: ReadonlyArray<Test>): void => {
  for (const child of element.children) {
    if (!isElement(child)) continue
    if (isUnwanted(child, blockAds, exclude)) child.dropped = true
    else drop(child, blockAds, exclude)
  }
}

/** The elements to convert; everything unwanted in them is marked as dropped. */
const select = (tree: Tree, options: ExtractOptions): ReadonlyArray<Element> => {
  const body = tree.body ?? tree.root
  reveal(tree, body)
  const isShort = addContentOfData(tree, body)
  const { blockAds, exclude = [] } = options
  if (
    exclude.length > 0 ||
    tree.tags.some((tagged) => hides(tagged) || isClosed(tagged) || (blockAds && mayBeAd(tagged)))
  )
    drop(body, blockAds, exclude)
  const shown = choose(tree, body, options, isShort)
  if (options.onlyCleanContent === true) keepProse(shown)
  return shown
}

/** True if the tests choose all of the body: one accepts the body or an element around it, and not every element, as `*` does. */
const choosesBody = (body: Element, tests: ReadonlyArray<Test>): boolean => {
  const any = makeElement("any", {}, body)
  return tests.some((test) => !test(any) && (test(body) || (body.parent !== undefined && test(body.parent))))
}

const choose = (tree: Tree, body: Element, options: ExtractOptions, isShort: boolean): ReadonlyArray<Element> => {
  const { include = [] } = options
  if (include.length > 0) return choosesBody(body, include) ? [body] : outermost(body, include)
  return options.onlyMainContent || options.onlyCleanContent === true ? mainContent(tree, isShort) : [body]
}

/** Plain text of the main content. Marks everything else as dropped, so the tree cannot be used for anything else afterwards. */
export const readMainText = (tree: Tree): string =>
  toText(select(tree, { wanted: new Set(), onlyMainContent: true, removeBase64Images: true, blockAds: true })).text

const maxValues = 10_000

const valuesOf = (tree: Tree, { attribute, selector, test }: AttributeQuery) => {
  const name = attribute.toLowerCase()
  const values = every(tree.root, test, maxValues).flatMap(({ attributes }) =>
    Object.hasOwn(attributes, name) ? [attributes[name] ?? ""] : []
  )
  return { selector, attribute, values }
}

const hasText = (element: Element): boolean =>
  element.children.some((child) => (isElement(child) ? child.layout !== "unseen" && hasText(child) : /\S/.test(child)))

/** Ids of the elements in which frameworks mount an application. */
const mountPoints = /^(?:root|app|__next|__nuxt|___gatsby|q-app|main-app)$/

const isShell = (tree: Tree): boolean => {
  const body = tree.body ?? tree.root
  const elements = body.children.filter(isElement)
  const mounted = elements.some(
    ({ name, attributes, children }) =>
      name === "app-root" ||
      (mountPoints.test(attributes.id ?? "") && !children.some((child) => isElement(child) && hasText(child)))
  )
  return !hasText(body) && (mounted || elements.some(({ name }) => name === "script"))
}

/** True if a page shows nothing before its scripts run. Fast, because most pages show a word early on. */
export const isEmptyFrame = (html: string): boolean => {
  if (html.length > headLength || !isBare(html)) return false
  const tree = parseTree(html)
  return !tree.cut && isShell(tree)
}

const textOf = (value: PageMetadata[string] | undefined): string =>
  typeof value === "string" ? value : (value?.[0] ?? "")

/** Functions that convert the selected part of a page. The first call makes the selection. */
interface Shown {
  readonly markdown: () => string
  readonly html: () => string
  readonly text: () => PlainText
}

const shownOf = (tree: Tree, urls: PageUrls, options: ExtractOptions): Shown => {
  // With attribute queries, select at once: the selection may add content from the page's scripts, which the queries must find.
  let found = (options.attributes ?? []).length > 0 ? select(tree, options) : undefined
  const shown = () => (found ??= select(tree, options))
  return {
    markdown: () => toMarkdown(shown(), urls),
    html: () => toHtml(shown(), urls),
    text: () => toText(shown())
  }
}

const wordsOf = (text: string): Shown => ({
  markdown: () => text,
  html: () => `<pre>${escapeText(text)}</pre>`,
  text: () => ({ text, headings: [] })
})

const dataOf = (page: ParsedPage, { fields, formats, now }: DataQuery, url: string | undefined): DataFound => {
  const { warning, ...found } = formats.size === 0 ? {} : readFormats(page, formats, url, now)
  if (fields === undefined) return { formats: found, warning, needsHtml: false }
  const read = readFieldRows(page, fields.specification, fields.now ?? now, fields.describes())
  const failure = failureIn(read, fields)
  const warnings = [warning, failure === undefined ? undefined : `fields: ${failure}`].filter(
    (text) => text !== undefined
  )
  return {
    formats: { ...found, fields: fields.id === undefined ? read : { ...read, id: fields.id } },
    warning: warnings.length === 0 ? undefined : warnings.join("; "),
    needsHtml: failure !== undefined && fields.html === "failed"
  }
}

/** Data formats of any text as HTML: of a file converted to HTML, or of a page that is too long for Markdown. */
export const extractData = (
  html: string,
  query: DataQuery | undefined,
  url: string | undefined,
  charset?: string
): DataFound | undefined => (query === undefined ? undefined : dataOf(parsePage(html, url, charset), query, url))

/** Adds the page's text to its article: a page with an author or a date counts as an article. */
const withText = <Data extends Partial<PageData>>(data: Data, text: () => string): Data => {
  const { article } = data
  if (article?.published === undefined && article?.author === undefined) return data
  const found = text()
  return found === "" ? data : { ...data, article: { ...article, text: found } }
}

/** All data of a page. */
export const readPageData = (html: string, url: string | undefined, now: number): PageData => {
  const page = parsePage(html, url)
  const data = readAllFormats(page, url, now)
  // The text must be read last, because reading it drops elements of the tree.
  return withText(data, () => readMainText(page.tree))
}

/** True if the selected part of the page is its main content. */
const showsMainContent = ({ blockAds, exclude, include, onlyCleanContent, onlyMainContent }: ExtractOptions): boolean =>
  onlyMainContent &&
  blockAds &&
  onlyCleanContent !== true &&
  (include ?? []).length === 0 &&
  (exclude ?? []).length === 0

/** Extracts the requested parts of a page. Never fails: any text can be parsed as HTML. */
export const extract = (html: string, options: ExtractOptions): Extracted => {
  const tooLong = html.length > maxLength
  const tree = parseTree(tooLong ? html.slice(0, headLength) : html)
  const { charset } = options
  const urls = new PageUrls(tree, options.url, options.removeBase64Images, charset)
  const metadata = readMetadata(tree, (href) => urls.resolve(href))
  const onlyText = tooLong || tree.cut
  const needsScript = !onlyText && isShell(tree)
  // Must run before the selection, which marks elements as dropped.
  const detected =
    onlyText || options.answer === undefined ? {} : detectBlocked(tree, html, options.answer, needsScript)
  const { data: query, next } = options
  const following =
    next &&
    Either.getOrElse(
      bounded(() => next({ tree, urls })),
      () => []
    )
  const data =
    query === undefined || tooLong
      ? extractData(html, query, options.url, charset)
      : dataOf(
          {
            tree,
            urls: options.removeBase64Images ? urls : new PageUrls(tree, options.url, true, charset),
            metadata: () => metadata
          },
          query,
          options.url
        )
  const shown = onlyText ? wordsOf(scanText(html)) : shownOf(tree, urls, options)
  const { wanted } = options
  const plain = wanted.has("text") ? shown.text() : undefined
  const markdown = wanted.has("markdown") ? shown.markdown() : undefined
  const cleanHtml = wanted.has("html") ? shown.html() : undefined
  return {
    markdown,
    html: cleanHtml,
    links: urls.links(tree.anchors),
    images: wanted.has("images") ? urls.images(tree.images) : undefined,
    linkTexts: wanted.has("linkTexts") ? urls.linkTexts(tree.anchors) : undefined,
    facts: wanted.has("facts") ? factsOf(tree, urls, metadata) : undefined,
    attributes: (options.attributes ?? []).map((query) => valuesOf(tree, query)),
    data: data && {
      ...data,
      formats: withText(data.formats, () =>
        onlyText || showsMainContent(options) ? shown.text().text : readMainText(parseTree(html))
      )
    },
    metadata,
    directives: {
      ...readDirectives(tree, urls, options.isMember),
      ...(following === undefined ? {} : { next: following })
    },
    title: textOf(metadata.title),
    description: textOf(metadata.description),
    text: plain?.text,
    headings: plain?.headings,
    needsScript,
    onlyText,
    includesNothing: (options.include ?? []).length > 0 && (markdown ?? cleanHtml ?? plain?.text) === "",
    ...detected
  }
}

/** Markup without visible text: white space, comments, tags, and elements whose content is not displayed. */
const wordless =
  /\s+|<!--[\s\S]*?(?:-->|$)|<(script|style|noscript|template|title|svg|iframe|object|textarea)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)|<[^>]*>/giy

/** Returns the position of the first visible text. */
const wordsFrom = (html: string, start: number): number => {
  wordless.lastIndex = start
  let at = start
  while (at < html.length && wordless.test(html)) at = wordless.lastIndex
  return at
}

/** True if the first bytes of a page contain visible text. False before the body has begun. */
export const showsWord = (beginning: string): boolean => {
  const body = beginning.search(/<body\b/i)
  if (body === -1) return false
  const at = wordsFrom(beginning, body)
  return at < beginning.length && beginning[at] !== "<"
}

export const isBare = (html: string): boolean => {
  if (!/<script\b/i.test(html)) return false
  return wordsFrom(html, Math.max(0, html.search(/<body\b/i))) >= html.length
}
