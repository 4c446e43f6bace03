/** Microdata as the items of the HTML standard: `{ type, id?, properties }`, with a list of values for each property. */
import { descendantsOf, type Element, indexIds, isElement, textOf } from "./Element.ts"
import type { Tree } from "./Tree.ts"

export interface MicrodataItem {
  readonly type?: ReadonlyArray<string>
  readonly id?: string
  readonly properties: Readonly<Record<string, ReadonlyArray<MicrodataValue>>>
}

type MicrodataValue = string | MicrodataItem

/** Elements that are visited for one page: with `itemref`, one may be visited for many items. */
const maxVisits = 400_000

/** Characters of text that are kept of one value, and of all: nested properties repeat their text. */
const [maxValue, maxText] = [200_000, 20_000_000]

const words = (text: string | undefined): ReadonlyArray<string> => [
  ...new Set((text ?? "").split(/\s+/).filter((word) => word !== ""))
]

const addressOf: ReadonlyMap<string, string> = new Map([
  ...["a", "area", "link"].map((name) => [name, "href"] as const),
  ...["audio", "embed", "iframe", "img", "source", "track", "video"].map((name) => [name, "src"] as const),
  ["object", "data"] as const
])

/** All items at the top. Calls `warn` when a limit cuts them. */
export const readMicrodata = (
  tree: Tree,
  resolve: (href: string) => string,
  warn: (text: string) => void
): ReadonlyArray<MicrodataItem> => {
  if (!tree.tags.some(({ tag }) => tag.attributes.itemscope !== undefined)) return []
  const elements = descendantsOf(tree.root)
  const byId = indexIds(elements)
  let visits = 0
  let characters = 0

  const textFrom = (element: Element): string => {
    if (characters > maxText) return ""
    const text = textOf(element).trim().slice(0, maxValue)
    characters += text.length
    return text
  }

  const valueOf = (element: Element): string => {
    const { attributes, name } = element
    const address = addressOf.get(name)
    if (name === "meta" || attributes.content !== undefined) return attributes.content ?? ""
    if (address !== undefined) {
      const href = attributes[address]
      return href === undefined ? "" : resolve(href)
    }
    if ((name === "data" || name === "meter") && attributes.value !== undefined) return attributes.value
    if (name === "time" && attributes.datetime !== undefined) return attributes.datetime
    return textFrom(element)
  }

  /** `above` are the items around this one: an item that `itemref` makes part of itself is left out. */
  const itemOf = (scope: Element, above: ReadonlySet<Element>): MicrodataItem => {
    const around = new Set(above).add(scope)
    const properties = new Map<string, Array<MicrodataValue>>()
    const seen = new Set<Element>()
    const visit = (element: Element): void => {
      if (seen.has(element) || ++visits > maxVisits) return
      seen.add(element)
      const { attributes } = element
      const isScope = attributes.itemscope !== undefined
      const names = words(attributes.itemprop)
      if (names.length > 0 && !around.has(element)) {
        const value = isScope ? itemOf(element, around) : valueOf(element)
        for (const name of names) {
          const values = properties.get(name)
          if (values === undefined) properties.set(name, [value])
          else values.push(value)
        }
      }
      if (!isScope) visitChildren(element)
    }
    const visitChildren = ({ children }: Element): void => {
      for (const child of children) if (isElement(child)) visit(child)
    }
    visitChildren(scope)
    for (const id of words(scope.attributes.itemref)) {
      const other = byId.get(id)
      if (other !== undefined) visit(other)
    }
    const type = words(scope.attributes.itemtype)
    const { itemid } = scope.attributes
    return {
      ...(type.length === 0 ? {} : { type }),
      ...(itemid === undefined ? {} : { id: resolve(itemid.trim()) }),
      properties: Object.fromEntries(properties)
    }
  }

  const items = elements
    .filter(({ attributes }) => attributes.itemscope !== undefined && attributes.itemprop === undefined)
    .map((element) => itemOf(element, new Set()))
  if (visits > maxVisits || characters > maxText) warn("the microdata is too large: only its beginning was read")
  return items
}
