/** Selects the local engine or the hosted service, and checks that it has the capabilities a pipeline needs. */
import * as Effect from "effect/Effect"
import { checkBaseUrl } from "../Client/Connection.ts"
import { lackOf } from "../Engine/Abilities.ts"
import { type Checked, scopeBefore } from "../Pipeline/Check.ts"
import { hosted, look, type Service } from "../Pipeline/Requirements.ts"
import { choose } from "../Settings/Engine.ts"
import { catalogue } from "../Settings.ts"
import { SettingInvalid } from "./Errors.ts"
import type { Values } from "./Profile.ts"
import { scopeOf } from "./Scope.ts"
import type { Terminal } from "./Terminal.ts"

/** Hosted service from the settings; undefined when the local engine is used. */
export const hostedOf = (settings: Values) =>
  choose(settings).pipe(
    Effect.tap((service) =>
      service === undefined
        ? Effect.void
        : Effect.mapError(checkBaseUrl(service.baseUrl), ({ reason }) => ({
            name: catalogue.baseUrl.env,
            reason: `${reason}. It is an address like https://api.example.com`
          }))
    ),
    Effect.mapError((error) => new SettingInvalid(error))
  )

/** Returns the selected service. */
export const serviceOf = (settings: Values) =>
  Effect.map(
    hostedOf(settings),
    (service): Service =>
      service === undefined
        ? { who: "the local engine", lackOf: (need) => lackOf(settings, need) }
        : hosted(service.baseUrl)
  )

/** Capabilities that a pipeline needs and the service lacks, and those that it has only in part. */
export const lacking = (checked: Checked, settings: Values, env: Terminal["env"]) =>
  Effect.flatMap(serviceOf(settings), (service) => look(checked, scopeBefore(checked, scopeOf(env)), service))

/** Fails when the service lacks a capability that the pipeline needs. */
export const ensure = (checked: Checked, settings: Values, env: Terminal["env"]) =>
  Effect.flatMap(lacking(checked, settings, env), ({ refusal }) => refusal ?? Effect.void)
