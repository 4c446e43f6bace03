/**
 * Service that a command calls: the hosted service from the settings, or else a local engine until the scope closes. Also its capabilities
 * and its balance.
 */

import * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../Client/Connection.ts"
import { checkBaseUrl } from "../Client/Connection.ts"
import * as Outbound from "../Client/Outbound.ts"
import { backoff, isSafe, type Policy, RetryPolicy } from "../Client/Retry.ts"
import { TokenUsage } from "../Client/TokenUsage.ts"
import * as Client from "../Client.ts"
import { missingCapability } from "../Engine/Handlers/Capabilities.ts"
import * as Heap from "../Engine/Teams/Heap.ts"
import { connectionOf } from "../LocalEngine.ts"
import { type Checked, scopeBefore } from "../Pipeline/Check.ts"
import { hosted, hostOf, look, type Service } from "../Pipeline/Requirements.ts"
import * as LocalSite from "../Run/LocalSite.ts"
import { needsService, noService } from "../Run/LocalSite.ts"
import { choose, type Hosted } from "../Settings/Engine.ts"
import { catalogue } from "../Settings.ts"
import * as Cost from "../Step/Cost.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { SettingInvalid } from "./CommandErrors.ts"
import type { SettingValues } from "./CommandSettings.ts"
import { count } from "./Format.ts"
import type { Terminal } from "./Terminal.ts"
import { scopeOf } from "./Trust.ts"

/** Hosted service from the settings; undefined when the local engine is used. */
export const hostedService = (settings: SettingValues) =>
  Effect.mapError(choose(settings), ({ name, reason, todo }) => ({ name, reason: `${reason}: ${todo}` })).pipe(
    Effect.tap((service) =>
      service === undefined
        ? Effect.void
        : Effect.mapError(checkBaseUrl(service.baseUrl), ({ reason }) => ({
            name: catalogue.baseUrl.env,
            reason: `${reason}. Expected an address like https://api.example.com`
          }))
    ),
    Effect.mapError((error) => new SettingInvalid(error))
  )

/** The selected service, with a function that says what it lacks for a need of a pipeline. */
export const capabilitiesOf = (settings: SettingValues) =>
  Effect.map(
    hostedService(settings),
    (service): Service =>
      service === undefined
        ? { who: "the local engine", lackOf: (need) => missingCapability(settings, need) }
        : hosted(service.baseUrl)
  )

/** Capabilities that the pipeline needs and the service lacks or has only in part. */
export const missingCapabilities = (checked: Checked, settings: SettingValues, env: Terminal["env"]) =>
  Effect.flatMap(capabilitiesOf(settings), (service) => look(checked, scopeBefore(checked, scopeOf(env)), service))

/** Fails when the service lacks a capability that the pipeline needs. */
export const requireCapabilities = (checked: Checked, settings: SettingValues, env: Terminal["env"]) =>
  Effect.flatMap(missingCapabilities(checked, settings, env), ({ refusal }) => refusal ?? Effect.void)

/** Options of a connection to a service, with the service's own prices if it has others than the documented ones. */
interface Priced extends Connection.Options {
  readonly rate?: Cost.PriceOf | undefined
}

/** Opens the service; a local engine may also fetch from `site`. */
export const openService = Trace.fn("Cli.service")(function* (
  settings: SettingValues,
  {
    dataDir,
    parsesFiles,
    site
  }: {
    readonly dataDir: string
    readonly site?: string | undefined
    readonly parsesFiles?: boolean | undefined
  }
) {
  const hosted: Priced | undefined = yield* hostedService(settings)
  if (hosted !== undefined) {
    Heap.limitGrowth()
    return hosted
  }
  // The engine is large, so it is only loaded if needed.
  const Local = yield* Effect.promise(() => import("./LocalEngine.ts"))
  const engine = yield* Local.start(settings, {
    dataDir,
    allowOrigins: site === undefined ? [] : [new URL(site).host],
    parsesFiles,
    port: false
  })
  const service: Priced = { ...connectionOf(engine), rate: Local.rate }
  return service
})

/** Layer with all clients of a service and the HTTP client for other requests; runs reserve the prices of the service. */
export const clientsOf = (
  { rate, ...service }: Priced,
  settings: Partial<Pick<SettingValues, "allowNetworks">>,
  site?: string
) => {
  const { allowNetworks } = settings
  const client = Layer.merge(
    Layer.provide(Client.layer, Connection.layer(service)),
    Outbound.layer({ allowNetworks, site })
  )
  return rate === undefined ? client : Layer.merge(client, Layer.succeed(Cost.Tariff, { rate }))
}

/** Opens a client of the selected service. `data` overrides the data folder of the settings. */
export const openClient = Trace.fn("Cli.client")(function* (settings: SettingValues, data: string | undefined) {
  const dataDir = (yield* Path.Path).resolve(data ?? settings.dataDir)
  return clientsOf(yield* openService(settings, { dataDir }), settings)
})

/** Maximum time for the answer of a service that is only asked for its balance. */
const answerTimeout = Duration.seconds(15)

/** Few and short retries, because a person waits. */
const policy: Policy = { schedule: backoff({ retries: 2, maxRetryAfter: "3 seconds" }), when: isSafe }

/** The service did not answer in time. */
export class ServiceSilent extends Data.TaggedError("Timeout")<{ readonly host: string }> {
  override get message() {
    return `${this.host} has not answered within ${Duration.format(answerTimeout)}. Check that the service runs and that SLUICE_BASE_URL is right`
  }
}

/** Remaining credits; if the service has no such endpoint, the tokens of this month. */
export const askBalance = (service: Hosted) =>
  Effect.gen(function* () {
    const usage = yield* TokenUsage
    const used = Effect.map(usage.historical(), ({ periods }) => {
      const tokens = periods.at(-1)?.totalTokens ?? 0
      return `${count(tokens, "token")} used this month (15 are a credit); the service does not say what is left`
    })
    return yield* Effect.catchTags(
      Effect.map(usage.credits(), ({ data }) => `${count(data.remainingCredits, "credit")} left`),
      {
        Forbidden: () => used,
        NotFound: () => used,
        NotImplemented: () => used,
        Refused: () => used,
        UnexpectedResponse: () => used
      }
    )
  }).pipe(
    Effect.provide(Layer.provide(Client.layer, Connection.layer(service))),
    Effect.provideService(RetryPolicy, policy),
    Effect.timeoutFail({
      duration: answerTimeout,
      onTimeout: () => new ServiceSilent({ host: hostOf(service.baseUrl) })
    })
  )

/** Starts everything that the run calls, until the scope closes. */
export const startService = Trace.fn("Run.service")(function* (
  checked: Checked,
  settings: SettingValues,
  dataDir: string
) {
  const { frame, nodes, source } = checked
  const parsesFiles = nodes.some(({ step }) => step.parsesFiles === true)
  const hosted = yield* hostedService(settings)
  const site =
    frame.site === undefined ? undefined : yield* LocalSite.serve((yield* Path.Path).resolve(source.folder, frame.site))
  const isAnswered = hosted !== undefined || needsService(checked)
  const service = isAnswered ? yield* openService(settings, { dataDir, site, parsesFiles }) : noService
  return { site, hosted, service, client: clientsOf(service, settings, site) }
})

/** Replaces the result of {@link startService} in a run that makes no more requests: no service is started. */
export const withoutService = { site: undefined, hosted: undefined, client: clientsOf(noService, {}) }
