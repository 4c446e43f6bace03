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

const [quote, backslash, openArray, closeArray, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Whether JSON that was not read yet is nested deeper than that. Reading a million levels would hold up everything else for a second. */
export const isDeepJson = (json: Uint8Array | string, limit: number): boolean => {
  if (json.length <= limit) return false
  const at = typeof json === "string" ? (index: number) => json.charCodeAt(index) : (index: number) => json[index]
  let depth = 0
  let isQuoted = false
  for (let index = 0; index < json.length; index++) {
    const byte = at(index)
    if (isQuoted) {
      if (byte === backslash) index++
      else if (byte === quote) isQuoted = false
    } else if (byte === quote) isQuoted = true
    else if (byte === openObject || byte === openArray) {
      depth += 1
      if (depth > limit) return true
    } else if (byte === closeObject || byte === closeArray) depth -= 1
  }
  return false
}

/** The value that a text says in JSON, undefined where it says none or is too deep. Throws what the parser throws. */
export const parseShallow = (text: string): unknown => {
  return isDeepJson(text, deepest) ? undefined : JSON.parse(text)
}
