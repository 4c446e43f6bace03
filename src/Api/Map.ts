/** Maps: lists of the URLs of a site. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import type * as Types from "../Generated/Api.ts"
import { Auth } from "./Auth.ts"
import { charges } from "./Charges.ts"
import { anyOf, Conflict, Forbidden, TimedOut, TooLarge, Unprocessable } from "./Errors.ts"
import {
  defaulted,
  described,
  field,
  lenientBody,
  maybe,
  open,
  PageUrl,
  senderFields,
  strict,
  success,
  typed
} from "./Field.ts"
import { CallHeaders } from "./Idempotency.ts"
import { Location } from "./ScrapeOptions.ts"

export const requestFields = {
  url: field(PageUrl, "Address of the site; with `sitemap: only` also of one of its sitemaps."),
  search: Schema.optional(described(Schema.String, "Words to look for; links that match them come first.")),
  sitemap: defaulted(
    described(
      Schema.Literal("skip", "include", "only"),
      "skip: do not read the site's sitemap; include: also list its addresses; only: list no other addresses."
    ),
    "include"
  ),
  includeSubdomains: defaulted(described(Schema.Boolean, "Also list addresses of subdomains."), true),
  ignoreQueryParameters: defaulted(
    described(Schema.Boolean, "Treat addresses that differ only in their query as one page."),
    true
  ),
  limit: defaulted(described(Schema.Int.pipe(Schema.between(1, 100_000)), "Maximum number of addresses."), 5000),
  timeout: Schema.optional(described(Schema.Int.pipe(Schema.positive()), "Maximum time, in milliseconds.")),
  ignoreCache: Schema.optional(
    described(
      Schema.Boolean,
      "Read the sitemaps again instead of using stored ones. The local engine stores none, so it always reads them."
    )
  ),
  useIndex: Schema.optional(
    described(
      Schema.Boolean,
      "Also list pages that the service already knows. The local engine ignores this option and reads the site itself."
    )
  ),
  location: Schema.optional(Location).annotations({
    description: "Country and languages that the page is requested with. Sitemaps are the same everywhere."
  }),
  ...senderFields
}
export const MapRequest = Schema.Struct(requestFields).annotations({ identifier: "MapRequest", ...strict })
export type MapRequest = Types.MapRequest

/** Fields of a request, with the names that v1 has for `sitemap`. */
export const requestFieldsV1 = {
  ...requestFields,
  ignoreSitemap: Schema.optional(Schema.Boolean).annotations({
    description: "true is the same as `sitemap: skip` in v2."
  }),
  sitemapOnly: Schema.optional(Schema.Boolean).annotations({
    description: "true is the same as `sitemap: only` in v2."
  })
}
export const MapRequestV1 = Schema.Struct(requestFieldsV1).annotations({ identifier: "MapRequestV1", ...lenientBody })
export type MapRequestV1 = Types.MapRequestV1

/** Reasons why a map is incomplete. Sent only by the local engine. */
export const leftOut = ["sitemap"] as const

/** Response with the URLs of a site: as objects in v2, as plain strings in v1. */
export const MapResponse = Schema.Struct({
  success,
  links: field(
    Schema.Array(
      Schema.Union(
        Schema.Struct({
          url: field(Schema.String, "The address."),
          title: maybe(Schema.String, "Title of the page, where it is known."),
          description: maybe(Schema.String, "Description of the page, where it is known.")
        }).annotations(open),
        Schema.String
      )
    ),
    "Addresses of the site: objects in v2, strings in v1."
  ),
  warning: maybe(Schema.String, "Parts of the request that could not be met."),
  leftOut: Schema.optional(
    Schema.Array(Schema.String).annotations({
      description: "Why addresses may be missing: `sitemap` if a sitemap of the site could not be read."
    })
  )
}).annotations({ identifier: "MapResponse", ...open })
export type MapResponse = Types.MapResponse

const endpoint = <const Name extends string, A, I>(
  name: Name,
  url: HttpApiEndpoint.PathSegment,
  payload: Schema.Schema<A, I>
) =>
  HttpApiEndpoint.post(name, url)
    .annotateContext(charges("work", "map"))
    .annotate(OpenApi.Summary, "List the addresses of a site")
    .setPayload(payload)
    .setHeaders(CallHeaders)
    .addSuccess(typed<Types.MapResponse>()(MapResponse))
    .addError(anyOf(Conflict, Forbidden, TimedOut, TooLarge, Unprocessable))

/** Group of the API's `map` endpoints. */
export class MapGroup extends HttpApiGroup.make("map")
  .add(endpoint("map", "/v2/map", MapRequest))
  .add(endpoint("mapV1", "/v1/map", MapRequestV1))
  .middleware(Auth)
  .annotate(OpenApi.Title, "Map") {}
