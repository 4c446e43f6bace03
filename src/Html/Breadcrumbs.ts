/** The path of a page in its site, as its breadcrumbs show it. */
import { hides } from "./Boilerplate.ts"
import { type Element, isElement, squeeze, startOf } from "./Element.ts"
import { elementsOf } from "./Microdata.ts"
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

/** Signs between two crumbs. A hyphen or a slash inside a name has no space beside it. */
const separators = /[>»›→▸▶⟩❯|·•\u{e000}-\u{f8ff}]+|(?:^|\s)[/\\\-–—:]+(?=\s|$)/u

const leadsNowhere = /^\s*(?:$|#|javascript:)/i

const crumbsIn = (trail: Element, resolve: (href: string) => string): ReadonlyArray<Breadcrumb> => {
  const found: Array<Breadcrumb> = []
  const visit = ({ children }: Element): void => {
    for (const child of children) {
      if (found.length >= maxCrumbs) return
      if (!isElement(child)) {
        for (const part of child.slice(0, 10 * maxName).split(separators)) {
          const name = squeeze(part)
          if (name !== "") found.push({ name: name.slice(0, maxName) })
        }
      } else if (child.name === "a") {
        const name = startOf(child, maxName)
          .split(separators)
          .map(squeeze)
          .filter((part) => part !== "")
          .join(" ")
        const href = child.attributes.href ?? "#"
        if (name !== "") found.push({ name, ...(leadsNowhere.test(href) ? {} : { url: resolve(href.trim()) }) })
      } else if (child.layout !== "unseen" && !hides(child)) visit(child)
    }
  }
  visit(trail)
  return found
}

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value)

const textFrom = (value: unknown): string | undefined => (typeof value === "string" ? squeeze(value) : undefined)

/** Of a `BreadcrumbList` in JSON-LD. */
const listed = (nodes: ReadonlyArray<unknown>, resolve: (href: string) => string): ReadonlyArray<Breadcrumb> => {
  const all = nodes.filter(isNode).flatMap((node) => [node, ...[node["@graph"], node.breadcrumb].flat().filter(isNode)])
  const list = all.find((node) => [node["@type"]].flat().includes("BreadcrumbList"))
  return [list?.itemListElement]
    .flat()
    .filter(isNode)
    .slice(0, maxCrumbs)
    .toSorted((a, b) => Number(a.position ?? 0) - Number(b.position ?? 0))
    .flatMap((element) => {
      const item = isNode(element.item) ? element.item : {}
      const name = textFrom(element.name) ?? textFrom(item.name)
      const url = textFrom(element.item) ?? textFrom(item["@id"]) ?? textFrom(item.url)
      return name === undefined || name === "" ? [] : [{ name, ...(url === undefined ? {} : { url: resolve(url) }) }]
    })
}

/** From the page's marked trail; without one, from its JSON-LD. */
export const readBreadcrumbs = (
  tree: Tree,
  linkedData: ReadonlyArray<unknown>,
  resolve: (href: string) => string
): ReadonlyArray<Breadcrumb> => {
  const trail = elementsOf(tree.root).find((element) => isTrail(element) && !hides(element))
  const shown = trail === undefined ? [] : crumbsIn(trail, resolve)
  return shown.length > 0 ? shown : listed(linkedData, resolve)
}
