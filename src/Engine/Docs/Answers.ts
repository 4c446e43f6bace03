/** Allows unknown fields in the responses of the OpenAPI document. */
import type * as Page from "./Page.ts"

type Schemas = Page.Document["components"]["schemas"]

/** Returns a copy without `additionalProperties: false`. */
const open = <A>(part: A): A =>
  JSON.parse(
    JSON.stringify(part, (key, value) => (key === "additionalProperties" && value === false ? undefined : value))
  )

/** Names of all schemas that a part of the document references, directly or indirectly. */
const reachable = (part: unknown, schemas: Schemas, found = new Set<string>()): ReadonlySet<string> => {
  for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue
    found.add(name)
    reachable(schemas[name] ?? {}, schemas, found)
  }
  return found
}

const mapValues = <A, B>(record: Readonly<Record<string, A>>, f: (value: A, key: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, f(value, key)]))

/** Allows unknown fields in responses, for clients that validate them. Requests stay strict. */
export const opened = (document: Page.Document): Page.Document => {
  const paths = mapValues(document.paths, (operations) =>
    mapValues(operations, (operation) => ({ ...operation, responses: open(operation.responses) }))
  )
  const { schemas } = document.components
  const sent = Object.values(paths).flatMap((operations) => Object.values(operations).map(({ responses }) => responses))
  const names = reachable(sent, schemas)
  return {
    ...document,
    paths,
    components: {
      ...document.components,
      schemas: mapValues(schemas, (schema, name) => (names.has(name) ? open(schema) : schema))
    }
  }
}
