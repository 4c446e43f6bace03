/** Finds documents that a page repeats from earlier pages, in bounded memory. */
import type { Document } from "../../Api/Document.ts"

/** Number of previous documents whose keys are remembered. */
export const windowSize = 50_000

const prime = 0x01000193

/** Adds a string to the hash: its length, and up to 64 of its characters. */
const mix = (hash: number, text: string): number => {
  let mixed = Math.imul(hash ^ text.length, prime)
  const step = text.length <= 64 ? 1 : text.length / 64
  for (let at = 0; at < text.length; at += step) mixed = Math.imul(mixed ^ text.charCodeAt(at | 0), prime)
  return mixed
}

const mixValue = (hash: number, value: unknown, depth: number): number => {
  if (typeof value === "string") return mix(hash, value)
  if (typeof value !== "object" || value === null) return mix(hash, String(value))
  const entries = Array.isArray(value) ? [value.length, value[0], value.at(-1)] : Object.values(value)
  if (depth === 0) return mix(hash, String(entries.length))
  let mixed = hash
  for (const entry of entries) mixed = mixValue(mixed, entry, depth - 1)
  return mixed
}

/** Id that some services give each result. */
const idOf = ({ metadata }: Document): string | undefined => {
  const id = (metadata as { readonly scrapeId?: unknown } | null | undefined)?.scrapeId
  return typeof id === "string" && id !== "" ? id : undefined
}

/** 53-bit hash of a document: of its id, else of its URL and samples of its content. */
const keyOf = (document: Document): number => {
  const id = idOf(document)
  const low = id === undefined ? mixValue(0x811c9dc5, document, 2) : mix(0x811c9dc5, id)
  const text = id ?? document.metadata?.sourceURL ?? document.metadata?.url ?? document.markdown ?? ""
  const high = mix(low ^ 0x5bd1e995, text)
  return (high >>> 11) * 2 ** 32 + (low >>> 0)
}

export interface Repeats {
  /**
   * Returns the documents that were not on an earlier page. Documents of the same page are never compared with each other.
   *
   * On a trusted page, equal documents are different results of the job, unless they have the same id or the page starts with the end of
   * the previous page. A trusted page that only repeats documents counts as new.
   */
  readonly filter: (documents: ReadonlyArray<Document>, trusted: boolean) => ReadonlyArray<Document>
}

export const make = (): Repeats => {
  const ring = new Float64Array(windowSize)
  const counts = new Map<number, number>()
  let written = 0

  const remember = (key: number) => {
    const slot = written % windowSize
    if (written >= windowSize) {
      const old = ring[slot] ?? 0
      const count = counts.get(old) ?? 0
      if (count > 1) counts.set(old, count - 1)
      else counts.delete(old)
    }
    ring[slot] = key
    written++
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }

  /** Number of keys at the start of the page that repeat the last keys of the previous page. Zero if one of them occurs twice. */
  const overlap = (keys: ReadonlyArray<number>): number => {
    const first = keys[0]
    if (first === undefined || counts.get(first) !== 1) return 0
    for (let length = Math.min(keys.length, written, windowSize); length > 0; length--) {
      let same = 0
      while (same < length && keys[same] === ring[(written - length + same) % windowSize]) same++
      if (same === length) {
        const once = keys.slice(0, length).every((key) => counts.get(key) === 1)
        return once && new Set(keys).size === keys.length ? length : 0
      }
    }
    return 0
  }

  return {
    filter: (documents, trusted) => {
      const keys = documents.map(keyOf)
      const head = trusted ? overlap(keys) : 0
      const fresh: Array<Document> = []
      documents.forEach((document, index) => {
        const known = counts.has(keys[index] ?? 0)
        const repeated = index < head || (known && (!trusted || idOf(document) !== undefined))
        if (!repeated) fresh.push(document)
      })
      keys.forEach(remember)
      return trusted && fresh.length === 0 ? documents : fresh
    }
  }
}
