/** Priority queue of pipelines by their next due time: a binary heap with one time for each key. */
export interface DueQueue {
  readonly set: (key: string, at: number) => void
  readonly remove: (key: string) => void
  /** The earliest time. */
  readonly first: () => number | undefined
  /** Removes and returns the keys with this time or an earlier one. */
  readonly takeUntil: (at: number) => ReadonlyArray<string>
}

export const make = (): DueQueue => {
  const times = new Map<string, number>()
  /** The heap. A changed key is in it more than once; only the entry with its current time counts. */
  let items: Array<readonly [at: number, key: string]> = []

  const less = (one: number, other: number): boolean => (items[one]?.[0] ?? 0) < (items[other]?.[0] ?? 0)
  const swap = (one: number, other: number) => {
    const [a, b] = [items[one], items[other]]
    if (a !== undefined && b !== undefined) [items[one], items[other]] = [b, a]
  }
  const up = (from: number) => {
    let at = from
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!less(at, above)) return
      swap(at, above)
      at = above
    }
  }
  const down = () => {
    let at = 0
    for (;;) {
      const left = 2 * at + 1
      if (left >= items.length) return
      const smaller = left + 1 < items.length && less(left + 1, left) ? left + 1 : left
      if (!less(smaller, at)) return
      swap(smaller, at)
      at = smaller
    }
  }
  const pop = () => {
    const last = items.pop()
    if (last === undefined || items.length === 0) return
    items[0] = last
    down()
  }
  const push = (at: number, key: string) => {
    items.push([at, key])
    up(items.length - 1)
  }
  /** Removes outdated entries from the top. */
  const clean = () => {
    for (let top = items[0]; top !== undefined && times.get(top[1]) !== top[0]; top = items[0]) pop()
  }

  return {
    set: (key, at) => {
      if (times.get(key) === at) return
      times.set(key, at)
      if (items.length > 2 * times.size + 64) {
        items = []
        for (const [each, time] of times) push(time, each)
      } else push(at, key)
    },
    remove: (key) => {
      times.delete(key)
    },
    first: () => {
      clean()
      return items[0]?.[0]
    },
    takeUntil: (at) => {
      const taken: Array<string> = []
      for (clean(); items[0] !== undefined && items[0][0] <= at; clean()) {
        const [, key] = items[0]
        times.delete(key)
        taken.push(key)
      }
      return taken
    }
  }
}
