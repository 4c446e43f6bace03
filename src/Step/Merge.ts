/** Merges sorted scratch files: returns their lines in order, in bounded memory. */
import * as Effect from "effect/Effect"
import { LineReader, type ScratchFile, type ScratchFolder } from "./Scratch.ts"
import type { StepError } from "./StepError.ts"

/** Order of lines. Equal lines keep the order of their files, and within a file their own order. */
export interface LineOrder<A> {
  readonly parse: (line: string) => A
  readonly compare: (a: A, b: A) => number
}

interface Head<A> {
  readonly reader: LineReader
  /** Index of the line's file. */
  readonly file: number
  value: A
  line: string
  /** Offset of the line in its file. */
  offset: number
}

/** Line of the merged files. */
export interface Merged<A> {
  readonly value: A
  readonly line: string
}

export class Merge<A> {
  readonly #order: LineOrder<A>
  /** Binary heap with the lowest line at index 0. */
  readonly #heap: Array<Head<A>> = []
  readonly #readers: ReadonlyArray<LineReader>
  /** Head that has left the heap because its next line is not buffered yet. */
  #waiting: Head<A> | undefined

  private constructor(order: LineOrder<A>, readers: ReadonlyArray<LineReader>) {
    this.#order = order
    this.#readers = readers
  }

  /** Merges files from the beginning, or from positions that {@link offsets} returned. */
  static open<A>(
    folder: ScratchFolder,
    files: ReadonlyArray<ScratchFile>,
    order: LineOrder<A>,
    from: ReadonlyArray<number> = []
  ): Effect.Effect<Merge<A>, StepError> {
    return Effect.gen(function* () {
      const readers = yield* Effect.forEach(files, (file, index) => LineReader.open(folder, file, from[index] ?? 0))
      const merge = new Merge(order, readers)
      for (const [file, reader] of readers.entries()) {
        while (!reader.isAtEnd) {
          const offset = reader.offset
          const line = reader.next()
          if (line === undefined) yield* reader.fill
          else {
            merge.#put({ reader, file, value: order.parse(line), line, offset })
            break
          }
        }
      }
      return merge
    })
  }

  /** Value of the next line that {@link take} will return; undefined at the end. */
  get next(): A | undefined {
    return this.#heap[0]?.value
  }

  /** Position in each file. */
  offsets(): ReadonlyArray<number> {
    const offsets = this.#readers.map((reader) => reader.offset)
    for (const { file, offset } of this.#heap) offsets[file] = offset
    return offsets
  }

  /** Next lines: up to `wanted` of them, or about `characters` characters; none at the end. */
  take(wanted: number, characters: number): Effect.Effect<ReadonlyArray<Merged<A>>, StepError> {
    return Effect.gen(this, function* () {
      const taken: Array<Merged<A>> = []
      let room = characters
      for (;;) {
        if (this.#waiting !== undefined) {
          yield* this.#waiting.reader.fill
          this.#advance(this.#waiting)
          continue
        }
        const [first] = this.#heap
        if (first === undefined || taken.length >= wanted || room <= 0) break
        taken.push({ value: first.value, line: first.line })
        room -= first.line.length
        this.#advance(first)
      }
      return taken
    })
  }

  readonly close: Effect.Effect<void> = Effect.suspend(() =>
    Effect.forEach(this.#readers, (reader) => reader.close, { discard: true })
  )

  /** Moves a head to its next line: the head stays first in the heap, or waits for the line. */
  #advance(head: Head<A>): void {
    const { reader } = head
    const offset = reader.offset
    const line = reader.next()
    const isFirst = this.#waiting === undefined
    if (line !== undefined) {
      head.offset = offset
      head.line = line
      head.value = this.#order.parse(line)
      this.#waiting = undefined
      if (isFirst) this.#sink()
      else this.#put(head)
      return
    }
    if (isFirst) this.#removeFirst()
    this.#waiting = reader.isAtEnd ? undefined : head
  }

  #isBefore(a: Head<A>, b: Head<A>): boolean {
    const compared = this.#order.compare(a.value, b.value)
    return compared < 0 || (compared === 0 && a.file < b.file)
  }

  #put(head: Head<A>): void {
    const heap = this.#heap
    let at = heap.push(head) - 1
    while (at > 0) {
      const up = (at - 1) >> 1
      const parent = heap[up]
      if (parent === undefined || !this.#isBefore(head, parent)) break
      heap[at] = parent
      heap[up] = head
      at = up
    }
  }

  #removeFirst(): void {
    const last = this.#heap.pop()
    if (last === undefined || this.#heap.length === 0) return
    this.#heap[0] = last
    this.#sink()
  }

  /** Moves the first head down to its place in the heap. */
  #sink(): void {
    const heap = this.#heap
    const [head] = heap
    if (head === undefined) return
    let at = 0
    for (;;) {
      let down = at * 2 + 1
      let child = heap[down]
      if (child === undefined) break
      const other = heap[down + 1]
      if (other !== undefined && this.#isBefore(other, child)) {
        child = other
        down++
      }
      if (!this.#isBefore(child, head)) break
      heap[at] = child
      heap[down] = head
      at = down
    }
  }
}
