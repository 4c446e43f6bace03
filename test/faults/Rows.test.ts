import { execFile } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { project } from "../docs/Session.ts"
import { tempDir } from "../Local.ts"

const many = 20_000
/** So long that a thousand rows come at once. */
const text = "-".repeat(500)

/** Stores rows one by one, each before it asks for the next, and dies of itself behind so many. */
const program = `
import { appendFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { createPipeline } from "sluice/promise"

const [until, resume] = process.argv.slice(2)
const steps = [{ read: { file: "rows.jsonl" } }, { where: "n >= 0" }]
let stored = 0
for await (const row of createPipeline({ version: 1, name: "rows", steps }).rows({ resume })) {
  appendFileSync("store", row.n + "\\n")
  if (++stored === Number(until)) process.kill(process.pid, "SIGKILL")
  // Slow enough that the run commits meanwhile.
  if (until !== "0" && stored % 100 === 0) await setTimeout(5)
}
`

it.scopedLive(
  "a program that is killed while it stores the rows of a run has all of them when the run has gone on",
  () =>
    Effect.gen(function* () {
      const folder = project(yield* tempDir)
      writeFileSync(`${folder}/read.mjs`, program)
      writeFileSync(
        `${folder}/rows.jsonl`,
        Array.from({ length: many }, (_, n) => `{"n":${n},"text":"${text}"}\n`).join("")
      )
      const call = (...words: ReadonlyArray<string>) =>
        Effect.async<{ readonly signal: string | undefined; readonly out: string }>((resume) => {
          execFile(process.execPath, [...words], { cwd: folder }, (error, out) =>
            resume(Effect.succeed({ signal: error === null ? undefined : (error.signal ?? error.message), out }))
          )
        })
      expect((yield* call("read.mjs", "9000")).signal).toBe("SIGKILL")
      const { out } = yield* call("node_modules/sluice/dist/bin.js", "runs", "--json")
      const [{ runId }] = JSON.parse(out)
      expect((yield* call("read.mjs", "8000", runId)).signal).toBe("SIGKILL")
      expect((yield* call("read.mjs", "0", runId)).signal).toBe(undefined)
      const stored = readFileSync(`${folder}/store`, "utf8").trimEnd().split("\n").map(Number)
      expect(new Set(stored).size).toBe(many)
      // What comes again is what no commit had: it went on, and did not begin anew.
      expect(stored.length).toBeLessThan(many + 9000 + 8000)
    }),
  120_000
)
