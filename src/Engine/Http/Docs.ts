/** `GET /openapi.json`, `GET /docs` and `GET /health`. No key is needed. */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import { version } from "../../Version.ts"
import { failing, Sql } from "../Store/Sql.ts"
import * as Storage from "../Store/Storage.ts"

const load = Effect.promise(() => import("./OpenApiDocument.ts"))

/** Reports the engine's status, with warnings for its operator. Computed at most once a second, because no key is required. */
const health = Effect.gen(function* () {
  const sql = yield* Sql
  const limits = yield* Storage.StorageLimits
  const space = yield* Storage.FreeSpace
  const warnings = Effect.gen(function* () {
    const teams = yield* Effect.orElseSucceed(failing(Storage.teamsNearLimit(sql, limits)), () => 0)
    const free = yield* space
    const disk = free === undefined ? undefined : Storage.lowDisk(free)
    return [
      ...(teams === 0
        ? []
        : [`${teams} ${teams === 1 ? "team uses" : "teams use"} more than 80 % of the bytes of SLUICE_TEAM_BYTES.`]),
      ...(disk === undefined ? [] : [disk])
    ]
  })
  return Effect.map(yield* Effect.cachedWithTTL(warnings, "1 second"), (warnings) =>
    HttpServerResponse.unsafeJson({ status: "ok", version, ...(warnings.length === 0 ? {} : { warnings }) })
  )
})

export const layer = HttpApiBuilder.Router.use((router) =>
  Effect.flatMap(health, (health) =>
    Effect.all([
      router.get(
        "/openapi.json",
        Effect.map(load, ({ json }) => json)
      ),
      router.get(
        "/docs",
        Effect.map(load, ({ page }) => page)
      ),
      router.get("/health", health)
    ])
  )
)
