/** Trees of boxes, of which the simulated sites make their pages. */
import type { Extraction } from "../../src/Step/Extract/Repair.ts"
import { between, pick, whole } from "../Health/Random.ts"

type Attributes = Readonly<Record<string, string>>

/** An element. Its role is known to redesigns and never written into the page. */
export class Box {
  readonly tag: string
  readonly attributes: Attributes
  readonly children: ReadonlyArray<Box | string>
  readonly role: string
  constructor(tag: string, attributes: Attributes, children: ReadonlyArray<Box | string>, role = "") {
    this.tag = tag
    this.attributes = attributes
    this.children = children
    this.role = role
  }
}

type Part = Box | string | Attributes | undefined

/** `h("p.price.text-lg#now@price", "$12")`: tag, classes, id, and behind the @ the role. */
export const h = (shape: string, ...parts: ReadonlyArray<Part>): Box => {
  const [written = "", role] = shape.split("@")
  const names = (sign: string) => written.split(/(?=[.#])/).flatMap((each) => (each[0] === sign ? [each.slice(1)] : []))
  const [classes, [id]] = [names("."), names("#")]
  const attributes: Record<string, string> = {}
  if (id !== undefined) attributes.id = id
  if (classes.length > 0) attributes.class = classes.join(" ")
  const children: Array<Box | string> = []
  for (const part of parts) {
    if (part instanceof Box || typeof part === "string") children.push(part)
    else Object.assign(attributes, part)
  }
  return new Box(/^\w+/.exec(written)?.[0] ?? "div", attributes, children, role)
}

/** Values of an item by the names of the fields, and some that only the page shows. */
export type Item = Readonly<Record<string, string | number>>

export interface Site {
  readonly name: string
  readonly lang: string
  /** The definition of the step. With `rows` the site has lists, without it a page an item. */
  readonly definition: Extraction
  readonly item: (at: number) => Item
  /** The body of a page about these items; `more` are related ones. */
  readonly body: (items: ReadonlyArray<Item>, more: ReadonlyArray<Item>) => ReadonlyArray<Box>
}

export const cents = (low: number, high: number, ...parts: ReadonlyArray<string | number>) =>
  Math.round(between(low, high, ...parts)) - 0.01
// Formatters are made once: making one takes longer than the rest of a page.
const [english, german, plain] = [
  new Intl.NumberFormat("en-US", { minimumFractionDigits: 2 }),
  new Intl.NumberFormat("de-DE", { minimumFractionDigits: 2 }),
  new Intl.NumberFormat("en-US")
]
const dates = Object.fromEntries(
  ["en-GB", "de-DE"].map((locale) => [
    locale,
    new Intl.DateTimeFormat(locale, { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" })
  ])
)
export const dollars = (price: unknown) => `$${english.format(Number(price))}`
export const euros = (price: unknown) => `${german.format(Number(price))} €`
export const round = (price: unknown) => `€${plain.format(Number(price))}`
export const day = (...parts: ReadonlyArray<string | number>) =>
  new Date(Date.UTC(2025, 0, 1 + whole(0, 500, ...parts))).toISOString().slice(0, 10)
export const long = (date: unknown, locale = "en-GB") => dates[locale]?.format(new Date(`${date}`)) ?? ""
export const text = (value: unknown) => String(value)
export const ld = (type: string, value: object) =>
  h(
    "script",
    { type: "application/ld+json" },
    JSON.stringify({ "@context": "https://schema.org", "@type": type, ...value })
  )
const towns = ["Aachen", "Bergen", "Cork", "Delft", "Eupen", "Faro", "Ghent", "Hasselt", "Izola", "Jena"] as const
export const town = (...parts: ReadonlyArray<string | number>) => pick([...towns], ...parts, "town")
export const firm = (...parts: ReadonlyArray<string | number>) =>
  `${pick(["Nordlicht", "Bluewater", "Kestrel", "Ostwind", "Larch", "Pinion", "Harrow"], ...parts, "firm")} ${pick(["GmbH", "Ltd", "BV", "AG"], ...parts, "form")}`
export const facts = (rows: ReadonlyArray<readonly [string, unknown]>) =>
  rows.flatMap(([label, value]) => [
    h("dt.facts__term.text-sm@label", label),
    h("dd.facts__value.font-medium", text(value))
  ])
export const lines = (rows: ReadonlyArray<readonly [string, unknown]>) =>
  rows.map(([label, value]) => h("tr", h("th@label", { scope: "row" }, label), h("td.data", text(value))))
export const cells = (values: ReadonlyArray<Box | string>) => values.map((value) => h("td", value))
export const header = (labels: ReadonlyArray<string>) =>
  h("thead", h("tr", ...labels.map((label) => h("th@label", label))))
