/** Crawl parameters: the pages that a crawl may visit. */
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { characters, defaulted, described, list, maybe, open } from "./Field.ts"
import { NextLink } from "./Paging.ts"

const pattern = characters(1000)

/** Maximum delay between two requests, in seconds. */
export const longestDelay = 3600

const count = Schema.Int.pipe(Schema.nonNegative())

/** Fields with all parameters except the URL, for requests and for the response of the preview. */
export const fields = {
  includePaths: Schema.optional(
    described(
      list(pattern),
      "Regular expressions (RE2): the crawl follows only links whose path matches at least one. The page at `url` is a row in any case; with `next`, only if it matches."
    )
  ),
  excludePaths: Schema.optional(
    described(list(pattern), "Regular expressions (RE2): the crawl leaves out pages whose path matches one.")
  ),
  maxDepth: Schema.optional(described(count, "Maximum number of path segments below the start.")),
  maxDiscoveryDepth: Schema.optional(described(count, "Maximum number of links from the start to a page.")),
  crawlEntireDomain: defaulted(
    described(
      Schema.Boolean,
      "Also follow links to pages of the site that are not below the path of the start address."
    ),
    false
  ),
  allowExternalLinks: defaulted(described(Schema.Boolean, "Follow links to other sites."), false),
  allowSubdomains: defaulted(described(Schema.Boolean, "Follow links to subdomains."), false),
  sitemap: defaulted(
    described(
      Schema.String,
      "skip: do not read the site's sitemap; include: also visit its addresses; only: visit no other pages."
    ).annotations({
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
        'true: treat addresses that differ only in their query as one page. A list of names, such as `[sort, "filter*"]`: remove these parameters from addresses and keep the others; only the local engine supports a list.'
    }),
    false
  ),
  ignoreRobotsTxt: defaulted(described(Schema.Boolean, "Visit pages that robots.txt disallows."), false),
  robotsUserAgent: Schema.optional(described(Schema.String, "User agent whose rules in robots.txt apply.")),
  respectNofollow: defaulted(
    described(
      Schema.Boolean,
      "Do not follow links that are marked nofollow, or links on pages with nofollow in a robots meta tag or X-Robots-Tag. Only the local engine supports this setting."
    ),
    false
  ),
  respectNoindex: defaulted(
    described(
      Schema.Boolean,
      "Leave out pages with noindex, or with an unavailable_after that has passed, in a robots meta tag or X-Robots-Tag; their links are followed. Only the local engine supports this setting."
    ),
    false
  ),
  respectCanonical: defaulted(
    described(
      Schema.Boolean,
      "If a page names a canonical address that the crawl may visit, visit that address instead. Only the local engine supports this setting."
    ),
    false
  ),
  next: Schema.optional(NextLink).annotations({
    description:
      "Follows paged lists to their end: the link to the next page, as a CSS selector, `{ rel: next }` or `{ label: Next }`. The crawl follows it regardless of includePaths and depth limits; a list page that matches no includePaths is not in the results. Only the local engine supports this setting."
  }),
  deduplicateSimilarURLs: defaulted(
    described(Schema.Boolean, "Treat addresses that differ only in www, index.html and the like as one page."),
    true
  ),
  delay: Schema.optional(
    described(Schema.Number.pipe(Schema.between(0, longestDelay)), "Seconds between two requests to a host.")
  ),
  limit: defaulted(described(Schema.Int.pipe(Schema.positive()), "Maximum number of pages."), 10_000)
}

/** Fields with the same parameters under the names of v1. */
export const fieldsV1 = {
  ...fields,
  ignoreSitemap: Schema.optional(Schema.Boolean).annotations({
    description: "true is the same as `sitemap: skip` in v2."
  }),
  allowBackwardLinks: Schema.optional(Schema.Boolean).annotations({ description: "`crawlEntireDomain` of v2." })
}

/** Response of the preview. Contains only parameters that the prompt asks for. */
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
