/** Title, author, section and dates of an article, as the page declares them; undeclared ones are read from the visible text. */
import { descendantsOf, type Element, isBeside, isElement, squeeze, startOf } from "./Element.ts"
import { isObject, type PageMetadata } from "./Metadata.ts"
import { allOfType, type Item, type PageItems, textOfValue, valuesAt } from "./PageItems.ts"
import type { PageDates } from "./PublishedDate.ts"
import { every } from "./Select.ts"
import { toText } from "./Serialize.ts"
import type { Tree } from "./Tree.ts"

export interface Article extends PageDates {
  readonly title: string | undefined
  readonly author: string | undefined
  readonly section: string | undefined
}

const [maxTitle, maxName, maxNameWords, maxElements] = [500, 80, 8, 20_000]

/** Types of items that are articles, in order of preference. */
const types = [
  "Article",
  "NewsArticle",
  "BlogPosting",
  "TechArticle",
  "Report",
  "ScholarlyArticle",
  "WebPage",
  "Recipe"
]

const articlesOf = (items: PageItems): ReadonlyArray<Item> => types.flatMap((type) => allOfType(items, type))

const textsOf = (value: PageMetadata[string] | undefined): ReadonlyArray<string> =>
  value === undefined ? [] : [value].flat()

const fold = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

const wordsOf = (text: string): ReadonlySet<string> => new Set(fold(text).split(" "))

/** Separators between the title of an article and the name of its site. */
const separator = /\s+[|•·–—:»«-]+\s+|\s*[|»«]\s*/u

/** Share of the words of the shorter text that occur in the other one. A single word says nothing about a longer title. */
const likeness = (text: string, other: string): number => {
  const [first = "", ...rest] = other.split(separator).map(fold)
  if (rest.length > 0 && fold(text) === first) return 1
  if (rest.length > 0 && fold(text) === rest.at(-1)) return 0
  const [one, two] = [wordsOf(text), wordsOf(other)]
  const least = Math.min(one.size, two.size)
  if (least === 1 && Math.max(one.size, two.size) > 2) return 0
  return [...one].filter((word) => two.has(word)).length / Math.max(1, least)
}

/** The title without the site's name at its end or beginning. Unchanged if the site's name is not known. */
const withoutSite = (title: string, site: string | undefined): string => {
  const parts = title.split(separator).filter((part) => part !== "")
  const [first = title] = parts
  const last = parts.at(-1) ?? ""
  if (parts.length < 2) return title
  const isSite = (part: string) => site !== undefined && fold(part) === fold(site)
  if (isSite(last)) return squeeze(title.slice(0, title.lastIndexOf(last)).replace(/[\s|•·–—:»«-]+$/u, ""))
  if (isSite(first)) return squeeze(title.slice(title.indexOf(first) + first.length).replace(/^[\s|•·–—:»«-]+/u, ""))
  return title
}

const isShown = (element: Element): boolean => {
  for (let each: Element | undefined = element; each !== undefined; each = each.parent)
    if (each.layout === "unseen" || each.attributes.hidden !== undefined) return false
  return true
}

interface Heading {
  readonly text: string
  readonly level: string
  /** Similarity to the title that the page declares, from 0 to 1. */
  readonly score: number
}

const best = (headings: ReadonlyArray<Heading>, least: number): string | undefined =>
  headings.filter(({ score }) => score >= least).toSorted((one, other) => other.score - one.score)[0]?.text

/** The main heading, if it resembles the title that the page declares: on some sites it is the name of the site or a category. */
const readTitle = (elements: ReadonlyArray<Element>, items: PageItems, metadata: PageMetadata): string | undefined => {
  const [site] = textsOf(metadata["og:site_name"])
  const declared = [
    ...articlesOf(items).flatMap(({ headline, name }) => [headline, name].flatMap((each) => textOfValue(each) ?? [])),
    ...textsOf(metadata["og:title"]),
    ...textsOf(metadata.title)
  ].map((title) => withoutSite(squeeze(title), site))
  const headings = elements
    .filter((element) => /^h[12]$/.test(element.name) && isShown(element))
    .map((element) => ({ level: element.name, text: startOf(element, maxTitle, true) }))
    .filter(({ text }) => /\p{L}/u.test(text) && (site === undefined || fold(text) !== fold(site)))
    .map(({ level, text }) => ({ level, text, score: Math.max(0, ...declared.map((title) => likeness(text, title))) }))
  const main = headings.filter(({ level }) => level === "h1")
  return (
    best(main, 0.5) ??
    best(headings, 0.8) ??
    (main.length === 1 ? best(main, 0.2) : undefined) ??
    declared.find((title) => title !== "")?.slice(0, maxTitle) ??
    main[0]?.text
  )
}

/** Words in front of a name, such as "written by". */
const by =
  /^(?:(?:article|blog|post|story|words?|text|photos?)\s+)?(?:(?:written|posted|published|authored|reviewed|created|contributed)\s+)?(?:by|von|par|por|di|af|av|door|autor(?:e|in)?|author|auteur|автор|written by)\b\s*:?\s*/iu

/** Marks the end of a name: a date, a role or another part of the byline follows. */
const end = /\s+[|•·⋅–—-]\s+|[|•·⋅\n]|[,:]\s|\s+(?:on|am|le|in|for|at|updated|published|posted)\s|\d/iu

const noName =
  /^(?:on\s|in\s|at\s).*|^(?:admin(?:istrator)?|guest|user|unknown|author|editor|by|about|share|read more|follow|view|more|all posts|home|n\/?a|none|null|undefined|root|website|webmaster)$/i

/** A name of people or of an editorial team; undefined for anything else. */
const nameIn = (text: string | undefined): string | undefined => {
  const plain = squeeze((text ?? "").slice(0, 400)).replace(by, "")
  const ended = plain.slice(0, end.exec(plain)?.index ?? plain.length).replace(/\s*\([^)]*\)$|[\s,.:;–—-]+$/u, "")
  const name = squeeze(ended)
  const words = name.split(" ").length
  if (!/\p{L}{2}/u.test(name) || name.length > maxName || words > maxNameWords) return undefined
  return /[@/\\<>{}=]|https?:|\bwww\./i.test(name) || noName.test(name) ? undefined : name
}

/** True for a user name instead of a person's name: one word in lower case. */
const isLogin = (name: string): boolean => /^[\p{Ll}\d_.-]+$/u.test(name)

interface Candidate {
  readonly rank: number
  readonly name: string
}

const outside =
  /comment|related|sidebar|footer|recommend|popular|latest|recent|trending|teaser|promo|widget-area|newsletter|reply/i
const authorClass =
  /(?:^|[\s_-])(?:author|authors|byline|by-line|writer|contributor|vcard|submitted)(?=$|[\s_-])|author-?name|byline/i
/** Names of the parts of a byline that do not contain the author's name. */
const notName = /bio|avatar|image|img|photo|social|date|time|box|description|about|follow|links?(?=$|[\s_-])/i

const isOutside = (element: Element): boolean => isBeside(element, outside)

const metaAuthors = [
  "author",
  "article:author",
  "parsely-author",
  "sailthru.author",
  "dc.creator",
  "DC.creator",
  "dcterms.creator",
  "citation_author",
  "byl"
]

const declaredAuthors = (items: PageItems, metadata: PageMetadata): ReadonlyArray<Candidate> => {
  const found: Array<Candidate> = []
  // Only the items of JSON-LD: microdata may also name the authors of other articles on the page.
  for (const item of articlesOf(items.slice(0, 1))) {
    const authors = [...valuesAt(item, ["author"], items), ...valuesAt(item, ["creator"], items)]
    const isTeam = (value: unknown) => isObject(value) && [value["@type"]].flat().includes("Organization")
    const names = authors.map((value) => ({ isTeam: isTeam(value), name: nameIn(textOfValue(value)) }))
    const persons = names.flatMap(({ isTeam, name }) => (isTeam || name === undefined ? [] : [name]))
    if (persons.length > 0) found.push({ rank: 1, name: [...new Set(persons)].join(", ") })
    for (const { name } of names) if (name !== undefined) found.push({ rank: 6, name })
  }
  // Labels of preview cards (`twitter:label1`), such as "Written by".
  for (const number of [1, 2]) {
    const [label = ""] = textsOf(metadata[`twitter:label${number}`])
    const name = by.test(label) ? nameIn(textsOf(metadata[`twitter:data${number}`])[0]) : undefined
    if (name !== undefined) found.push({ rank: 2, name })
  }
  for (const text of metaAuthors.flatMap((key) => textsOf(metadata[key]))) {
    const name = nameIn(text)
    if (name !== undefined) found.push({ rank: 5, name })
  }
  return found
}

/** Maximum elements in a byline. An element with more is not one. */
const maxInside = 200

/** The first line of an element that is a name; undefined if the element is too large for a byline. */
const nameOf = (element: Element): string | undefined => {
  const inside = every(element, () => true, maxInside + 1)
  if (inside.length > maxInside) return undefined
  const inner = inside.find(
    ({ attributes }) => attributes.itemprop === "name" || /(?:^|\s)fn(?=\s|$)/.test(attributes.class ?? "")
  )
  const lines = toText([inner ?? element]).text.split("\n", 4)
  return lines.map(nameIn).find((name) => name !== undefined)
}

/** The element after a label like "Author". */
const nextTo = (label: Element): Element | undefined => {
  for (
    let each: Element | undefined = label, level = 0;
    each?.parent !== undefined && level < 2;
    each = each.parent, level++
  ) {
    const siblings = each.parent.children.filter(isElement)
    const next = siblings[siblings.indexOf(each) + 1]
    if (next !== undefined) return next
  }
  return undefined
}

/** Maximum characters of a byline. */
const maxByline = 400

const shownAuthors = (elements: ReadonlyArray<Element>): ReadonlyArray<Candidate> => {
  const found: Array<Candidate> = []
  for (const element of elements) {
    const { attributes } = element
    const marks = `${attributes.class ?? ""} ${attributes.id ?? ""}`
    const property = attributes.itemprop ?? attributes.property
    const rank =
      property === "author" || attributes.rel?.split(/\s+/).includes("author") === true
        ? 2
        : attributes.class !== undefined && authorClass.test(marks) && !notName.test(marks)
          ? /name/i.test(marks)
            ? 3
            : 3.5
          : undefined
    const [first] = element.children
    const isBy = rank === undefined && typeof first === "string" && by.test(first.trim())
    if ((rank === undefined && !isBy) || !isShown(element) || isOutside(element)) continue
    if (attributes.content !== undefined) {
      const name = nameIn(attributes.content)
      if (name !== undefined) found.push({ rank: rank ?? 4, name })
      continue
    }
    const text = startOf(element, maxByline, true)
    const isLabel = isBy && text.replace(by, "") === ""
    const holder = isLabel ? nextTo(element) : element
    const name = holder === undefined || text.length >= maxByline ? undefined : nameOf(holder)
    if (name !== undefined && (!isBy || /^\p{Lu}/u.test(name))) found.push({ rank: rank ?? 4, name })
  }
  return found
}

const readAuthor = (elements: ReadonlyArray<Element>, items: PageItems, metadata: PageMetadata): string | undefined => {
  const candidates = [...declaredAuthors(items, metadata), ...shownAuthors(elements)]
  const weighted = candidates.map(({ name, rank }) => ({ name, rank: isLogin(name) ? rank + 10 : rank }))
  return weighted.sort((one, other) => one.rank - other.rank)[0]?.name
}

export const readArticle = (tree: Tree, items: PageItems, metadata: PageMetadata, dates: PageDates): Article => {
  const elements = descendantsOf(tree.body ?? tree.root).slice(0, maxElements)
  const [section] = [
    ...textsOf(metadata["article:section"]),
    ...articlesOf(items).flatMap((item) =>
      valuesAt(item, ["articleSection"], items).flatMap((each) => textOfValue(each) ?? [])
    )
  ]
  return {
    title: readTitle(elements, items, metadata),
    author: readAuthor(elements, items, metadata),
    ...dates,
    section: section === undefined ? undefined : squeeze(section).slice(0, maxTitle)
  }
}
