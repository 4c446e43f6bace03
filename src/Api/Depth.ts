/** How deep JSON is nested: what is deeper than anybody writes it overflows whoever walks through it. */

/** Lists and mappings in each other that a row may have; what writes it can go some thousands deep. */
export const deepest = 1000

/** Whether a value is nested deeper than that; level by level, so that no depth overflows the stack. */
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

/** What JSON may consist of: levels in each other, objects and arrays, keys of objects, and values. */
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
 * Which bound JSON exceeds that was not read yet, undefined for none. A parser takes a few nanoseconds for a byte of a string, and a hundred
 * times that for each `{}`: a few megabytes of those would hold up everything else for seconds.
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

/** What is said of JSON that exceeds a bound. */
export const excessText = (of: keyof Bounds, limit: number): string => {
  if (of === "levels") return `is nested more than ${limit} levels deep`
  return `has more than ${limit} ${of === "containers" ? "objects and arrays" : of}`
}

const any = Number.POSITIVE_INFINITY

/** Whether so many arrays and objects could begin in JSON, those inside of strings too: looks at its brackets alone. */
const mayHoldMore = (json: Uint8Array | string, limit: number): boolean => {
  const nextOf = (code: number, from: number): number =>
    typeof json === "string" ? json.indexOf(code === openArray ? "[" : "{", from) : json.indexOf(code, from)
  let count = 0
  for (const code of [openArray, openObject])
    for (let at = nextOf(code, 0); at !== -1; at = nextOf(code, at + 1)) if (++count > limit) return true
  return false
}

/** Whether JSON that was not read yet is nested deeper than that. */
export const isDeepJson = (json: Uint8Array | string, limit: number): boolean =>
  json.length > limit &&
  mayHoldMore(json, limit) &&
  excessOf(json, { levels: limit, containers: any, keys: any, values: any }) !== undefined

/** The value that a text says in JSON, undefined where it says none or is too deep. Throws what the parser throws. */
export const parseShallow = (text: string): unknown => {
  return isDeepJson(text, deepest) ? undefined : JSON.parse(text)
}
