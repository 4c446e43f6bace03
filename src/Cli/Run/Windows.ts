/**
 * `sluice run --backfill --from --to --by`: one run for each time window, in order.
 *
 * - A window includes its start and excludes its end, in UTC. The definition gets both as its inputs `from` and `to`.
 * - A window is identified by the inputs and the definition of its run. Completed windows are skipped, and an incomplete one is resumed:
 *   the same command continues where it stopped.
 */
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { isOver, type RunRecord } from "../../Ledger/Model.ts"
import { type Checked, check, definitionHash } from "../../Pipeline/Check.ts"
import { read } from "../../Pipeline/Source.ts"
import { type Range, sharedPath, type Window, windowsOf } from "../../Pipeline/Windows.ts"
import { isEqual } from "../../Row/Difference.ts"
import { isResumable } from "../../Run/RunResult.ts"
import { backfillRuns } from "../../Schedule/Backfill.ts"
import { wrongUsage } from "../CommandErrors.ts"
import { readPlaces } from "../CommandSettings.ts"
import { requireFolder } from "../Folder.ts"
import { count } from "../Format.ts"
import { ledgerLayer } from "../LedgerAccess.ts"
import { continueRun } from "../Resume.ts"
import type { Terminal } from "../Terminal.ts"
import { scopeOf } from "../Trust.ts"
import { perform, printing } from "./Perform.ts"

type Options = Range &
  Omit<Parameters<typeof continueRun>[1], "with-current"> & {
    readonly file: string
    readonly input: Readonly<Record<string, string>>
    readonly out: string | undefined
    readonly budget: number | undefined
  }

/** Backfill runs of this definition, newest first. */
const earlierRuns = (checked: Checked) => {
  const hash = definitionHash(checked)
  return Effect.map(backfillRuns(checked.frame.name), (runs) =>
    runs.filter(({ definitionHash }) => definitionHash === hash)
  )
}

/** Decides by the last run of a window whether the window is done, resumed or started. Fails if that run is held. */
const standing = (record: RunRecord | undefined, { from, to }: Window) => {
  if (record === undefined) return Effect.succeed("begin" as const)
  if (record.status === "completed") return Effect.succeed("done" as const)
  if (record.status === "held") {
    return wrongUsage(
      `the window ${from} to ${to} is held: publish or discard run ${record.id} first (sluice publish, sluice discard)`
    )
  }
  return Effect.succeed(!isOver(record.status) || isResumable(record) ? ("resume" as const) : ("begin" as const))
}

export const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const now = yield* Clock.currentTimeMillis
    const windows = yield* Either.mapLeft(windowsOf(options, now), wrongUsage)
    const { dataDir, settings } = yield* readPlaces(options, terminal.env)
    const out = paths.resolve(options.out ?? ".")
    yield* requireFolder(out, "Name a folder that you may write to with --out")
    const source = yield* read(options.file)
    const talk = (text: string) => (options.quiet ? undefined : terminal.err.write(`${text}\n`))
    let done = 0
    let earlier: ReadonlyArray<RunRecord> | undefined
    for (const [index, window] of windows.entries()) {
      const inputs = { ...options.input, ...window }
      const checked = yield* check(source, { ...scopeOf(terminal.env), inputs, complete: true })
      const path = windows.length === 1 ? undefined : sharedPath(checked.nodes)
      if (path !== undefined) return yield* wrongUsage(path)
      earlier ??= yield* Effect.provide(earlierRuns(checked), ledgerLayer(settings, dataDir))
      const record = earlier.find((each) => isEqual(each.inputs, checked.inputs))
      const way = yield* standing(record, window)
      if (way === "done") {
        done++
        continue
      }
      if (done > 0) talk(`skipped ${count(done, "window", "windows")}, completed by earlier runs`)
      done = 0
      talk(`${window.from} to ${window.to}, window ${index + 1} of ${windows.length}`)
      yield* printing(options, terminal, (print) =>
        way === "resume" && record !== undefined
          ? continueRun({ find: Effect.succeed(record) }, { ...options, "with-current": false }, terminal, print)
          : perform(
              {
                checked,
                settings,
                dataDir,
                out,
                maxCredits: options.budget,
                backfill: true,
                allowCode: options["allow-code"],
                scheduledFor: new Date(window.from),
                quiet: options.quiet
              },
              terminal,
              print
            ).pipe(Effect.scoped)
      )
    }
    if (done > 0)
      talk(
        `skipped ${done === windows.length ? "all" : "the last"} ${count(done, "window", "windows")}, completed by earlier runs`
      )
  })
