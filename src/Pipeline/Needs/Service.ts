/** The service that carries out a pipeline, and the capabilities that it is known to lack. */
import { canParse } from "../../Api/Url.ts"
import { catalogue } from "../../Settings.ts"
import type { Need } from "../../Step/Need.ts"

/** Who does the work, and what it lacks: what is there instead, and what to do. */
export interface Service {
  /** `the local engine`, or its host. */
  readonly who: string
  readonly lackOf: (need: Need) => { readonly why: string; readonly todo: string } | undefined
}

/** A service on this machine can reach a site on this machine; whether it wants to is for its settings to say. */
export const isHere = (baseUrl: string): boolean =>
  !canParse(baseUrl) || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname)

/** A host, as people call a service. */
export const hostOf = (baseUrl: string): string => (canParse(baseUrl) ? new URL(baseUrl).host : baseUrl)

/** A hosted service: its capabilities are not known here, except that it cannot reach this machine. */
export const hosted = (baseUrl: string): Service => ({
  who: hostOf(baseUrl),
  lackOf: ({ ability }) =>
    ability === "here" && !isHere(baseUrl)
      ? {
          why: "is on this machine only and out of reach",
          todo: `let the local engine do the work: ${catalogue.engine.env}=local`
        }
      : undefined
})
