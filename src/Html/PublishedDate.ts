/**
 * Days on which a page was published and last changed, as its author states them. Reads JSON-LD and `<meta>`, then elements marked as
 * dates, the URL, dates beside words like "published", and the first complete date in the text.
 */
import { readDate } from "../Values/Date.ts"
import { type Element, isBeside, isElement, squeeze, startOf, textOf } from "./Element.ts"
import { linkedDataWith } from "./LinkedData.ts"
import { isObject } from "./Metadata.ts"
import type { Tree } from "./Tree.ts"

/** Days as `YYYY-MM-DD`. */
export interface PageDates {
  readonly published: string | undefined
  readonly modified: string | undefined
}

/** A possible date of the page. The lowest rank wins; among equal ranks, the first in the page. */
interface Candidate {
  readonly kind: "published" | "modified"
  readonly rank: number
  readonly day: string
}

const publishedNames =
  /^(?:(?:og:|rnews:|schema:)?(?:article:)?(?:published_time|publishedtime|published|pubdate|publishdate|publish_date|publish-date|publication_date|publication-date|publicationdate|datepublished|date-publish|date_published|release_date|releasedate|originalpublicationdate|date|displaydate|timestamp)|(?:dc|dcterms|dcsext|dc\.date|dc\.terms)[.:](?:date|issued|created|date\.issued|date\.created|available|articlefirstpublished)|dc\.date|sailthru\.date|parsely-pub-date|cxenseparse:(?:recs:)?publishtime|citation_(?:online_|publication_)?date|shareaholic:article_published_time|bt:pubdate|vr:published_time|article[.:](?:created|published|date_original)|pdate|ptime|created|citation_date|originaldate|date_gmt|gentime)$/i
const modifiedNames =
  /^(?:(?:og:|schema:)?(?:article:)?(?:modified_time|updated_time|modified|updated|datemodified|lastmod|last-modified|lastmodified|revised)|(?:dc|dcterms)[.:](?:modified|date\.modified)|dateupdate|article[.:]updated|utime|mtime)$/i

/** Matches classes and ids of elements that may contain the date of the page. */
const dateClass =
  /(?:^|[\s_-])(?:date|dates|datum|fecha|data|time|timestamp|published|publish|pubdate|posted|posted-on|entry-date|postdate|meta|byline|dateline|created|submitted|updated|info|fechas?|veröffentlicht)(?=$|[\s_-])|(?:post|article|entry|publish|published|create|news|story)[_-]?(?:date|time|meta|info)|date[_-]?(?:time|published|posted|created)|byline|dateline|datetime/i
const changedClass = /modif|updat|aktualis|stand/i
const outside = /comment|related|sidebar|footer|recommend|teaser|widget|popular|latest|recent|navigation|copyright/i

/** Words in front of a publication date, and of a modification date. */
const publishedLabel =
  /(?:publi(?:shed|é|ée|cado|cada|cato|cata|kováno|kované|cerat|ceret|sert|cation|cación)|posted|erstellt|veröffentlicht|erschienen|geplaatst|gepubliceerd|dodano|опубликован|дата|ημερομηνία|yayın|đăng)(?:\s(?:on|am|le|il|el|em|dne|dnia))?\W{0,4}$/i
const changedLabel =
  /(?:updated|modified|aktualisiert|geändert|stand|mis à jour|actualizado|actualizada|aggiornato|atualizado|bijgewerkt|zaktualizowano|aktualizováno|обновлено|güncelle\p{L}*)\W{0,4}(?:on|am|le|el|il|em)?\W{0,4}$/iu

/** Matches text that may contain a date with its year: a year of four digits, or three numbers such as 3.4.21. */
const hasYear = /(?<!\d)(?:19|20)\d\d(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d\d(?!\d)|[٠-٩०-९০-৯๐-๙]{4}/

const address = /[/_.-]((?:19|20)\d\d)[/_.-]?(0[1-9]|1[0-2])[/_.-]?(0[1-9]|[12]\d|3[01])(?=[/_.-]|$)/

/** Earliest plausible publication day. */
const earliest = "1995-01-01"

/** Ranks of dates in plain text, and of those in margins. */
const [textRank, marginRank] = [9, 10]

const [maxVisited, maxText, maxTexts] = [50_000, 160, 400]

/** JSON-LD types that describe only a part of the page. */
const partType = /comment|review|rating|offer|person|organi[sz]ation|image|breadcrumb|answer|question/i

/** Matches dates in scripts, such as those passed to analytics. */
const inScript =
  /["']?\b(publication_?date|publish_?(?:ed_?)?(?:date|at|time)|created_?at)["']?\s*[:=]\s*["'](\d{4}-\d\d-\d\d)/i

const statements = (tree: Tree, name: string): ReadonlyArray<string> => {
  const open: Array<unknown> = [...linkedDataWith(tree, `"${name}"`)]
  const found: Array<string> = []
  for (let at = 0; at < open.length && at < 500; at++) {
    const value = open[at]
    if (Array.isArray(value)) open.push(...value.slice(0, 500))
    else if (isObject(value)) {
      const date = value[name]
      const isPart = [value["@type"]].flat().some((type) => typeof type === "string" && partType.test(type))
      if (typeof date === "string" && !isPart) found.push(date)
      open.push(value["@graph"], value.mainEntity, value.mainEntityOfPage)
    }
  }
  return found
}

const isOutside = (element: Element): boolean => isBeside(element, outside)

/** Canonical URL that the page declares. */
const canonical = (tree: Tree): string =>
  tree.relations.find(({ attributes }) => attributes.rel?.toLowerCase() === "canonical")?.attributes.href ??
  tree.metas.find(({ attributes }) => attributes.property?.toLowerCase() === "og:url")?.attributes.content ??
  ""

const isNeighbour = (day: string, other: string | undefined): boolean =>
  other !== undefined && Math.abs(Date.parse(day) - Date.parse(other)) <= 86_400_000

/** Reads the dates of a page. Dates after `now` are not believed. */
export const publishedDate = (tree: Tree, url: string | undefined, now: number): PageDates => {
  const locale = tree.html?.attributes.lang ?? tree.html?.attributes["xml:lang"]
  const latest = new Date(now + 86_400_000).toISOString().slice(0, 10)
  const candidates: Array<Candidate> = []
  const add = (kind: Candidate["kind"], rank: number, text: string | undefined) => {
    if (text === undefined || text.length > 2 * maxText || !/\d/.test(text)) return
    const day = dayOf(text, locale, now)
    if (day !== undefined && day >= earliest && day <= latest) candidates.push({ kind, rank, day })
  }
  for (const value of statements(tree, "datePublished")) add("published", 1, value)
  for (const value of statements(tree, "uploadDate")) add("published", 3.5, value)
  for (const value of statements(tree, "dateModified")) add("modified", 1, value)
  for (const { attributes } of tree.metas.slice(0, 500)) {
    for (const name of [attributes.name, attributes.property, attributes.itemprop, attributes["http-equiv"]]) {
      if (name === undefined || name.length > 60) continue
      if (publishedNames.test(name)) add("published", /time|publi/i.test(name) ? 2 : 3, attributes.content)
      else if (modifiedNames.test(name)) add("modified", 2, attributes.content)
    }
  }
  const [, year, month, day] = address.exec((url ?? canonical(tree)).replace(/^[a-z]+:\/\/[^/]*/i, "")) ?? []
  const inAddress = year === undefined ? undefined : `${year}-${month}-${day}`
  // A date stated in UTC may be off by one day; the URL has the author's local day.
  const isNear = candidates.some((each) => each.kind === "published" && isNeighbour(each.day, inAddress))
  add("published", isNear ? 0 : 4, inAddress)
  for (const script of tree.dated.filter(({ name }) => name === "script").slice(0, 100)) {
    const [, name = "", date] = inScript.exec(textOf(script).slice(0, 200_000)) ?? []
    add("published", /publi/i.test(name) ? 4.5 : 8.5, date)
  }
  readElements(tree.body ?? tree.root, add)
  const best = (kind: Candidate["kind"], most: number) =>
    candidates.filter((each) => each.kind === kind && each.rank <= most).sort((one, other) => one.rank - other.rank)[0]
      ?.day
  const modified = best("modified", textRank)
  // A date found anywhere in the text is less reliable than a modification date.
  return { published: best("published", textRank - 1) ?? modified ?? best("published", marginRank), modified }
}

/** The first date in text, as a day. */
const dayOf = (text: string, locale: string | undefined, now: number): string | undefined => {
  const iso = /^\s*(\d{4}-\d\d-\d\d)(?:T|\s|$)/.exec(text)?.[1]
  const whole = readDate(iso ?? text, { now, locale })?.day
  if (whole !== undefined || !hasYear.test(text)) return whole
  // Text after the year, like the end of an event, does not belong to the date.
  const start = /^.*?(?<!\d)(?:19|20)\d\d(?!\d)/.exec(text)?.[0]
  const begun = start === undefined ? undefined : readDate(start, { now, locale })?.day
  if (begun !== undefined) return begun
  for (const part of text.split(/[|•·–—;()\n]|\s-\s|,\s(?=\D{12})/)) {
    const day = hasYear.test(part) ? readDate(part, { now, locale })?.day : undefined
    if (day !== undefined) return day
  }
  return undefined
}

type Add = (kind: Candidate["kind"], rank: number, text: string | undefined) => void

/** Visits the elements in page order, and adds dates from marked elements, `<time>`, classes for dates, and text with a year. */
const readElements = (body: Element, add: Add): void => {
  const open: Array<readonly [node: Element | string, parent: Element]> = [[body, body]]
  let texts = 0
  let before = ""
  for (let visited = 0; visited < maxVisited; visited++) {
    const next = open.pop()
    if (next === undefined) return
    const [node, parent] = next
    if (!isElement(node)) {
      const text = squeeze(node.slice(0, 4 * maxText))
      if (text === "") continue
      if (text.length <= maxText && texts < maxTexts && hasYear.test(text)) {
        texts++
        const isChanged = changedLabel.test(before) || changedLabel.test(text.replace(/\d.*$/, ""))
        const isLabelled = publishedLabel.test(before) || publishedLabel.test(text.replace(/\d.*$/, ""))
        add(isChanged ? "modified" : "published", isOutside(parent) ? marginRank : isLabelled ? 7 : textRank, text)
      }
      before = text.slice(-60)
      continue
    }
    if (node.layout === "unseen" || node.name === "script" || node.name === "style") continue
    readMarks(node, add)
    for (let at = node.children.length - 1; at >= 0; at--) open.push([node.children[at] ?? "", node])
  }
}

const readMarks = (element: Element, add: Add): void => {
  const { attributes, name } = element
  const property = attributes.itemprop ?? attributes.property
  const value = attributes.datetime ?? attributes.content ?? attributes.title
  if (property !== undefined && /datepublished|datecreated|dateissued/i.test(property))
    add("published", 3, value ?? startOf(element, maxText, true))
  if (property !== undefined && /datemodified/i.test(property))
    add("modified", 3, value ?? startOf(element, maxText, true))
  const marks = `${attributes.class ?? ""} ${attributes.id ?? ""}`
  const isTime = name === "time" || name === "relative-time"
  const isMarked = isTime || name === "abbr" || attributes.rel === "bookmark" || dateClass.test(marks)
  if (!isMarked || marks.length > 300 || isOutside(element)) return
  const kind = changedClass.test(marks) ? "modified" : "published"
  const rank = isTime ? (/publish|entry-date|pubdate/i.test(marks) || attributes.pubdate !== undefined ? 5 : 6) : 8
  add(kind, rank, attributes.datetime ?? attributes.title ?? startOf(element, maxText, true))
  if (attributes.datetime !== undefined) add(kind, rank + 0.5, startOf(element, maxText, true))
}
