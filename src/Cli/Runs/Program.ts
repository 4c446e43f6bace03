/** Lists runs, or forgets the old ones with the files that they left behind. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { RunRecord } from "../../Ledger/Model.ts"
import type { DeletedRun } from "../../Ledger/Retention.ts"
import { Ledger } from "../../Ledger.ts"
import { runStatus } from "../../Run/RunResult.ts"
import { realPath } from "../../Sink/Existing.ts"
import { partialPath } from "../../Sink/PartFile.ts"
import { withLedger } from "../Past.ts"
import type { RunsParameters } from "../Runs.ts"
import { progressOf } from "../Shards.ts"
import { table } from "../Table.ts"
import { paint, type Terminal } from "../Terminal.ts"
import { count, duration } from "../Words.ts"

export const objectOf = (run: RunRecord, alive: boolean) => ({
  runId: run.id,
  pipeline: run.pipeline,
  status: runStatus(run, alive),
  file: run.file,
  startedAt: new Date(run.startedAt).toISOString(),
  endedAt: run.endedAt === undefined ? undefined : new Date(run.endedAt).toISOString(),
  rows: run.rows,
  rejects: run.rejects,
  credits: run.credits,
  unpricedCalls: run.unpriced,
  error: run.error
})

/** `2026-03-14 09:30`, in UTC like everything that is kept. */
const instant = (millis: number): string => new Date(millis).toISOString().slice(0, 16).replace("T", " ")

/** `3 of 5`. */
const doneOf = (shards: { readonly done: number; readonly shards: number } | undefined): string =>
  shards === undefined ? "" : `${shards.done} of ${shards.shards}`

const show = (options: RunsParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const { json, limit, pipeline, status } = options
    const found = yield* history.runs({ limit, pipeline, status: status === undefined ? undefined : [status] })
    const alive = yield* history.alive
    const shards = yield* progressOf(found, options, terminal)
    if (json) {
      terminal.out.write(
        `${JSON.stringify(
          found.map((run) => ({ ...objectOf(run, alive.has(run.id)), shards: shards?.get(run.id) })),
          undefined,
          2
        )}\n`
      )
      return
    }
    if (found.length === 0) {
      terminal.err.write("no run is like this\n")
      return
    }
    const isSplit = shards !== undefined && shards.size > 0
    const lines = table(
      [
        ["run"],
        ["pipeline"],
        ["status"],
        ...(isSplit ? [["shards", "right"] as const] : []),
        ["began (UTC)"],
        ["took", "right"],
        ["rows", "right"],
        ["rejects", "right"],
        ["credits", "right"]
      ],
      found.map((run) => [
        run.id,
        run.pipeline,
        runStatus(run, alive.has(run.id)),
        ...(isSplit ? [doneOf(shards?.get(run.id))] : []),
        instant(run.startedAt),
        duration((run.endedAt ?? run.updatedAt) - run.startedAt),
        run.rows.toLocaleString("en-US"),
        run.rejects.toLocaleString("en-US"),
        `${run.credits.toLocaleString("en-US")}${run.unpriced > 0 ? " + ?" : ""}`
      ]),
      terminal.out
    )
    terminal.out.write(`${lines.join("\n")}\n`)
  })

/** The files that a run left behind go with it. */
const removeFiles = ({ files, folder, id, trial }: DeletedRun) =>
  Effect.gen(function* () {
    const system = yield* FileSystem.FileSystem
    const targets = yield* Effect.forEach(files, (path) => Effect.orElseSucceed(realPath(system, path), () => path))
    const partials = targets.map((path) => partialPath(path, id)).flatMap((path) => [path, `${path}.changed`])
    const folders = trial === undefined ? [folder] : [folder, trial]
    yield* Effect.forEach([...partials, ...folders], (path) => Effect.ignore(system.remove(path, { recursive: true })))
  })

const prune = (age: number, options: RunsParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    const { retention } = yield* Ledger
    const before = (yield* Clock.currentTimeMillis) - age
    const forgotten = yield* retention.runs({ before, keepLast: options.keep })
    yield* Effect.forEach(forgotten, removeFiles, { discard: true })
    const pages = yield* retention.pages(before)
    if (options.json) {
      terminal.out.write(`${JSON.stringify({ forgotten: forgotten.map(({ id }) => id), pages })}\n`)
      return
    }
    for (const { id, pipeline, status } of forgotten) {
      terminal.err.write(`${paint(terminal.err).dim("forgotten")}  ${id}  ${pipeline}  ${status}\n`)
    }
    const none = forgotten.length + pages === 0 ? "nothing is that old: " : ""
    terminal.err.write(`${none}${count(forgotten.length, "run")} and ${count(pages, "page")} forgotten\n`)
  })

export const program = (options: RunsParameters, terminal: Terminal) =>
  withLedger(
    options,
    terminal,
    options.prune === undefined ? show(options, terminal) : prune(options.prune, options, terminal)
  )
