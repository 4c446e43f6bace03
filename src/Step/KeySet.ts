/** Set of keys, stored as 16-byte hashes: a million keys take 32 MB, and a Set of strings three to ten times as much. */
import { hash } from "node:crypto"

/** 32-bit words of a hash: 128 bits of SHA-256, so that nobody can make two keys collide. */
const wordsPerHash = 4

/** Slots of a new table; a power of two. */
const initialSlots = 1024

/** Hash table with open addressing; a slot of zeros is free. */
export class KeySet {
  #slots = initialSlots
  #table = new Uint32Array(initialSlots * wordsPerHash)
  #size = 0
  readonly #mark = new Uint32Array(wordsPerHash)
  /** Hashes added since {@link taken}, 16 characters each. */
  #added: Array<string> = []

  get size(): number {
    return this.#size
  }

  /** Adds a key; returns true if it was not there yet. */
  add(key: string): boolean {
    const digest = hash("sha256", key, "binary")
    if (!this.#put(digest)) return false
    this.#added.push(digest.slice(0, 4 * wordsPerHash))
    return true
  }

  has(key: string): boolean {
    this.#read(hash("sha256", key, "binary"))
    return this.#isTaken(this.#find())
  }

  /** Restores hashes that {@link taken} returned. */
  restore(marks: string): void {
    const bytes = Buffer.from(marks, "base64url").toString("latin1")
    for (let at = 0; at < bytes.length; at += 4 * wordsPerHash) this.#put(bytes.slice(at, at + 4 * wordsPerHash))
  }

  /** Hashes of the keys added since the last call, concatenated (base64url); empty if there are none. */
  taken(): string {
    const marks = Buffer.from(this.#added.join(""), "latin1").toString("base64url")
    this.#added = []
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
