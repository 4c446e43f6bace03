/**
 * HTTP client for requests that do not go to the service: those of the step `request`, to URLs in a definition.
 *
 * The client is configured by the setting `Outbound`. By default the guard allows only public addresses; commands add the networks of
 * `allowNetworks` and the pipeline's site, and tests of pipelines substitute their recording.
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Context from "effect/Context"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { canParse } from "../Api/Url.ts"
import { type Allowlist, parseNetwork } from "../Guard.ts"

export interface Settings {
  readonly allowlist: Allowlist
  /** Replaces the network client, or records what it sends. */
  readonly through?: ((network: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
}

export class Outbound extends Context.Reference<Outbound>()("sluice/Client/Outbound", {
  defaultValue: (): Settings => publicOnly
}) {}

const publicOnly: Settings = { allowlist: { networks: [], origins: new Set() } }

interface Options {
  /** Networks besides the public internet that may be reached, as CIDR. Invalid ones are ignored here; the engine refuses them. */
  readonly allowNetworks?: ReadonlyArray<string> | undefined
  /** URL of the pipeline's own site. */
  readonly site?: string | undefined
  readonly through?: Settings["through"]
}

export const layer = ({ allowNetworks = [], site, through }: Options): Layer.Layer<Outbound> =>
  Layer.succeed(Outbound, {
    allowlist: {
      networks: allowNetworks.flatMap((network) =>
        Either.match(parseNetwork(network), { onLeft: () => [], onRight: (each) => [each] })
      ),
      origins: new Set(site !== undefined && canParse(site) ? [new URL(site).host] : [])
    },
    through
  })
