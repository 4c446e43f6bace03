/** Trend of a series of measurements, robust against single outliers. */

export interface Sample {
  /** Seconds. */
  readonly at: number
  readonly value: number
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length === 0
    ? 0
    : sorted.length % 2 === 1
      ? (sorted[middle] ?? 0)
      : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

/** The median of the slopes between all pairs (Theil and Sen), in units a second. */
export const slope = (samples: ReadonlyArray<Sample>): number =>
  median(
    samples.flatMap((one, index) =>
      samples
        .slice(index + 1)
        .flatMap((other) => (other.at > one.at ? [(other.value - one.value) / (other.at - one.at)] : []))
    )
  )

/** By how much it grows from the first to the last, by its slope. */
export const growth = (samples: ReadonlyArray<Sample>): number =>
  slope(samples) * ((samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0))
