/**
 * Links or keys that a job remembers, with a bound for their number and for the characters of all of them. A set that is full forgets
 * everything. Forgotten links are judged and counted again; the store refuses pages that it knows. A lasting set that is full takes no more.
 */

/** Characters that a link may have on average. Links that contain data, such as a program for a playground, are much longer. */
const meanLength = 128

export class KnownLinks {
  readonly #links = new Set<string>()
  /** Depths of links that were not added at 0. */
  readonly #depths = new Map<string, number>()
  readonly #maxLinks: () => number
  readonly #isLasting: boolean
  #characters = 0

  /** `maxLinks` may change, because the running jobs share the memory. */
  constructor(maxLinks: () => number, links: ReadonlyArray<string> = [], isLasting = false) {
    this.#maxLinks = maxLinks
    this.#isLasting = isLasting
    for (const link of links) this.add(link)
  }

  /** True for a known link; with `depth`, for one that was added at that depth or closer to the start. */
  has(link: string, depth?: number): boolean {
    return this.#links.has(link) && (depth === undefined || this.depthOf(link) <= depth)
  }

  /** Smallest depth at which a known link was added. */
  depthOf(link: string): number {
    return this.#depths.get(link) ?? 0
  }

  add(link: string, depth = 0): void {
    if (this.#links.has(link)) {
      if (depth < this.depthOf(link)) this.#depths.set(link, depth)
      return
    }
    const maxLinks = this.#maxLinks()
    if (this.#links.size >= maxLinks || this.#characters + link.length > maxLinks * meanLength) {
      if (this.#isLasting) return
      this.clear()
    }
    this.#links.add(link)
    if (depth > 0) this.#depths.set(link, depth)
    this.#characters += link.length
  }

  clear(): void {
    this.#links.clear()
    this.#depths.clear()
    this.#characters = 0
  }
}
