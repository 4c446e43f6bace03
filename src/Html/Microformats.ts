/**
 * Microformats2 and the older microformats, by the living parsing specification: `{ type, properties, children?, id? }`, with a list of
 * values for each property. Classes of CSS frameworks that set a height, like `h-full`, do not count as types.
 */
import { classicProperties, classicRoot, classicTypes } from "./ClassicFormats.ts"
import { descendantsOf, Element, indexIds, isElement, tagTest } from "./Element.ts"
import type { PageUrls } from "./PageUrls.ts"
import { innerHtml } from "./Serialize.ts"
import type { Tree } from "./Tree.ts"

export interface MicroformatItem {
  readonly type: ReadonlyArray<string>
  readonly id?: string
  readonly properties: Readonly<Record<string, ReadonlyArray<MicroformatValue>>>
  readonly children?: ReadonlyArray<MicroformatItem>
}

/** Text; for an image also its alternative text, for a part of the page its markup, for a nested item its properties and its text. */
export type MicroformatValue =
  | string
  | { readonly value: string; readonly alt: string }
  | { readonly value: string; readonly html: string }
  | (MicroformatItem & { readonly value: string; readonly html?: string })

/** Maximum nodes visited per page, counted for each item and property that contains them, and maximum characters of text and markup. */
const [maxVisits, maxText] = [500_000, 20_000_000]
/** Maximum depth of elements, and parts of the page that one item may include. */
const [maxDepth, maxIncluded] = [600, 1_000]

const typeName = /^h-(?!(?:auto|full|screen|fit|min|max|px|[sld]vh)$)(?:[a-z\d]+-)?[a-z]+(?:-[a-z]+)*$/
const propertyName = /^(?:p|u|dt|e)-(?:[a-z\d]+-)?[a-z]+(?:-[a-z]+)*$/

const split = (text: string | undefined): ReadonlyArray<string> => text?.match(/[^\t\n\f\r ]+/g) ?? []

const mayBeRoot = tagTest(
  ({ attributes: { class: classes } }) =>
    classes !== undefined && (classicRoot.test(classes) || split(classes).some((name) => typeName.test(name)))
)

interface Types {
  readonly names: ReadonlyArray<string>
  /** True for the types of an item from before microformats2. Its properties have the older names, too, and no properties are implied. */
  readonly isClassic: boolean
}

const typesOf = (element: Element): Types | undefined => {
  if (!mayBeRoot(element)) return undefined
  const classes = split(element.attributes.class)
  const names = [...new Set(classes.filter((name) => typeName.test(name)))]
  if (names.length > 0) return { names: names.sort(), isClassic: false }
  return { names: classicTypes(classes), isClassic: true }
}

const propertiesOf = ({ attributes }: Element, { isClassic, names }: Types): ReadonlyArray<string> => {
  if (attributes.class === undefined && attributes.rel === undefined) return []
  const classes = split(attributes.class)
  if (isClassic) return classicProperties(names, classes, split(attributes.rel))
  return [...new Set(classes.filter((name) => propertyName.test(name)))]
}

const childElements = ({ children }: Element): ReadonlyArray<Element> => children.filter(isElement)

const noText = new Set(["script", "style", "template"])

/** Replacement for an image within text: nothing, its alternative text, or its alternative text or else its URL. */
type ImageText = "none" | "alt" | "altOrAddress"

/** The attribute `key`, if the element has one of these tag names. */
const attributeOf = ({ attributes, name }: Element, names: ReadonlyArray<string>, key: string): string | undefined =>
  names.includes(name) && Object.hasOwn(attributes, key) ? attributes[key] : undefined

const titleOf = (element: Element) => attributeOf(element, ["abbr", "link"], "title")
const valueOf = (element: Element) => attributeOf(element, ["data", "input"], "value")

/** The only child with one of these names, if it has the attribute and is not an item itself. */
const onlyWith = (
  parent: Element,
  names: ReadonlyArray<string>,
  key: string,
  isOnlyChild: boolean
): Element | undefined => {
  const children = childElements(parent)
  const found = children.filter(({ name }) => names.includes(name))
  const [element] = found
  if (element === undefined || found.length > 1 || (isOnlyChild && children.length > 1)) return undefined
  return element.attributes[key] === undefined || typesOf(element) !== undefined ? undefined : element
}

/** Finds an implied property: on the element, on a child, or on a child of its only child. */
const implied = (
  element: Element,
  pairs: ReadonlyArray<readonly [names: ReadonlyArray<string>, key: string]>,
  isOnlyChild: boolean
): readonly [Element, string] | undefined => {
  for (const [names, key] of pairs) if (attributeOf(element, names, key) !== undefined) return [element, key]
  const [only, ...more] = childElements(element)
  const inner = only === undefined || more.length > 0 || typesOf(only) !== undefined ? [] : [only]
  for (const parent of [element, ...inner])
    for (const [names, key] of pairs) {
      const found = onlyWith(parent, names, key, isOnlyChild)
      if (found !== undefined && !(isOnlyChild && found.attributes[key] === "")) return [found, key]
    }
  return undefined
}

// The parts of a date may be in separate elements: day, time and zone (value class pattern).

const day = /^\d{4}-(?:\d\d-\d\d|\d{3})$/
const zone = /^(?:Z|[+-]\d{1,2}:?(?:\d\d)?)$/i
const time = /^(\d{1,2})(?::(\d\d))?(?::(\d\d(?:\.\d+)?))?\s*(?:([ap])\.?m\.?)?\s*(Z|[+-]\d{1,2}:?(?:\d\d)?)?$/i

/** `7pm` as `19:00`; undefined for text that is not a time. */
const timeOf = (text: string): string | undefined => {
  const [, hours, minutes, seconds, half, offset = ""] = time.exec(text) ?? []
  if (hours === undefined || (minutes === undefined && half === undefined)) return undefined
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === "p" ? 12 : 0)
  const end = seconds === undefined ? "" : `:${seconds}`
  return `${String(hour).padStart(2, "0")}:${minutes ?? "00"}${end}${offset}`
}

/** Joins the first day, the first time and the first zone; a complete date is used alone. */
const dateOfParts = (parts: ReadonlyArray<string>): string => {
  const texts = parts.map((part) => part.trim())
  const complete = texts.find((text) => /^\d{4}-\d\d-\d\d[T ]\d/.test(text))
  if (complete !== undefined) return complete
  const times = texts.map(timeOf)
  const date = texts.find((text) => day.test(text))
  const clock = times.find((text) => text !== undefined)
  const offset = texts.find((text) => zone.test(text)) ?? ""
  if (date === undefined && clock === undefined) return texts.join("")
  const whole = `${date ?? ""}${date !== undefined && clock !== undefined ? " " : ""}${clock ?? ""}${offset}`
  // The value class pattern writes the zone without a colon.
  return whole.replace(/([+-]\d\d?):(\d\d)$/, "$1$2")
}

/** Completes a time without a date by the date that the item stated before. */
const addDate = (written: string, date: string | undefined): string =>
  date !== undefined && timeOf(written) !== undefined ? `${date} ${timeOf(written)}` : written

class Reader {
  readonly #urls: PageUrls
  readonly #tree: Tree
  #byId: ReadonlyMap<string, Element> | undefined
  #visits = 0
  #characters = 0

  constructor(tree: Tree, urls: PageUrls) {
    this.#tree = tree
    this.#urls = urls
  }

  get isCut(): boolean {
    return this.#visits > maxVisits || this.#characters > maxText
  }

  /** The items in an element, including itself. */
  itemsIn(element: Element, found: Array<MicroformatItem>): void {
    if (element.name === "template") return
    const types = typesOf(element)
    if (types !== undefined) found.push(this.#item(element, types, 0))
    else for (const child of element.children) if (isElement(child)) this.itemsIn(child, found)
  }

  #resolve(address: string): string {
    const trimmed = address.trim()
    return trimmed === "" ? (this.#urls.base ?? "") : (this.#urls.resolve(trimmed) ?? trimmed)
  }

  #text(element: Element, images: ImageText): string {
    if (this.#characters > maxText) return ""
    const [only = ""] = element.children
    if (element.children.length < 2 && !isElement(only)) {
      this.#characters += only.length
      return only.trim()
    }
    let text = ""
    const visit = ({ children }: Element): void => {
      for (const child of children) {
        if (++this.#visits > maxVisits) return
        if (!isElement(child)) text += child
        else if (child.name === "img" && images !== "none") {
          const { alt, src } = child.attributes
          text += alt ?? (src === undefined || images === "alt" ? "" : ` ${this.#resolve(src)} `)
        } else if (!noText.has(child.name)) visit(child)
      }
    }
    visit(element)
    this.#characters += text.length
    return text.trim()
  }

  /** Values of the value class pattern; undefined if there are none. */
  #parts(element: Element, isDate: boolean, types: Types): ReadonlyArray<string> | undefined {
    if (!element.children.some(isElement)) return undefined
    const parts: Array<string> = []
    const visit = (parent: Element, depth: number): void => {
      for (const child of parent.children) {
        if (++this.#visits > maxVisits) return
        if (!isElement(child)) continue
        const classes = split(child.attributes.class)
        if (classes.includes("value"))
          parts.push(
            attributeOf(child, ["img", "area"], "alt") ??
              attributeOf(child, ["data"], "value") ??
              attributeOf(child, ["abbr"], "title") ??
              (isDate ? attributeOf(child, ["time", "ins", "del"], "datetime") : undefined) ??
              this.#text(child, "none")
          )
        else if (classes.includes("value-title")) parts.push(child.attributes.title ?? "")
        else if (depth < maxDepth && typesOf(child) === undefined && propertiesOf(child, types).length === 0)
          visit(child, depth + 1)
      }
    }
    visit(element, 0)
    return parts.length === 0 ? undefined : parts
  }

  #address(element: Element, types: Types): MicroformatValue {
    const source = attributeOf(element, ["img"], "src")
    const { alt } = element.attributes
    if (source !== undefined) return alt === undefined ? this.#resolve(source) : { value: this.#resolve(source), alt }
    return this.#resolve(
      attributeOf(element, ["a", "area", "link"], "href") ??
        attributeOf(element, ["audio", "video", "source", "iframe"], "src") ??
        attributeOf(element, ["video"], "poster") ??
        attributeOf(element, ["object"], "data") ??
        this.#parts(element, false, types)?.join("") ??
        attributeOf(element, ["abbr"], "title") ??
        attributeOf(element, ["data", "input"], "value") ??
        this.#text(element, "none")
    )
  }

  #value(element: Element, property: string, types: Types, date: string | undefined): MicroformatValue {
    switch (property.slice(0, property.indexOf("-"))) {
      case "p":
        return (
          this.#parts(element, false, types)?.join("") ??
          titleOf(element) ??
          valueOf(element) ??
          attributeOf(element, ["img", "area"], "alt") ??
          this.#text(element, "altOrAddress")
        )
      case "u":
        return this.#address(element, types)
      case "dt": {
        const parts = this.#parts(element, true, types)
        const written =
          parts === undefined
            ? (attributeOf(element, ["time", "ins", "del"], "datetime") ??
              titleOf(element) ??
              valueOf(element) ??
              this.#text(element, "none"))
            : dateOfParts(parts)
        return addDate(written, date)
      }
      default: {
        const html = this.#characters > maxText ? "" : innerHtml(element, this.#urls).trim()
        this.#characters += html.length
        return { value: this.#text(element, "altOrAddress"), html }
      }
    }
  }

  /** Adds other parts of the page that an older item includes by `itemref`, `headers`, or links of the class `include`. */
  #withIncluded(element: Element): Element {
    const { headers, itemref } = element.attributes
    const includes = childElements(element).filter(({ attributes }) => split(attributes.class).includes("include"))
    const ids = [
      ...split(itemref),
      ...split(headers),
      ...includes.map(({ attributes }) => (attributes.href ?? attributes.data ?? "").replace(/^#/, ""))
    ].slice(0, maxIncluded)
    if (ids.length === 0) return element
    this.#byId ??= indexIds(descendantsOf(this.#tree.root))
    const whole = new Element(element.tag, element.parent)
    whole.children = [...element.children, ...ids.flatMap((id) => this.#byId?.get(id) ?? [])]
    return whole
  }

  #item(root: Element, types: Types, depth: number): MicroformatItem {
    const properties = new Map<string, Array<MicroformatValue>>()
    const children: Array<MicroformatItem> = []
    const kinds = new Set<string>()
    let date: string | undefined
    const add = (property: string, value: MicroformatValue): void => {
      const dash = property.indexOf("-")
      const name = property.slice(dash + 1)
      kinds.add(property.slice(0, dash))
      if (property.startsWith("dt-") && typeof value === "string") date = /^\d{4}-\d\d-\d\d/.exec(value)?.[0] ?? date
      const values = properties.get(name)
      if (values === undefined) properties.set(name, [value])
      else values.push(value)
    }
    const visit = (element: Element, level: number): void => {
      if (++this.#visits > maxVisits || level > maxDepth || element.name === "template") return
      const named = propertiesOf(element, types)
      const inner = typesOf(element) ?? (named.includes("p-item") ? { names: ["h-item"], isClassic: true } : undefined)
      if (inner === undefined) {
        for (const property of named) add(property, this.#value(element, property, types, date))
        for (const child of element.children) if (isElement(child)) visit(child, level + 1)
        return
      }
      const item = this.#item(element, inner, level + 1)
      for (const property of named) add(property, this.#nested(element, item, property, types, date))
      if (named.length === 0) children.push(item)
      else kinds.add("item")
    }
    const whole = types.isClassic && depth < 10 ? this.#withIncluded(root) : root
    for (const child of whole.children) if (isElement(child)) visit(child, depth)
    if (!types.isClassic && children.length === 0 && !kinds.has("item")) this.#imply(root, properties, kinds)
    const { id } = root.attributes
    return {
      type: types.names,
      ...(id === undefined || id === "" ? {} : { id }),
      properties: Object.fromEntries(properties),
      ...(children.length === 0 ? {} : { children })
    }
  }

  /** A nested item as a property value. */
  #nested(
    element: Element,
    item: MicroformatItem,
    property: string,
    types: Types,
    date: string | undefined
  ): MicroformatValue {
    const whole = types.isClassic ? this.#withIncluded(element) : element
    const own = property.startsWith("p-") ? item.properties.name : property.startsWith("u-") ? item.properties.url : []
    const value = own?.[0] ?? this.#value(whole, property, types, date)
    return typeof value === "string" ? { ...item, value } : { ...item, ...value }
  }

  /** Adds the implied name, photo and URL of an item that does not state them. */
  #imply(root: Element, properties: Map<string, Array<MicroformatValue>>, kinds: ReadonlySet<string>): void {
    if (!properties.has("name") && !kinds.has("p") && !kinds.has("e")) {
      const [element, key] =
        implied(
          root,
          [
            [["img", "area"], "alt"],
            [["abbr"], "title"]
          ],
          true
        ) ?? []
      properties.set("name", [
        (key === undefined ? undefined : element?.attributes[key]?.trim()) ?? this.#text(root, "alt")
      ])
    }
    if (kinds.has("u")) return
    const [image] =
      implied(
        root,
        [
          [["img"], "src"],
          [["object"], "data"]
        ],
        false
      ) ?? []
    const noTypes = { names: [], isClassic: false }
    if (image !== undefined && !properties.has("photo")) properties.set("photo", [this.#address(image, noTypes)])
    const [link] = implied(root, [[["a", "area"], "href"]], false) ?? []
    if (link !== undefined && !properties.has("url")) properties.set("url", [this.#address(link, noTypes)])
  }
}

/** All top-level items. Calls `warn` if a limit was reached. */
export const readMicroformats = (
  tree: Tree,
  urls: PageUrls,
  warn: (text: string) => void
): ReadonlyArray<MicroformatItem> => {
  if (!tree.tags.some(mayBeRoot)) return []
  const reader = new Reader(tree, urls)
  const items: Array<MicroformatItem> = []
  reader.itemsIn(tree.root, items)
  if (reader.isCut) warn("the microformats are too large: only their beginning was read")
  return items
}
