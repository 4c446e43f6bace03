/**
 * Way out of requests that do not go to the service: of the step `request` to the addresses of a definition.
 *
 * A setting. By default the guard allows public addresses only; commands add the networks of `allowNetworks` and the site of the pipeline,
 * tests of pipelines put their recording in its place.
 */
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Context from "effect/Context"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { canParse } from "../Api/Url.ts"
import { type Allowlist, parseNetwork } from "../Guard.ts"

export interface Settings {
  readonly allowlist: Allowlist
  /** Replaces the client over the network, or records what it sends. */
  readonly through?: ((network: HttpClient.HttpClient) => HttpClient.HttpClient) | undefined
}

export class Outbound extends Context.Reference<Outbound>()("sluice/Client/Outbound", {
  defaultValue: (): Settings => publicOnly
}) {}

const publicOnly: Settings = { allowlist: { networks: [], origins: new Set() } }

interface Options {
  /** Networks that may be reached beside the public internet, as CIDR. The engine refuses one that cannot be read. */
  readonly allowNetworks?: ReadonlyArray<string> | undefined
  /** Address of the pipeline's own site. */
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
