/** Bounded cache of a function's results, for keys that may come from rows or pages. */

/** Caches the results of `make` by key. A full cache is emptied. Keys longer than `maxKey` are not cached. */
export const remember = <A>(
  max: number,
  make: (key: string) => A,
  maxKey = Number.POSITIVE_INFINITY
): ((key: string) => A) => {
  const known = new Map<string, A>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined || known.has(key)) return found as A
    const made = make(key)
    if (key.length > maxKey) return made
    if (known.size >= max) known.clear()
    known.set(key, made)
    return made
  }
}
