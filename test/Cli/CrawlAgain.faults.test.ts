/** A crawl that compares with earlier runs, killed in the middle. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { env, project } from "./Herons.ts"
import { kill, launch } from "./Launched.ts"
import { platform } from "./Project.ts"

it.scoped("is resumed after it was killed: no row is lost or doubled, and the sitemap is read again", () =>
  Effect.gen(function* () {
    const { act, changes, places, root, run, site } = yield* project()
    yield* run()
    site.asked()
    for (const path of ["/1", "/2", "/7", "/14"]) site.change(path)
    site.remove("/15")
    site.add("/new", "/9")
    site.hold(3)
    const running = yield* launch(root, env, "run", `${root}/herons.yaml`, ...places)
    yield* Effect.raceFirst(
      Effect.repeat(
        Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5))),
        { until: () => site.isHolding() }
      ),
      running.ended
    )
    kill(running.child)
    yield* running.ended
    site.letGo()
    const resumed = yield* act("resume")
    expect(resumed.code, resumed.err).toBe(0)
    expect(yield* changes).toEqual([
      "changed /1",
      "changed /14",
      "changed /2",
      "changed /7",
      "changed /9",
      "gone /15",
      "new /new"
    ])
    expect(JSON.parse((yield* act("show", "--json")).out)).toMatchObject({
      status: "completed",
      credits: 7,
      steps: [{ step: "crawl", pages: 17, unchangedPages: 10 }]
    })
  }).pipe(Effect.provide(platform))
)
