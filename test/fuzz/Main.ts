/** Sends an engine nonsense for as many minutes as `--minutes` says; `--seed` repeats what was sent. */
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { build } from "../faults/Sluice.ts"
import { fuzz } from "./Fuzz.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    minutes: { type: "string", default: "5" },
    each: { type: "string", default: "40" }
  }
})
const seed = Number(values.seed ?? process.env.SEED ?? Math.floor(Math.random() * 1_000_000))
console.error(`seed ${seed}`)
const end = performance.now() + Number(values.minutes) * 60_000

const { faults, handles, requests, statuses } = await Effect.runPromise(
  Effect.scoped(
    Effect.flatMap(build, (bin) =>
      fuzz({
        bin,
        seed,
        each: Number(values.each),
        goesOn: () => performance.now() < end,
        told: (line) => console.error(line)
      })
    )
  )
)
const rows = [
  ["requests", requests],
  ...Object.entries(statuses).map(([status, count]) => [`answered ${status}`, count]),
  ["handles before", handles[0]],
  ["handles after", handles[1]],
  ["kinds of faults", faults.length]
] as const
for (const [name, value] of rows) console.log(`${String(name).padEnd(18)} ${String(value).padStart(9)}`)
for (const fault of faults) console.log(`\n${fault}`)
process.exitCode = faults.length === 0 ? 0 : 1
