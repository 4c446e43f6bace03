/** Runs that are killed: what they have left in their folders at that moment is all that a resume finds. */
import { cpSync, readFileSync, rmSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Sqlite from "../../src/Ledger.ts"
import { Ledger } from "../../src/Ledger.ts"
import { optionsOf } from "../../src/Run/RunSpec.ts"
import type { PriceOf } from "../../src/Step/Cost.ts"
import type { Asked, Reply } from "../Client/Server.ts"
import { behind } from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"
import { run } from "../Step/Odd.ts"

/** How a run stands in the ledger. */
interface Left {
  readonly id: string
  readonly rows: number
  readonly rejects: number
  /** Undefined before the first commit. */
  readonly progress: Progress | undefined
}

interface Progress {
  readonly jobPages: number
  /** Rows by step. */
  readonly given: Readonly<Record<string, number>>
  /** Steps that did not read everything. */
  readonly incomplete: Readonly<Record<string, unknown>>
}

interface Killing {
  readonly steps: string
  readonly frame?: string
  readonly rate?: PriceOf
  /** The service of the first life; calls that hang keep it where it is. */
  readonly reply: (asked: Asked, base: string) => Reply
  /** True when the ledger has what the run is to be killed with. */
  readonly when: (left: Left) => boolean
  /** Folders that earlier runs have used. */
  readonly dataDir?: string
}

/** The text of a file; nothing where there is none. */
const textOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return ""
  }
}

/** Kills a run once its ledger has come so far, and gives the way to resume it. */
export const killed = ({ dataDir: data, frame = "", rate, reply, steps, when }: Killing) =>
  Effect.gen(function* () {
    const [out, copy] = [yield* tempDir, yield* tempDir]
    const dataDir = data ?? (yield* tempDir)
    const fiber = yield* Effect.fork(run(reply, steps, { dataDir, out }, frame, rate))
    const look = behind(
      dataDir,
      (sql) => sql<
        Omit<Left, "progress"> & { readonly progress: string }
      >`SELECT id, row_count AS rows, reject_count AS rejects, progress FROM runs
        WHERE status = 'running'`
    ).pipe(
      // The run has not made its ledger yet.
      Effect.catchAllCause(() => Effect.succeed([])),
      Effect.map((found) =>
        found
          .map(({ progress, ...left }): Left => ({ ...left, progress: JSON.parse(progress) ?? undefined }))
          .find(when)
      )
    )
    const left = yield* Effect.repeat(Effect.delay(look, 50), { until: (found) => found !== undefined })
    if (left === undefined) return yield* Effect.dieMessage("the run has left nothing")
    // As a killed process leaves them: bytes of the write-ahead log included, and nothing of an orderly end.
    cpSync(dataDir, `${copy}/data`, { recursive: true })
    cpSync(out, `${copy}/out`, { recursive: true })
    yield* Fiber.interrupt(fiber)
    for (const [from, to] of [
      [`${copy}/data`, dataDir],
      [`${copy}/out`, out]
    ] as const) {
      rmSync(to, { recursive: true, force: true })
      cpSync(from, to, { recursive: true })
    }
    // This process lives on: the lock of one that is gone would be free.
    yield* behind(dataDir, (sql) => sql`DELETE FROM locks`)
    const resume = (next: Killing["reply"]) =>
      Effect.gen(function* () {
        const record = yield* Effect.flatMap(Ledger, (ledger) => ledger.find(left.id)).pipe(
          Effect.provide(Sqlite.layer(dataDir)),
          Effect.provide(NodeContext.layer)
        )
        if (record === undefined) return yield* Effect.dieMessage("the run is not in the ledger")
        const ended = yield* run(next, steps, { ...optionsOf(record), dataDir, out }, frame, rate)
        const lines = textOf(`${out}/rows.jsonl`).split("\n").slice(0, -1)
        return { ...ended, rows: lines.map((line): Readonly<Record<string, unknown>> => JSON.parse(line)) }
      })
    return { dataDir, left, resume }
  })
