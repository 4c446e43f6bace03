/** The options of v1 as those of v2. */
import type { ScrapeOptions, ScrapeOptionsV1 } from "../../Api/ScrapeOptions.ts"

/** What v1 keeps beside the formats, v2 keeps in the format's object. */
export const fromV1 = ({
  parsePDF,
  jsonOptions,
  changeTrackingOptions,
  formats,
  ...options
}: ScrapeOptionsV1): ScrapeOptions => {
  const particulars: Readonly<Record<string, object | undefined>> = {
    json: jsonOptions,
    extract: jsonOptions,
    changeTracking: changeTrackingOptions
  }
  return {
    ...options,
    ...(formats === undefined
      ? {}
      : {
          formats: formats.map((format) =>
            typeof format === "string" && particulars[format] !== undefined
              ? { type: format, ...particulars[format] }
              : format
          )
        }),
    ...(parsePDF === undefined ? {} : { parsers: parsePDF ? ["pdf"] : [] })
  }
}
