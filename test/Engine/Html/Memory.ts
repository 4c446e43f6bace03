/** What is in the memory of this process once nothing is left in it that nobody needs. */
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

/** Whether the answer of a request is still in memory when the request has ended: a closed scope keeps what it ended with. */
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
