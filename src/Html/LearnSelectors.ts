/** CSS selectors that find an element, those first that are likely to outlive a change of the page's design. */
import { type Element, isElement } from "./Element.ts"
import { isLastingName } from "./LastingNames.ts"

/** What a selector relies on, for an element or for one around it. */
export type Reliance = "attribute" | "id" | "tag" | "class" | "build" | "position"

export interface Selector {
  readonly css: string
  readonly relies: Reliance
  /** Lower is better: the cost of its parts. */
  readonly cost: number
}

/** Attributes of an element that are looked at. */
const maxAttributes = 20

/** Elements around the found one that a selector may name. */
const maxAbove = 8

/** Attributes whose values say what an element is. */
const stating =
  /^(?:itemprop|property|rel|role|name|aria-label|data-(?:test(?:-?id)?|qa|cy|hook|name|role|field|label|section|component|element))$/

/** Elements that a page has once, or that mark a part of it. */
const telling = new Set([
  "h1",
  "time",
  "address",
  "main",
  "article",
  "header",
  "footer",
  "aside",
  "figcaption",
  "blockquote",
  "dl"
])

/** A class that a build makes up: letters of both cases or digits, and nothing that has to be escaped. */
const isMade = /^(?=.*(?:\d|[a-z][A-Z]))[A-Za-z_][\w-]{4,40}$/

const ownSelectors = ({ attributes, name }: Element): ReadonlyArray<Selector> => {
  const found: Array<Selector> = []
  for (const [key, value] of Object.entries(attributes).slice(0, maxAttributes)) {
    if (value === undefined) continue
    if (key === "id" && isLastingName(value)) found.push({ css: `#${value}`, relies: "id", cost: 1.2 })
    else if (key === "class") {
      for (const each of new Set(value.split(/\s+/).slice(0, 12)))
        if (isLastingName(each)) found.push({ css: `.${each}`, relies: "class", cost: 3 })
        else if (isMade.test(each)) found.push({ css: `.${each}`, relies: "build", cost: 9 })
    } else if (stating.test(key)) {
      const cost = key === "itemprop" || key === "property" || key.startsWith("data-") ? 1 : 2
      if (/^[\w :-]{2,60}$/.test(value) && !/\d/.test(value))
        found.push({ css: `[${key}="${value}"]`, relies: "attribute", cost })
    } else if (/^data-[a-z-]+$/.test(key) && isLastingName(key.slice(5)))
      found.push({ css: `[${key}]`, relies: "attribute", cost: 2.5 })
  }
  if (telling.has(name)) found.push({ css: name, relies: "tag", cost: 2 })
  return found
}

/** `li:nth-of-type(2)`, without the number where it is the only one. */
const placed = (element: Element): string => {
  const same = (element.parent?.children ?? []).filter(
    (each): each is Element => isElement(each) && each.name === element.name
  )
  return same.length < 2 ? element.name : `${element.name}:nth-of-type(${same.indexOf(element) + 1})`
}

/** Selectors by the places of the elements on the way from `above`. */
const byPlace = (way: ReadonlyArray<Element>, anchor: Selector | undefined): Selector => ({
  css: [...(anchor === undefined ? [] : [anchor.css]), ...way.map(placed)].join(" > "),
  relies: "position",
  cost: 10 + way.length + (anchor === undefined ? 5 : anchor.cost / 2)
})

/** Selectors of an element below `scope`, the best first. They may find other elements, too. */
export const selectorsOf = (element: Element, scope: Element): ReadonlyArray<Selector> => {
  const own = ownSelectors(element)
  const plain: Selector = { css: element.name, relies: "tag", cost: 6 }
  const found: Array<Selector> = [...own, ...(element.name === "div" || element.name === "span" ? [] : [plain])]
  const way: Array<Element> = [element]
  for (
    let above = element.parent;
    above !== undefined && above !== scope && way.length <= maxAbove;
    above = above.parent
  ) {
    const anchors = ownSelectors(above)
    // Children of an element, where a list has its records.
    if (way.length === 1)
      for (const anchor of [...anchors, { css: above.name, relies: "tag" as const, cost: 6 }])
        found.push({
          css: `${anchor.css} > ${element.name}`,
          relies: anchor.relies,
          cost: 6 + anchor.cost / 2
        })
    for (const anchor of anchors)
      for (const each of [...own, plain])
        found.push({
          css: `${anchor.css} ${each.css}`,
          relies: each === plain ? anchor.relies : each.relies,
          cost: each.cost + anchor.cost / 2 + 0.5 + way.length / 20
        })
    const best = [...anchors].sort((one, other) => one.cost - other.cost)[0]
    if (best !== undefined) found.push(byPlace(way, best))
    way.unshift(above)
  }
  if (way[0]?.parent === scope || way[0]?.parent?.parent === undefined) found.push(byPlace(way, undefined))
  return found.sort((one, other) => one.cost - other.cost)
}
