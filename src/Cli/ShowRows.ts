/** `sluice show --rows`: the rows of a run's outputs; those of a held run beside the rows of the last good run. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Outputs from "../Dashboard/Outputs.ts"
import { lastGoodOf } from "../Dashboard/Runs.ts"
import type { RunDetail } from "../Ledger/History.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import type { Data } from "../Row.ts"
import { describePairs, pairRows, wordsOf } from "../Web/Dashboard/PairRows.ts"
import { wrongUsage } from "./CommandErrors.ts"
import { count, cut, place, table } from "./Format.ts"
import { filesIn, type WrittenFile } from "./RunOutputs.ts"
import { runObject } from "./RunRecords.ts"
import type { Terminal } from "./Terminal.ts"

/** Maximum characters of a cell. */
const maxCell = 60

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

/** The last good run before a held one, and its file for each file of the held run. */
const lastGood = (run: RunRecord, files: ReadonlyArray<WrittenFile>) =>
  Effect.gen(function* () {
    if (run.status !== "held") return undefined
    const { find } = yield* Ledger
    const found = yield* lastGoodOf(
      run,
      files.map(({ path }, number) => ({ number, path }))
    )
    const record = found && (yield* find(found.id))
    if (found === undefined || record === undefined) return undefined
    const written = yield* filesIn(record)
    // Rows of earlier runs in an appended file are no counterparts of this run's rows.
    const counterparts = files.map(({ isAppended }, number) =>
      isAppended ? undefined : written[found.outputs[number] ?? -1]
    )
    return { record, counterparts }
  })

/** Changed rows as `before → now`, then rows that are gone, new ones and the same ones. */
const describeBeside = (path: string, now: FirstRows, before: FirstRows, good: RunRecord, terminal: Terminal) => {
  const { columns, key, pairs } = pairRows(Outputs.tableOf(now.rows), Outputs.tableOf(before.rows))
  const words = wordsOf(now, before)
  const isCut = now.isCut || before.isCut
  const lead = `${place(path)}: ${describePairs(pairs, words) || "no rows"}, compared with the good run ${good.id} of ${new Date(good.startedAt).toISOString()} ${key === undefined ? "row by row" : `by ${key}`}`
  const text = (cell: string | null | undefined) => (cell ? cut(cell, maxCell) : "–")
  const lines = pairs.map(({ before, cells, kind }) => [
    words[kind],
    ...cells.map((cell, at) =>
      before !== undefined && before[at] !== cell ? `${text(before[at])} → ${text(cell)}` : text(cell)
    )
  ])
  const head = ["", ...columns].map((name) => [name] as const)
  const part = isCut ? `; the first ${count(Math.max(now.rows.length, before.rows.length), "row")} of each` : ""
  terminal.out.write(`${[lead + part, ...table(head, lines, terminal.out)].join("\n")}\n`)
}

export const showRows = (
  { alive, run }: Pick<RunDetail, "alive" | "run">,
  { json, limit }: { readonly json: boolean; readonly limit: number },
  terminal: Terminal
) =>
  Effect.gen(function* () {
    const files = yield* filesIn(run)
    const good = yield* lastGood(run, files)
    const read = (file: WrittenFile, of: RunRecord, most: number, lead = "") =>
      Effect.map(firstRows(file, of, most), (found) => {
        if (!("why" in found)) return found
        terminal.err.write(`${place(file.path)}: ${lead}${found.why}\n`)
        return undefined
      })
    const outputs: Array<Record<"path" | "rows" | "lastGoodRows", unknown>> = []
    let left = limit
    for (const [number, file] of files.entries()) {
      const now = left <= 0 ? undefined : yield* read(file, run, left)
      if (now === undefined) continue
      left -= now.rows.length
      const counterpart = good?.counterparts[number]
      const before =
        good &&
        counterpart &&
        (yield* read(counterpart, good.record, limit, `not compared with run ${good.record.id}: `))
      if (json) outputs.push({ path: file.path, rows: now.rows, lastGoodRows: before?.rows })
      else if (good && before) describeBeside(file.path, now, before, good.record, terminal)
      else for (const data of now.rows) terminal.out.write(`${JSON.stringify(data)}\n`)
    }
    const lastGoodRun = good && runObject(good.record, false)
    if (json) terminal.out.write(`${JSON.stringify({ ...runObject(run, alive), lastGood: lastGoodRun, outputs })}\n`)
  }).pipe(Effect.catchTag("Refusal", ({ reason }) => wrongUsage(reason)))
