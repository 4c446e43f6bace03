/** Turns the bearer key of a request into the team that it acts on (spec 5). */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Auth } from "../Api/Auth.ts"
import { Unauthorized } from "../Api/Errors.ts"
import { Keys } from "./Keys.ts"

export const layer = Layer.effect(
  Auth,
  Effect.map(Keys, (keys) =>
    Auth.of({
      bearer: (secret) => {
        if (Redacted.value(secret).trim() === "") {
          return new Unauthorized({ error: "Unauthorized: Token missing" })
        }
        return Option.match(keys.find(secret), {
          onNone: () => new Unauthorized({ error: "Unauthorized: Invalid token" }),
          onSome: ({ team, name }) => Effect.succeed({ id: team, keyId: name, keyName: name })
        })
      }
    })
  )
)
