/** Chooses the local engine or a hosted service from the settings. */
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import { catalogue, type engines } from "../Settings.ts"

/** A hosted service and its key. */
export interface Hosted {
  readonly baseUrl: string
  readonly apiKey: Redacted.Redacted
}

/** The settings do not say whether to use the local engine or a service. */
export interface Undecided {
  /** Environment variable that `reason` is about. */
  readonly name: string
  readonly reason: string
  readonly todo: string
}

interface EngineSettings {
  readonly engine: (typeof engines)[number]
  readonly baseUrl: string | undefined
  readonly apiKey: Redacted.Redacted | undefined
}

const { apiKey: key, baseUrl: url, engine: choice } = catalogue

/** Hosted service to use; undefined for the local engine. Sluice never falls back from one to the other silently. */
export const choose = ({ apiKey, baseUrl, engine }: EngineSettings): Either.Either<Hosted | undefined, Undecided> => {
  if (engine === "local" || (engine === "auto" && baseUrl === undefined)) return Either.right(undefined)
  if (baseUrl !== undefined && apiKey !== undefined) return Either.right({ baseUrl, apiKey })
  return Either.left(
    engine === "auto"
      ? {
          name: url.env,
          reason: "the service needs a key",
          todo: `set ${key.env}, or ${choice.env}=local for the local engine`
        }
      : {
          name: choice.env,
          reason: `it is set to hosted, which needs ${[...(baseUrl === undefined ? [url.env] : []), ...(apiKey === undefined ? [key.env] : [])].join(" and ")}`,
          todo: `set the missing one, or set ${choice.env}=local`
        }
  )
}
