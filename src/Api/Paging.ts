/** Link to the next page of a list, as declared by `crawl`, `scrape` and `urls`. */
import * as Schema from "effect/Schema"
import { characters } from "./Field.ts"
import { grouped } from "./Grouped.ts"

const selector = characters(1000, 1)
const label = characters(200, 1)

export const linkWays = {
  css: Schema.optional(selector).annotations({
    description:
      "CSS selector of the link, or of an element around it. If several links match, the first one whose page was not read is followed."
  }),
  rel: Schema.optional(Schema.NonEmptyTrimmedString).annotations({
    description: "Relation of the link, usually `next`: of `a`, `link` and, at the local engine, the header `Link`."
  }),
  label: Schema.optional(Schema.Union(label, Schema.NonEmptyArray(label))).annotations({
    description:
      'Text, `aria-label` or `title` of the link, such as "Next" or "Older posts", or a list of them. Case and arrows are ignored.'
  })
}

/** Maximum pages of a list if no limit is given. */
export const defaultPages = 1_000

export const pages = Schema.optional(
  Schema.Int.pipe(Schema.positive()).annotations({ description: "a whole number of at least 1" })
).annotations({
  description: `Maximum number of pages to follow, with a warning if there are more; ${grouped(defaultPages)} by default.`
})

/** Link to the next page: a CSS selector, or an object that names another way. {@link whyNotOne} checks that it names exactly one. */
export const NextLink = Schema.Union(
  selector,
  Schema.Struct({
    ...linkWays,
    pages: pages.annotations({
      description:
        "Maximum number of next pages that the crawl follows; `limit` by default. Further pages are counted as not followed."
    })
  })
).annotations({
  identifier: "NextLink",
  description: 'a CSS selector, { rel: next } or { label: "Next" }'
})
export type NextLink = typeof NextLink.Type

/** Reason why fields name no way to the next page, or more than one; undefined if exactly one. */
export const whyNotOne = (next: object, names: ReadonlyArray<string> = Object.keys(linkWays)): string | undefined => {
  const given = Object.entries(next).flatMap(([name, value]) =>
    names.includes(name) && value !== undefined ? name : []
  )
  if (given.length === 1) return undefined
  const named = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`
  return `needs one of ${named}${given.length > 1 ? `, not ${given.join(" and ")}` : ""}`
}
