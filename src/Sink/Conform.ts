/**
 * Keeps the contract of an output in front of its sink: rows are checked and changed before they are written.
 *
 * - The steps behind `write` get the rows as they came, and so do rejects.
 * - CSV has no types: cells of `json` columns hold JSON text, and its columns are those of the contract unless `write` declares them.
 *   With declared columns, `onNewField` decides whether the file can get further ones.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { ResolvedOutput, schemaOf } from "../Contract/Contract.ts"
import * as Drift from "../Contract/Drift.ts"
import { type Row, withData } from "../Row.ts"
import type * as Sink from "../Sink.ts"
import type { Sealed } from "../Step/Output.ts"
import { mapping } from "../Step/Requirements.ts"
import * as Step from "../Step.ts"
import type { RowSizes } from "./Writer.ts"

type WriteRows = (
  rows: ReadonlyArray<Row>,
  failed: Step.Context["failed"]
) => Effect.Effect<ReadonlyArray<Row>, Step.StepError>

const json: Drift.Format = { isText: false, store: (value) => value }

/** Spreadsheets get a quote before a text that begins with a minus sign, so such decimals are written as numbers where that is exact. */
const storeDecimal = (text: string): unknown => {
  const digits = text.replace(/[-.]/g, "").replace(/^0+/, "")
  return digits.length <= 15 ? Number(text) : undefined
}

const table = (escapesFormulas: boolean): Drift.Format => ({
  isText: true,
  store: (value, type) => {
    if (type === "json") return typeof value === "string" ? JSON.stringify(value) : value
    return type === "decimal" && escapesFormulas && String(value).startsWith("-") ? storeDecimal(String(value)) : value
  }
})

/** Fields of a sink for tables that columns depend on. */
const tableFields = (config: unknown) => {
  const { columns, escapeFormulas, onNewField } = mapping(config)
  return { declared: columns !== undefined, escapes: escapeFormulas !== false, onNewField }
}

const effectiveContract = (contract: ResolvedOutput, config: unknown): ResolvedOutput => {
  const { declared, onNewField } = tableFields(config)
  if (!declared || contract.onNew !== "add" || onNewField === "widen") return contract
  return { ...contract, onNew: onNewField === "error" ? "reject" : "drop" }
}

/** Fields of a table whose columns are those of the contract. */
const withColumns = (contract: ResolvedOutput, config: Readonly<Record<string, unknown>>) => ({
  ...config,
  columns: Object.fromEntries(Object.keys(contract.columns).map((name) => [name, "string"])),
  ...(contract.onNew === "add" && config.mode !== "append" ? { onNewField: "widen" } : {})
})

/** Contract of an open output. */
export interface Conforming {
  /** The sink's fields, with the columns of the contract. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Writes the rows that keep the contract, and resolves the others by the step's `onError`. Returns the rows that go on. */
  readonly push: (
    rows: ReadonlyArray<Row>,
    context: Pick<Step.Context, "failed">,
    write: WriteRows
  ) => Effect.Effect<ReadonlyArray<Row>, Step.StepError>
  /** Sizes of rows as they are stored. */
  readonly sizes: (sizes: RowSizes) => RowSizes
  /** The contract with its columns as they are now, for a commit. */
  readonly save: () => unknown
  /** Adds the schema of the files. */
  readonly describe: (sealed: Sealed) => Sealed
}

/** What a commit keeps: the contract that the files were begun with, and its columns now. */
const Saved = Schema.Struct({ contract: ResolvedOutput, columns: Drift.SavedColumns })
export type Saved = typeof Saved.Type

export const decodeSaved = Schema.decodeUnknown(Saved)

/** Without what only people read: checkpoints are many. */
const withoutNotes = (columns: ResolvedOutput["columns"]): ResolvedOutput["columns"] =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { description: _, examples: __, ...column }]) => [name, column])
  )

/**
 * Opens the contract of an output. A resumed run goes on with the one that its last commit has saved: its files have those columns, whatever
 * the contract beside the definition says by now.
 */
export const open = (
  { columns, contract }: { readonly contract: ResolvedOutput; readonly columns?: ResolvedOutput["columns"] },
  sink: Pick<Sink.Any, "delimiter">,
  config: Readonly<Record<string, unknown>>
): Conforming => {
  const isTable = sink.delimiter !== undefined
  const { declared, escapes } = tableFields(config)
  const effective = isTable ? effectiveContract(contract, config) : contract
  const settings = isTable && !declared ? withColumns(effective, config) : config
  const makeDrift = () => Drift.make(effective, columns, isTable ? table(escapes) : json)
  const drift = makeDrift()
  // Rows are measured before they are written, so the columns that they add are not there yet.
  const measured = makeDrift()

  return {
    settings,
    push: (rows, context, write) =>
      Effect.gen(function* () {
        const originals = new Map<Row, Row>()
        const originalOf = (row: Row): Row => originals.get(row) ?? row
        const failed: Step.Context["failed"] = (row, error) => context.failed(originalOf(row), error)
        const passed: Array<Row> = []
        let batch: Array<Row> = []
        const flush = Effect.suspend(() => {
          const written = batch
          batch = []
          return written.length === 0
            ? Effect.void
            : Effect.map(write(written, failed), (some) => {
                for (const row of some) passed.push(originalOf(row))
              })
        })
        for (const row of rows) {
          const stored = drift.conform(row.data)
          if (Either.isRight(stored)) {
            const conformed = withData(row, stored.right)
            originals.set(conformed, row)
            batch.push(conformed)
            continue
          }
          yield* flush
          for (const replaced of yield* context.failed(row, Step.StepError.of(stored.left))) passed.push(replaced)
        }
        yield* flush
        return passed
      }),
    sizes: (sizes) => (rows) =>
      sizes(
        rows.map((row) =>
          Either.match(measured.conform(row.data), { onLeft: () => row, onRight: (data) => withData(row, data) })
        )
      ),
    save: () =>
      Schema.encodeSync(Saved)({
        contract: { ...contract, columns: withoutNotes(contract.columns) },
        columns: withoutNotes(drift.columns())
      }),
    describe: (sealed) => {
      const warning =
        "the rows of this run have changed the contract: sluice contract diff shows how, accept takes it over"
      return {
        ...sealed,
        schema: schemaOf(drift.columns()),
        warnings: drift.hasEvolved() ? [warning, ...sealed.warnings] : sealed.warnings
      }
    }
  }
}
