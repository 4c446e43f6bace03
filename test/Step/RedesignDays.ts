/** The pages of a simulated site before and after a redesign. */
import { chance, fraction, whole } from "../Health/Random.ts"
import { type Box, h, type Item, type Site } from "./RedesignBox.ts"
import { boxesOf, type Redesign } from "./Redesigns.ts"

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
  /** Pages with items that `before` does not have. */
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

/** True if the redesign changes the HTML of the site. */
export const isChangedBy = (site: Site, redesign: Redesign): boolean => {
  const [items, more] = [
    [1, 2],
    [3, 4, 5]
  ].map((each) => each.map(site.item))
  const own = site.definition.rows === undefined ? (items ?? []).slice(0, 1) : (items ?? [])
  return pageOf(site, "", own, more ?? []).html !== pageOf(site, "", own, more ?? [], redesign).html
}
