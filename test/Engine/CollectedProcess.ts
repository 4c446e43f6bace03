/** An idle process that collects its garbage on demand: prints how many of eight unreachable buffers were freed. */
import { setTimeout } from "node:timers/promises"
import { triggerCollection } from "../../src/Engine/Teams/Heap.ts"

const megabyte = 1024 * 1024

let gone = 0
const registry = new FinalizationRegistry<undefined>(() => (gone += 1))
for (let count = 0; count < 8; count++) registry.register(new ArrayBuffer(8 * megabyte), undefined)
for (let look = 0; look < 4_000 && gone < 8; look++) {
  if (look % 200 === 0) triggerCollection()
  await setTimeout(5)
}
// Without a reference to the registry it would be garbage, too.
console.log(registry instanceof FinalizationRegistry ? gone : 0)
