/** A shard whose code ends the process of whichever worker takes it: it is given up, and nothing else is lost. */
import { readdirSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { sluice } from "../Cli/Console.ts"
import { launch } from "../Cli/Launched.ts"
import { folderOf } from "../Cli/Project.ts"
import { expect, live } from "../It.ts"
import { place } from "../Postgres.ts"
import { describeWithPostgres } from "../WithPostgres.ts"

const definition = `version: 1
name: poison
steps:
  - read: rows.jsonl
  - use: { module: ./poison.mjs }
  - write: { jsonl: out.jsonl }
`

const poison = `import { existsSync } from "node:fs"
export default async (row) => {
  const isDeadly = existsSync(new URL("./deadly", import.meta.url))
  if (row.id === 1 && isDeadly) setTimeout(() => process.exit(137), 500)
  // The neighbour gets nothing done while it is beside the deadly one.
  if (row.id < 2 && isDeadly) await new Promise((done) => setTimeout(done, 3000))
  return row
}
`

describeWithPostgres("a shard that takes its worker down", () => {
  live("is begun five times, takes no neighbour with it, and the run goes on when it is mended", function* () {
    const rows = [0, 1, 2].map((id) => `{"id":${id}}\n`).join("")
    const root = yield* folderOf({ "p.yaml": definition, "poison.mjs": poison, "rows.jsonl": rows, deadly: "" })
    const url = yield* place
    const on = (...words: ReadonlyArray<string>) => sluice(words, { env: { SLUICE_DATABASE_URL: url }, cwd: root })
    let deaths = 0
    const worker = Effect.scoped(
      Effect.gen(function* () {
        const { ended } = yield* launch(root, { SLUICE_DATABASE_URL: url }, "worker", "--data", `${root}/w`)
        if ((yield* ended) === 137) deaths++
      })
    )
    // Restarts a worker that exits, as a service manager does.
    const serving = yield* Effect.fork(Effect.forever(worker))
    const words = ["--on", "cluster", "--shard-rows", "1", "--allow-code", "--out", root, "--json"]
    const run = yield* on("run", `${root}/p.yaml`, ...words)
    const { runId } = JSON.parse(run.out)
    expect([run.code, run.err]).toEqual([1, expect.stringContaining(`shard 1 of ${runId} was started 5 times`)])
    // A worker may have gone down just before it began, or once more before it was counted.
    expect(Math.abs(deaths - 5)).toBeLessThanOrEqual(1)
    const { shards } = JSON.parse((yield* on("show", runId, "--json")).out)
    const states = shards.map(({ state }: { readonly state: string }) => state)
    expect(states[1], JSON.stringify(shards)).toBe("failed")
    // One that was lost with it five times, as the long neighbour could be, has not been given up.
    expect(states[0]).toMatch(/^(?:completed|waiting|working)$/)
    expect(states[2]).toMatch(/^(?:completed|working)$/)
    writeFileSync(`${root}/poison.mjs`, "export default (row) => row\n")
    const resumed = yield* on("resume", runId, "--allow-code", "--json")
    expect([resumed.code, JSON.parse(resumed.out).rows], resumed.err).toEqual([0, 3])
    expect(readdirSync(root).filter((name) => name.startsWith("out"))).toHaveLength(3)
    yield* Fiber.interrupt(serving)
  })
})
