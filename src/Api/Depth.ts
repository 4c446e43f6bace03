/** Limits for JSON: deep values overflow the stack of recursive functions, large ones block the event loop. */

/** Maximum depth of a row. Serialization overflows the stack at a few thousand levels. */
export const deepest = 1000

/** True if a value is nested deeper than `limit`. Goes level by level, without recursion. */
export const isDeep = (value: unknown, limit: number): boolean => {
  let level: Array<unknown> = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true
    const next: Array<unknown> = []
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue
      for (const inner of Object.values(item)) if (typeof inner === "object" && inner !== null) next.push(inner)
    }
    level = next
  }
  return false
}

/** Limits for JSON: depth, number of objects and arrays, number of keys, and number of values. */
export interface Bounds {
  readonly levels: number
  readonly containers: number
  readonly keys: number
  readonly values: number
}

const [quote, backslash, comma, colon, openArray, closeArray, openObject, closeObject] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d
]

/**
 * Checks JSON before it is parsed. Returns the limit that it exceeds; undefined if none. A parser takes a few nanoseconds per byte of a
 * string, but a hundred times that for each `{}`: a few megabytes of those would block the event loop for seconds.
 */
export const excessOf = (json: Uint8Array | string, bounds: Bounds): keyof Bounds | undefined => {
  const at = typeof json === "string" ? (index: number) => json.charCodeAt(index) : (index: number) => json[index]
  const quoteFrom =
    typeof json === "string"
      ? (index: number) => json.indexOf('"', index)
      : (index: number) => json.indexOf(quote, index)
  let [levels, containers, keys, values] = [0, 0, 0, 1]
  for (let index = 0; index < json.length; index++) {
    const byte = at(index)
    if (byte === quote) {
      for (;;) {
        index = quoteFrom(index + 1)
        if (index === -1) return undefined
        let escapes = 0
        while (at(index - 1 - escapes) === backslash) escapes += 1
        if (escapes % 2 === 0) break
      }
    } else if (byte === comma) {
      values += 1
      if (values > bounds.values) return "values"
    } else if (byte === colon) {
      keys += 1
      if (keys > bounds.keys) return "keys"
    } else if (byte === openObject || byte === openArray) {
      levels += 1
      containers += 1
      if (levels > bounds.levels) return "levels"
      if (containers > bounds.containers) return "containers"
    } else if (byte === closeObject || byte === closeArray) levels -= 1
  }
  return undefined
}

/** Message about JSON that exceeds a limit. */
export const excessText = (of: keyof Bounds, limit: number): string => {
  if (of === "levels") return `is nested more than ${limit} levels deep`
  return `has more than ${limit} ${of === "containers" ? "objects and arrays" : of}`
}

const any = Number.POSITIVE_INFINITY

/** True if JSON contains more than `limit` opening brackets, inside or outside of strings. */
const mayHoldMore = (json: Uint8Array | string, limit: number): boolean => {
  const nextOf = (code: number, from: number): number =>
    typeof json === "string" ? json.indexOf(code === openArray ? "[" : "{", from) : json.indexOf(code, from)
  let count = 0
  for (const code of [openArray, openObject])
    for (let at = nextOf(code, 0); at !== -1; at = nextOf(code, at + 1)) if (++count > limit) return true
  return false
}

/** True when unparsed JSON is nested deeper than `limit`. */
export const isDeepJson = (json: Uint8Array | string, limit: number): boolean =>
  json.length > limit &&
  mayHoldMore(json, limit) &&
  excessOf(json, { levels: limit, containers: any, keys: any, values: any }) !== undefined

/** Parses JSON; undefined if it is nested too deep. Throws like `JSON.parse`. */
export const parseShallow = (text: string): unknown => {
  return isDeepJson(text, deepest) ? undefined : JSON.parse(text)
}
