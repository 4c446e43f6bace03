import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { warnOnce } from "../../src/Telemetry/Log.ts"
import { expect, scoped } from "../It.ts"

scoped("a repeated failure is logged once, and again after a success in between", function* () {
  const told: Array<unknown> = []
  const listening = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) => void told.push(message))
  )
  const work = warnOnce("Notices cannot be sent")
  const outcomes = [false, false, true, false]
  for (const [index, isWell] of outcomes.entries()) {
    const done = isWell ? Effect.void : Effect.fail(new Error(`no room at ${index}`))
    yield* Effect.ignore(work(done)).pipe(Effect.provide(listening))
  }
  expect(told.flat()).toEqual([
    "Notices cannot be sent; retrying: no room at 0",
    "Notices cannot be sent; retrying: no room at 3"
  ])
})
