/** Rows of a pipeline's last good run, by the pages that they came from: what `sluice extract --repair` compares with. */
import * as Effect from "effect/Effect"
import { isBlank } from "../../Html/FieldRows.ts"
import type { RunRecord } from "../../Ledger/Model.ts"
import { Ledger } from "../../Ledger.ts"
import { check } from "../../Pipeline/Check.ts"
import type { Source } from "../../Pipeline/Source.ts"
import { addressOf, type Data } from "../../Row.ts"
import { outputRows } from "../../Run/Progress.ts"
import { commandFailed } from "../CommandErrors.ts"
import { place } from "../Format.ts"
import * as RunOutputs from "../RunOutputs.ts"
import { scopeOf } from "../Trust.ts"

/** Maximum rows that are kept of an output. */
const maxRows = 20_000

/** Maximum runs whose outputs are read, newest first. */
const maxRuns = 20

/** True if an output of the run has rows. `rows` are those at the end of the pipeline, of which a day without changes has none. */
const hasRows = ({ progress, rows }: RunRecord): boolean =>
  rows > 0 || outputRows(progress)?.some((output) => output.rows > 0) === true

/** The latest runs with good rows: completed, not held, and with at least one row. */
const goodRuns = (pipeline: string, except: string | undefined) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const all = yield* history.runs({ pipeline, limit: 1000 })
    const good = all.filter(
      (record) => RunOutputs.isReal(record) && record.status === "completed" && record.id !== except
    )
    const withRows = good.filter(hasRows).slice(0, maxRuns)
    if (withRows.length > 0) return withRows
    const reason = `no run of ${pipeline} has ${good.length === 0 ? "completed" : "given rows"}: there are no good rows to compare with`
    return yield* commandFailed(reason)
  })

/** Outputs of a run, those with the most rows first: beside an output of changes, the one with all rows. */
const outputsBySize = (source: Source, terminal: RunOutputs.Warned, run: RunRecord) =>
  Effect.map(
    RunOutputs.outputsOf(source, terminal, () => Effect.succeed(run)),
    ({ written }) => {
      const sizes = new Map(outputRows(run.progress)?.map(({ rows, step }) => [step, rows]))
      const sizeOf = ({ writer }: (typeof written)[number]) => sizes.get(writer.step) ?? 0
      return written.toSorted((one, other) => sizeOf(other) - sizeOf(one))
    }
  )

export type RowsByAddress = ReadonlyMap<string, ReadonlyArray<Data>>

interface Rows {
  readonly record: RunRecord
  readonly rows: RowsByAddress
  /** Number of fields with a value in some row; -1 if no row has a URL. */
  readonly filled: number
  /** Total number of rows, also of those without a URL. */
  readonly all: number
}

/** Rows of one output by their URLs. */
const rowsByAddress = (
  { files, writer }: Effect.Effect.Success<ReturnType<typeof outputsBySize>>[number],
  record: RunRecord,
  fields: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const rows = new Map<string, Array<Data>>()
    let [kept, all] = [0, 0]
    for (const file of files)
      yield* RunOutputs.readFile(writer, file, (data) => {
        all++
        const address = addressOf(data)
        if (address === undefined || kept >= maxRows) return
        kept++
        const known = rows.get(address)
        if (known === undefined) rows.set(address, [data])
        else known.push(data)
      })
    const flat = [...rows.values()].flat()
    const filled = kept === 0 ? -1 : fields.filter((name) => flat.some((row) => !isBlank(row[name]))).length
    const found: Rows = { record, rows, filled, all }
    return found
  })

/**
 * Rows of the newest good run in which every field has a value in some row; if there is none, of the run with values for the most fields.
 */
export const goodRows = (
  source: Source,
  terminal: RunOutputs.Warned,
  fields: ReadonlyArray<string>,
  named: RunRecord | undefined
) =>
  Effect.gen(function* () {
    const { frame } = yield* check(source, {
      ...scopeOf(terminal.env),
      inputs: {},
      complete: false,
      unsetSecrets: "warning"
    })
    if (named !== undefined && named.pipeline !== frame.name) {
      const reason = `run ${named.id} is of the pipeline ${named.pipeline}, but ${place(source.file)} defines ${frame.name}: name a run of that pipeline`
      return yield* commandFailed(reason)
    }
    const runs = yield* goodRuns(frame.name, named?.id)
    const read = new Set<string>()
    let best: Rows | undefined
    for (const run of runs) {
      const files = JSON.stringify((yield* RunOutputs.filesIn(run)).map(({ from }) => from))
      // A later run has already replaced the files of this one.
      if (read.has(files)) continue
      read.add(files)
      for (const output of yield* outputsBySize(source, terminal, run)) {
        const found = yield* rowsByAddress(output, run, fields)
        if (found.filled === fields.length) return found
        if (best === undefined || best.all === 0 || found.filled > best.filled) best = found
      }
    }
    if (best !== undefined && best.filled >= 0) return best
    const reason =
      best === undefined || best.all === 0
        ? `the outputs of run ${runs[0]?.id} have no rows any more, because a later run has replaced its files. Run the pipeline again when the site shows its data, then repeat this command`
        : `the rows of run ${best.record.id} have no url, so their pages cannot be found: keep url in the output`
    return yield* commandFailed(reason)
  })
