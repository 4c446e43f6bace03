/** How many, as far as it can be known before: from the least to the most. */

/** `most` is undefined where there is no bound that is known. */
export interface Count {
  readonly least: number
  readonly most: number | undefined
}

export const exactly = (count: number): Count => ({ least: count, most: count })

export const none: Count = exactly(0)

export const upTo = (most: number | undefined): Count => ({ least: 0, most })

export const atMost = ({ least, most }: Count, limit: number | undefined): Count =>
  limit === undefined
    ? { least, most }
    : { least: Math.min(least, limit), most: most === undefined ? limit : Math.min(most, limit) }

/** Nothing times anything is nothing. */
export const times = (a: Count, b: Count): Count => ({
  least: a.least * b.least,
  most: a.most === 0 || b.most === 0 ? 0 : a.most === undefined || b.most === undefined ? undefined : a.most * b.most
})

export const sum = (counts: ReadonlyArray<Count>): Count =>
  counts.reduce(
    (all, { least, most }) => ({
      least: all.least + least,
      most: all.most === undefined || most === undefined ? undefined : all.most + most
    }),
    none
  )

/** At least one, when there is one for sure. */
export const some = ({ least, most }: Count): Count => ({ least: Math.min(1, least), most })
