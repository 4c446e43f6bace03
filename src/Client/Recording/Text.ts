/** The texts inside a JSON value, one by one. */

/** The value with every text, and every key, as `change` makes it. */
export const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === "string") return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]))
}

/** Every text of a value that stands under one of these keys. */
export const textsUnder = (value: unknown, keys: ReadonlySet<string>): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  if (Array.isArray(value)) return value.flatMap((item) => textsUnder(item, keys))
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === "string" ? (keys.has(key) ? [item] : []) : textsUnder(item, keys)
  )
}
