/**
 * Every test and campaign of faults, one after the other, and one table of the results: `npm run faults`.
 *
 * - `--kills 20 --runs 20`: kills of the campaign on one machine, runs of the campaign on many machines.
 * - `--seed 7`: seed of the properties and of the kills; without it a random one, which is printed.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { type Figure, print } from "../Figures.ts"

const { values } = parseArgs({
  options: {
    kills: { type: "string" },
    seed: { type: "string" },
    runs: { type: "string" }
  }
})
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
const folder = mkdtempSync(join(tmpdir(), "sluice-figures-"))
const root = fileURLToPath(new URL("../..", import.meta.url))

/** Runs it to its end; whether that was a good one. What it says is said at once. */
const run = (
  words: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  [program = process.execPath, ...before]: ReadonlyArray<string> = []
): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(program, [...before, ...words], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"]
    })
    child.on("close", (code) => resolve(code === 0))
  })

const tests = async (
  what: string,
  words: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  node: ReadonlyArray<string> = []
): Promise<ReadonlyArray<Figure>> => {
  const file = join(folder, `${what.replace(/\W+/g, "-")}.json`)
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`]
  const isWell = await run(["node_modules/vitest/vitest.mjs", "run", ...words, ...reporters], env, node)
  if (!existsSync(file)) return [{ what, value: "they did not run", bound: "all pass", isWell: false }]
  const { numPassedTests, numTotalTests } = JSON.parse(readFileSync(file, "utf8"))
  return [{ what, value: `${numPassedTests} of ${numTotalTests} passed`, bound: "all pass", isWell }]
}

/** Tests of which `npm test` repeats a share. */
const repeated = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .map((name) => join("test", name))
  .filter(
    (name) =>
      name.endsWith(".test.ts") && /^import .* from ".*\/Repetitions\.ts"/m.test(readFileSync(join(root, name), "utf8"))
  )

const campaign = async (name: string, options: Readonly<Record<string, string | undefined>>) => {
  const file = join(folder, `${name}.json`)
  const words = Object.entries(options).flatMap(([key, value]) => (value === undefined ? [] : [`--${key}`, value]))
  const isWell = await run(["--import", "tsx", `test/faults/${name}.ts`, "--figures", file, ...words])
  const figures: ReadonlyArray<Figure> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []
  const whole = {
    what: `${name.toLowerCase()}, as a whole`,
    value: isWell ? "ended well" : "failed",
    bound: "ended well",
    isWell
  }
  return figures.length > 0 && isWell ? figures : [...figures, whole]
}

/** pg-boss is made for Node 22; all other tests run on the Node of this process. */
const node22 = ["npx", "--yes", "node@22"]

const whole = { SLUICE_ALL_REPETITIONS: "1" }
const figures = [
  ...(await tests("tests of faults", ["--project", "faults"])),
  ...(await tests("all tests, with the long ones", ["--project", "quick"])),
  ...(await tests("tests of the cluster on Node 22", ["--project", "quick", "test/Cluster"], {}, node22)),
  ...(await tests("200 starts", ["--project", "faults", "test/faults/Start.test.ts"], whole)),
  ...(await tests(`repeated tests, seed ${seed}`, ["--project", "quick", ...repeated], {
    SEED: String(seed),
    ...whole
  })),
  ...(await campaign("Kills", { kills: values.kills, seed: String(seed) })),
  ...(await campaign("Machines", { runs: values.runs }))
]
rmSync(folder, { recursive: true })
console.log("")
process.exitCode = print(figures) ? 0 : 1
