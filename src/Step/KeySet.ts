/** Set of keys, stored as 16-byte hashes: a million keys take 32 MB, and a Set of strings three to ten times as much. */
import { hash } from "node:crypto"

/** 32-bit words of a hash: 128 bits of SHA-256, so that nobody can make two keys collide. */
const wordsPerHash = 4
const bytesPerHash = 4 * wordsPerHash

/** Slots of a new table; a power of two. */
const initialSlots = 1024

/** The last key that was hashed, because several sets are asked for the same one. */
const last = { key: "", digest: hash("sha256", "", "binary") }

const digestOf = (key: string): string => {
  if (last.key !== key) {
    last.digest = hash("sha256", key, "binary")
    last.key = key
  }
  return last.digest
}

/** Hash table with open addressing; a slot of zeros is free. */
export class KeySet {
  #slots = initialSlots
  #table = new Uint32Array(initialSlots * wordsPerHash)
  #size = 0
  readonly #mark = new Uint32Array(wordsPerHash)
  /** Hashes added since {@link taken}. */
  #added = new DataView(new ArrayBuffer(initialSlots * bytesPerHash))
  #addedBytes = 0

  get size(): number {
    return this.#size
  }

  /** Adds a key; returns true if it was not there yet. */
  add(key: string): boolean {
    if (!this.#put(digestOf(key))) return false
    if (this.#addedBytes === this.#added.byteLength) {
      const old = new Uint8Array(this.#added.buffer)
      this.#added = new DataView(new ArrayBuffer(old.length * 2))
      new Uint8Array(this.#added.buffer).set(old)
    }
    for (let word = 0; word < wordsPerHash; word++) {
      this.#added.setUint32(this.#addedBytes, this.#mark[word] ?? 0, true)
      this.#addedBytes += 4
    }
    return true
  }

  /** Adds a key that is not among those of {@link taken}. */
  include(key: string): void {
    this.#put(digestOf(key))
  }

  has(key: string): boolean {
    this.#read(digestOf(key))
    return this.#isTaken(this.#find())
  }

  /** Restores hashes that {@link taken} returned. */
  restore(marks: string): void {
    const bytes = Buffer.from(marks, "base64url").toString("latin1")
    for (let at = 0; at < bytes.length; at += bytesPerHash) this.#put(bytes.slice(at, at + bytesPerHash))
  }

  /** Hashes of the keys added since the last call, concatenated (base64url); empty if there are none. */
  taken(): string {
    const marks = Buffer.from(this.#added.buffer, 0, this.#addedBytes).toString("base64url")
    this.#addedBytes = 0
    return marks
  }

  #put(digest: string): boolean {
    this.#read(digest)
    let slot = this.#find()
    if (this.#isTaken(slot)) return false
    if ((this.#size + 1) * 4 > this.#slots * 3) {
      this.#grow()
      slot = this.#find()
    }
    this.#table.set(this.#mark, slot * wordsPerHash)
    this.#size++
    return true
  }

  #read(digest: string): void {
    for (let word = 0; word < wordsPerHash; word++) {
      const at = word * 4
      this.#mark[word] =
        digest.charCodeAt(at) |
        (digest.charCodeAt(at + 1) << 8) |
        (digest.charCodeAt(at + 2) << 16) |
        (digest.charCodeAt(at + 3) << 24)
    }
  }

  /** Slot of the hash in `#mark`, or the free slot where it belongs. */
  #find(): number {
    const table = this.#table
    const mark = this.#mark
    // By index: destructuring a typed array with its iterator costs several times the search.
    const a = mark[0] ?? 0
    const b = mark[1] ?? 0
    const c = mark[2] ?? 0
    const d = mark[3] ?? 0
    let slot = a & (this.#slots - 1)
    while (this.#isTaken(slot)) {
      const at = slot * wordsPerHash
      if (table[at] === a && table[at + 1] === b && table[at + 2] === c && table[at + 3] === d) break
      slot = (slot + 1) & (this.#slots - 1)
    }
    return slot
  }

  #isTaken(slot: number): boolean {
    const at = slot * wordsPerHash
    const table = this.#table
    return ((table[at] ?? 0) | (table[at + 1] ?? 0) | (table[at + 2] ?? 0) | (table[at + 3] ?? 0)) !== 0
  }

  #grow(): void {
    const old = this.#table
    this.#slots *= 2
    const table = new Uint32Array(this.#slots * wordsPerHash)
    this.#table = table
    for (let at = 0; at < old.length; at += wordsPerHash) {
      const a = old[at] ?? 0
      const b = old[at + 1] ?? 0
      const c = old[at + 2] ?? 0
      const d = old[at + 3] ?? 0
      if ((a | b | c | d) === 0) continue
      // All hashes in the table differ, so the first free slot is the right one.
      let slot = a & (this.#slots - 1)
      while (this.#isTaken(slot)) slot = (slot + 1) & (this.#slots - 1)
      const to = slot * wordsPerHash
      table[to] = a
      table[to + 1] = b
      table[to + 2] = c
      table[to + 3] = d
    }
  }
}
