/** Values that a JSON Schema allows, and malicious mutations of them. */
import fc from "fast-check"

/** As much of JSON Schema as the engine's own document has. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
}

/** Replacements of a field or a named schema, so that values pass the first check. */
export type Words = Readonly<Record<string, ReadonlyArray<unknown>>>

const text = ({ maxLength = 12, minLength = 0 }: Schema): fc.Arbitrary<string> =>
  fc.string({ unit: "grapheme", minLength, maxLength: Math.max(minLength, Math.min(maxLength, 12)) })

const number = ({ exclusiveMinimum, maximum, minimum = exclusiveMinimum, type }: Schema): fc.Arbitrary<number> => {
  const min = Math.ceil(minimum ?? 0) + (exclusiveMinimum === undefined ? 0 : 1)
  const max = Math.floor(maximum ?? 1_000_000)
  const edges = fc.constantFrom(min, max)
  return type === "integer"
    ? fc.oneof(edges, fc.integer({ min, max }))
    : fc.oneof(edges, fc.double({ min, max, noNaN: true }))
}

/** Values of a schema; names of fields and of schemas may bring words of their own. */
export const values = (schemas: Readonly<Record<string, Schema>>, words: Words) => {
  const known = (name: string): fc.Arbitrary<unknown> | undefined => {
    const found = Object.hasOwn(words, name) ? words[name] : undefined
    return found === undefined ? undefined : fc.constantFrom(...found)
  }
  const of = (schema: Schema): fc.Arbitrary<unknown> => {
    if (schema.$ref !== undefined) {
      const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)
      return known(name) ?? of(schemas[name] ?? {})
    }
    const parts = schema.anyOf ?? schema.allOf
    if (parts !== undefined) return fc.oneof(...parts.map(of))
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
    const type = typeof schema.type === "string" ? schema.type : undefined
    switch (type) {
      case "object":
        return object(schema)
      case "array": {
        const { maxItems = 3, minItems = 0 } = schema
        return fc.array(of(schema.items ?? {}), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) })
      }
      case "string":
        return text(schema)
      case "integer":
      case "number":
        return number(schema)
      case "boolean":
        return fc.boolean()
      case "null":
        return fc.constant(null)
      default:
        return fc.jsonValue({ maxDepth: 2 })
    }
  }
  const field = (name: string, schema: Schema): fc.Arbitrary<unknown> => {
    const own = known(name)
    return own === undefined ? of(schema) : fc.oneof({ weight: 4, arbitrary: own }, of(schema))
  }
  const object = ({ additionalProperties, properties = {}, required = [] }: Schema): fc.Arbitrary<unknown> => {
    const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, field(name, schema)]))
    const named = fc.record(fields, { requiredKeys: [...required] })
    if (typeof additionalProperties !== "object") return named
    const more = fc.dictionary(fc.string({ maxLength: 6 }), of(additionalProperties), { maxKeys: 2 })
    return fc.tuple(more, named).map(([more, named]) => ({ ...more, ...named }))
  }
  return of
}

const nested = (depth: number, open: string, close: string): unknown =>
  JSON.parse(open.repeat(depth) + close.repeat(depth))

/** Values that no field expects. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, "", " ", "\u0000", "\ud800", "\u202e", "NaN", "null", "[object Object]"),
  fc.constantFrom<unknown>(0, -0, -1, 0.5, 1e308, 5e-324, 2 ** 53, -(2 ** 31), 4_294_967_296, "1e400", "0x10", "１２"),
  fc.constantFrom<unknown>(
    [],
    {},
    [null],
    [[]],
    { type: null },
    { toString: 1 },
    { length: -1 },
    JSON.parse('{"then":{}}')
  ),
  fc.constantFrom<unknown>(
    "../../etc/passwd",
    "file:///etc/passwd",
    "javascript:0",
    "http://",
    "//",
    "http://[",
    "%00"
  ),
  fc.constantFrom<unknown>(
    "'; DROP TABLE jobs; --",
    "${7*7}",
    "(a+)+$",
    "[",
    "(?<x>",
    ":has(",
    "*".repeat(300),
    "\u{1f600}"
  ),
  fc.constantFrom(20, 199, 201, 900).map((depth) => nested(depth, "[", "]")),
  fc.constantFrom(1000, 10_001, 120_000).map((length) => "ä".repeat(length)),
  fc.constantFrom(101, 501).map((length) => Array.from({ length }, (_, index) => `x${index}`)),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 20 })
)

const names = fc.constantFrom("__proto__", "constructor", "toString", "nonsense", "", "\u0000", "url", "then", "0")

/** One change of a value, at any of its places. */
export interface Change {
  readonly at: number
  readonly kind: "put" | "drop" | "add" | "twice"
  readonly name: string
  readonly value: unknown
}

export const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(1000),
  kind: fc.constantFrom("put", "put", "put", "drop", "add", "twice"),
  name: names,
  value: hostile
})

const placesOf = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value !== "object" || value === null || path.length > 5
    ? [path]
    : [
        path,
        ...Object.entries(value)
          .slice(0, 50)
          .flatMap(([key, inner]) => placesOf(inner, [...path, key]))
      ]

const put = (target: object, name: string, value: unknown): void => {
  // Also `__proto__` is a field like any other then.
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true })
}

/** The value with the change made, as a copy. */
export const changed = (value: unknown, { at, kind, name, value: other }: Change): unknown => {
  const places = placesOf(value)
  const path = places[at % places.length] ?? []
  const last = path.at(-1)
  if (last === undefined && kind === "put") return other
  const copy = structuredClone(value)
  let inside: unknown = copy
  for (const key of path.slice(0, -1)) inside = Reflect.get(inside as object, key)
  const own = last === undefined ? copy : Reflect.get(inside as object, last)
  if (kind === "add") {
    if (typeof own === "object" && own !== null) put(own, name, other)
    return copy
  }
  if (last === undefined || typeof inside !== "object" || inside === null) return copy
  if (kind === "put") put(inside, last, other)
  if (kind === "twice") put(inside, last, [own, own])
  if (kind === "drop") Reflect.deleteProperty(inside, last)
  return copy
}
