import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { maxBytes, record } from "../../src/Run/RunLog.ts"
import type { Summary } from "../../src/Run/RunResult.ts"
import { tempDir } from "../Local.ts"

const summary: Summary = {
  runId: "r1",
  status: "completed",
  rows: 2,
  rejects: 1,
  credits: 0,
  unpricedCalls: 0,
  durationMs: 1,
  outputs: [{ path: "/out/rows.jsonl", format: "jsonl", rows: 2, bytes: 9 }],
  resumable: false
}

describe("The log of a run", () => {
  it.scoped("has its start, its messages in their order and its end; a resume appends to it", () =>
    Effect.gen(function* () {
      const folder = join(yield* tempDir, "runs", "r1")
      const messages = Effect.zipRight(Effect.logWarning("slow site"), Effect.logError("gone", { status: 503 }))
      yield* record(Effect.as(messages, summary), { folder, start: "started: p of /p.yaml" })
      yield* record(Effect.succeed(summary), { folder, start: "resumed: p of /p.yaml" })
      const lines = readFileSync(join(folder, "run.log"), "utf8").trimEnd().split("\n")
      const completed = "info: completed: 2 rows, 1 reject, 0 credits; /out/rows.jsonl (2 rows)"
      expect(lines.map((line) => line.replace(/^\S+Z /, ""))).toEqual([
        "info: started: p of /p.yaml",
        "warn: slow site",
        'error: gone {"status":503}',
        completed,
        "info: resumed: p of /p.yaml",
        completed
      ])
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.scoped("is bounded, and has the end of the run all the same", () =>
    Effect.gen(function* () {
      const folder = yield* tempDir
      const long = Effect.forEach([1, 2, 3], () => Effect.logWarning("x".repeat(maxBytes / 2)), { discard: true })
      yield* record(Effect.as(long, summary), { folder, start: "started" })
      const text = readFileSync(join(folder, "run.log"), "utf8")
      expect(text.length).toBeLessThan(maxBytes + 1_000)
      expect(text.match(/The log is full/g)).toHaveLength(1)
      expect(text).toMatch(/info: completed: .*\n$/)
    }).pipe(Effect.provide(NodeContext.layer))
  )
})
