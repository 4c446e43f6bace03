/** Who does the work of a run: the service of the settings, else a local engine for as long as the run lasts. */

import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { canParse } from "../../Api/Url.ts"
import type { Checked } from "../../Pipeline/Check.ts"
import { isNeeded, nobody } from "../../Run/Service.ts"
import * as Site from "../../Run/Site.ts"
import { layerOf, serviceOf } from "../Ask.ts"
import { SiteOutOfReach } from "../Errors.ts"
import type { Values } from "../Profile.ts"

/** A service on this machine can reach a site on this machine; whether it wants to is for its settings to say. */
export const isHere = (baseUrl: string): boolean =>
  !canParse(baseUrl) || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname)

/** Serves the pipeline's `site`, if it asks for one, and gives its address. */
const serveSite = Effect.fn("Run.site")(function* ({ frame, source }: Checked, baseUrl: string | undefined) {
  if (frame.site === undefined) return undefined
  if (baseUrl !== undefined && !isHere(baseUrl)) return yield* new SiteOutOfReach({ file: source.file, baseUrl })
  return yield* Site.serve((yield* Path.Path).resolve(source.folder, frame.site))
})

/** Everything that the run calls, for as long as the scope is open. */
export const start = Effect.fn("Run.service")(function* (checked: Checked, settings: Values, dataDir: string) {
  const site = yield* serveSite(checked, settings.baseUrl)
  const isAnswered = settings.baseUrl !== undefined || isNeeded(checked)
  const service = isAnswered ? yield* serviceOf(settings, { dataDir, site }) : nobody
  return { site, service, client: layerOf(service) }
})
