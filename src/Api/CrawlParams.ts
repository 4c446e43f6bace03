/** Crawl parameters: the pages that a crawl may visit. */
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { characters, defaulted, described, list, maybe, open } from "./Field.ts"
import { NextLink } from "./Paging.ts"

const pattern = characters(1000)

/** Maximum delay between two requests, in seconds. */
export const longestDelay = 3600

const count = Schema.Int.pipe(Schema.nonNegative())

/** All parameters except the URL, for requests and for the response of the preview. */
export const fields = {
  includePaths: Schema.optional(described(list(pattern), "Regular expressions over the path; one must match.")),
  excludePaths: Schema.optional(described(list(pattern), "Regular expressions over the path; none may match.")),
  maxDepth: Schema.optional(described(count, "Path segments below the start.")),
  maxDiscoveryDepth: Schema.optional(described(count, "Links followed from the start.")),
  crawlEntireDomain: defaulted(
    described(Schema.Boolean, "Also follow links to siblings and parents of the start."),
    false
  ),
  allowExternalLinks: defaulted(described(Schema.Boolean, "Follow links to other sites."), false),
  allowSubdomains: defaulted(described(Schema.Boolean, "Follow links to subdomains."), false),
  sitemap: defaulted(
    described(Schema.String, "The site's own list of pages: skip, include or only.").annotations({
      examples: ["skip", "include", "only"]
    }),
    "include"
  ),
  regexOnFullURL: defaulted(
    described(
      Schema.Boolean,
      "The patterns of includePaths and excludePaths match the whole address, with host and query."
    ),
    false
  ),
  ignoreQueryParameters: defaulted(
    Schema.Union(Schema.Boolean, list(characters(200))).annotations({
      description:
        'true: addresses that differ in their query alone are one page. A list of names, such as `[sort, "filter*"]`: these parameters are removed from addresses, the others stay; only the local engine takes a list.'
    }),
    false
  ),
  ignoreRobotsTxt: defaulted(described(Schema.Boolean, "Visit what robots.txt asks to leave alone."), false),
  robotsUserAgent: Schema.optional(described(Schema.String, "The name to look for in robots.txt.")),
  respectNofollow: defaulted(
    described(
      Schema.Boolean,
      "Follow no links that are marked nofollow, and none of pages that say so in a robots meta tag or X-Robots-Tag. Only the local engine knows this setting."
    ),
    false
  ),
  respectNoindex: defaulted(
    described(
      Schema.Boolean,
      "Leave out pages with noindex, or with an unavailable_after that has passed, in a robots meta tag or X-Robots-Tag; their links are followed. Only the local engine knows this setting."
    ),
    false
  ),
  respectCanonical: defaulted(
    described(
      Schema.Boolean,
      "Visit the canonical address that a page names in place of the page, if the crawl may visit it. Only the local engine knows this setting."
    ),
    false
  ),
  next: Schema.optional(NextLink).annotations({
    description:
      "Follows lists to their end: the link to the next page, as a CSS selector, `{ rel: next }` or `{ label: Next }`. It is followed whatever includePaths and the limits of depth say; a page of a list that matches no includePaths is no result. Only the local engine knows this setting."
  }),
  deduplicateSimilarURLs: defaulted(
    described(Schema.Boolean, "Addresses with and without www, index.html and the like are one page."),
    true
  ),
  delay: Schema.optional(
    described(Schema.Number.pipe(Schema.between(0, longestDelay)), "Seconds between two requests to a host.")
  ),
  limit: defaulted(described(Schema.Int.pipe(Schema.positive()), "Pages at most."), 10_000)
}

/** Parameters with the names of v1. */
export const fieldsV1 = {
  ...fields,
  ignoreSitemap: Schema.optional(Schema.Boolean).annotations({ description: "True is `sitemap: skip` of v2." }),
  allowBackwardLinks: Schema.optional(Schema.Boolean).annotations({ description: "`crawlEntireDomain` of v2." })
}

/** Response of the preview. Only parameters that the prompt asks for are set. */
export const CrawlParams = Schema.Struct({
  url: maybe(Schema.String).annotations({ description: "Address where the crawl starts." }),
  ...fields,
  delay: Schema.optional(
    described(Schema.Int.pipe(Schema.between(0, longestDelay)), "Whole seconds between two requests to a host.")
  )
}).annotations({
  identifier: "CrawlParams",
  ...open
})
export type CrawlParams = Types.CrawlParams
