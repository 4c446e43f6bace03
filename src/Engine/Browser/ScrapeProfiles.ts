/** Gives scrapes access to profiles, under the same rules as sessions: the session quota, one saver per profile, the storage limit. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ProfileStorage } from "../Render/Renderer.ts"
import type { RunningBrowser } from "../Render/RunningBrowser.ts"
import { DevtoolsError } from "./CdpClient.ts"
import * as Disk from "./Process.ts"
import { maxDisk } from "./Process.ts"
import { Profiles, type Root } from "./Profiles.ts"
import { SessionQuota } from "./SessionQuota.ts"

const rootOf = ({ call }: RunningBrowser): Root => ({
  call: <A>(method: string, params?: Readonly<Record<string, unknown>>) =>
    Effect.mapBoth(call(method, params), {
      onFailure: ({ message }) => new DevtoolsError({ method, reason: message }),
      onSuccess: (answer) => answer as A
    })
})

export const layer: Layer.Layer<ProfileStorage, never, Profiles | SessionQuota> = Layer.effect(
  ProfileStorage,
  Effect.gen(function* () {
    const profiles = yield* Profiles
    const quota = yield* SessionQuota
    return {
      open: ({ team, ...request }) =>
        Effect.gen(function* () {
          // No key: the limit of sessions per key does not apply, because the renderer limits concurrent pages itself.
          yield* quota.take({ id: team }, yield* Clock.currentTimeMillis)
          const state = yield* profiles.open(team, request)
          return {
            prepare: state.furnish,
            restore: (running) => state.restore(rootOf(running)),
            save: (running) =>
              state.save({
                chromium: running.chromium,
                flush: running.flush,
                close: running.close,
                devtools: { root: rootOf(running) }
              }),
            overflow: ({ chromium }) => Disk.watch(chromium.folder, maxDisk)
          }
        })
    }
  })
)
