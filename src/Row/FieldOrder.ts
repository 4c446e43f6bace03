/**
 * Order of fields whose names look like integers (`2024`): JavaScript objects move them to the front, in ascending order.
 *
 * A row keeps the order of its fields in a list beside its content (`Row.fields`), only where a name looks like an integer; a definition
 * keeps it for each object that it was parsed into. Fields that come later stand behind those of the list.
 *
 * The list has nested names by their path (`\u0001n\u00012024`), for objects with such a name; the objects of an array share theirs.
 */
import * as Arr from "effect/Array"
import type { Data, Row } from "../Row.ts"

/** True for a name that an object does not keep in its place. */
export const isMoved = (name: string): boolean =>
  name.length <= 10 && /^(?:0|[1-9]\d*)$/.test(name) && Number(name) < 4_294_967_295

/** True when the object, or one in it, has a name that is moved: the first names tell. */
export const hasMoved = (data: object): boolean => {
  let isFirst = true
  for (const name in data) {
    if (isFirst && name.charCodeAt(0) <= 0x39 && isMoved(name)) return true
    isFirst = false
    if (holdsMoved((data as Data)[name])) return true
  }
  return false
}

const holdsMoved = (value: unknown): boolean =>
  typeof value === "object" && value !== null && (Array.isArray(value) ? value.some(holdsMoved) : hasMoved(value))

/** Stands before each name of a path. */
const mark = "\u0001"

const isNested = (field: string): boolean => field.startsWith(mark)

/** The fields of a new row with these names: nested ones that stay under their name keep their order. */
export const fieldsFrom = (
  { fields: before = [] }: Row,
  names: ReadonlyArray<string>
): ReadonlyArray<string> | undefined => {
  const nested = before.filter(isNested)
  return nested.length === 0 ? fieldsOf(names) : [...names, ...nested]
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

/** The object with its names in an order, also for `Object.keys` and `JSON.stringify`. */
const arranged = (data: object, names: ReadonlyArray<string>): Data =>
  new Proxy<Data>(data as Data, { ownKeys: () => names as Array<string> })

/** A value with the names of nested objects in their order. */
const withNested = (value: unknown, path: string, orders: ReadonlyMap<string, ReadonlyArray<string>>): unknown => {
  if (Array.isArray(value)) return value.map((item) => withNested(item, path, orders))
  if (typeof value !== "object" || value === null) return value
  const copy = Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, withNested(item, `${path}${mark}${name}`, orders)])
  )
  const order = orders.get(path)
  return order === undefined ? copy : arranged(copy, sorted(copy, order))
}

/** The row for a writer: its content, and nested objects, list their fields in their order. */
export const inOrder = (row: Row): Row => {
  const { data, fields } = row
  if (fields === undefined) return row
  const nested = Arr.groupBy(fields.filter(isNested), (field) => field.slice(0, field.lastIndexOf(mark)))
  const orders = new Map(
    Object.entries(nested).map(([path, names]) => [path, names.map((name) => name.slice(path.length + 1))])
  )
  const own = orders.size === 0 ? data : withNested(data, "", orders)
  return { ...row, data: arranged(own as Data, namesOf(row)) }
}

export const allInOrder = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.some(({ fields }) => fields !== undefined) ? rows.map(inOrder) : rows

/** The fields of an object of valid JSON in the order of its text, with nested ones where one of their object is moved. */
export const namesInText = (text: string): ReadonlyArray<string> => {
  const objects = new Map<string, Set<string>>()
  const above: Array<readonly [object: string, value: string]> = []
  /** Paths of the innermost object, and of the value that is read. */
  let [object, value] = ["", ""]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "{" || character === "[") {
      above.push([object, value])
      if (character === "{") object = value
    } else if (character === "}" || character === "]") [object, value] = above.pop() ?? ["", ""]
    else if (character === '"') {
      const start = at
      for (at++; text[at] !== '"' && at < text.length; at++) if (text[at] === "\\") at++
      if (!/^\s*:/.test(text.slice(at + 1, at + 100))) continue
      const name: string = JSON.parse(text.slice(start, at + 1))
      value = `${object}${mark}${name}`
      const names = objects.get(object) ?? new Set()
      objects.set(object, names.add(name))
    }
  }
  return Array.from(objects).flatMap(([path, names]) => {
    if (path === "") return [...names]
    return Array.from(names).some(isMoved) ? Array.from(names, (name) => `${path}${mark}${name}`) : []
  })
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
