/**
 * Finds the paging of a list: a link to its next page, page numbers, or a button that loads more.
 *
 * A link counts only if its URL belongs to another page of the same list: it has a higher page number, or a known paging
 * parameter. A link to the next article, month or picture is not a next page.
 */
import * as Either from "effect/Either"
import { canParse } from "../Api/Url.ts"
import { descendantsOf, type Element } from "./Element.ts"
import { textStart } from "./FieldText.ts"
import { addressOf, compileNext, isSameSite, labelsOf } from "./NextLink.ts"
import type { PageUrls } from "./PageUrls.ts"
import { parseQuery } from "./Select.ts"
import type { Tree } from "./Tree.ts"

export interface FoundPaging {
  /** Field of the step `scrape`: `next` or `loadMore`. */
  readonly step: { readonly next: string | object } | { readonly loadMore: string }
  /** Number of the last page, if a pager shows it. */
  readonly last: number | undefined
}

const pageParameter =
  /^(?:page|pages|p|pg|pn|paged|pageno|page_?num(?:ber)?|page_?index|currentpage|seite|pagina|página|strona|sida|side|start|offset|from|skip|first|begin|cursor|after|page_info|pagefrom|continue|limitstart|[\w-]*[_-]page)$/i

/** Matches a path whose number is marked as a page number. */
const pagePath = /^(.*?)(?:[/_-](?:page|p|pg|seite|pagina|strona|sida)[/_=-]?)(\d{1,5})(\/|\.html?|\.php)?$/i

/** Matches any number at the end of a path: it is a page number only if a pager confirms that. */
const numberedPath = /^(.*?)[/_-](\d{1,4})(\/|\.html?|\.php)?$/

const ofTime =
  /\b(?:month|year|week|day|today|monat|woche|jahr|tag|mois|semaine|année|jour|mes|semana|año|calendar|kalender)/i

/** Difference between the URLs of two pages of a list: the page number, offset or cursor of the other page. */
interface Step {
  /** Query parameter that has the value; undefined for a number in the path. */
  readonly param: string | undefined
  readonly value: string
  /** True if the number counts as a page number only if links of a pager confirm it. */
  readonly needsPager: boolean
}

const numberOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : undefined

const bare = (path: string): string => path.replace(/\/+$/, "")

/** The step to another page of the same list; undefined for any other URL. */
const stepTo = (from: URL, address: string): Step | undefined => {
  if (!canParse(address) || !isSameSite(address, from.href)) return undefined
  const to = new URL(address)
  const changed = [...new Set([...from.searchParams.keys(), ...to.searchParams.keys()])].filter(
    (name) => from.searchParams.get(name) !== to.searchParams.get(name)
  )
  if (bare(to.pathname) === bare(from.pathname)) {
    // The URL of the first page may lack parameters that the other pages have.
    const paging = changed.filter((name) => pageParameter.test(name) && to.searchParams.has(name))
    const others = changed.filter((name) => !paging.includes(name) && from.searchParams.has(name))
    const [param] = paging
    if (param === undefined || paging.length > 1 || others.length > 0) return undefined
    return { param, value: to.searchParams.get(param) ?? "", needsPager: false }
  }
  if (changed.length > 0) return undefined
  for (const [pattern, needsPager] of [
    [pagePath, false],
    [numberedPath, true]
  ] as const) {
    const [, base, value = ""] = pattern.exec(to.pathname) ?? []
    if (base === undefined) continue
    const [, own] = pattern.exec(from.pathname) ?? []
    const isYear = /(?:^|\/)(?:19|20)\d\d(?:[/-]\d{1,2})?$/.test(base) || /^(?:19|20)\d\d$/.test(value)
    if (isYear) return undefined
    if (bare(base) === bare(own ?? from.pathname.replace(/(?:\.html?|\.php)$/, "")))
      return { param: undefined, value, needsPager }
  }
  return undefined
}

/** True if the step leads to a higher number than that of the page, or to another cursor. */
const goesOn = (from: URL, { param, value }: Step): boolean => {
  const to = numberOf(value)
  const own =
    param === undefined
      ? (pagePath.exec(from.pathname) ?? numberedPath.exec(from.pathname))?.[2]
      : from.searchParams.get(param)
  const before = numberOf(own ?? undefined)
  if (to === undefined) return value !== "" && value !== own
  if (before === undefined) return to > 0
  return to > before
}

const nextLabels = new Set(
  "next|next page|next results|older|older posts|older entries|more|go to next page|nächste|nächste seite|weiter|vor|ältere beiträge|suivant|suivante|page suivante|articles plus anciens|siguiente|página siguiente|successivo|successiva|pagina successiva|avanti|volgende|volgende pagina|próximo|próxima|próxima página|następna|další|nästa|næste|neste|seuraava|следующая|вперед|次へ|下一页|下一頁|다음|›|»|>|>>|→|❯".split(
    "|"
  )
)

const isNextLabel = (label: string): boolean => nextLabels.has(label) || /^next \d+$/.test(label)

const moreLabels =
  /^(?:load more(?: .{1,30})?|(?:show|view|see) more (?:results|products|items|posts|articles|entries|jobs|listings)|more results|mehr laden|mehr (?:ergebnisse|produkte|artikel|beiträge) (?:laden|anzeigen)|weitere (?:ergebnisse|produkte|artikel|beiträge|einträge)(?: laden| anzeigen)?|(?:charger|afficher|voir) plus(?: de .{1,30})?|cargar más(?: .{1,30})?|ver más resultados|carica (?:altro|altri)(?: .{1,30})?|meer laden|załaduj więcej|carregar mais)$/i

const classesOf = ({ attributes }: Element): ReadonlyArray<string> =>
  (attributes.class ?? "")
    .split(/\s+/)
    .filter((name) => /^[a-z][\w-]{1,40}$/i.test(name) && !/^(?:active|disabled|js-)/.test(name))

/** Selectors of an element by its id, its classes, and those of its parent. */
const selectorsOf = (element: Element): ReadonlyArray<string> => {
  const { name, parent } = element
  const id = element.attributes.id
  const own = classesOf(element)
  return [
    ...own.filter((each) => /next|older|more/i.test(each)).map((each) => `${name}.${each}`),
    ...(parent === undefined
      ? []
      : classesOf(parent)
          .filter((each) => /next|older|previous|more/i.test(each))
          .map((each) => `.${each} > ${name}`)),
    ...(id !== undefined && /^[a-z][\w-]{1,40}$/i.test(id) ? [`#${id}`] : []),
    ...own.map((each) => `${name}.${each}`)
  ]
}

interface Link {
  readonly element: Element
  readonly address: string
  readonly step: Step
}

/** The most durable way for the step `scrape` to find the link: by `rel`, selector or label. Its first match must be the link. */
const wayTo = (page: { readonly tree: Tree; readonly urls: PageUrls }, link: Link): string | object | undefined => {
  const label =
    textStart(link.element, 60).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "") ||
    link.element.attributes["aria-label"] ||
    textStart(link.element, 60)
  const ways: ReadonlyArray<string | { readonly rel: string } | { readonly label: string }> = [
    { rel: "next" },
    ...selectorsOf(link.element).filter((each) => /next|older/i.test(each)),
    ...(label === "" || /^\d+$/.test(label) ? [] : [{ label }]),
    ...selectorsOf(link.element)
  ]
  return ways.find((way) => {
    const find = compileNext(way)
    return Either.isRight(find) && find.right(page)[0] === link.address
  })
}

/** Number of the last page: the highest number that a link shows; if URLs count pages, also the highest in a URL. */
const lastOf = (
  from: URL,
  links: ReadonlyArray<Link>,
  numbered: ReadonlyArray<Link>,
  next: Step
): number | undefined => {
  const own = numberOf((next.param === undefined ? undefined : from.searchParams.get(next.param)) ?? undefined) ?? 1
  const isCounted = next.param !== undefined && numberOf(next.value) === own + 1
  const alike = isCounted ? links.filter(({ step }) => step.param === next.param) : []
  const numbers = [
    ...numbered.map(({ element }) => numberOf(/\d+/.exec(textStart(element, 20))?.[0])),
    ...alike.map(({ step }) => numberOf(step.value))
  ].flatMap((number) => number ?? [])
  const last = Math.max(0, ...numbers)
  return last > (numbered.length > 0 ? own : own + 1) ? last : undefined
}

/** Maximum links to the next page that are examined: pagers stand above and below their lists. */
const maxNext = 10

/** Finds the paging of a page; undefined if there is none. `url` is the page's URL. */
export const findPaging = (tree: Tree, urls: PageUrls, url: string | undefined): FoundPaging | undefined => {
  const from = url !== undefined && canParse(url) ? new URL(url) : undefined
  if (from !== undefined) {
    const links = tree.anchors.concat(tree.relations).flatMap((element): ReadonlyArray<Link> => {
      const address = addressOf(element, urls)
      const step = address === undefined ? undefined : stepTo(from, address)
      return address === undefined || step === undefined ? [] : [{ element, address, step }]
    })
    const numbered = links.filter(
      ({ element }) => numberOf(textStart(element, 20).replace(/^(?:page|seite)\s+/i, "")) !== undefined
    )
    const isPager = new Set(numbered.map(({ address }) => address)).size > 1
    const next = links.filter(({ element, step }) => {
      const { attributes } = element
      if (!goesOn(from, step) || (step.needsPager && !isPager)) return false
      const labels = labelsOf(element)
      if (labels.some((label) => ofTime.test(label)) || ofTime.test(attributes.class ?? "")) return false
      return /(?:^|\s)next(?:\s|$)/i.test(attributes.rel ?? "") || labels.some(isNextLabel)
    })
    for (const link of next.slice(0, maxNext)) {
      const way = wayTo({ tree, urls }, link)
      if (way !== undefined) return { step: { next: way }, last: lastOf(from, links, numbered, link.step) }
    }
    const param = isPager
      ? numbered.find(({ element, step }) => step.value === textStart(element, 20))?.step.param
      : undefined
    if (param !== undefined) {
      const step = { param, value: "2", needsPager: true }
      return { step: { next: { page: { param } } }, last: lastOf(from, links, numbered, step) }
    }
  }
  const buttons = descendantsOf(tree.body ?? tree.root).filter((element) => {
    const { attributes, name } = element
    const isButton =
      name === "button" || attributes.role === "button" || (name === "a" && addressOf(element, urls) === undefined)
    return isButton && moreLabels.test(textStart(element, 60).replace(/[^\p{L}\p{N}]+$/u, ""))
  })
  const [button] = buttons
  // If there are several buttons, each one expands its own record.
  if (button === undefined || buttons.length > 1) return undefined
  const selector = [...selectorsOf(button), button.name].find((css) => {
    const query = parseQuery(css)
    const found = Either.isRight(query) ? query.right.all(tree.root, 2) : []
    return found.length === 1 && found[0] === button
  })
  return selector === undefined ? undefined : { step: { loadMore: selector }, last: undefined }
}
