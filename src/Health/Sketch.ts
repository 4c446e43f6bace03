/** Mergeable sketches of bounded size: distinct values (k minimum values) and quantiles (logarithmic buckets). */

const finish = (hash: number): number => {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

const mix = (hash: number, value: number): number => Math.imul(hash ^ value, 0x01000193)

/** Strings up to this length are hashed as a whole; of longer ones as many characters, spread over the string. */
const maxHashed = 48

const hashText = (text: string, most: number): number => {
  const { length } = text
  let hash = mix(0x811c9dc5, length)
  if (length <= most) {
    for (let at = 0; at < length; at++) hash = mix(hash, text.charCodeAt(at))
    return hash
  }
  // The end tells addresses and ids apart, so half of the characters are the last ones.
  const tail = most >> 1
  const spread = most - tail
  const stride = (length - tail) / spread
  for (let at = 0; at < spread; at++) hash = mix(hash, text.charCodeAt(Math.floor(at * stride)))
  for (let at = length - tail; at < length; at++) hash = mix(hash, text.charCodeAt(at))
  return hash
}

const doubles = new Float64Array(1)
const words = new Uint32Array(doubles.buffer)

const hashNumber = (value: number): number => {
  doubles[0] = value
  return mix(mix(0x9747b28c, words[0] ?? 0), words[1] ?? 0)
}

/** Values of an array or object that are hashed at most. */
const maxNested = 8

const hashAny = (value: unknown, most: number, depth: number): number => {
  if (typeof value === "string") return hashText(value, most)
  if (typeof value === "number") return hashNumber(value)
  if (typeof value !== "object" || value === null) return value === true ? 1 : value === false ? 2 : 3
  if (depth === 0) return 4
  let hash = 5
  let left = maxNested
  if (Array.isArray(value)) {
    hash = mix(6, value.length)
    for (const each of value) {
      if (left-- === 0) break
      hash = mix(hash, hashAny(each, most, depth - 1))
    }
    return hash
  }
  for (const key in value) {
    if (left-- === 0) break
    hash = mix(mix(hash, key.length), hashAny((value as Readonly<Record<string, unknown>>)[key], most, depth - 1))
  }
  return hash
}

/** 32 bits of a value. Long strings and large objects are sampled, so two of them that differ little may have the same hash. */
export const hashValue = (value: unknown): number => finish(hashAny(value, maxHashed, 2))

/** Fields of a row that decide whether it is in the sample. */
const fieldsOfGate = 3
/** Last characters of a string in them that count, beside its length. */
const charactersOfGate = 4
const maxHashedFields = 12
const maxHashedOfRow = 12

/** Cheap hash of the first fields of a row, of 21 bits: it is taken of every row, and chooses the rows that are hashed as a whole. */
const gateOf = (data: Readonly<Record<string, unknown>>): number => {
  let hash = 7
  let left = fieldsOfGate
  for (const key in data) {
    if (left-- === 0) break
    const value = data[key]
    if (typeof value === "string") {
      const { length } = value
      hash = mix(hash, length)
      for (let at = Math.max(0, length - charactersOfGate); at < length; at++) hash = mix(hash, value.charCodeAt(at))
    } else hash = mix(hash, hashAny(value, 0, 0))
  }
  return finish(hash) >>> 11
}

/** 32 bits of the content of a row: few characters of each field, little of nested values. */
const hashRow = (data: Readonly<Record<string, unknown>>): number => {
  let hash = 7
  let left = maxHashedFields
  for (const key in data) {
    if (left-- === 0) break
    hash = mix(hash, hashAny(data[key], maxHashedOfRow, 1))
  }
  return finish(hash)
}

/**
 * Number of distinct values, and how often they come on average: keeps the `size` smallest hashes, each with its count.
 * Exact below `size` values. Merging the sketches of two parts gives the sketch of the whole.
 */
export class DistinctSketch {
  private readonly counts = new Map<number, number>()
  /** Largest hash that is kept. */
  private threshold = Number.POSITIVE_INFINITY
  readonly size: number
  /** True for hashes of rows, which have 53 bits; those of values have 32. */
  private readonly isOfRows: boolean

  constructor(size: number, isOfRows = false) {
    this.size = size
    this.isOfRows = isOfRows
  }

  add(hash: number, count = 1): void {
    if (hash > this.threshold) return
    const known = this.counts.get(hash)
    this.counts.set(hash, (known ?? 0) + count)
    // Removes the largest ones at once, not one by one.
    if (known === undefined && this.counts.size >= 2 * this.size) this.shrink()
  }

  /**
   * Adds a row. Most rows of a long run are passed over by their {@link gateOf}, which is the first part of the hash:
   * where it is the same for many rows, the second part decides, and only the time that this saves is lost.
   */
  addRow(data: Readonly<Record<string, unknown>>): void {
    const first = gateOf(data) * 2 ** 32
    if (first <= this.threshold) this.add(first + hashRow(data))
  }

  private shrink(): void {
    if (this.counts.size <= this.size) return
    const sorted = Float64Array.from(this.counts.keys()).sort()
    this.threshold = sorted[this.size - 1] ?? this.threshold
    for (const hash of sorted.subarray(this.size)) this.counts.delete(hash)
  }

  merge(other: DistinctSketch): void {
    other.shrink()
    this.shrink()
    this.threshold = Math.min(this.threshold, other.threshold)
    for (const hash of this.counts.keys()) if (hash > this.threshold) this.counts.delete(hash)
    for (const [hash, count] of other.counts) this.add(hash, count)
  }

  /** Estimated number of distinct values. Not of rows: their hashes are not evenly spread. */
  get distinct(): number {
    this.shrink()
    const { size } = this.counts
    return size < this.size ? size : Math.round((size - 1) / ((this.threshold + 1) / 2 ** 32))
  }

  /** Share of the values that repeat another one: 0 when all are distinct. */
  get repeated(): number {
    this.shrink()
    let total = 0
    for (const count of this.counts.values()) total += count
    return total === 0 ? 0 : 1 - this.counts.size / total
  }

  /** Share of each value by its hash; undefined if there are more than `most` different ones. */
  shares(most: number): Readonly<Record<string, number>> | undefined {
    if (this.counts.size > Math.min(most, this.size)) return undefined
    let total = 0
    for (const count of this.counts.values()) total += count
    return Object.fromEntries(Array.from(this.counts, ([hash, count]) => [hash.toString(36), count / total]))
  }

  /** Share of the distinct values that the other sketch has, too. Undefined without values. */
  sharedWith(other: DistinctSketch): number | undefined {
    this.shrink()
    other.shrink()
    const limit = Math.min(this.threshold, other.threshold)
    let seen = 0
    let shared = 0
    for (const hash of this.counts.keys()) {
      if (hash > limit) continue
      seen++
      if (other.counts.has(hash)) shared++
    }
    return seen === 0 ? undefined : shared / seen
  }

  /** Hashes in ascending order as base64, and their counts if any is above 1. */
  encode(): readonly [hashes: string, counts: ReadonlyArray<number>] {
    this.shrink()
    const sorted = Float64Array.from(this.counts.keys()).sort()
    const saved = this.isOfRows ? sorted : Uint32Array.from(sorted)
    const counts = Array.from(sorted, (hash) => this.counts.get(hash) ?? 1)
    return [
      Buffer.from(saved.buffer, saved.byteOffset, saved.byteLength).toString("base64"),
      counts.every((count) => count === 1) ? [] : counts
    ]
  }

  static decode(
    size: number,
    [hashes, counts]: readonly [string, ReadonlyArray<number>],
    isOfRows = false
  ): DistinctSketch {
    const sketch = new DistinctSketch(size, isOfRows)
    const bytes = Buffer.from(hashes, "base64")
    const { buffer } = Uint8Array.from(bytes.subarray(0, bytes.length - (bytes.length % (isOfRows ? 8 : 4))))
    const sorted = isOfRows ? new Float64Array(buffer) : new Uint32Array(buffer)
    for (const [at, hash] of sorted.entries()) sketch.counts.set(hash, counts[at] ?? 1)
    if (sorted.length >= size) sketch.threshold = sorted.at(-1) ?? sketch.threshold
    return sketch
  }
}

/** Each bucket is wider than the one before by this factor: quantiles are exact to 5 %. */
const growth = Math.log(1.1)
/** Smallest magnitude with a bucket of its own; smaller numbers count as 0. */
const smallest = 1e-6
const buckets = 500

const bucketOf = (value: number): number => {
  const magnitude = Math.abs(value)
  if (!(magnitude >= smallest)) return 0
  const bucket = Math.min(buckets, 1 + Math.floor(Math.log(magnitude / smallest) / growth))
  return value < 0 ? -bucket : bucket
}

const valueOf = (bucket: number): number =>
  bucket === 0 ? 0 : Math.sign(bucket) * smallest * Math.exp((Math.abs(bucket) - 0.5) * growth)

/** Quantiles of numbers in logarithmic buckets: at most 1,001 counts. Merging two parts gives the sketch of the whole. */
export class QuantileSketch {
  private readonly counts = new Map<number, number>()
  count = 0
  min = Number.POSITIVE_INFINITY
  max = Number.NEGATIVE_INFINITY

  add(value: number, count = 1): void {
    const bucket = bucketOf(value)
    this.counts.set(bucket, (this.counts.get(bucket) ?? 0) + count)
    this.count += count
    if (value < this.min) this.min = value
    if (value > this.max) this.max = value
  }

  merge(other: QuantileSketch): void {
    for (const [bucket, count] of other.counts) this.counts.set(bucket, (this.counts.get(bucket) ?? 0) + count)
    this.count += other.count
    this.min = Math.min(this.min, other.min)
    this.max = Math.max(this.max, other.max)
  }

  /** Value below which this share of the values lies. Undefined without values. */
  quantile(share: number): number | undefined {
    if (this.count === 0) return undefined
    let left = share * this.count
    for (const [bucket, count] of [...this.counts].sort(([one], [other]) => one - other)) {
      left -= count
      if (left <= 0) return Math.min(this.max, Math.max(this.min, valueOf(bucket)))
    }
    return this.max
  }

  /** Smallest and largest value, then buckets and counts in turn. Empty without values. */
  encode(): ReadonlyArray<number> {
    if (this.count === 0) return []
    return [this.min, this.max, ...[...this.counts].sort(([one], [other]) => one - other).flat()]
  }

  static decode(saved: ReadonlyArray<number>): QuantileSketch {
    const sketch = new QuantileSketch()
    const [min, max, ...pairs] = saved
    if (min === undefined || max === undefined) return sketch
    for (let at = 0; at + 1 < pairs.length; at += 2) {
      const count = pairs[at + 1] ?? 0
      sketch.counts.set(pairs[at] ?? 0, count)
      sketch.count += count
    }
    sketch.min = min
    sketch.max = max
    return sketch
  }
}
