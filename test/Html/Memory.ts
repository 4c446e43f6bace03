/** Memory of this process after a full garbage collection. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

/** Bytes. */
export const inMemory = (): number => {
  collect()
  const { external, heapUsed } = process.memoryUsage()
  return external + heapUsed
}

/** True if a response is still in memory after its request has ended. A closed scope keeps its exit value alive. */
export const isAnswerKept = <E, R>(work: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    let answer: WeakRef<object> | undefined
    const made = Effect.sync(() => {
      const value = { text: "an answer" }
      answer = new WeakRef(value)
      return value
    })
    const request = Effect.asVoid(Effect.scoped(Effect.zipRight(work, made)))
    yield* Effect.flatMap(Effect.fork(request), Fiber.join)
    for (let turn = 0; turn < 5; turn++) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    collect()
    return answer?.deref() !== undefined
  })
