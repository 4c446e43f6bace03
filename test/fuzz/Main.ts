/** Sends an engine nonsense for as many minutes as `--minutes` says, its WebSockets `--messages` each, lets one team attack another, and runs `--definitions` that reach for what they may not; `--seed` repeats what was sent. */
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Chromium from "../../src/Settings/Chromium.ts"
import { build } from "../faults/Sluice.ts"
import { attackFiles } from "./Definitions.ts"
import { fuzzDoors } from "./Doors.ts"
import { fuzz } from "./Fuzz.ts"
import { attackShares } from "./Shares.ts"

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    minutes: { type: "string", default: "5" },
    each: { type: "string", default: "40" },
    messages: { type: "string", default: "5000" },
    definitions: { type: "string", default: "300" }
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
const chromium = Chromium.find(process.env.SLUICE_CHROMIUM, process.env.PATH)
const doors = Either.isLeft(chromium)
  ? undefined
  : await Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(build, (bin) =>
          fuzzDoors({ bin, chromium: chromium.right, seed, each: Number(values.messages) })
        )
      )
    )
for (const [name, value] of [
  ["messages", doors?.messages ?? "no Chromium"],
  ...Object.entries(doors?.closes ?? {}).map(([door, count]) => [`closed ${door}`, count] as const),
  ["event loop", doors?.delay ?? ""],
  ["slowest /health", doors === undefined ? "" : `${doors.slowest} ms`]
] as const) {
  console.log(`${String(name).padEnd(18)} ${String(value).padStart(9)}`)
}
const shares = await Effect.runPromise(
  Effect.scoped(
    Effect.flatMap(build, (bin) => attackShares({ bin, chromium: Either.getOrUndefined(chromium), rounds: 10 }))
  )
)
for (const [name, value] of [
  ["hostile calls", shares.attempts],
  ["worst wait alone", `${Math.round(Math.max(...shares.alone))} ms`],
  ["worst wait beside", `${Math.round(Math.max(...shares.beside))} ms`],
  ["sessions of both", shares.sessions.join(" + ")]
] as const) {
  console.log(`${String(name).padEnd(18)} ${String(value).padStart(9)}`)
}
const definitions = await Effect.runPromise(attackFiles({ attempts: Number(values.definitions), seed }))
for (const [name, value] of [
  ["definitions", definitions.attempts],
  ["refused", definitions.refused],
  ...Object.entries(definitions.kinds).map(([kind, count]) => [`refused ${kind}`, count] as const)
] as const) {
  console.log(`${String(name).padEnd(18)} ${String(value).padStart(9)}`)
}
const all = [...faults, ...(doors?.faults ?? []), ...shares.faults, ...definitions.faults]
for (const fault of all) console.log(`\n${fault}`)
process.exitCode = all.length === 0 ? 0 : 1
