/** Who does the work of a run: the service of the settings, else a local engine for as long as the run lasts. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type { Checked } from "../../Pipeline/Check.ts"
import * as LocalSite from "../../Run/LocalSite.ts"
import { needsService, noService } from "../../Run/LocalSite.ts"
import { hostedOf } from "../Abilities.ts"
import { layerOf, serviceOf } from "../Ask.ts"
import type { Values } from "../Profile.ts"

/** Everything that the run calls, for as long as the scope is open. */
export const start = Effect.fn("Run.service")(function* (checked: Checked, settings: Values, dataDir: string) {
  const { frame, source } = checked
  const hosted = yield* hostedOf(settings)
  const site =
    frame.site === undefined ? undefined : yield* LocalSite.serve((yield* Path.Path).resolve(source.folder, frame.site))
  const isAnswered = hosted !== undefined || needsService(checked)
  const service = isAnswered ? yield* serviceOf(settings, { dataDir, site }) : noService
  return { site, hosted, service, client: layerOf(service) }
})
