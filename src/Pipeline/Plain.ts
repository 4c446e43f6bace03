/** Plain data: values that YAML, JSON and TypeScript can all express. */

/** Why a value is not plain data; undefined when it is. */
export const objection = (value: unknown, above: ReadonlyArray<object> = []): string | undefined => {
  if (typeof value === "number" && !Number.isFinite(value)) return `it holds the number ${value}`
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint")
    return `it holds a ${typeof value}`
  if (typeof value !== "object" || value === null) return undefined
  if (above.includes(value)) return "it holds itself"
  const plain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  if (!plain) return `it holds what is no plain data (${value.constructor?.name ?? "without a name"})`
  for (const each of Object.values(value)) {
    const found = objection(each, [...above, value])
    if (found !== undefined) return found
  }
  return undefined
}
