/** Path of a page within its site, read from its breadcrumbs. */
import { hides } from "./Boilerplate.ts"
import { descendantsOf, type Element, isElement, squeeze, startOf } from "./Element.ts"
import { isObject } from "./Metadata.ts"
import type { Tree } from "./Tree.ts"

export interface Breadcrumb {
  readonly name: string
  readonly url?: string
}

const [maxCrumbs, maxName] = [100, 500]

const isTrail = ({ attributes, name }: Element): boolean =>
  name !== "body" &&
  name !== "html" &&
  /bread-?_?crumb/i.test(
    `${attributes["aria-label"] ?? ""} ${attributes.class ?? ""} ${attributes.id ?? ""} ${attributes.itemtype ?? ""}`
  )

/** Characters that always separate breadcrumbs. */
const strong = /[>»›→▸▶⟩❯|·•\u{e000}-\u{f8ff}]+/u
/** Characters that also occur in page names; as separators they need a space beside them. */
const weak = /(?:^|\s)[/\\\-–—:]+(?=\s|$)/u
const weakAtEnds = /^\s*[/\\\-–—:]+(?=\s|$)|\s[/\\\-–—:]+\s*$/gu

const leadsNowhere = /^\s*(?:$|#|javascript:)/i

const crumbsIn = (trail: Element, resolve: (href: string) => string): ReadonlyArray<Breadcrumb> => {
  const found: Array<Breadcrumb> = []
  // Without links, only the text shows where a breadcrumb ends.
  const hasLinks = descendantsOf(trail).some(({ name }) => name === "a")
  const partsOf = (text: string): ReadonlyArray<string> =>
    text
      .slice(0, 10 * maxName)
      .split(strong)
      .flatMap((part) => (hasLinks ? [part.replace(weakAtEnds, "")] : part.split(weak)))
      .map(squeeze)
      .filter((part) => part !== "")
  const visit = (element: Element, isInside: boolean): void => {
    const isItem = (isInside || element.name === "li") && !isTrail(element)
    for (const child of element.children) {
      if (found.length >= maxCrumbs) return
      if (!isElement(child)) {
        for (const name of partsOf(child)) found.push({ name: name.slice(0, maxName) })
      } else if (child.name === "a") {
        const name = startOf(child, maxName)
          .split(strong)
          .map((part) => squeeze(part.replace(weakAtEnds, "")))
          .filter((part) => part !== "")
          .join(" ")
        const href = child.attributes.href ?? "#"
        if (name !== "") found.push({ name, ...(leadsNowhere.test(href) ? {} : { url: resolve(href.trim()) }) })
      } else if (child.layout !== "unseen" && !hides(child)) {
        // A list inside an item of the breadcrumb list is a menu of that item.
        const isMenu = isItem && (child.name === "ul" || child.name === "ol")
        if (!isMenu) visit(child, isItem)
      }
    }
  }
  visit(trail, false)
  // Drops a label such as "You are here:".
  const [first] = found
  return hasLinks && first?.url === undefined && /[:：]$/.test(first?.name ?? "") ? found.slice(1) : found
}

const textFrom = (value: unknown): string | undefined => (typeof value === "string" ? squeeze(value) : undefined)

/** Breadcrumbs of a `BreadcrumbList` in JSON-LD. */
const listed = (nodes: ReadonlyArray<unknown>, resolve: (href: string) => string): ReadonlyArray<Breadcrumb> => {
  const all = nodes
    .filter(isObject)
    .flatMap((node) => [node, ...[node["@graph"], node.breadcrumb].flat().filter(isObject)])
  const list = all.find((node) => [node["@type"]].flat().includes("BreadcrumbList"))
  return [list?.itemListElement]
    .flat()
    .filter(isObject)
    .slice(0, maxCrumbs)
    .toSorted((a, b) => Number(a.position ?? 0) - Number(b.position ?? 0))
    .flatMap((element) => {
      const item = isObject(element.item) ? element.item : {}
      const name = textFrom(element.name) ?? textFrom(item.name)
      const url = textFrom(element.item) ?? textFrom(item["@id"]) ?? textFrom(item.url)
      return name === undefined || name === "" ? [] : [{ name, ...(url === undefined ? {} : { url: resolve(url) }) }]
    })
}

/** Breadcrumbs from the marked element of the page; without one, from its JSON-LD. */
export const readBreadcrumbs = (
  tree: Tree,
  linkedData: ReadonlyArray<unknown>,
  resolve: (href: string) => string
): ReadonlyArray<Breadcrumb> => {
  const trail = descendantsOf(tree.root).find((element) => isTrail(element) && !hides(element))
  const shown = trail === undefined ? [] : crumbsIn(trail, resolve)
  return shown.length > 0 ? shown : listed(linkedData, resolve)
}
