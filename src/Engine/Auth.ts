/** Turns the bearer key of a request into the team that it acts on. */
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Auth } from "../Api/Auth.ts"
import { Unauthorized } from "../Api/Errors.ts"
import { bearer, Keys } from "./Keys.ts"

const unauthorized = (why: string) => new Unauthorized({ error: `Unauthorized: ${why}` })

export const layer = Layer.effect(
  Auth,
  Effect.map(Keys, (keys) =>
    Auth.of({
      // What the platform hands over is whatever stands where a key would, behind any other word of that length too.
      bearer: () =>
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
          const secret = bearer(headers.authorization)
          if (secret === undefined) return unauthorized("Bearer expected")
          if (secret === "") return unauthorized("Token missing")
          return Option.match(keys.find(Redacted.make(secret)), {
            onNone: () => unauthorized("Invalid token"),
            onSome: ({ team, name }) => Effect.succeed({ id: team, keyId: name, keyName: name })
          })
        })
    })
  )
)
