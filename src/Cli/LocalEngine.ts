/** Local engine configured by the settings. */
import * as Effect from "effect/Effect"
import * as Heap from "../Engine/Teams/Heap.ts"
import { prices } from "../Engine/Usage/Usage.ts"
import * as Engine from "../Engine.ts"
import { catalogue } from "../Settings.ts"
import * as Cost from "../Step/Cost.ts"
import { SettingInvalid } from "./CommandErrors.ts"
import type { SettingValues } from "./CommandSettings.ts"
import { makeFolder } from "./Folder.ts"

interface Place {
  /** Absolute path. */
  readonly dataDir: string
  readonly host?: string | undefined
  /** False if only this process calls the engine. */
  readonly port?: number | false | undefined
  /** `host:port` of sites that are served next to it. */
  readonly allowOrigins?: ReadonlyArray<string> | undefined
  /** True when files will be sent to it. */
  readonly parsesFiles?: boolean | undefined
}

export const { loadAhead } = Engine

/** The prices of the local engine. */
export const rate = Cost.local(prices)

/** Language model from the settings. A URL without the name of a model is an error. */
const modelOf = ({ model: name, modelKey: key, modelUrl: url }: SettingValues) => {
  if (url === undefined) return Effect.succeed(undefined)
  return name === undefined
    ? new SettingInvalid({
        name: catalogue.model.env,
        reason: `it is not set, and ${catalogue.modelUrl.env} needs the name of a model`
      })
    : Effect.succeed({ url, name, key })
}

/** Starts the engine until the scope closes. Errors name the setting that is not usable. */
export const start = (settings: SettingValues, place: Place) =>
  Effect.sync(Heap.limitGrowth).pipe(
    Effect.zipRight(makeFolder(place.dataDir, `Choose another with --data or ${catalogue.dataDir.env}.`)),
    Effect.zipRight(modelOf(settings)),
    Effect.flatMap((model) => {
      const { allowExecute, allowNetworks, browserSessions, chromium, chromiumNoSandbox, copyBytes } = settings
      const { jobBytes, teamBytes } = settings
      const { engineKeys, metricsKey, proxies, quota, rateLimit, searchProviders, webhookSecret, weights } = settings
      return Engine.start({
        ...place,
        allowNetworks,
        keys: engineKeys,
        model,
        proxies,
        searchProviders,
        rateLimit,
        quota,
        weights,
        metricsKey,
        webhookSecret,
        copyBytes,
        jobBytes,
        teamBytes,
        chromium,
        browserSessions,
        allowExecute,
        chromiumSandbox: !chromiumNoSandbox
      })
    }),
    Effect.catchTags({
      OptionError: ({ option, reason }) =>
        new SettingInvalid({ name: catalogue[option === "model" ? "modelUrl" : option].env, reason }),
      KeysError: (error) =>
        error.where === catalogue.engineKeys.env
          ? new SettingInvalid({ name: error.where, reason: error.reason })
          : Effect.fail(error)
    })
  )
