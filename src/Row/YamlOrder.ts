/** The value of a YAML document, with its keys as written and in that order (`FieldOrder.keysAsWritten`). */
import { type Document, isMap, isScalar, isSeq, type ParsedNode, visit } from "yaml"
import { rememberOrder } from "./FieldOrder.ts"

/** Keeps the spelling of a key: YAML reads 010 as a number, so the object would have the key 10 or 8. */
const keepSpelling = (key: unknown): void => {
  if (isScalar(key) && typeof key.value === "number" && key.source !== undefined) key.value = key.source
}

/** Records the order of keys that look like integers. An alias is the same object as its anchor. */
const rememberOrders = (node: unknown, value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  if (isSeq(node) && Array.isArray(value)) {
    for (const [index, item] of node.items.entries()) rememberOrders(item, value[index])
  } else if (isMap(node)) {
    const names = node.items.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : []))
    rememberOrder(value, names)
    for (const { key, value: item } of node.items) {
      if (isScalar(key)) rememberOrders(item, (value as Readonly<Record<string, unknown>>)[String(key.value)])
    }
  }
}

export const valueOf = (document: Document.Parsed<ParsedNode>, text: string, maxAliasCount = -1): unknown => {
  visit(document, { Pair: (_, { key }) => keepSpelling(key) })
  const value: unknown = document.toJS({ maxAliasCount })
  if (/\d["']?\s*:/.test(text)) rememberOrders(document.contents, value)
  return value
}
