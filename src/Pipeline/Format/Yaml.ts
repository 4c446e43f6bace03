/** A definition as YAML: keys in order, one way to indent and to quote, comments where they were. */
import {
  Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq
} from "yaml"
import { compareKeys, type Place } from "./Order.ts"

const width = 120

/** No folding: a text on one line stays on one line. */
const layout = { lineWidth: 0, indent: 2, indentSeq: true } as const

type Collection = YAMLMap | YAMLSeq
type Stringify = Collection["toString"]

/** `{ a: 1 }` and `[a, b]`: the library knows one padding for both. */
const pad = (collection: Collection, padding: string): void => {
  const draw: Stringify = function (this: Collection, context, onComment, onChompKeep) {
    const proto = isMap(this) ? YAMLMap.prototype : YAMLSeq.prototype
    const padded = context && { ...context, flowCollectionPadding: padding }
    return (proto.toString as Stringify).call(this, padded, onComment, onChompKeep)
  }
  Object.defineProperty(collection, "toString", { value: draw, enumerable: false })
}

const keyOf = (pair: { readonly key: unknown }): string => (isScalar(pair.key) ? String(pair.key.value) : "")

/** Sorts a mapping's keys; what stood above the first line stays above it. */
const sort = (place: Place, map: unknown): void => {
  if (!isMap(map)) return
  const [first] = map.items
  map.items.sort((one, other) => compareKeys(place, keyOf(one), keyOf(other)))
  const [now] = map.items
  if (now === first) return
  // A blank line behind the dash of a step would be none of the step's.
  if (place === "step" && isScalar(now?.key)) now.key.spaceBefore = false
}

const sortAll = (document: Document): void => {
  sort("frame", document.contents)
  const steps = isMap(document.contents) ? document.contents.get("steps") : undefined
  if (isSeq(steps)) for (const step of steps.items) sort("step", step)
}

/** Texts that hold `${{ }}` are quoted everywhere, others where they must be; single quotes only spare escapes. */
const quote = (scalar: Scalar): void => {
  if (typeof scalar.value !== "string") return
  if (scalar.value.includes("\n")) {
    // A block of lines is told by its first line, and by where its lines end: space there would be lost.
    if (/^\s|[ \t\r](\n|$)/.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE
    return
  }
  const isPlain = scalar.type === undefined || scalar.type === "PLAIN"
  if (scalar.value.includes("${{") && isPlain) scalar.type = Scalar.QUOTE_DOUBLE
  if (scalar.type === "QUOTE_SINGLE" && !/["\\]/.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE
}

const hasAliases = (document: Document): boolean => {
  let found = false
  visit(document, {
    Alias: () => {
      found = true
      return visit.BREAK
    }
  })
  return found
}

/** One way to quote and to pad. */
const dress = (document: Document): void =>
  visit(document, {
    Scalar: (_, node) => quote(node),
    Collection: (_, node) => {
      if (node.items.length === 0) node.flow = true
      pad(node, isMap(node) ? " " : "")
    }
  })

/** What stands in braces on a line that is too wide is written as lines of its own. */
const unfold = (text: string): string => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const wide = new Set(text.split("\n").flatMap((line, index) => (line.length > width ? [index + 1] : [])))
  let changed = false
  visit(document, {
    Collection: (_, node) => {
      const isWide = node.range != null && wide.has(lines.linePos(node.range[0]).line)
      if (node.flow !== true || node.items.length === 0 || !isWide) return undefined
      node.flow = false
      changed = true
      return visit.SKIP
    }
  })
  if (!changed) return text
  dress(document)
  return unfold(document.toString(layout))
}

/** The text of a document that was read; its comments stay. */
export const format = (document: Document): string => {
  // An alias may only stand behind its anchor: then the order is the author's.
  if (!hasAliases(document)) sortAll(document)
  dress(document)
  return unfold(document.toString(layout))
}

const isSimple = (node: unknown): boolean =>
  isScalar(node)
    ? typeof node.value !== "string" || !node.value.includes("\n")
    : isSeq(node) && node.items.every((item) => isScalar(item) && isSimple(item))

/** The text of a value: what is short and holds nothing deep stands in braces, as people write it. */
export const yaml = (value: unknown): string => {
  // The same list in two places is two lists.
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Collection: (_, node, path) => {
      const values = isMap(node) ? node.items.map((pair) => pair.value) : node.items
      const depth = path.filter(isCollection).length
      const isStep = depth === 2 && isSeq(path[path.length - 1])
      const mayFold = isMap(node) ? depth >= 2 && !isStep : depth >= 1
      node.flow = mayFold && values.every(isSimple) && JSON.stringify(node).length <= 90
    }
  })
  return format(document)
}
