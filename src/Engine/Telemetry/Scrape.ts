/** `GET /metrics`: for its own key, else for the engine's where all its keys are of one team; what is counted is counted over all of them. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Forbidden, Unauthorized } from "../../Api/Errors.ts"
import { contentType, hasKey, text } from "../../Telemetry/Prometheus.ts"
import * as Failures from "../Failures.ts"
import { bearer, Keys } from "../Keys.ts"

const stranger = Failures.response(
  new Unauthorized({ error: "Metrics need a key: send it as Authorization: Bearer …", code: "UNAUTHORIZED" })
).pipe(HttpServerResponse.setHeader("www-authenticate", "Bearer"))

const shared = Failures.response(
  new Forbidden({
    error: "This engine has several teams, and metrics are over all of them: set SLUICE_METRICS_KEY and send that.",
    code: "FORBIDDEN"
  })
)

export const layer = (metricsKey: Redacted.Redacted | undefined) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.flatMap(Keys, (keys) => {
      const brings = metricsKey === undefined ? undefined : hasKey(metricsKey)
      const isOurs = (authorization: string | undefined): boolean => {
        const secret = bearer(authorization)
        return secret !== undefined && Option.isSome(keys.find(Redacted.make(secret)))
      }
      return router.get(
        "/metrics",
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers: { authorization } }) => {
          if (!(brings ?? isOurs)(authorization)) return Effect.succeed(stranger)
          if (brings === undefined && keys.teams.size > 1) return Effect.succeed(shared)
          return Effect.map(text, (body) =>
            HttpServerResponse.text(body, { contentType, headers: { "cache-control": "no-store" } })
          )
        })
      )
    })
  )
