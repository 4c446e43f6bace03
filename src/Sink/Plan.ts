/** How many rows of a call go into which part: told row by row, so that chunks and commits make no difference. */
import * as Either from "effect/Either"
import type { RowError } from "./Errors.ts"
import type { Format, Group } from "./Format.ts"
import type { Scratch } from "./Scratch.ts"

/** A part as far as it has come. */
export interface Draft<State> {
  readonly seq: number
  readonly rows: number
  /** Bytes before gzip, without what was there when an append began. */
  readonly size: number
  readonly state: State
}

/** Bytes of the scratch that go into one part. */
export interface Slice<State> {
  readonly start: number
  readonly end: number
  /** The part afterwards. */
  readonly draft: Draft<State>
}

/** Most of a part. A row that is larger than `size` by itself has a part of its own. */
export interface Most {
  readonly rows: number
  readonly size: number
}

/** Encodes a group into the scratch, beginning behind `current`. */
export const plan = <Item, State>(
  group: Group<Item>,
  current: Draft<State>,
  format: Format<Item, State>,
  most: Most,
  out: Scratch
): Either.Either<ReadonlyArray<Slice<State>>, RowError> => {
  const slices: Array<Slice<State>> = []
  const { length } = group.items
  let draft = current
  let start = out.end
  let at = 0
  // Rows before this one are encoded one by one, because the end of a part is among them.
  let careful = 0
  const close = () => {
    if (draft !== current && draft.rows > 0) slices.push({ start, end: out.end, draft })
  }
  const next = () => {
    close()
    draft = { seq: draft.seq + 1, rows: 0, size: 0, state: format.begin(false) }
    start = out.end
  }
  while (at < length) {
    if (draft.rows >= most.rows) next()
    const to = Math.min(length, at < careful ? at + 1 : at + most.rows - draft.rows)
    const before = out.end
    const encoded = format.encode(group, at, to, draft.state, out)
    if (Either.isLeft(encoded)) return Either.left(encoded.left)
    const size = draft.size + out.end - before
    if (size <= most.size || (draft.rows === 0 && to - at === 1)) {
      draft = { seq: draft.seq, rows: draft.rows + to - at, size, state: encoded.right }
      at = to
    } else {
      out.rewind(before)
      if (to - at > 1) careful = to
      else next()
    }
  }
  close()
  return Either.right(slices)
}
