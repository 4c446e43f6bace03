/** How far a run has come, as one line that is drawn over; only where somebody looks. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Checked } from "../../Pipeline/Check.ts"
import type { Progress, Run } from "../../Run.ts"
import { paint, type Terminal } from "../Terminal.ts"
import { count } from "../Words.ts"

const frames = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
const barWidth = 20

/** Steps that announce the rows to come. */
const announcesRows = ({ step: { behaviour } }: Checked["nodes"][number]): boolean =>
  behaviour.kind === "source" || (behaviour.kind === "transform" && behaviour.announces === true)

const clock = (millis: number): string => {
  const seconds = Math.floor(millis / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}

const rate = (rows: number, millis: number): string => {
  const each = millis < 500 ? 0 : (rows * 1000) / millis
  return `${each < 10 ? each.toFixed(1) : Math.round(each).toLocaleString("en-US")}/s`
}

/** What is said about a run at a moment. */
export interface Moment {
  readonly name: string
  readonly progress: Progress
  readonly checked: Checked
  readonly elapsed: number
  readonly frame: number
}

/** The line, fitted to the width: what matters least is left out first. */
export const line = ({ checked, elapsed, frame, name, progress }: Moment, terminal: Terminal): string => {
  const { credits, expected, rejects, rows, steps } = progress
  const dye = paint(terminal.err)
  const read = checked.nodes.filter(announcesRows).reduce((sum, node) => sum + (steps[node.id] ?? 0), 0)
  const share = expected === 0 ? 0 : Math.min(1, (read + rejects) / expected)
  const filled = Math.round(share * barWidth)
  const parts: ReadonlyArray<readonly [text: string, weight: number, shown: (text: string) => string]> = [
    [frames[frame % frames.length] ?? "", 0, dye.cyan],
    [name, 5, dye.bold],
    ["━".repeat(barWidth), 6, (bar) => dye.cyan(bar.slice(0, filled)) + dye.dim(bar.slice(filled))],
    [
      expected === 0 ? `${count(read, "page")}` : `${read.toLocaleString("en-US")} of ${count(expected, "page")}`,
      0,
      String
    ],
    [count(rows, "row"), 1, String],
    [rejects === 0 ? "" : count(rejects, "reject"), 1, dye.yellow],
    [credits === 0 ? "" : count(Math.round(credits), "credit"), 3, String],
    [rate(read, elapsed), 4, dye.dim],
    [clock(elapsed), 2, dye.dim]
  ]
  const width = (kept: typeof parts) => kept.reduce((sum, [text]) => sum + text.length + 2, -2)
  const squeeze = (kept: typeof parts): typeof parts => {
    const heaviest = Math.max(...kept.map(([, weight]) => weight))
    return heaviest === 0 || width(kept) < terminal.err.columns()
      ? kept
      : squeeze(kept.filter(([, weight]) => weight !== heaviest))
  }
  return squeeze(parts.filter(([text]) => text !== ""))
    .map(([text, , shown]) => shown(text))
    .join("  ")
}

/** Draws the line ten times a second until it is interrupted. */
export const draw = (run: Run, checked: Checked, terminal: Terminal) =>
  Effect.gen(function* () {
    const begin = yield* Clock.currentTimeMillis
    let frame = 0
    const once = Effect.gen(function* () {
      const progress = yield* run.progress
      const elapsed = (yield* Clock.currentTimeMillis) - begin
      terminal.err.status(line({ name: checked.frame.name, progress, checked, elapsed, frame: frame++ }, terminal))
    })
    yield* Effect.repeat(once, Schedule.spaced("100 millis"))
  }).pipe(Effect.ensuring(Effect.sync(() => terminal.err.status(""))))
