/** Shards and merges that are killed at any moment: nothing is lost or doubled, and no half-written file has a final name. */
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Chance from "../faults/Chance.ts"
import { kill, start } from "./Launched.ts"
import { contents, numbers, rowsTo } from "./Numbers.ts"
import { folderOf, platform } from "./Project.ts"

const rounds = 5
const shards = 3
const rowsOfRound = 3000

const linesOf = (folder: string, begin: string): ReadonlyArray<{ readonly id: number }> =>
  contents(folder, begin)
    .split("\n")
    .filter((line) => line !== "")
    // A line that was cut off is no JSON.
    .map((line) => JSON.parse(line))

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

it.scopedLive(
  "each row is in the outputs once after any kills of shards and of merge, in every run that shares the state",
  () =>
    Effect.gen(function* () {
      const seed = Number(process.env.SLUICE_SEED ?? Date.now() % 100_000)
      const { below } = Chance.make(seed)
      const root = yield* folderOf({ "pipeline.yaml": numbers })
      const shared = `${root}/shared`
      /** Runs it, and kills it after a while as often as `kills` says, until it has ended by itself. */
      const untilDone = (kills: number, ...words: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          let killed = 0
          for (let left = kills; left >= 0; left--) {
            const code = yield* Effect.scoped(
              Effect.gen(function* () {
                const { child, ended, written } = yield* start(root, {}, ...words)
                if (left > 0) {
                  // Merges and shards of this size take about a second.
                  yield* Effect.promise(() => sleep(200 + below(1200)))
                  kill(child)
                }
                const code = yield* ended
                if (code !== null && code !== 0) throw new Error(`${words.join(" ")} (seed ${seed}): ${written.err}`)
                return code
              })
            )
            if (code === 0) return killed
            killed++
          }
          return killed
        })
      let killed = 0
      for (let round = 1; round <= rounds; round++) {
        const last = round * rowsOfRound
        writeFileSync(`${root}/rows.jsonl`, rowsTo(last))
        const parts = upTo(shards).flatMap((part) => (part === 1 ? [part, part] : [part]))
        const all = yield* Effect.forEach(
          parts.entries(),
          ([index, part]) =>
            untilDone(
              2,
              "run",
              "pipeline.yaml",
              "--shard",
              `${part}/${shards}`,
              "--out",
              shared,
              "--data",
              `node-${index}`
            ),
          { concurrency: 2 }
        )
        // Before the merge there is nothing of this run, and all of the last one.
        if (existsSync(`${shared}/all.jsonl`)) {
          expect(linesOf(shared, "pages").map(({ id }) => id)).toEqual(upTo(last - rowsOfRound))
        }
        const merges = yield* untilDone(4, "merge", shared)
        killed += merges + all.reduce((sum, each) => sum + each, 0)
        expect(
          linesOf(shared, "pages").map(({ id }) => id),
          `seed ${seed}, round ${round}`
        ).toEqual(upTo(last))
        expect(
          linesOf(shared, "all").map(({ id }) => id),
          `seed ${seed}, round ${round}`
        ).toEqual(upTo(last))
        // A merge once more does nothing.
        yield* untilDone(0, "merge", shared)
        expect(linesOf(shared, "all")).toHaveLength(last)
        expect(readdirSync(`${shared}/.sluice/shards`)).toHaveLength(1)
      }
      expect(killed).toBeGreaterThan(rounds * 3)
    }).pipe(Effect.provide(platform)),
  600_000
)
