/** What a file format has to say for rows to become files. */
import type * as Either from "effect/Either"
import type { Json } from "../Row.ts"
import type { RowError } from "./Errors.ts"
import type { Change } from "./File.ts"
import type { Scratch } from "./Scratch.ts"

/** Rows of one call that go to the same partition. */
export interface Group<Item> {
  /** The path but for `{seq}`. */
  readonly of: string
  readonly items: ReadonlyArray<Item>
  /** Where the items stand in the call; undefined when all of them are here. */
  readonly indexes: ReadonlyArray<number> | undefined
  /** What to add to that, for errors. */
  readonly shift: number
}

/** The index that an error says. */
export const indexOf = (group: Group<unknown>, at: number): number => (group.indexes?.[at] ?? at) + group.shift

/** `State` is what has to be known of one file. It is never changed, only replaced. */
export interface Format<Item, State> {
  readonly name: string
  readonly lineEnd: string
  /** With what a file has to begin that is continued. */
  readonly header: () => string
  /** All of a file without rows. */
  readonly empty: () => string
  readonly begin: (continued: boolean) => State
  readonly keep: (state: State) => Json | undefined
  readonly restore: (kept: Json | undefined) => State
  /** Puts the items from one position up to another. After a failure what was put is of no worth. */
  readonly encode: (
    group: Group<Item>,
    from: number,
    to: number,
    state: State,
    out: Scratch
  ) => Either.Either<State, RowError>
  /** What has to be done to a file once all its rows are known. */
  readonly change: (state: State) => Change | undefined
}
