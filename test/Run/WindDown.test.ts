import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as Run from "../../src/Run.ts"
import { project } from "../Project.ts"
import { page } from "../Step/Odd.ts"
import { breath } from "./Lives.ts"

it.scoped("a run that is stopped while it fails has failed, and does not wait a second time for calls in flight", () =>
  Effect.gen(function* () {
    // One page is answered once both were requested, and the other one never.
    let calls = 0
    let answer = () => {}
    const behind = new Promise<void>((resolve) => {
      answer = resolve
    })
    const { checked, folder, ledger, surroundings } = yield* project({
      onTestClock: true,
      service: () => {
        if (++calls === 2) answer()
        return calls === 1 ? { body: { success: true, data: page("http://x.example/a") }, behind } : { hangs: true }
      }
    })
    const definition = yield* checked(`  - urls: ["http://x.example/a", "http://x.example/b"]
  - scrape: {}
    concurrency: 2
  - check: [{ rule: 1 = 2, message: never, onFail: fail }]
  - write: { jsonl: a.jsonl }
`)
    yield* Effect.gen(function* () {
      const run = yield* Run.make(definition, { out: folder, dataDir: folder })
      const running = yield* Effect.fork(run.execute)
      // The call in flight is waited for: the run winds down.
      yield* Effect.repeat(Effect.zipRight(breath, run.progress), { until: ({ steps }) => (steps.scrape ?? 0) > 0 })
      yield* breath
      yield* Fiber.interruptFork(running)
      const seconds = yield* Effect.iterate(0, {
        while: (seconds) => seconds < 30 && running.unsafePoll() === null,
        body: (seconds) =>
          TestClock.adjust("1 second").pipe(Effect.zipRight(Effect.repeatN(breath, 20)), Effect.as(seconds + 1))
      })
      expect((yield* ledger.find(run.id))?.status).toBe("failed")
      expect((yield* run.progress).expected).toBe(2)
      expect(seconds).toBeLessThan(9)
    }).pipe(Effect.provide(surroundings))
  })
)
