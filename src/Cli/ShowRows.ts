/**
 * `sluice show --rows`: the rows of a run's outputs, as JSON Lines. On a terminal, or with `--json`, those of a held run stand beside the
 * rows of the last good run.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Outputs from "../Dashboard/Outputs.ts"
import { lastGoodBefore } from "../Dashboard/Runs.ts"
import type { RunDetail } from "../Ledger/History.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import { describePairs, pairRows, wordsOf } from "../Row/PairRows.ts"
import type { Data } from "../Row.ts"
import { wrongUsage } from "./CommandErrors.ts"
import { count, cut, place, table, tame } from "./Format.ts"
import { filesIn, type WrittenFile } from "./RunOutputs.ts"
import { runObject } from "./RunRecords.ts"
import type { Terminal } from "./Terminal.ts"

/** Maximum characters of a cell, and of those before the first difference of a changed one that is cut. */
const [maxCell, maxLead] = [60, 20]

interface FirstRows {
  readonly rows: ReadonlyArray<Data>
  /** True if the file has more rows. */
  readonly isCut: boolean
}

/** The first rows that a run has written into a file; or why they cannot be read. */
const firstRows = (file: WrittenFile, run: RunRecord, limit: number) =>
  Effect.gen(function* () {
    const { bytes, format, from, isAppended, rows } = file
    const open = Outputs.rowsOf({ number: 0, path: from, format, rows, bytes }, run, { left: Infinity })
    const found = yield* open
    if ("why" in found) return found
    // The file of a held run that appends begins with rows that are already published: skip those.
    const all = isAppended ? yield* open : found
    const before = all === found || "why" in all ? 0 : (yield* Stream.runCount(all.rows)) - rows
    const first = yield* Stream.runCollect(found.rows.pipe(Stream.drop(before), Stream.take(limit + 1)))
    const data = Array.from(first, ({ data }) => data)
    return { rows: data.slice(0, limit), isCut: data.length > limit } satisfies FirstRows
  })

/** No limits, so that a difference behind them is seen. */
const wholeCells = { cell: Infinity, columns: Infinity }

const textOf = (cell: string | null | undefined): string => (cell === "" ? '""' : tame(cell ?? "–"))

/** Both texts of a changed cell, from shortly before their first difference if that is far behind. */
const describeChange = (before: string | null | undefined, now: string | null | undefined): string => {
  const shown = [before, now].map(textOf)
  // Texts that differ only in characters that a table leaves out.
  const [one = "", other = ""] =
    shown[0] === shown[1] ? [before, now].map((cell) => JSON.stringify(cell ?? null)) : shown
  let first = 0
  while (first < one.length && one[first] === other[first]) first++
  const from = first < maxCell - maxLead ? 0 : first - maxLead
  const part = (text: string) => (from === 0 ? text : `…${text.slice(from).replace(/^\p{Cs}/u, "")}`)
  return `${cut(part(one), maxCell)} → ${cut(part(other), maxCell)}`
}

/** Changed rows as `before → now`, then rows that are gone, new ones and the same ones. */
const describeBeside = (path: string, now: FirstRows, before: FirstRows, good: RunRecord, limit: number) => {
  const { columns, key, pairs } = pairRows(
    Outputs.tableOf(now.rows, wholeCells),
    Outputs.tableOf(before.rows, wholeCells)
  )
  const words = wordsOf(now, before)
  const part = now.isCut || before.isCut ? `; the first ${count(limit, "row")} of each` : ""
  const lead = `${place(path)}: ${describePairs(pairs, words) || "no rows"}, compared with the good run ${good.id} of ${new Date(good.startedAt).toISOString()} ${key === undefined ? "row by row" : `by ${key}`}${part}`
  const lines = pairs.map(({ before, cells, kind }) => [
    words[kind],
    ...cells.map((cell, at) =>
      before !== undefined && before[at] !== cell ? describeChange(before[at], cell) : cut(textOf(cell), maxCell)
    )
  ])
  return { lead: tame(lead), head: ["", ...columns].map((name) => [name] as const), lines }
}

/** The first rows of a held run's file in the last good run; or why they are not compared. */
const rowsBefore = ({ isAppended, path }: WrittenFile, good: RunRecord | undefined, limit: number) =>
  Effect.gen(function* () {
    if (good === undefined) return { why: "no good run began before it" }
    if (isAppended) return { why: "it is appended to, so rows of earlier runs are no counterparts" }
    const same = (yield* filesIn(good)).find((each) => each.path === path)
    return same === undefined ? { why: "that run did not write this file" } : yield* firstRows(same, good, limit)
  })

export const showRows = (
  { alive, run }: Pick<RunDetail, "alive" | "run">,
  { json, limit }: { readonly json: boolean; readonly limit: number },
  { err, out }: Terminal
) =>
  Effect.gen(function* () {
    const isHeld = run.status === "held"
    const good = isHeld ? yield* lastGoodBefore(run) : undefined
    const isCompared = isHeld && (json || out.interactive)
    const outputs: Array<unknown> = []
    for (const file of yield* filesIn(run)) {
      const { path } = file
      const note = (why: string) => err.write(`${place(path)}: ${why}\n`)
      const now = yield* firstRows(file, run, limit)
      const before = isCompared && !("why" in now) ? yield* rowsBefore(file, good, limit) : undefined
      if ("why" in now) note(now.why)
      if (before !== undefined && "why" in before) {
        note(`not compared${good === undefined ? "" : ` with run ${good.id}`}: ${before.why}`)
      }
      if (json) {
        const beside =
          before &&
          ("why" in before
            ? { whyNotCompared: before.why }
            : { lastGoodRows: before.rows, isLastGoodCut: before.isCut })
        outputs.push({ path, ...now, ...beside })
      } else if ("why" in now) continue
      else if (good && before && !("why" in before)) {
        const { head, lead, lines } = describeBeside(path, now, before, good, limit)
        out.write(`${[lead, ...table(head, lines, out)].join("\n")}\n`)
      } else for (const data of now.rows) out.write(`${JSON.stringify(data)}\n`)
    }
    const lastGood = good && runObject(good, false)
    if (json) out.write(`${JSON.stringify({ ...runObject(run, alive), lastGood, outputs })}\n`)
  }).pipe(Effect.catchTag("Refusal", ({ reason }) => wrongUsage(reason)))
