/** The local engine as the settings describe it. */
import * as Effect from "effect/Effect"
import * as Engine from "../Engine.ts"
import { catalogue } from "../Settings.ts"
import { SettingInvalid } from "./Errors.ts"
import * as Folder from "./Folder.ts"
import type { Values } from "./Profile.ts"

interface Place {
  /** Absolute. */
  readonly dataDir: string
  readonly host?: string | undefined
  readonly port?: number | undefined
  /** `host:port` of a site that is served beside it. */
  readonly allowOrigins?: ReadonlyArray<string> | undefined
}

/** Starts it for as long as the scope is open; a setting that it cannot use is called by its name. */
export const start = ({ allowNetworks, engineKeys, rateLimit, webhookSecret }: Values, place: Place) =>
  Folder.make(place.dataDir, `Choose another with --data or ${catalogue.dataDir.env}.`).pipe(
    Effect.zipRight(Engine.start({ ...place, allowNetworks, keys: engineKeys, rateLimit, webhookSecret })),
    Effect.catchTags({
      OptionError: ({ reason }) => new SettingInvalid({ name: catalogue.allowNetworks.env, reason }),
      KeysError: (error) =>
        error.where === catalogue.engineKeys.env
          ? new SettingInvalid({ name: error.where, reason: error.reason })
          : Effect.fail(error)
    })
  )
