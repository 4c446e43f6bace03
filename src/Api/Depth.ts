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

/** The value that a text says in JSON, undefined where it says none or is too deep. Throws what the parser throws. */
export const parseShallow = (text: string): unknown => {
  const value: unknown = JSON.parse(text)
  // Each level takes two characters.
  return text.length > 2 * deepest && isDeep(value, deepest) ? undefined : value
}
