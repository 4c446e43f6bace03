/** The pictures that stand for a site: its logo, its icon, the one it is shared with. */

import { linkedData } from "../Html/Metadata.ts"
import type { PageUrls } from "../Html/PageUrls.ts"
import type { Element, Tree } from "../Html/Tree.ts"

const maxDepth = 6

/** `logo` in what a page says of itself for machines: an address, or an object with one. */
const logoIn = (value: unknown, depth = 0): string | undefined => {
  if (typeof value !== "object" || value === null || depth > maxDepth) return undefined
  if ("logo" in value) {
    const { logo } = value
    if (typeof logo === "string") return logo
    if (typeof logo === "object" && logo !== null && "url" in logo && typeof logo.url === "string") return logo.url
  }
  for (const inner of Object.values(value).slice(0, 200)) {
    const found = logoIn(inner, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

const namedLogo = ({ dated }: Tree): string | undefined => {
  for (const value of linkedData(dated, '"logo"')) {
    const found = logoIn(value)
    if (found !== undefined) return found
  }
  return undefined
}

const around = (element: Element, most: number): ReadonlyArray<Element> => {
  const found: Array<Element> = []
  for (let each = element.parent; each !== undefined && found.length < most; each = each.parent) found.push(each)
  return found
}

const labelOf = ({ attributes }: Element): string =>
  `${attributes.class ?? ""} ${attributes.id ?? ""} ${attributes["aria-label"] ?? ""}`

const weigh = (image: Element): number => {
  const { alt = "", src = "" } = image.attributes
  const parents = around(image, 12)
  const near = parents.slice(0, 3)
  const home = near.find(({ name }) => name === "a")?.attributes.href
  return (
    (/\blogo/i.test(`${labelOf(image)} ${alt}`) || /logo/i.test(src.slice(-200)) ? 4 : 0) +
    (near.some((element) => /logo|brand/i.test(labelOf(element))) ? 3 : 0) +
    (parents.some(({ name }) => name === "header" || name === "nav") ? 2 : 0) +
    (home !== undefined && /^(?:\/|https?:\/\/[^/]+\/?|\.\/)$/.test(home) ? 2 : 0) -
    (parents.some(({ name }) => name === "footer" || name === "main" || name === "article") ? 3 : 0)
  )
}

const logoImage = ({ images }: Tree): Element | undefined => {
  const best = images
    .slice(0, 300)
    .map((element, at) => ({ element, weight: weigh(element) - at / 1_000 }))
    .sort((one, other) => other.weight - one.weight)[0]
  return best === undefined || best.weight < 3.5 ? undefined : best.element
}

const relationOf = ({ relations }: Tree, name: string): string | undefined =>
  relations.find(({ attributes }) => (attributes.rel ?? "").toLowerCase().split(/\s+/).includes(name))?.attributes.href

const metaOf = ({ metas }: Tree, name: string): string | undefined =>
  metas.find(({ attributes }) => (attributes.property ?? attributes.name)?.toLowerCase() === name)?.attributes.content

/** Absolute; what the page has none of is left out. */
export const imagesOf = (tree: Tree, urls: PageUrls) => {
  const image = logoImage(tree)
  const resolve = (href: string | undefined) => (href === undefined ? undefined : urls.resolve(href))
  const shown = image === undefined ? undefined : urls.image(image)
  const logo =
    shown !== undefined && /^https?:/.test(shown) ? shown : resolve(metaOf(tree, "og:logo") ?? namedLogo(tree))
  return {
    logo,
    favicon: resolve(relationOf(tree, "icon") ?? relationOf(tree, "apple-touch-icon")),
    ogImage: resolve(metaOf(tree, "og:image") ?? metaOf(tree, "twitter:image"))
  }
}
