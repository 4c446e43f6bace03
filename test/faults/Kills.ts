/** Kills a run two hundred times, or as often as `--kills` says, at moments that `--seed` repeats, and prints what came of it. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Effect from "effect/Effect"
import { table } from "../../src/Cli/Format.ts"
import { ofProcess } from "../../src/Cli/Terminal.ts"
import { write } from "../Figures.ts"
import { campaign, type Found } from "./Campaign.ts"
import { usual } from "./World.ts"

const { values } = parseArgs({
  options: { seed: { type: "string" }, kills: { type: "string", default: "200" }, figures: { type: "string" } }
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
const folder = mkdtempSync(join(tmpdir(), "sluice-faults-"))
console.error(`seed ${seed}, in ${folder}`)

const { all, models } = await Effect.runPromise(
  Effect.scoped(
    campaign({ seed, kills: Number(values.kills), size: usual, folder, told: (line) => console.error(line) })
  )
)

const count = <A>(items: ReadonlyArray<A>, which: (item: A) => boolean): string => String(items.filter(which).length)

const lineOf = (name: string, trials: ReadonlyArray<Found>): ReadonlyArray<string> => {
  const kills = trials.flatMap((each) => each.kills)
  return [
    name,
    String(trials.length),
    String(kills.length),
    count(kills, ({ found }) => found === "none"),
    count(kills, ({ committed, found }) => found === "running" && !committed),
    count(kills, ({ committed, found }) => found === "running" && committed),
    count(kills, ({ found }) => found === "publishing"),
    count(kills, ({ found }) => found === "completed"),
    count(trials, ({ violations }) => violations.length > 0)
  ]
}

const right = "right"
const lines = table(
  [
    ["engine"],
    ["runs", right],
    ["kills", right],
    ["before it began", right],
    ["uncommitted", right],
    ["committed", right],
    ["publishing", right],
    ["completed", right],
    ["violated", right]
  ],
  [
    lineOf(
      "of its own",
      all.filter(({ way }) => way === "own")
    ),
    lineOf(
      "a service",
      all.filter(({ way }) => way === "service")
    ),
    lineOf("together", all)
  ],
  ofProcess(process).out
)
console.log(lines.join("\n"))
const { result, usage } = models.service
console.log(`each run: ${result.report?.[0]}; ${JSON.stringify(usage)}`)

const violated = all.filter(({ violations }) => violations.length > 0)
const kills = all.flatMap((each) => each.kills)
write(values.figures, [
  { what: "kills of a run", value: `${kills.length} in ${all.length} runs`, bound: "", isWell: kills.length > 0 },
  {
    what: "kills while something was committed",
    value: count(kills, ({ committed, found }) => found === "running" && committed),
    bound: "",
    isWell: true
  },
  {
    what: "kills while outputs were published",
    value: count(kills, ({ found }) => found === "publishing"),
    bound: "",
    isWell: true
  },
  {
    what: "killed runs that lost or doubled something",
    value: `${violated.length}`,
    bound: "0",
    isWell: violated.length === 0
  }
])
for (const { folder, violations } of violated) console.log(`${folder}: ${violations.join("; ")}`)
if (violated.length === 0) rmSync(folder, { recursive: true })
process.exitCode = violated.length === 0 ? 0 : 1
