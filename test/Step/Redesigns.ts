/** Twelve kinds of redesign of the sites, and the pages of a site before and after one. */
import { chance, fraction, whole, words } from "../Health/Random.ts"
import { Box, h, type Item, type Site } from "./RedesignSites.ts"

type Body = ReadonlyArray<Box>

/** Changes a box whose children are changed already; undefined leaves it as it is. */
type Change = (box: Box) => Box | undefined

const changed = (box: Box, change: Change): Box => {
  const children = box.children.map((child) => (child instanceof Box ? changed(child, change) : child))
  const next = new Box(box.tag, box.attributes, children, box.role)
  return change(next) ?? next
}
const everywhere =
  (change: Change) =>
  (body: Body): Body =>
    body.map((box) => changed(box, change))

interface Parts {
  readonly tag?: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly children?: ReadonlyArray<Box | string>
}
const but = (box: Box, { attributes = box.attributes, children = box.children, tag = box.tag }: Parts): Box =>
  new Box(tag, attributes, children, box.role)

const boxesOf = (box: Box): ReadonlyArray<Box> => box.children.filter((child) => child instanceof Box)

const without = (box: Box, isGone: (name: string) => boolean): Box =>
  but(box, { attributes: Object.fromEntries(Object.entries(box.attributes).filter(([name]) => !isGone(name))) })

const withClasses = (box: Box, rename: (name: string) => string): Box | undefined =>
  box.attributes.class === undefined
    ? undefined
    : but(box, { attributes: { ...box.attributes, class: box.attributes.class.split(" ").map(rename).join(" ") } })

const isUtility = (name: string): boolean =>
  /^(?:[mpw][trblxy]?|max-w|text|flex|grid|font|gap|col|items|bg|tracking|prose|columns|row|table)(?:-|$)/.test(name)

const first = ["lead", "panel", "unit", "entry", "stage", "sheet", "front", "frame", "shelf", "board", "slot", "facet"]
const second = ["head", "line", "figure", "note", "mark", "body", "main", "sum", "tag", "text", "part", "info", "top"]
const newName = (site: string, name: string): string =>
  `${words(first, site, name, 1)}-${words(second, site, name, 2)}__${words(second, site, name, 3)}`

const letters = (length: number, ...parts: ReadonlyArray<string>): string =>
  Array.from({ length }, (_, at) => words([..."abcdefghijkmnpqrstuvwxyz"], ...parts, at)).join("")
/** As emotion, CSS modules and styled-components write them. */
const hashes: ReadonlyArray<(site: string, name: string) => string> = [
  (site, name) => `css-${whole(1, 9, site, name)}${letters(4, site, name)}${whole(0, 9, site, name, "b")}`,
  (site, name) =>
    `${newName(site, name).split("-")[0]}_${letters(5, site, name, "m")}__${whole(1, 9, site, name)}${letters(3, site, name)}`,
  (site, name) =>
    `sc-${letters(6, site, name, "sc")} ${letters(3, site, name)}${letters(3, site, name, "u").toUpperCase()}`
]

/** Reverses children of which some go together, such as dt and dd. */
const reversed = (box: Box, size: number): Box => {
  const all = boxesOf(box)
  const groups = Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
  return but(box, { children: groups.reverse().flat() })
}

const isCell = ({ tag }: Box) => tag === "td" || tag === "th"

const reorder: Change = (box) => {
  if (box.tag === "dl") return reversed(box, 2)
  if (box.tag === "tbody" && boxesOf(box).every(({ role }) => role !== "row")) return reversed(box, 1)
  const all = boxesOf(box)
  if (box.tag === "tr" && all.length > 2 && all.every(isCell)) return reversed(box, 1)
  return all.filter(({ role }) => role === "block").length > 1 ? reversed(box, 1) : undefined
}

/** Labels of the columns of a table with a header. */
const labelsOf = (table: Box): ReadonlyArray<string> =>
  boxesOf(table)
    .filter(({ tag }) => tag === "thead")
    .flatMap((head) => boxesOf(head).flatMap((row) => boxesOf(row).map((cell) => String(cell.children[0]))))

const cardsOf = (table: Box): Box => {
  const labels = labelsOf(table)
  const body = boxesOf(table).find(({ tag }) => tag === "tbody")
  const rows = body === undefined ? [] : boxesOf(body)
  if (labels.length === 0)
    return h(
      "dl.key-facts",
      ...rows.flatMap((row) => boxesOf(row).map((cell) => but(cell, { tag: cell.tag === "th" ? "dt" : "dd" })))
    )
  const cardOf = (row: Box) =>
    new Box(
      "article",
      { class: "result-card" },
      boxesOf(row).map((cell, at) =>
        at === 0
          ? h("div.result-card__head", ...cell.children)
          : h(
              "p.result-card__line",
              h("span.result-card__label@label", labels[at] ?? ""),
              h("span.result-card__value", ...cell.children)
            )
      ),
      "row"
    )
  return new Box("div", { class: "result-cards" }, rows.map(cardOf), table.role)
}

const listOf = (facts: Box): Box => {
  const all = boxesOf(facts)
  return new Box(
    "ul",
    { class: "fact-list" },
    all.flatMap((term, at) =>
      term.tag === "dt"
        ? [h("li.fact", h("b@label", ...term.children, ":"), " ", h("span", ...(all[at + 1]?.children ?? [])))]
        : []
    ),
    facts.role
  )
}

const translations: Readonly<Record<string, string>> = {
  SKU: "Référence",
  Weight: "Poids",
  Brand: "Marque",
  "Article number": "Référence",
  Gewicht: "Weight",
  Marke: "Brand",
  Artikelnummer: "Article number",
  "Art.-Nr.": "Item no.",
  Licence: "Lizenz",
  Topic: "Thema",
  Author: "Verfasser",
  Replies: "Antworten",
  "Last post": "Letzter Beitrag",
  Yield: "Portionen",
  Calories: "Energie",
  Location: "Standort",
  Salary: "Gehalt",
  Start: "Beginn",
  Posted: "Veröffentlicht",
  "Register number": "Registernummer",
  Seat: "Sitz",
  Founded: "Gegründet",
  "Last change": "Letzte Änderung",
  "Share capital": "Stammkapital",
  Company: "Firma",
  Number: "Nummer",
  Changed: "Geändert",
  "Living area": "Wohnfläche",
  Town: "Ort",
  Published: "Erschienen",
  ISBN: "ISBN-13",
  Shelfmark: "Signatur"
}

/** A price in a box of another name: currency and amount apart, the currency behind, or the cents small. */
const split = (site: Site): Change => {
  const how = whole(0, 2, site.name, "split")
  return (box) => {
    const [shown] = box.children
    if (box.role !== "price" || typeof shown !== "string") return undefined
    const amount = shown.replace(/[$€\s]/g, "")
    const sign = shown.includes("$") ? "$" : "€"
    const name = newName(site.name, box.attributes.class ?? box.tag)
    const own = but(
      without(box, (each) => each === "id"),
      { attributes: { class: name } }
    )
    if (how === 0) return but(own, { children: [h("span.cur", sign), h("span.amt", amount)] })
    if (how === 1) return but(own, { children: [`${amount} ${sign === "$" ? "USD" : "EUR"}`] })
    const [, major = amount, minor = ""] = /^(.*)([.,]\d\d)$/.exec(amount) ?? []
    return but(own, {
      children: [h("b.major", major), ...(minor === "" ? [] : [h("sup.minor", minor)]), h("i.unit", sign)]
    })
  }
}

const tags: Readonly<Record<string, string>> = {
  h1: "div",
  h2: "div",
  h3: "p",
  h4: "div",
  b: "span",
  strong: "span",
  i: "em",
  em: "span",
  tt: "code",
  code: "span",
  cite: "h3",
  address: "p",
  article: "div",
  section: "div",
  li: "div",
  ul: "div",
  ol: "div",
  del: "s",
  ins: "span",
  small: "span",
  time: "span"
}

const isMicrodata = (name: string) => /^item(?:prop|scope|type)$/.test(name)
const isJsonLd = ({ attributes, tag }: Box) => tag === "script" && attributes.type === "application/ld+json"

export interface Redesign {
  readonly kind: string
  readonly change: (body: Body, site: Site, items: ReadonlyArray<Item>) => Body
}

export const redesigns: ReadonlyArray<Redesign> = [
  {
    kind: "renamed classes",
    change: (body, { name }) =>
      everywhere((box) => withClasses(box, (each) => (isUtility(each) ? each : newName(name, each))))(body)
  },
  {
    kind: "hashed classes",
    change: (body, { name }) => {
      const hash = hashes[whole(0, 2, name, "hash")]
      return everywhere((box) => withClasses(box, (each) => hash?.(name, each) ?? each))(body)
    }
  },
  {
    kind: "wrappers",
    change: (body) => [
      h(
        "div#__next",
        h(
          "div.layout",
          ...everywhere((box) =>
            box.role === "row" && box.tag !== "tr"
              ? but(box, { children: [h("div.inner", h("div.content", ...box.children))] })
              : box.role === "block"
                ? h("div.inner", box)
                : box.tag === "td"
                  ? but(box, { children: [h("span.inner", ...box.children)] })
                  : undefined
          )(body)
        )
      )
    ]
  },
  { kind: "reordered blocks", change: everywhere(reorder) },
  {
    kind: "table to cards, dl to list",
    change: everywhere((box) => (box.tag === "table" ? cardsOf(box) : box.tag === "dl" ? listOf(box) : undefined))
  },
  { kind: "microdata dropped", change: everywhere((box) => without(box, isMicrodata)) },
  {
    kind: "JSON-LD dropped or added",
    change: (body, _, items) =>
      body.some(isJsonLd)
        ? body.filter((box) => !isJsonLd(box))
        : [
            ...body,
            ...items.map(({ title, ...item }) =>
              h(
                "script",
                { type: "application/ld+json" },
                JSON.stringify({ "@context": "https://schema.org", "@type": "Product", name: title, ...item })
              )
            )
          ]
  },
  {
    kind: "labels translated",
    change: everywhere((box) =>
      box.role !== "label"
        ? undefined
        : but(box, {
            children: box.children.map((each) => (typeof each === "string" ? (translations[each] ?? each) : each))
          })
    )
  },
  { kind: "price split", change: (body, site) => everywhere(split(site))(body) },
  { kind: "tags changed", change: everywhere((box) => but(box, { tag: tags[box.tag] ?? box.tag })) },
  {
    kind: "ids removed",
    change: everywhere((box) => without(box, (name) => name === "id" || name.startsWith("data-")))
  },
  {
    kind: "related moved before",
    change: (body) => [
      ...body.filter(({ role }) => role === "related"),
      ...body.filter(({ role }) => role !== "related")
    ]
  }
]

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const htmlOf = (box: Box | string): string => {
  if (typeof box === "string") return escaped(box)
  const attributes = Object.entries(box.attributes).map(
    ([name, value]) => ` ${name}="${escaped(value).replaceAll('"', "&quot;")}"`
  )
  const inner = box.tag === "script" ? box.children.join("") : box.children.map(htmlOf).join("")
  return `<${box.tag}${attributes.join("")}>${inner}</${box.tag}>`
}

/** The text of a box without spaces. */
const bareText = (box: Box | string): string =>
  typeof box === "string" ? box.replace(/\s+/g, "") : box.children.map(bareText).join("")

const rowsIn = (box: Box): ReadonlyArray<Box> => (box.role === "row" ? [box] : boxesOf(box).flatMap(rowsIn))

export interface SitePage {
  readonly url: string
  readonly html: string
  /** Items of the page: one, or the rows of the list. */
  readonly items: ReadonlyArray<Item>
  /** Texts of the rows without spaces. */
  readonly rows: ReadonlyArray<string>
}

export interface SiteDays {
  readonly before: ReadonlyArray<SitePage>
  /** Pages of today at the addresses of `before`, without those that are gone. */
  readonly shown: ReadonlyArray<SitePage>
  /** Pages of today that nobody has seen before. */
  readonly heldOut: ReadonlyArray<SitePage>
}

const pageOf = (
  site: Site,
  url: string,
  items: ReadonlyArray<Item>,
  more: ReadonlyArray<Item>,
  redesign?: Redesign
): SitePage => {
  const body = site.body(items, more)
  const title = site.definition.rows === undefined ? String(items[0]?.title) : "All results"
  const head = `<head><meta charset="utf-8"><title>${escaped(title)} | ${site.name}</title><meta property="og:title" content="${escaped(title)}"></head>`
  const main = redesign === undefined ? body : redesign.change(body, site, items)
  const frame = [
    h(
      "header.site-header",
      h("a.logo", { href: "/" }, site.name),
      h("nav", h("a", { href: "/a" }, "Start"), h("a", { href: "/b" }, "Contact"))
    ),
    ...main,
    h("footer.site-footer", h("p", "All rights reserved. ", h("b", "Updated daily")))
  ]
  return {
    url,
    items,
    rows: main.flatMap(rowsIn).map(bareText),
    html: `<!doctype html><html lang="${site.lang}">${head}<body>${frame.map(htmlOf).join("\n")}</body></html>`
  }
}

/** A third of the prices has changed by less than 20 %; some shops then show the price from before beside it. */
const today = (item: Item, ...parts: ReadonlyArray<string | number>): Item => {
  const next: Record<string, string | number> = { ...item }
  for (const key of ["price", "salary"]) {
    const now = item[key]
    if (typeof now !== "number" || !chance(0.3, ...parts, key)) continue
    const rate = 1 + (fraction(...parts, "up") < 0.5 ? -1 : 1) * (0.03 + 0.15 * fraction(...parts, "rate"))
    const changedPrice = Number.isInteger(now) ? Math.round(now * rate) : Math.round(now * rate) - 0.01
    next[key] = changedPrice
    if (key === "price" && item.old !== undefined && changedPrice < now) next.old = now
    else if (typeof item.old === "number" && item.old <= changedPrice) next.old = 0
  }
  return next
}

/** The pages of a site on the day of its last good run, and after a redesign. One item has gone and one is new. */
export const daysOf = (site: Site, redesign: Redesign, seed: string): SiteDays => {
  const parts = [seed, site.name, redesign.kind]
  const isList = site.definition.rows !== undefined
  const count = whole(6, 12, ...parts, "count")
  const start = whole(0, 500, ...parts, "start")
  const known = Array.from({ length: count }, (_, at) => site.item(start + at))
  const fresh = Array.from({ length: 4 }, (_, at) => site.item(start + count + at))
  const gone = whole(0, count - 1, ...parts, "gone")
  const now = known.map((item, at) => today(item, ...parts, at))
  const address = (at: number | string) => `https://${site.name}.example/${isList ? "list" : "item"}/${at}`
  // Related items are of the same catalogue: some of the known ones, some others.
  const moreAt = (items: ReadonlyArray<Item>, at: number, day: string): ReadonlyArray<Item> =>
    [2, 3, 4].map((by) =>
      chance(0.5, ...parts, at, by, day) ? (items[(at + by) % count] ?? {}) : site.item(start + 700 + at + by)
    )
  const old = (items: ReadonlyArray<Item>, at: number) => pageOf(site, address(at), items, moreAt(known, at, "before"))
  const next = (items: ReadonlyArray<Item>, at: number) =>
    pageOf(site, address(at), items, moreAt(now, at, "after"), redesign)
  if (!isList)
    return {
      before: known.map((item, at) => old([item], at)),
      shown: now.flatMap((item, at) => (at === gone ? [] : [next([item], at)])),
      heldOut: fresh.slice(1).map((item, at) => next([item], count + at))
    }
  const [added = {}, ...others] = fresh
  return {
    before: [old(known, 0)],
    shown: [next([added, ...now.filter((_, at) => at !== gone)], 0)],
    heldOut: [next(others, 1)]
  }
}

/** Whether the redesign changes anything of the site. */
export const isChangedBy = (site: Site, redesign: Redesign): boolean => {
  const [items, more] = [
    [1, 2],
    [3, 4, 5]
  ].map((each) => each.map(site.item))
  const own = site.definition.rows === undefined ? (items ?? []).slice(0, 1) : (items ?? [])
  return pageOf(site, "", own, more ?? []).html !== pageOf(site, "", own, more ?? [], redesign).html
}
