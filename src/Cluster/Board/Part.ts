/** A part of a run: it is split, its shards are carried out, and it is finished. */

export type Kind = "split" | "shard" | "finish"

/** Numbers of the parts that are no shards; shards count from 0. */
export const splitPart = -1
export const finishPart = -2

export interface Part {
  readonly runId: string
  readonly part: number
  readonly kind: Kind
  readonly source: string | undefined
  /** It was taken before, and what it needs was somebody else's then. */
  readonly hasWaited: boolean
}
