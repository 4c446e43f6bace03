/** Collections of a thread's heap on demand. */
import { setFlagsFromString } from "node:v8"
import { runInThisContext } from "node:vm"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { triggerCollection } from "../../src/Engine/Teams/Heap.ts"

const megabyte = 1024 * 1024

/** Triggers collections until the garbage that `make` leaves is gone; returns how much of it is. */
const collect = (make: (registry: FinalizationRegistry<undefined>) => void, count: number) =>
  Effect.gen(function* () {
    let gone = 0
    const registry = new FinalizationRegistry<undefined>(() => (gone += 1))
    make(registry)
    for (let look = 0; look < 4_000 && gone < count; look++) {
      if (look % 200 === 0) triggerCollection()
      yield* Effect.sleep("5 millis")
    }
    // Without a reference to the registry it would be garbage, too.
    return registry instanceof FinalizationRegistry ? gone : 0
  })

it.live("A collection frees unreachable buffers of an idle process", () =>
  Effect.gen(function* () {
    const make = (registry: FinalizationRegistry<undefined>) => {
      for (let count = 0; count < 8; count++) registry.register(new ArrayBuffer(8 * megabyte), undefined)
    }
    expect(yield* collect(make, 8)).toBe(8)
  })
)

it.live("A collection keeps the optimized code of a class whose instances are all gone", () =>
  Effect.gen(function* () {
    setFlagsFromString("--allow-natives-syntax")
    const { isOptimized, read, Shape } = runInThisContext(`(() => {
      class Shape { text = ""; parent = undefined; constructor(text) { this.text = text } };
      const read = (shape) => shape.text.length + (shape.parent === undefined ? 1 : 2);
      %PrepareFunctionForOptimization(read);
      for (const text of ["a", "ab"]) read(new Shape(text));
      %OptimizeFunctionOnNextCall(read);
      read(new Shape("abc"));
      return { Shape, read, isOptimized: () => (%GetOptimizationStatus(read) & 16) !== 0 }
    })()`) as { isOptimized: () => boolean; read: (shape: object) => number; Shape: new (text: string) => object }
    expect(isOptimized()).toBe(true)
    const make = (registry: FinalizationRegistry<undefined>) => {
      for (let count = 0; count < 8; count++) registry.register(new Shape("gone"), undefined)
    }
    // V8 keeps a shape without instances for two collections, whatever starts them.
    for (let time = 0; time < 4; time++) expect(yield* collect(make, 8)).toBe(8)
    expect(isOptimized()).toBe(true)
    expect(read(new Shape("four"))).toBe(5)
  })
)
