/** Time at which a pipeline's pause ends by itself, stored in the reason of the pause. */

const lead = "until "

/** Reason to store with a pause that ends at a given time. */
export const whyUntil = (instant: number): string => `${lead}${new Date(instant).toISOString()}`

/** Returns the end of a pause; undefined when it does not end by itself. */
export const untilOf = (why: string | undefined): number | undefined => {
  if (why === undefined || !why.startsWith(lead)) return undefined
  const instant = Date.parse(why.slice(lead.length))
  return Number.isNaN(instant) ? undefined : instant
}
