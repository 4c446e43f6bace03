/** Memory watchdog of the browser. */
import { type ChildProcess, spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import * as RunningBrowser from "../../../src/Engine/Render/RunningBrowser.ts"
import { describe, expect, it } from "../../It.ts"

const limits = { page: Infinity, all: Infinity, browser: Infinity, interval: "5 millis" } as const

/** A process that takes some tens of megabytes. */
const program = Effect.acquireRelease(
  Effect.sync(() => spawn(process.execPath, ["-e", "setTimeout(() => undefined, 20_000)"])),
  (child) => Effect.sync(() => child.kill("SIGKILL"))
)

const signalOf = (child: ChildProcess) =>
  Effect.async<NodeJS.Signals | null>((resume) => {
    child.once("exit", (_, signal) => resume(Effect.succeed(signal)))
  }).pipe(Effect.timeout("1 minute"))

/** Answers only once. */
const answers = (processInfo: ReadonlyArray<{ readonly id: number; readonly type: string }>) => {
  let isAsked = false
  return Effect.suspend(() => {
    if (isAsked) return Effect.never
    isAsked = true
    return Effect.succeed({ processInfo })
  })
}

describe.skipIf(process.platform !== "linux")("The memory of a browser", () => {
  it.scopedLive("is bounded even if the browser stops answering", function* () {
    const child = yield* program
    const ended = yield* Effect.fork(signalOf(child))
    const asked = answers([{ id: child.pid ?? 0, type: "browser" }])
    yield* Effect.forkScoped(RunningBrowser.watchMemory(asked, { ...limits, browser: 5_000_000 }))
    expect(yield* ended).toBe("SIGKILL")
  })

  it.scopedLive("is bounded per page; other processes of the browser stay alive", function* () {
    const [browser, page] = [yield* program, yield* program]
    const ended = yield* Effect.fork(signalOf(page))
    const asked = answers([
      { id: browser.pid ?? 0, type: "browser" },
      { id: page.pid ?? 0, type: "renderer" }
    ])
    yield* Effect.forkScoped(
      RunningBrowser.watchMemory(Effect.delay(asked, "50 millis"), { ...limits, page: 1_000_000 })
    )
    expect(yield* ended).toBe("SIGKILL")
    expect([browser.exitCode, browser.signalCode]).toEqual([null, null])
  })
})
