/** `sluice runs`: lists the runs of the ledger, and deletes old ones with the files that they left behind. */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { DeletedRun } from "../Ledger/Retention.ts"
import { Ledger } from "../Ledger.ts"
import { describeRows } from "../Row/Count.ts"
import * as Held from "../Run/Held.ts"
import { outputRows } from "../Run/Progress.ts"
import { runStatus, runStatuses, withStatus } from "../Run/RunResult.ts"
import { wrongUsage } from "./CommandErrors.ts"
import { count, duration, minute, writeTable } from "./Format.ts"
import { withLedger } from "./LedgerAccess.ts"
import * as Parameter from "./Parameter.ts"
import { progressOf, runObject } from "./RunRecords.ts"
import * as SharedFlags from "./SharedFlags.ts"
import { paint, type Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  action: Parameter.optional("ACTION", "prune: deletes old runs; without it, runs are listed.", ["prune"]),
  age: Parameter.asOperand(
    Parameter.duration(
      "AGE",
      "With prune: deletes runs that have not changed for this long, like 30d, with their partial files, rejects and trial outputs. Runs that are held for longer are discarded."
    )
  ),
  pipeline: Parameter.text("NAME", "Only runs of this pipeline.", "p"),
  status: Parameter.choice("STATUS", runStatuses, "Only runs with this status."),
  limit: Parameter.withDefault(Parameter.integer("N", "At most N runs; default: 20.", { minimum: 1 }), 20),
  keep: Parameter.withDefault(
    Parameter.integer(
      "N",
      "With prune: keeps the newest N runs of each pipeline, however old, and the completed windows of schedule.backfill; default: 10.",
      {
        minimum: 0
      }
    ),
    10
  ),
  prune: Parameter.removed("is now an action: sluice runs prune AGE"),
  data: SharedFlags.data("the ledger"),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints a list of JSON objects; with prune one object.")
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  parameters,
  examples: [
    { line: "sluice runs", what: "the last twenty" },
    { line: "sluice runs --status failed --pipeline crawl-site", what: "what went wrong with one pipeline" },
    { line: "sluice runs prune 30d", what: "keeps the data folder small" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Progress such as `3 of 5`. */
const doneOf = (shards: { readonly done: number; readonly shards: number } | undefined): string =>
  shards === undefined ? "" : `${shards.done} of ${shards.shards}`

const list = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const { json, limit, pipeline, status } = options
    const alive = yield* history.alive
    const found = yield* history.runs({ limit, pipeline, ...withStatus(status, [...alive]) })
    const shards = yield* progressOf(found, options, terminal)
    if (json) {
      terminal.out.write(
        `${JSON.stringify(
          found.map((run) => ({ ...runObject(run, alive.has(run.id)), shards: shards?.get(run.id) })),
          undefined,
          2
        )}\n`
      )
      return
    }
    if (found.length === 0) {
      terminal.err.write("no run matches\n")
      return
    }
    const isSplit = shards !== undefined && shards.size > 0
    writeTable(
      [
        ["run"],
        ["pipeline"],
        ["status"],
        ...(isSplit ? [["shards", "right"] as const] : []),
        ["began (UTC)"],
        ["took", "right"],
        ["rejects", "right"],
        ["credits", "right"],
        ["rows"]
      ],
      found.map((run) => [
        run.id,
        run.pipeline,
        runStatus(run, alive.has(run.id)),
        ...(isSplit ? [doneOf(shards?.get(run.id))] : []),
        minute(run.startedAt),
        duration((run.endedAt ?? run.updatedAt) - run.startedAt),
        run.rejects.toLocaleString("en-US"),
        `${run.credits.toLocaleString("en-US")}${run.unpriced > 0 ? " + ?" : ""}`,
        describeRows(outputRows(run.progress), run.rows)
      ]),
      terminal.out
    )
  })

/** Removes the files of a deleted run. */
const removeFiles = ({ cluster, files, folder, id, trial }: DeletedRun) =>
  Effect.gen(function* () {
    const system = yield* FileSystem.FileSystem
    const partials = yield* Held.partialsOf(id, files)
    const folders = [folder, trial, cluster].filter((each) => each !== undefined)
    yield* Effect.forEach([...partials, ...folders], (path) => Effect.ignore(system.remove(path, { recursive: true })))
  })

/**
 * Discards the outputs of runs that have been held since before a time, even if they are kept as the newest runs. Skips runs that another
 * process is working on or has already decided.
 */
const discardHeld = (before: number) =>
  Effect.gen(function* () {
    const { held } = yield* Ledger
    const discarded = yield* Effect.forEach(yield* held.expired(before), (run) =>
      Held.discard(run.id, "prune").pipe(
        Effect.as([run]),
        Effect.catchTag("Locked", "RunNotHeld", () => Effect.succeed([]))
      )
    )
    return discarded.flat()
  })

const prune = (age: number, options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const { retention } = yield* Ledger
    const before = (yield* Clock.currentTimeMillis) - age
    const forgotten = yield* retention.runs({ before, keepLast: options.keep })
    yield* Effect.forEach(forgotten, removeFiles, { discard: true })
    const discarded = yield* discardHeld(before)
    const pages = yield* retention.pages(before)
    if (options.json) {
      terminal.out.write(
        `${JSON.stringify({ forgotten: forgotten.map(({ id }) => id), discarded: discarded.map(({ id }) => id), pages })}\n`
      )
      return
    }
    for (const { id, pipeline, status } of forgotten) {
      terminal.err.write(`${paint(terminal.err).dim("deleted")}  ${id}  ${pipeline}  ${status}\n`)
    }
    for (const { id, pipeline } of discarded) {
      terminal.err.write(`${paint(terminal.err).dim("discarded")}  ${id}  ${pipeline}  its outputs were held\n`)
    }
    const none = forgotten.length + discarded.length + pages === 0 ? "no run is that old: " : ""
    terminal.err.write(`${none}${count(forgotten.length, "run")} and ${count(pages, "page")} deleted\n`)
  })

const run = (options: Options, terminal: Terminal) => {
  const { action, age } = options
  if (action === undefined) return withLedger(options, terminal, list(options, terminal))
  if (action !== "prune") return wrongUsage(`"${action}" is not an action of sluice runs: use prune`)
  return age === undefined
    ? wrongUsage("AGE is missing: sluice runs prune 30d")
    : withLedger(options, terminal, prune(age, options, terminal))
}
