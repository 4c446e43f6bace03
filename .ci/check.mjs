#!/usr/bin/env node
/** Every check, as many at a time as the machine has cores. Prints the whole output of a check that fails. */
import { spawn } from "node:child_process"
import { availableParallelism } from "node:os"
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const path = [join(root, "node_modules/.bin"), process.env.PATH].join(delimiter)

/** The longest first: the others run beside it. It makes much garbage, and needs a tenth less time with more room for it. */
const waiting = [
  "node --max-semi-space-size=64 .ci/types.mjs",
  "biome check .",
  "tsc --noEmit --project src/Web",
  "knip",
  "depcruise --config .dependency-cruiser.cjs src pipelines",
  "node .ci/functions.mjs",
  "node .ci/audit.mjs"
]

const run = (command) =>
  new Promise((resolve) => {
    const start = performance.now()
    const child = spawn(command, { cwd: root, shell: true, env: { ...process.env, PATH: path } })
    const output = []
    child.stdout.on("data", (chunk) => output.push(chunk))
    child.stderr.on("data", (chunk) => output.push(chunk))
    child.on("close", (code) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1)
      console.log(`${code === 0 ? "ok    " : "failed"} ${seconds.padStart(6)} s  ${command}`)
      if (code !== 0) {
        process.stdout.write(`${Buffer.concat(output)}\n`)
        process.exitCode = 1
      }
      resolve()
    })
  })

const lane = async () => {
  for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) await run(command)
}
// Types that the others read (`src/Generated/`).
await run("node --import tsx .ci/interfaces.ts")
await Promise.all(Array.from({ length: availableParallelism() }, lane))
