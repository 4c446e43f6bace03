/** The URLs of a site. */
import * as Effect from "effect/Effect"
import type { MapRequest } from "../Api/Map.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { calls, type Keyed, keyHeaders, type Versioned } from "./Calls.ts"
import { asRead } from "./RetryLoop.ts"

/** Client for the URLs of a site. Errors: `ClientError`. */
export class SiteMap extends Effect.Service<SiteMap>()("sluice/Client/Map", {
  effect: Effect.gen(function* () {
    const api = yield* calls("map")
    return {
      /** Returns links as objects (v2) or plain URLs (v1): at most `limit`, 1 to 100,000, default 5000. */
      run: Trace.fn("Map.run")((payload: MapRequest, options: Keyed & Versioned = {}) => {
        const request = { payload, headers: keyHeaders(options) }
        return asRead(options.version === "v1" ? api.mapV1(request) : api.map(request))
      })
    }
  })
}) {}
