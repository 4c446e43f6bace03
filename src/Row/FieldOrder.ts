/**
 * Order of fields whose names look like integers (`2024`): JavaScript objects move them to the front, in ascending order.
 *
 * A row keeps the order of its fields in a list beside its content (`Row.fields`), only where a name looks like an integer; a definition
 * keeps it for each object that it was parsed into. Fields that come later stand behind those of the list.
 */
import type { Data, Row } from "../Row.ts"

/** True for a name that an object does not keep in its place. */
export const isMoved = (name: string): boolean =>
  name.length <= 10 && /^(?:0|[1-9]\d*)$/.test(name) && Number(name) < 4_294_967_295

/** The first name of an object tells whether any is moved. */
export const hasMoved = (data: object): boolean => {
  for (const name in data) return name.charCodeAt(0) <= 0x39 && isMoved(name)
  return false
}

/** The order, where it is not that of an object; undefined else. */
export const fieldsOf = (names: ReadonlyArray<string>): ReadonlyArray<string> | undefined =>
  names.some(isMoved) ? names : undefined

/** The names of an object in an order; those that the order does not have come last. */
const sorted = (data: object, order: ReadonlyArray<string>): Array<string> => [
  ...new Set([...order.filter((name) => Object.hasOwn(data, name)), ...Object.keys(data)])
]

/** The names of a row's fields in their order. */
export const namesOf = ({ data, fields }: Row): ReadonlyArray<string> =>
  fields === undefined ? Object.keys(data) : sorted(data, fields)

/** The row for a writer: its content lists its fields in their order, also for `Object.keys` and `JSON.stringify`. */
const inOrder = (row: Row): Row => {
  if (row.fields === undefined) return row
  const names = namesOf(row)
  return { ...row, data: new Proxy<Data>(row.data, { ownKeys: () => names as Array<string> }) }
}

export const allInOrder = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.some(({ fields }) => fields !== undefined) ? rows.map(inOrder) : rows

/** The names of an object of valid JSON in the order of its text. */
export const namesInText = (text: string): ReadonlyArray<string> => {
  const names = new Set<string>()
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "{" || character === "[") depth++
    else if (character === "}" || character === "]") depth--
    else if (character === '"') {
      const start = at
      for (at++; text[at] !== '"' && at < text.length; at++) if (text[at] === "\\") at++
      if (depth === 1 && /^\s*:/.test(text.slice(at + 1, at + 100))) names.add(JSON.parse(text.slice(start, at + 1)))
    }
  }
  return [...names]
}

/** Names of the objects of definitions in the order of their text. */
const written = new WeakMap<object, ReadonlyArray<string>>()

/** Records the order in which a definition names the keys of an object. */
export const rememberOrder = (object: object, names: ReadonlyArray<string>): void => {
  if (names.some(isMoved)) written.set(object, names)
}

/** The keys of a decoded object in the order of the object as the definition has it. */
export const keysAsWritten = (decoded: object, source: unknown): ReadonlyArray<string> => {
  const order = typeof source === "object" && source !== null ? written.get(source) : undefined
  return order === undefined ? Object.keys(decoded) : sorted(decoded, order)
}
