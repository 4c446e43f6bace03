/** When the pause of a pipeline ends by itself: kept with it, in its reason. */

const lead = "until "

/** What is kept with a pause that ends at an instant. */
export const whyUntil = (instant: number): string => `${lead}${new Date(instant).toISOString()}`

/** When it ends, where it does. */
export const untilOf = (why: string | undefined): number | undefined => {
  if (why === undefined || !why.startsWith(lead)) return undefined
  const instant = Date.parse(why.slice(lead.length))
  return Number.isNaN(instant) ? undefined : instant
}
