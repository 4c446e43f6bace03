/** The options of a scrape, with their defaults, and the particulars that a format is given. */
import type { Settled } from "../../Api/Field.ts"
import { type fields, formatName } from "../../Api/ScrapeOptions.ts"

export type Options = Settled<typeof fields>

/** What stands beside `type` in a format's object; empty for one that is only named, undefined for one not asked for. */
export const particularsOf = (
  { formats }: Pick<Options, "formats">,
  name: string
): Readonly<Record<string, unknown>> | undefined => {
  const format = formats.find((each) => formatName(each) === name)
  if (format === undefined || typeof format === "string") return format === undefined ? undefined : {}
  const { type: _, ...particulars } = format
  return particulars
}
