/** Values of every kind as what can be written down: without secrets, and no larger than somebody reads. */
import { scrub } from "./Secrets.ts"

/** Levels into a value that are told, and entries of one level. */
const deepest = 4
const most = 100

export const plain = (value: unknown, depth = 0): unknown => {
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value
  if (typeof value === "string") return scrub(value)
  if (value instanceof Error) return scrub(value.message)
  if (typeof value !== "object") return value === undefined ? undefined : scrub(String(value))
  if (depth >= deepest) return "…"
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value)
    ? value.slice(0, most).map((each) => plain(each, depth + 1))
    : Object.fromEntries(
        Object.entries(value)
          .slice(0, most)
          .map(([key, each]) => [key, plain(each, depth + 1)])
      )
}

/** As one text; of an object, its JSON. */
export const textOf = (value: unknown): string => {
  const told = plain(value)
  return typeof told === "string" ? told : (JSON.stringify(told) ?? "")
}
