/**
 * `sluice run --backfill --from --to --by`: a run for each window of a time, in order.
 *
 * - A window includes its begin and not its end, in UTC. It is given to the definition as its inputs `from` and `to`.
 * - A window is known by the inputs and the definition of its run. Completed ones are left out, and one that did not complete is resumed: the
 *   same command continues where it stopped.
 */
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { isOver, type RunRecord } from "../../Ledger/Model.ts"
import { Ledger } from "../../Ledger.ts"
import { type Checked, check, definitionHash } from "../../Pipeline/Check.ts"
import { read } from "../../Pipeline/Source.ts"
import { DurationText } from "../../Row/Amount.ts"
import { isEqual } from "../../Row/Difference.ts"
import { isResumable } from "../../Run/RunResult.ts"
import { WrongUsage } from "../CommandErrors.ts"
import { readSettings } from "../CommandSettings.ts"
import { requireFolder } from "../Folder.ts"
import { count } from "../Format.ts"
import { ledgerLayer } from "../LedgerAccess.ts"
import { continueRun } from "../Resume.ts"
import type { Terminal } from "../Terminal.ts"
import { scopeOf } from "../Trust.ts"
import { perform, printing } from "./Perform.ts"

const units = ["day", "week", "month", "year"] as const
type Unit = (typeof units)[number]

/** More are a mistake, as a rule. */
const maxWindows = 10_000

const day = 86_400_000

/** A day, a month, or a time with its zone, in milliseconds since 1970. */
const timeOf = (text: string): number | undefined => {
  if (!/^\d{4}-\d\d(-\d\d(T\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d))?)?$/.test(text)) return undefined
  const time = Date.parse(text)
  // 2024-02-30 is read as a day in March.
  const isDay = Number.isNaN(time) || text.length > 10 || new Date(time).toISOString().startsWith(text)
  return Number.isNaN(time) || !isDay ? undefined : time
}

/** So many months later: the last day of a month that has no such day. */
const monthsAfter = (from: number, months: number): number => {
  const begin = new Date(from)
  const first = new Date(begin)
  first.setUTCDate(1)
  first.setUTCMonth(begin.getUTCMonth() + months)
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  return first.setUTCDate(Math.min(begin.getUTCDate(), last))
}

const stepOf = (by: string): ((from: number, steps: number) => number) | undefined => {
  const unit = units.find((each): each is Unit => each === by)
  if (unit === "month" || unit === "year") {
    const months = unit === "month" ? 1 : 12
    return (from, steps) => monthsAfter(from, steps * months)
  }
  const written = unit === undefined ? by : unit === "week" ? "7d" : "1d"
  const millis = Either.map(Schema.decodeEither(DurationText)(written), Duration.toMillis)
  return Either.isLeft(millis) || millis.right < 1000 ? undefined : (from, steps) => from + steps * millis.right
}

export interface Window {
  readonly from: string
  readonly to: string
}

export interface Range {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly by?: string | undefined
}

/** The windows of a time. Bounds are days where all of them are. */
export const windowsOf = (
  { by = "month", from, to }: Range,
  now: number
): Either.Either<ReadonlyArray<Window>, string> => {
  const expected = "a day like 2024-01-31, a month like 2024-01, or a time like 2024-01-31T06:00Z"
  if (from === undefined) return Either.left("--from is missing: the begin of the first window")
  const begin = timeOf(from)
  if (begin === undefined) return Either.left(`--from takes ${expected}, got "${from}"`)
  // The current day is not over, and would be read in part.
  const end = to === undefined ? Math.floor(now / day) * day : timeOf(to)
  if (end === undefined) return Either.left(`--to takes ${expected}, got "${to}"`)
  if (end <= begin)
    return Either.left(`--to ${to ?? new Date(end).toISOString().slice(0, 10)} is not after --from ${from}`)
  const after = stepOf(by)
  if (after === undefined) return Either.left(`--by takes ${units.join(", ")} or a duration like 6h, got "${by}"`)
  const bounds = [begin]
  for (let steps = 1; (bounds.at(-1) ?? end) < end; steps++) {
    if (steps > maxWindows)
      return Either.left(
        `--from ${from} with --by ${by} gives more than ${maxWindows.toLocaleString("en-US")} windows: choose a longer --by`
      )
    bounds.push(Math.min(end, after(begin, steps)))
  }
  const length = bounds.every((bound) => bound % day === 0) ? 10 : 19
  const texts = bounds.map((bound) => `${new Date(bound).toISOString().slice(0, length)}${length === 10 ? "" : "Z"}`)
  return Either.right(texts.slice(1).map((end, index) => ({ from: texts[index] ?? "", to: end })))
}

/** A path that all windows would write to, the last one over the others. */
const sharedPath = ({ nodes }: Checked): string | undefined => {
  for (const { config, step } of nodes) {
    if (step.key !== "write" || typeof config !== "object" || config === null) continue
    const path = Object.values(config).find((each) => typeof each === "string")
    if (path !== undefined && path !== "-" && !/\{runId\}|inputs\.(from|to)\b|run\.scheduledFor/.test(path)) return path
  }
  return undefined
}

const refused = (reason: string) => new WrongUsage({ reason })

type Options = Range &
  Omit<Parameters<typeof continueRun>[1], "with-current"> & {
    readonly file: string
    readonly input: Readonly<Record<string, string>>
    readonly out: string | undefined
    readonly budget: number | undefined
  }

/** Backfills by this definition, the newest first. */
const earlierRuns = (checked: Checked) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const hash = definitionHash(checked)
    const runs = yield* history.runs({ pipeline: checked.frame.name, limit: maxWindows })
    return runs.filter(({ definitionHash, options }) => options.backfill === true && definitionHash === hash)
  })

/** Decides by the last run of a window: it is done, is resumed, or begins. */
const standing = (record: RunRecord | undefined, { from, to }: Window) => {
  if (record === undefined) return Effect.succeed("begin" as const)
  if (record.status === "completed") return Effect.succeed("done" as const)
  if (record.status === "held") {
    return refused(
      `${from} to ${to} is held: publish or discard run ${record.id} first (sluice publish, sluice discard)`
    )
  }
  return Effect.succeed(!isOver(record.status) || isResumable(record) ? ("resume" as const) : ("begin" as const))
}

export const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const now = yield* Clock.currentTimeMillis
    const windows = yield* Either.mapLeft(windowsOf(options, now), refused)
    const settings = yield* readSettings(terminal.env, options.profile)
    const dataDir = paths.resolve(options.data ?? settings.dataDir)
    const out = paths.resolve(options.out ?? ".")
    yield* requireFolder(out, "Name a folder that you may write to with --out")
    const source = yield* read(options.file)
    const talk = (text: string) => (options.quiet ? undefined : terminal.err.write(`${text}\n`))
    let done = 0
    let earlier: ReadonlyArray<RunRecord> | undefined
    for (const [index, window] of windows.entries()) {
      const inputs = { ...options.input, ...window }
      const checked = yield* check(source, { ...scopeOf(terminal.env), inputs, complete: true })
      const path = windows.length === 1 ? undefined : sharedPath(checked)
      if (path !== undefined) {
        const written = /\.\w+$/.test(path)
          ? path.replace(/(\.\w+)$/, "-${{ inputs.from }}$1")
          : `${path}-\${{ inputs.from }}`
        return yield* refused(
          `each window would write ${path} over that of the last one: name the window in the path, like ${written}`
        )
      }
      earlier ??= yield* Effect.provide(earlierRuns(checked), ledgerLayer(settings, dataDir))
      const record = earlier.find((each) => isEqual(each.inputs, checked.inputs))
      const way = yield* standing(record, window)
      if (way === "done") {
        done++
        continue
      }
      if (done > 0) talk(`${count(done, "window", "windows")} completed before`)
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
      talk(`${done === windows.length ? "all" : "the last"} ${count(done, "window", "windows")} completed before`)
  })
