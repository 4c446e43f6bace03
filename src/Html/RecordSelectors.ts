/** CSS selectors for records and for elements in them. Returns a selector only if it matches exactly these elements. */
import { type Element, isElement } from "./Element.ts"
import { isLastingName } from "./LastingNames.ts"

/** Parts of the selector for one element (compound selector). */
interface Compound {
  readonly tag: string
  readonly classes: ReadonlyArray<string>
  readonly id?: string
  readonly itemprop?: string
}

const isPlain = (name: string): boolean => /^[A-Za-z_][\w-]*$/.test(name)

/** Classes, those first that are likely to survive a redesign. */
const classesOf = ({ attributes }: Element): ReadonlyArray<string> =>
  (attributes.class ?? "")
    .split(/\s+/)
    .filter(isPlain)
    .toSorted((a, b) => Number(isLastingName(b)) - Number(isLastingName(a)))

const written = ({ classes, id, itemprop, tag }: Compound): string =>
  id !== undefined
    ? `#${id}`
    : itemprop !== undefined
      ? `[itemprop="${itemprop}"]`
      : `${tag}${classes.map((name) => `.${name}`).join("")}`

const matches = ({ attributes, name }: Element, { classes, id, itemprop, tag }: Compound): boolean => {
  if (id !== undefined) return attributes.id === id
  if (itemprop !== undefined) return (attributes.itemprop ?? "").split(/\s+/).includes(itemprop)
  if (name !== tag) return false
  if (classes.length === 0) return true
  const text = attributes.class ?? ""
  // Quick check: rejects most elements without splitting their class.
  if (!classes.every((each) => text.includes(each))) return false
  const own = text.split(/\s+/)
  return classes.every((each) => own.includes(each))
}

const maxClasses = 6

/** Compound selectors that match all of the elements, best first. */
const compoundsOf = (elements: ReadonlyArray<Element>): ReadonlyArray<Compound> => {
  const [first] = elements
  if (first === undefined) return []
  const { id, itemprop } = first.attributes
  const tag = first.name
  const property = (itemprop ?? "").split(/\s+/).find(isPlain)
  const found: Array<Compound> = []
  if (elements.length === 1 && id !== undefined && isLastingName(id)) found.push({ tag, classes: [], id })
  if (property !== undefined && elements.every((element) => matches(element, { tag, classes: [], itemprop: property })))
    found.push({ tag, classes: [], itemprop: property })
  if (elements.some(({ name }) => name !== tag)) return found
  const sets = elements.map((element) => new Set(classesOf(element)))
  const common = classesOf(first)
    .filter((name) => sets.every((own) => own.has(name)))
    .slice(0, maxClasses)
  for (const name of common) found.push({ tag, classes: [name] })
  if (common.length > 1) found.push({ tag, classes: common })
  found.push({ tag, classes: [] })
  return found
}

const parentsOf = (elements: ReadonlyArray<Element>): ReadonlyArray<Element> => [
  ...new Set(elements.flatMap(({ parent }) => parent ?? []))
]

/** Maximum levels above the records whose ids and classes are tried. */
const maxLevels = 5

/** A selector for the records among all elements of a page; undefined if there is no simple one. */
export const selectorOf = (records: ReadonlyArray<Element>, all: ReadonlyArray<Element>): string | undefined => {
  const own = compoundsOf(records)
  const found = own.map((compound) => all.filter((element) => matches(element, compound)))
  const exact = own.find((_, at) => found[at]?.length === records.length)
  if (exact !== undefined) return written(exact)
  let above = parentsOf(records)
  for (let level = 0; level < maxLevels && above.length > 0; level++) {
    for (const outer of compoundsOf(above)) {
      // Above the parent, try only elements with a class or an id: a tag alone says too little.
      if (level > 0 && outer.classes.length === 0 && outer.id === undefined) continue
      const inside = level === 0 ? undefined : elementsBelow(outer, all)
      for (const [at, inner] of own.entries()) {
        const count = (found[at] ?? []).filter((element) =>
          inside === undefined ? element.parent !== undefined && matches(element.parent, outer) : inside.has(element)
        ).length
        if (count === records.length) return `${written(outer)} ${level === 0 ? "> " : ""}${written(inner)}`
      }
    }
    above = parentsOf(above)
  }
  return undefined
}

/** All elements below the ones that match `outer`; `all` is in document order. */
const elementsBelow = (outer: Compound, all: ReadonlyArray<Element>): ReadonlySet<Element> => {
  const found = new Set<Element>()
  for (const element of all) {
    const { parent } = element
    if (parent !== undefined && (found.has(parent) || matches(parent, outer))) found.add(element)
  }
  return found
}

/** For each record, the elements in it in document order. */
export type Inside = ReadonlyArray<ReadonlyArray<Element>>

/**
 * A selector whose first match in each record is the record's target, and that matches nothing in records without one. Undefined if no
 * simple selector does.
 */
export const innerSelectorOf = (targets: ReadonlyArray<Element | undefined>, inside: Inside): string | undefined => {
  const present = targets.filter((target) => target !== undefined)
  const isRight = (test: (element: Element) => boolean): boolean =>
    inside.every((elements, at) => elements.find(test) === targets[at])
  for (const compound of compoundsOf(present)) {
    if (isRight((element) => matches(element, compound))) return written(compound)
  }
  for (const outer of compoundsOf(parentsOf(present)))
    for (const inner of compoundsOf(present)) {
      const isMatch = (element: Element) =>
        matches(element, inner) && element.parent !== undefined && matches(element.parent, outer)
      if (isRight(isMatch)) return `${written(outer)} > ${written(inner)}`
    }
  return undefined
}

/** An element around this one that contains nothing else, such as the heading around a link, if it is better; otherwise the element. */
export const wholeOf = (element: Element, isBetter: (around: Element) => boolean): Element => {
  for (let around = element.parent; around !== undefined; around = around.parent) {
    if (around.children.filter((child) => isElement(child) || /\S/.test(child)).length > 1) return element
    if (isBetter(around)) return around
  }
  return element
}
