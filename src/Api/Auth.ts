/** Authentication: a request's bearer key identifies its team. */
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Context from "effect/Context"
import { Unauthorized } from "./Errors.ts"

/** Team that a request belongs to, with the id and name (never the secret) of the API key. */
export class Team extends Context.Tag("sluice/Api/Team")<
  Team,
  { readonly id: string; readonly keyId: string; readonly keyName: string }
>() {}

/** Middleware that reads the API key from `Authorization: Bearer <key>`, and provides its team. */
export class Auth extends HttpApiMiddleware.Tag<Auth>()("sluice/Api/Auth", {
  failure: Unauthorized.schema,
  provides: Team,
  security: {
    bearer: HttpApiSecurity.bearer.pipe(
      HttpApiSecurity.annotate(OpenApi.Description, "The team's API key: `Authorization: Bearer fc-…`.")
    )
  }
}) {}
