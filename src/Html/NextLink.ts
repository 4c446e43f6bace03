/** Finds links to the next page of a list: by selector, by `rel`, or by label. */
import * as Either from "effect/Either"
import { canParse } from "../Api/Url.ts"
import { type Element, isElement, squeeze } from "./Element.ts"
import { altIn, textStart } from "./FieldText.ts"
import type { PageUrls } from "./PageUrls.ts"
import { parseQuery } from "./Select.ts"
import type { Tree } from "./Tree.ts"

type Page = { readonly tree: Tree; readonly urls: PageUrls }

/** Finds the links to the next page: absolute URLs without fragments, in page order. */
export type FindNext = (page: Page) => ReadonlyArray<string>

type Way =
  | string
  | {
      readonly css?: string | undefined
      readonly rel?: string | undefined
      readonly label?: string | ReadonlyArray<string> | undefined
    }

const isDisabled = ({ attributes }: Element): boolean =>
  attributes["aria-disabled"] === "true" || /(?:^|[\s_-])disabled(?:\s|$)/i.test(attributes.class ?? "")

/** Absolute URL of a link; undefined for `javascript:` and for links that a pager shows as disabled. */
export const addressOf = (link: Element, urls: PageUrls): string | undefined => {
  const { href } = link.attributes
  if (href === undefined || isDisabled(link) || (link.parent !== undefined && isDisabled(link.parent))) return undefined
  const address = urls.link(href)?.replace(/#.*$/s, "")
  return address !== undefined && /^https?:/i.test(address) ? address : undefined
}

const linkIn = (element: Element): Element | undefined => {
  for (const child of element.children) {
    if (!isElement(child)) continue
    const found = child.attributes.href !== undefined ? child : linkIn(child)
    if (found !== undefined) return found
  }
  return undefined
}

const linkAround = (element: Element): Element | undefined =>
  element.attributes.href !== undefined ? element : element.parent && linkAround(element.parent)

const addressesOf = (links: ReadonlyArray<Element | undefined>, urls: PageUrls): ReadonlyArray<string> => [
  ...new Set(links.flatMap((link) => (link === undefined ? [] : (addressOf(link, urls) ?? []))))
]

/** The label without arrows and other symbols around it, unless it consists only of them. */
const plain = (label: string): string => {
  const text = squeeze(label).toLowerCase()
  return text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "") || text
}

/** Maximum characters of a label. */
const maxLabel = 200

/** Labels of a link: visible ones, and those read by screen readers. */
export const labelsOf = (link: Element): ReadonlyArray<string> => {
  const { "aria-label": aria, title } = link.attributes
  return [textStart(link, maxLabel), aria, title, altIn(link)].flatMap((label) =>
    label === undefined ? [] : plain(label)
  )
}

const hasRelation = ({ attributes: { rel } }: Element, relation: string): boolean =>
  (rel ?? "").toLowerCase().split(/\s+/).includes(relation)

/** Maximum elements that a selector may match. */
const maxMatches = 10_000

/** Compiles a selector, `rel` or label to a function that finds links; the left side is the reason why the selector is invalid. */
export const compileNext = (way: Way): Either.Either<FindNext, string> => {
  const { css, label, rel } = typeof way === "string" ? { css: way } : way
  if (css !== undefined) {
    return Either.map(
      parseQuery(css),
      (query): FindNext =>
        ({ tree, urls }) => {
          const found = query.all(tree.root, maxMatches)
          return addressesOf(
            found.map((each) => (each.attributes.href !== undefined ? each : (linkIn(each) ?? linkAround(each)))),
            urls
          )
        }
    )
  }
  if (rel !== undefined) {
    const relation = rel.toLowerCase()
    return Either.right(({ tree, urls }) =>
      addressesOf(
        [...tree.relations, ...tree.anchors].filter((link) => hasRelation(link, relation)),
        urls
      )
    )
  }
  const labels = [label ?? []].flat().map(plain)
  return Either.right(({ tree, urls }) =>
    addressesOf(
      tree.anchors.filter((link) => labelsOf(link).some((each) => labels.includes(each))),
      urls
    )
  )
}

const hostOf = (address: string): string | undefined =>
  canParse(address) ? new URL(address).host.replace(/^www\./, "") : undefined

/** True if both URLs have the same host, with or without `www.`. */
export const isSameSite = (one: string, other: string): boolean => hostOf(one) === hostOf(other)
