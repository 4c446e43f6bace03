/** Maps: the URLs of a site. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Schema from "effect/Schema"
import { Auth } from "./Auth.ts"
import { Conflict, Forbidden, TimedOut, TooLarge, Unprocessable } from "./Errors.ts"
import { defaulted, described, lenientBody, maybe, open, PageUrl, senderFields, strict } from "./Field.ts"
import { CallHeaders } from "./Idempotency.ts"

export const requestFields = {
  url: PageUrl,
  search: Schema.optional(described(Schema.String, "Links that match come first.")),
  sitemap: defaulted(Schema.Literal("skip", "include", "only"), "include"),
  includeSubdomains: defaulted(Schema.Boolean, true),
  ignoreQueryParameters: defaulted(Schema.Boolean, true),
  limit: defaulted(Schema.Int.pipe(Schema.between(1, 100_000)), 5000),
  timeout: Schema.optional(described(Schema.Int.pipe(Schema.positive()), "Milliseconds.")),
  ...senderFields
}
export const MapRequest = Schema.Struct(requestFields).annotations({ identifier: "MapRequest", ...strict })
export type MapRequest = typeof MapRequest.Type

/** With the names of v1 for `sitemap`. */
export const requestFieldsV1 = {
  ...requestFields,
  ignoreSitemap: Schema.optional(Schema.Boolean),
  sitemapOnly: Schema.optional(Schema.Boolean)
}
export const MapRequestV1 = Schema.Struct(requestFieldsV1).annotations({ identifier: "MapRequestV1", ...lenientBody })
export type MapRequestV1 = typeof MapRequestV1.Type

/** Reasons why a map is incomplete. Only the local engine sends them. */
export const leftOut = ["sitemap"] as const

/** v2 sends objects, v1 sends plain URLs. */
export const MapResponse = Schema.Struct({
  success: Schema.Boolean,
  links: Schema.Array(
    Schema.Union(
      Schema.Struct({
        url: Schema.String,
        title: maybe(Schema.String),
        description: maybe(Schema.String)
      }).annotations(open),
      Schema.String
    )
  ),
  leftOut: Schema.optional(
    Schema.Array(Schema.String).annotations({
      description: "Why addresses may be missing: `sitemap`, as a sitemap of the site could not be read."
    })
  )
}).annotations({ identifier: "MapResponse", ...open })
export type MapResponse = typeof MapResponse.Type

/** Group `map`. */
export class MapGroup extends HttpApiGroup.make("map")
  .add(
    HttpApiEndpoint.post("map", "/v2/map")
      .annotate(OpenApi.Summary, "The addresses of a site")
      .setPayload(MapRequest)
      .setHeaders(CallHeaders)
      .addSuccess(MapResponse)
      .addError(Conflict.schema)
      .addError(Forbidden.schema)
      .addError(TimedOut.schema)
      .addError(TooLarge.schema)
      .addError(Unprocessable.schema)
  )
  .add(
    HttpApiEndpoint.post("mapV1", "/v1/map")
      .annotate(OpenApi.Summary, "The addresses of a site")
      .setPayload(MapRequestV1)
      .setHeaders(CallHeaders)
      .addSuccess(MapResponse)
      .addError(Conflict.schema)
      .addError(Forbidden.schema)
      .addError(TimedOut.schema)
      .addError(TooLarge.schema)
      .addError(Unprocessable.schema)
  )
  .middleware(Auth)
  .annotate(OpenApi.Title, "Map") {}
