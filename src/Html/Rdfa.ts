/**
 * RDFa 1.1 in HTML, and RDFa 1.0 if a page declares it, as expanded JSON-LD: one node per subject, with full names.
 *
 * Follows the steps of RDFa Core 1.1, section 7.5, with the changes of HTML+RDFa 1.1. `role` counts on pages that have RDFa. Not supported:
 * `rdfa:usesVocabulary` and property copying.
 */
import { type Element, isElement, tagTest } from "./Element.ts"
import type { PageUrls } from "./PageUrls.ts"
import {
  expandCurie,
  expandName,
  expandNames,
  type Names,
  namesOf,
  rdf,
  words,
  xhtmlVocabulary,
  xsd
} from "./RdfaNames.ts"
import { innerHtml } from "./Serialize.ts"
import type { Tree } from "./Tree.ts"

export type RdfaValue =
  | { readonly "@id": string }
  | { readonly "@value": string; readonly "@language"?: string; readonly "@type"?: string }
  | { readonly "@list": ReadonlyArray<RdfaValue> }

/** `@id`, `@type` and properties. If the page's URL is not known, the page itself has no `@id`. */
export type RdfaNode = Readonly<Record<string, string | ReadonlyArray<string> | ReadonlyArray<RdfaValue>>>

/** Maximum statements of a page, and their characters: nested properties repeat their text, and each statement its full names. */
const [maxStatements, maxText] = [200_000, 20_000_000]

type Lists = Map<string, Array<RdfaValue>>

/** A relation that an outer element states, and whose object is an element further inside. */
type Incomplete = { readonly isReverse: boolean; readonly predicate: string } | { readonly list: Array<RdfaValue> }

interface Context {
  readonly subject: string
  readonly object: string
  readonly incomplete: ReadonlyArray<Incomplete>
  readonly lists: Lists
  readonly language: string | undefined
  readonly names: Names
}

const markers = ["typeof", "property", "about", "resource", "datatype", "vocab"] as const

/** True for elements with an RDFa attribute. `rel` and `rev` count only with a prefix: `rel="nofollow"` alone is not RDFa. */
const isMarked = tagTest(
  ({ attributes }) =>
    markers.some((name) => attributes[name] !== undefined) ||
    [attributes.rel, attributes.rev].some((names) => names?.includes(":") === true)
)

const others = ["rel", "rev", "role", "inlist", "lang", "xml:lang", "prefix"] as const

/** True for elements that can affect the result. */
const isRelevant = tagTest(
  ({ attributes, name }) =>
    name === "html" ||
    [...markers, ...others].some((key) => attributes[key] !== undefined) ||
    Object.keys(attributes).some((key) => key.startsWith("xmlns:"))
)

const literalMarkup = new Set([`${rdf}XMLLiteral`, `${rdf}HTML`])

const datePart = String.raw`-?\d{4,}-\d\d-\d\d`
const zone = String.raw`(?:Z|[+-]\d\d:\d\d)?`
const timePart = String.raw`\d\d:\d\d:\d\d(?:\.\d+)?`

/** Data types for the values of `<time>`. */
const timeTypes = (
  [
    ["dateTime", `${datePart}T${timePart}${zone}`],
    ["date", `${datePart}${zone}`],
    ["time", `${timePart}${zone}`],
    ["gYearMonth", String.raw`-?\d{4,}-\d\d${zone}`],
    ["gYear", String.raw`-?\d{4,}${zone}`],
    ["duration", String.raw`-?P(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?`]
  ] as const
).map(([name, pattern]) => [xsd + name, new RegExp(`^${pattern}$`)] as const)

const plainText = ({ children }: Element): string => {
  let text = ""
  for (const child of children) {
    if (!isElement(child)) text += child
    else if (child.layout !== "unseen") text += plainText(child)
  }
  return text
}

/** Collects statements by their subject. */
class Graph {
  readonly #nodes = new Map<string, Map<string, Array<string | RdfaValue>>>()
  readonly #known = new Set<string>()
  readonly #blank = new Map<string, string>()
  #blanks = 0
  #statements = 0
  #characters = 0

  /** True once a limit is reached: nothing more is added. */
  get isFull(): boolean {
    return this.#statements > maxStatements || this.#characters > maxText
  }

  /** Counts characters of texts and statements towards the limit. */
  count(characters: number): void {
    this.#characters += characters
  }

  /** Adds to a list, which becomes a statement when it ends. */
  append(list: Array<RdfaValue>, value: RdfaValue): void {
    this.#statements++
    if (!this.isFull) list.push(value)
  }

  newBlank(): string {
    return `_:b${this.#blanks++}`
  }

  /** Id of a blank node that the page names; never equal to the id of an unnamed one. */
  blank(name: string): string {
    const known = this.#blank.get(name) ?? this.newBlank()
    this.#blank.set(name, known)
    return known
  }

  add(subject: string, predicate: string, value: RdfaValue): void {
    if (this.isFull) return
    const isType = predicate === `${rdf}type` && "@id" in value
    const key = JSON.stringify([subject, predicate, value])
    this.count(key.length)
    if (this.#known.has(key)) return
    this.#statements++
    this.#known.add(key)
    const node = this.#nodes.get(subject) ?? new Map<string, Array<string | RdfaValue>>()
    this.#nodes.set(subject, node)
    const name = isType ? "@type" : predicate
    const values = node.get(name) ?? []
    node.set(name, values)
    values.push(isType ? value["@id"] : value)
  }

  toNodes(): ReadonlyArray<RdfaNode> {
    return [...this.#nodes].map(
      ([subject, node]) =>
        Object.fromEntries([...(subject === "" ? [] : [["@id", subject]]), ...node.entries()]) as RdfaNode
    )
  }
}

class Reader {
  readonly graph = new Graph()
  readonly #urls: PageUrls

  constructor(urls: PageUrls) {
    this.#urls = urls
  }

  /** Resolves a URL. Absolute URLs stay unchanged, because they are used as names. */
  #iri(address: string): string {
    const trimmed = address.trim()
    if (trimmed === "") return this.#urls.base ?? ""
    if (/^[a-z][a-z\d+.-]*:/i.test(trimmed)) return trimmed
    return this.#urls.resolve(trimmed) ?? trimmed
  }

  /** Value of `about` or `resource`: `[prefix:name]`, `prefix:name` or a URL. */
  #resource(text: string | undefined, names: Names): string | undefined {
    if (text === undefined) return undefined
    const safe = /^\s*\[(.*)\]\s*$/.exec(text)?.[1]
    const name = expandCurie((safe ?? text).trim(), names)
    if (name === undefined) return safe === undefined ? this.#iri(text) : undefined
    return name.startsWith("_:") ? this.graph.blank(name) : name
  }

  /** All text inside, or all markup. */
  #content(element: Element, isMarkup: boolean): string {
    if (this.graph.isFull) return ""
    const text = isMarkup ? innerHtml(element, this.#urls) : plainText(element)
    this.graph.count(text.length)
    return text
  }

  #literal(element: Element, names: Names, language: string | undefined): RdfaValue {
    const { content, datatype, datetime } = element.attributes
    const isTime = content === undefined && (datetime !== undefined || element.name === "time")
    // In RDFa 1.0, a value that contains elements is XML.
    const isXml = names.isOld && content === undefined && datatype === undefined && element.children.some(isElement)
    const declared = isXml
      ? `${rdf}XMLLiteral`
      : datatype === undefined
        ? undefined
        : expandName(datatype.trim(), names)
    const value = content ?? datetime ?? this.#content(element, literalMarkup.has(declared ?? ""))
    const type =
      declared ??
      (isTime && datatype === undefined ? timeTypes.find(([, pattern]) => pattern.test(value.trim()))?.[0] : undefined)
    if (type !== undefined) return { "@value": value, "@type": type }
    return language === undefined || language === "" ? { "@value": value } : { "@value": value, "@language": language }
  }

  /** Names in `rel` or `rev`. If there is a `property`, words without a prefix are ignored (HTML+RDFa 1.1, section 3.1). */
  #relation(text: string | undefined, hasProperty: boolean, names: Names): ReadonlyArray<string> | undefined {
    if (text === undefined) return undefined
    if (!hasProperty) return expandNames(text, names)
    const rest = words(text).filter((name) => name.includes(":"))
    return rest.length === 0 ? undefined : expandNames(rest.join(" "), names)
  }

  visit(element: Element, context: Context): void {
    if (this.graph.isFull) return
    if (!isRelevant(element)) {
      for (const child of element.children) if (isElement(child)) this.visit(child, context)
      return
    }
    const { attributes, name } = element
    const { graph } = this
    const names = namesOf(attributes, context.names)
    const language = attributes.lang ?? attributes["xml:lang"] ?? context.language
    const { property, role, typeof: types } = attributes
    const rel = this.#relation(attributes.rel, property !== undefined, names)
    const rev = this.#relation(attributes.rev, property !== undefined, names)
    const hasRelation = rel !== undefined || rev !== undefined
    const about = this.#resource(attributes.about, names)
    const { href, src } = attributes
    const linked = href ?? src
    const target = this.#resource(attributes.resource, names) ?? (linked === undefined ? undefined : this.#iri(linked))
    const isLiteral = attributes.content !== undefined || attributes.datatype !== undefined
    const root = name === "html" ? this.#iri("") : name === "head" || name === "body" ? context.object : undefined

    let subject: string
    let object: string | undefined
    let typed: string | undefined
    let isSkipped = false
    if (hasRelation) {
      subject =
        about ?? (names.isOld ? (src === undefined ? undefined : this.#iri(src)) : undefined) ?? root ?? context.object
      object = target
      if (types !== undefined) {
        if (about === undefined) object ??= graph.newBlank()
        typed = about ?? object
      }
    } else if (property !== undefined && !isLiteral && !names.isOld) {
      subject = about ?? root ?? context.object
      if (types !== undefined) {
        typed = about ?? (name === "html" ? root : undefined) ?? target ?? graph.newBlank()
        object = typed
      }
    } else {
      const own = about ?? target ?? root ?? (types === undefined ? undefined : graph.newBlank())
      subject = own ?? context.object
      isSkipped = own === undefined && property === undefined
      if (types !== undefined) typed = subject
    }

    if (typed !== undefined)
      for (const type of expandNames(types, names)) graph.add(typed, `${rdf}type`, { "@id": type })
    if (role !== undefined) this.#addRoles(element, role, names)

    const lists: Lists = subject === context.object ? context.lists : new Map()
    const isList = attributes.inlist !== undefined
    const listOf = (predicate: string): Array<RdfaValue> => {
      const list = lists.get(predicate) ?? []
      lists.set(predicate, list)
      return list
    }
    const incomplete: Array<Incomplete> = []
    if (hasRelation) {
      for (const predicate of rel ?? []) {
        if (isList && object === undefined) incomplete.push({ list: listOf(predicate) })
        else if (isList) graph.append(listOf(predicate), { "@id": object ?? "" })
        else if (object !== undefined) graph.add(subject, predicate, { "@id": object })
        else incomplete.push({ predicate, isReverse: false })
      }
      for (const predicate of rev ?? []) {
        if (object !== undefined) graph.add(object, predicate, { "@id": subject })
        else incomplete.push({ predicate, isReverse: true })
      }
      object ??= graph.newBlank()
    }

    const properties = expandNames(property, names)
    if (properties.length > 0) {
      const isPlain = !isLiteral && !names.isOld && attributes.datetime === undefined
      const other =
        isPlain && !hasRelation && target !== undefined ? target : isPlain && about === undefined ? typed : undefined
      const value = other === undefined ? this.#literal(element, names, language) : { "@id": other }
      for (const predicate of properties) {
        if (isList) graph.append(listOf(predicate), value)
        else graph.add(subject, predicate, value)
      }
    }

    if (!isSkipped) this.#complete(context, subject)
    const inner: Context = isSkipped
      ? { ...context, names, language }
      : { subject, object: object ?? subject, incomplete, lists, language, names }
    for (const child of element.children) if (isElement(child)) this.visit(child, inner)

    if (lists !== context.lists) for (const [predicate, list] of lists) graph.add(subject, predicate, { "@list": list })
  }

  #complete({ incomplete, subject: parent }: Context, subject: string): void {
    for (const each of incomplete) {
      if ("list" in each) this.graph.append(each.list, { "@id": subject })
      else if (each.isReverse) this.graph.add(subject, each.predicate, { "@id": parent })
      else this.graph.add(parent, each.predicate, { "@id": subject })
    }
  }

  /** Adds roles by The Role Attribute 1.0, section 4. */
  #addRoles({ attributes: { id } }: Element, role: string, names: Names): void {
    const subject = id === undefined ? this.graph.newBlank() : this.#iri(`#${id}`)
    for (const word of words(role)) {
      const name = word.includes(":") ? expandName(word, names) : xhtmlVocabulary + word
      if (name !== undefined) this.graph.add(subject, `${xhtmlVocabulary}role`, { "@id": name })
    }
  }
}

/** The nodes of a page, in the order of their subjects. Calls `warn` if a limit was reached. */
export const readRdfa = (tree: Tree, urls: PageUrls, warn: (text: string) => void): ReadonlyArray<RdfaNode> => {
  if (!tree.tags.some(isMarked)) return []
  const reader = new Reader(urls)
  const base = urls.base ?? ""
  const isOld = /RDFa 1\.0/i.test(tree.html?.attributes.version ?? "")
  const lists: Lists = new Map()
  const names: Names = { vocabulary: undefined, isOld, prefixes: new Map(), outer: undefined }
  const context: Context = { subject: base, object: base, incomplete: [], lists, language: undefined, names }
  for (const child of tree.root.children) if (isElement(child)) reader.visit(child, context)
  for (const [predicate, list] of lists) reader.graph.add(base, predicate, { "@list": list })
  if (reader.graph.isFull) warn("the RDFa is too large: only its beginning was read")
  return reader.graph.toNodes()
}
