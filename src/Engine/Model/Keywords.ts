/** The words of JSON Schema that are understood, and what stands behind each. */

/** Those of the library's formats that are sure to be checked in linear time. */
export const checked = new Set([
  "date",
  "time",
  "date-time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
  "json-pointer"
])

export type Kind = "schema" | "schemas" | "map" | "names" | "text" | "number" | "flag" | "any" | "list" | "type"

export const keywords: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...["not", "if", "then", "else", "additionalProperties", "unevaluatedProperties", "propertyNames"].map(
    (name) => [name, "schema"] as const
  ),
  ...["additionalItems", "unevaluatedItems", "contains"].map((name) => [name, "schema"] as const),
  ...["anyOf", "allOf", "oneOf", "prefixItems"].map((name) => [name, "schemas"] as const),
  ...["properties", "$defs", "definitions", "dependentSchemas"].map((name) => [name, "map"] as const),
  ...["minProperties", "maxProperties", "minItems", "maxItems", "minContains", "maxContains"].map(
    (name) => [name, "number"] as const
  ),
  ...["minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"].map(
    (name) => [name, "number"] as const
  ),
  ["uniqueItems", "flag"],
  ["required", "names"],
  ["const", "any"],
  ["enum", "list"],
  ["type", "type"],
  ["$ref", "text"]
])

/** What cannot be honoured, and would change what the schema says. */
export const refused = new Set(["patternProperties", "dependencies", "$anchor", "$dynamicRef", "$recursiveRef"])

export const isNames = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((item) => typeof item === "string")

export const types = new Set(["string", "number", "integer", "boolean", "object", "array", "null"])

export const isTypes = (value: unknown): boolean =>
  typeof value === "string" ? types.has(value) : isNames(value) && value.every((name) => types.has(name))
