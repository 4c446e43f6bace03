import { execFile } from "node:child_process"
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { project } from "../docs/Session.ts"
import { expect, it } from "../It.ts"
import { tempDir } from "../Local.ts"
import { newestRun } from "./Store.ts"

const many = 20_000
/** So long that a thousand rows come at once. */
const text = "-".repeat(500)

/**
 * Stores rows one by one, each before it asks for the next. Commits go by time: behind a thousand rows it is slow until it is
 * told that one was made, and dies of itself so many rows later. Without a number it lives on.
 */
const program = `
import { appendFileSync, existsSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { createPipeline } from "sluice/promise"

const [beyond, resume] = process.argv.slice(2)
const steps = [{ read: { file: "rows.jsonl" } }, { where: "n >= 0" }]
let stored = 0
let left = Number(beyond)
for await (const row of createPipeline({ version: 1, name: "rows", steps }).rows({ resume })) {
  appendFileSync("store", row.n + "\\n")
  stored++
  if (beyond === "0" || stored < 1000) continue
  if (!existsSync("committed")) {
    // A commit waits for the chunks that the reader has: slow, but not so slow that they take minutes.
    if (stored % 10 === 0) await setTimeout(stored < 10_000 ? 5 : 200)
  } else if (--left === 0) process.kill(process.pid, "SIGKILL")
}
`

it.scopedLive(
  "a program that is killed while it stores the rows of a run has all of them when the run has gone on",
  function* () {
    const folder = project(yield* tempDir)
    writeFileSync(`${folder}/read.mjs`, program)
    writeFileSync(
      `${folder}/rows.jsonl`,
      Array.from({ length: many }, (_, n) => `{"n":${n},"text":"${text}"}\n`).join("")
    )
    const stored = () =>
      existsSync(`${folder}/store`) ? readFileSync(`${folder}/store`, "utf8").trimEnd().split("\n").map(Number) : []
    const call = (...words: ReadonlyArray<string>) =>
      Effect.async<string | undefined>((resume) => {
        execFile(process.execPath, ["read.mjs", ...words], { cwd: folder }, (error) =>
          resume(Effect.succeed(error === null ? undefined : (error.signal ?? error.message)))
        )
      })
    /** The run as the ledger has it, once it has more rows than before. */
    const committed = (before: number) =>
      Effect.repeat(Effect.delay(newestRun(`${folder}/.sluice`), 50), {
        until: (run) => (run?.rows ?? 0) > before
      })
    /** A life that dies so many rows behind a commit; gives the run as it was left. */
    const live = (beyond: number, before: number, ...resume: ReadonlyArray<string>) =>
      Effect.gen(function* () {
        rmSync(`${folder}/committed`, { force: true })
        const told = Effect.tap(committed(before), () => Effect.sync(() => writeFileSync(`${folder}/committed`, "")))
        const [signal] = yield* Effect.all([call(String(beyond), ...resume), told], { concurrency: 2 })
        expect(signal).toBe("SIGKILL")
        const run = yield* newestRun(`${folder}/.sluice`)
        return { id: run?.id ?? "", rows: run?.rows ?? 0 }
      })
    const first = yield* live(300, 0)
    const storedFirst = stored().length
    const second = yield* live(200, first.rows, first.id)
    const storedSecond = stored().length
    expect(yield* call("0", first.id)).toBe(undefined)
    const all = stored()
    expect(new Set(all).size).toBe(many)
    // Only uncommitted rows come again: each process continues after the last commit.
    expect([all[storedFirst], all[storedSecond]]).toEqual([first.rows, second.rows])
  }
)
