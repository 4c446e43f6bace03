/** Builds the warning about options of a search that the local index does not support. */
import type { Settled } from "../../Api/Field.ts"
import type { requestFields } from "../../Api/Search.ts"
import type { Clause } from "./Query.ts"

interface Outcome {
  readonly found: number
  readonly truncated: boolean
}

/** Undefined when all options were applied and there are results. */
export const make = (
  request: Settled<typeof requestFields>,
  clauses: ReadonlyArray<Clause>,
  outcome: Outcome
): string | undefined => {
  const objects = request.sources.filter((source) => typeof source !== "string")
  const types = request.sources.map((source) => (typeof source === "string" ? source : source.type))
  const hasImages = types.includes("images")
  const hasPages = types.some((type) => type !== "images")
  const onImages = clauses.some(({ _tag }) => _tag === "ImageSize" || _tag === "Larger")
  const onPages = clauses.some(({ _tag }) => _tag === "Related")
  const geo = [
    ...(request.location !== undefined || objects.some(({ location }) => location !== undefined) ? ["location"] : []),
    ...(request.country === undefined ? [] : ["country"])
  ]
  const lines = [
    ...(onImages && hasPages ? ["Ignored for pages, because only images have a size: imagesize:, larger:."] : []),
    ...(onPages && hasImages ? ["Ignored for images, because only pages are related: related:."] : []),
    ...(geo.length === 0 ? [] : [`Ignored, because the local index knows no places: ${geo.join(", ")}.`]),
    ...(objects.length > 0 && request.tbs !== undefined
      ? ["Ignored: tbs beside sources given as objects; put it into the source."]
      : []),
    ...(outcome.truncated ? ["Too many pages nearly match the quoted phrase: only the best of them were read."] : []),
    ...(outcome.found > 0
      ? []
      : clauses.length === 0
        ? ["The query holds no word and no operator with a value."]
        : ["Nothing found. The local index holds what was scraped, crawled and parsed here with this team's keys."])
  ]
  return lines.length === 0 ? undefined : lines.join(" ")
}
