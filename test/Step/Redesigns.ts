/** Twelve kinds of redesign of the simulated sites. */
import { whole, words } from "../Health/Random.ts"
import { Box, h, type Item, type Site } from "./RedesignBox.ts"

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

export const boxesOf = (box: Box): ReadonlyArray<Box> => box.children.filter((child) => child instanceof Box)

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

/** Seven of the kinds at the same time. */
export const relaunch: Redesign = {
  kind: "several at once",
  change: (body, site, items) =>
    redesigns
      .filter(({ kind }) => /^(?:renamed|wrappers|reordered|JSON-LD|price|tags|related)/.test(kind))
      .reduce((so, { change }) => change(so, site, items), body)
}
