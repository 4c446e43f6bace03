/** Paths in the JSON body of a request, to which `since` and `next` send their values: `filters.0.value`. */
import type { Next } from "./Next.ts"
import type { Since } from "./Since.ts"

/** The fields of the step that name such paths. */
interface Senders {
  readonly graphql?: unknown
  readonly next?: Next | undefined
  readonly since?: Since | undefined
}

const child = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined

/** Sets a value at a path of the body, and creates missing objects. The path must have no {@link pathProblem}. */
export const withValue = (body: unknown, [first = "", ...rest]: ReadonlyArray<string>, value: unknown): unknown => {
  const made = rest.length === 0 ? value : withValue(child(body, first), rest, value)
  return Array.isArray(body)
    ? body.with(Number(first), made)
    : { ...(body as object | null | undefined), [first]: made }
}

/** Path of a value in the body. For GraphQL, names refer to variables. */
export const pathOf = (body: string, isGraphql: boolean): ReadonlyArray<string> => {
  const path = body.split(".")
  return isGraphql && path[0] !== "variables" ? ["variables", ...path] : path
}

/** Why a value cannot be put at a path of the body; undefined if it can. Null and what is missing become objects. */
export const pathProblem = (body: unknown, path: ReadonlyArray<string>): string | undefined => {
  let value = body
  for (const [at, name] of path.entries()) {
    if (value === undefined || value === null) return undefined
    const here = path.slice(0, at).join(".")
    if (Array.isArray(value)) {
      if (!/^\d+$/.test(name) || Number(name) >= value.length) {
        return `${here} is an array of ${value.length}, and ${name} is none of its indexes: give an index from 0, like ${here}.0`
      }
    } else if (typeof value !== "object") {
      return `${here} is a ${typeof value}, so it has no ${name}: name a field of an object, or correct json`
    }
    value = child(value, name)
  }
  return undefined
}

/** Paths at which the calls of a step send values, with the fields of the definition that name them. */
export const bodyPaths = ({ graphql, next, since }: Senders) => {
  const { cursor, offset, page } = next ?? {}
  const named = Object.entries({ cursor, offset, page }).map(
    ([way, fields]) => [["next", way, "body"], fields] as const
  )
  return [[["since", "body"], since] as const, ...named].flatMap(([field, given]) =>
    given?.body === undefined ? [] : [{ field, path: pathOf(given.body, graphql !== undefined) }]
  )
}
