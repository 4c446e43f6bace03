/**
 * Microdata items as defined by the HTML standard: `{ type, id?, properties }`, with a list of values for each property. More tolerant than
 * the standard: `content` counts on every element, images may be lazily loaded, scripts and styles are not text, a property without text
 * has the alternative text of an image as its value, and a property outside of any item may itself be an item.
 */
import { descendantsOf, type Element, indexIds, isElement } from "./Element.ts"
import { altIn, readAddress, readMarked, shownText } from "./FieldText.ts"
import type { PageUrls } from "./PageUrls.ts"
import type { Tree } from "./Tree.ts"

export interface MicrodataItem {
  readonly type?: ReadonlyArray<string>
  readonly id?: string
  readonly properties: Readonly<Record<string, ReadonlyArray<MicrodataValue>>>
}

type MicrodataValue = string | MicrodataItem

/** Maximum elements visited per page, and nesting depth: with `itemref`, an element may be part of many items, and items may nest. */
const [maxVisits, maxDepth] = [400_000, 600]

/** Maximum characters kept per value, and in total: nested properties repeat their text. */
const [maxValue, maxText] = [200_000, 20_000_000]

const words = (text: string | undefined): ReadonlyArray<string> => [
  ...new Set((text ?? "").split(/\s+/).filter((word) => word !== ""))
]

/** All top-level items. Calls `warn` if a limit was reached. */
export const readMicrodata = (
  tree: Tree,
  urls: PageUrls,
  warn: (text: string) => void
): ReadonlyArray<MicrodataItem> => {
  if (!tree.tags.some(({ tag }) => tag.attributes.itemscope !== undefined)) return []
  const elements = descendantsOf(tree.root)
  const byId = indexIds(elements)
  /** Items that are property values of other items. */
  const placed = new Set<Element>()
  let [visits, depth, characters, isCut] = [0, 0, 0, false]

  const textFrom = (element: Element): string => {
    if (characters > maxText) return ""
    const text = (shownText(element) || (altIn(element) ?? "")).slice(0, maxValue)
    characters += text.length
    return text
  }

  const valueOf = (element: Element): string => readMarked(element) ?? readAddress(element, urls) ?? textFrom(element)

  /** Items around the current element: an item that contains itself by `itemref` is left out. */
  const around = new Set<Element>()
  const itemOf = (scope: Element): MicrodataItem => {
    around.add(scope)
    const properties = new Map<string, Array<MicrodataValue>>()
    const seen = new Set<Element>()
    const visit = (element: Element): void => {
      if (seen.has(element)) return
      seen.add(element)
      if (++visits > maxVisits || depth >= maxDepth) {
        isCut = true
        return
      }
      depth++
      const { attributes } = element
      const isScope = attributes.itemscope !== undefined
      const names = words(attributes.itemprop)
      if (names.length > 0 && !around.has(element)) {
        const value = isScope ? itemOf(element) : valueOf(element)
        if (isScope) placed.add(element)
        for (const name of names) {
          const values = properties.get(name)
          if (values === undefined) properties.set(name, [value])
          else values.push(value)
        }
      }
      if (!isScope) visitChildren(element)
      depth--
    }
    const visitChildren = ({ children }: Element): void => {
      for (const child of children) if (isElement(child)) visit(child)
    }
    visitChildren(scope)
    for (const id of words(scope.attributes.itemref)) {
      const other = byId.get(id)
      if (other !== undefined) visit(other)
    }
    around.delete(scope)
    const type = words(scope.attributes.itemtype)
    const { itemid } = scope.attributes
    return {
      ...(type.length === 0 ? {} : { type }),
      ...(itemid === undefined ? {} : { id: urls.resolve(itemid) ?? itemid.trim() }),
      properties: Object.fromEntries(properties)
    }
  }

  const scopes = elements.filter(({ attributes }) => attributes.itemscope !== undefined)
  const items = scopes.filter(({ attributes }) => attributes.itemprop === undefined).map((element) => itemOf(element))
  for (const element of scopes)
    if (element.attributes.itemprop !== undefined && !placed.has(element)) items.push(itemOf(element))
  if (isCut || characters > maxText) warn("the microdata is too large: only its beginning was read")
  return items
}
