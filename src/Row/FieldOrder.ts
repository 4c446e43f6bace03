/**
 * Keeps the order of fields whose names look like integers (`2024`), which JavaScript objects move to the front, in ascending order.
 *
 * A row keeps the order in a list beside its content (`Row.fields`), but only if a name looks like an integer; a definition keeps it for
 * each parsed object. Fields added later come after those in the list.
 *
 * The list contains nested names by path (`\u0001n\u00012024`) for objects with such a name, down to {@link maxDepth}; all objects in an
 * array share one order.
 */
import type { Data, Row } from "../Row.ts"

/** True for a name that JavaScript objects move to the front. */
export const isMoved = (name: string): boolean =>
  name.length <= 10 && /^(?:0|[1-9]\d*)$/.test(name) && Number(name) < 4_294_967_295

/** True for JSON that may contain a name which JavaScript objects move. */
export const mayMove = (text: string): boolean => /"\d{1,10}"\s*:/.test(text)

/** Levels of nested objects whose order is kept. Paths are complete strings, so the cost grows with the square of the depth. */
const maxDepth = 16

/** Precedes each name in a path. */
const mark = "\u0001"

const isNested = (field: string): boolean => field.startsWith(mark)

/** The field list of a new row with these names; keeps the order of nested fields. */
export const fieldsFrom = (
  { fields: before = [] }: Row,
  names: ReadonlyArray<string>
): ReadonlyArray<string> | undefined => {
  const nested = before.filter(isNested)
  return nested.length === 0 ? fieldsOf(names) : [...names, ...nested]
}

/** The names as a field list, if a JavaScript object cannot keep their order; otherwise undefined. */
export const fieldsOf = (names: ReadonlyArray<string>): ReadonlyArray<string> | undefined =>
  names.some(isMoved) ? names : undefined

/** The names of an object in the given order; names without a place in it come last. */
const sorted = (data: object, order: ReadonlyArray<string>): Array<string> => [
  ...new Set([...order.filter((name) => Object.hasOwn(data, name)), ...Object.keys(data)])
]

/** The names of a row's fields, in order. */
export const namesOf = ({ data, fields }: Row): ReadonlyArray<string> =>
  fields === undefined ? Object.keys(data) : sorted(data, fields)

/** The object with its names in the given order, including for `Object.keys` and `JSON.stringify`. */
const arranged = (data: object, names: ReadonlyArray<string>): Data =>
  new Proxy<Data>(data as Data, { ownKeys: () => names as Array<string> })

/** Order of an object's names, if the object cannot keep it itself, and the orders of the objects in it. */
interface Order {
  names: Array<string> | undefined
  readonly inside: Map<string, Order>
}

const orders = new WeakMap<ReadonlyArray<string>, Order>()

/** Nested orders from a field list. Cached by list, because rows with the same fields share one. */
const orderOf = (fields: ReadonlyArray<string>): Order => {
  const known = orders.get(fields)
  if (known !== undefined) return known
  const root: Order = { names: undefined, inside: new Map() }
  for (const field of fields.filter(isNested)) {
    const path = field.split(mark).slice(1)
    const name = path.pop() ?? ""
    let order = root
    for (const step of path) {
      const inner: Order = order.inside.get(step) ?? { names: undefined, inside: new Map() }
      order.inside.set(step, inner)
      order = inner
    }
    order.names ??= []
    order.names.push(name)
  }
  orders.set(fields, root)
  return root
}

/** The value, with the names of nested objects in order. */
const withNested = (value: unknown, order: Order | undefined): unknown => {
  if (order === undefined || typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((item) => withNested(item, order))
  const copy =
    order.inside.size === 0
      ? value
      : Object.fromEntries(
          Object.entries(value).map(([name, item]) => [name, withNested(item, order.inside.get(name))])
        )
  return order.names === undefined ? copy : arranged(copy, sorted(copy, order.names))
}

/** The row for a writer: its content and nested objects list their fields in order. */
export const inOrder = (row: Row): Row =>
  row.fields === undefined
    ? row
    : { ...row, data: arranged(withNested(row.data, orderOf(row.fields)) as Data, namesOf(row)) }

export const allInOrder = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.some(({ fields }) => fields !== undefined) ? rows.map(inOrder) : rows

/** The last list read, to be shared by all rows with the same fields, as most rows of one file have. */
let lastRead: ReadonlyArray<string> = []

const isLast = (fields: ReadonlyArray<string>): boolean =>
  fields.length === lastRead.length && fields.every((field, at) => field === lastRead[at])

/** Field names of an object in valid JSON, in text order; includes the names of nested objects that JavaScript would reorder. */
export const namesInText = (text: string): ReadonlyArray<string> => {
  const objects = new Map<string, Set<string>>()
  const above: Array<readonly [object: string, value: string]> = []
  /** Paths of the innermost object, and of the current value. */
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
      const end = at + 1
      if (above.length > maxDepth || !/^\s*:/.test(text.slice(end, end + 100))) continue
      const name: string = JSON.parse(text.slice(start, end))
      value = `${object}${mark}${name}`
      const names = objects.get(object) ?? new Set()
      objects.set(object, names.add(name))
    }
  }
  const fields = Array.from(objects).flatMap(([path, names]) => {
    if (path === "") return [...names]
    return Array.from(names).some(isMoved) ? Array.from(names, (name) => `${path}${mark}${name}`) : []
  })
  if (!isLast(fields)) lastRead = fields
  return lastRead
}

/** Key order of objects in definitions, as written. */
const written = new WeakMap<object, ReadonlyArray<string>>()

/** Records the order in which a definition lists the keys of an object. */
export const rememberOrder = (object: object, names: ReadonlyArray<string>): void => {
  if (names.some(isMoved)) written.set(object, names)
}

/** The keys of a decoded object, in the order of the definition. */
export const keysAsWritten = (decoded: object, source: unknown): ReadonlyArray<string> => {
  const order = typeof source === "object" && source !== null ? written.get(source) : undefined
  return order === undefined ? Object.keys(decoded) : sorted(decoded, order)
}
