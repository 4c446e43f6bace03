/**
 * Enforces the contract of an output: checks and converts rows before the sink writes them.
 *
 * - Steps after `write`, and rejects, get the rows unchanged.
 * - CSV has no types: cells of `json` columns hold JSON text, and its columns are those of the contract unless `write` declares them. With
 *   declared columns, `onNewField` decides whether the file can get more columns; a file that is appended to cannot.
 * - A replay adds to an output that is already published, so `hold` rejects the row instead: it stays among the rejects.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { ResolvedOutput, schemaOf } from "../Contract/Contract.ts"
import * as Drift from "../Contract/Drift.ts"
import * as Reader from "../Contract/Reader.ts"
import { rememberOrder } from "../Row/FieldOrder.ts"
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

/**
 * Escaping for spreadsheets puts a quote in front of text that begins with a minus sign, so such decimals are written as numbers if that is
 * exact.
 */
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

/** Fields of a table sink that decide its columns. */
const tableFields = (config: unknown) => {
  const { columns, escapeFormulas, onNewField } = mapping(config)
  return { declared: columns !== undefined, escapes: escapeFormulas !== false, onNewField }
}

/** True for a table that cannot get more columns. */
const isClosed = (config: Readonly<Record<string, unknown>>): boolean => {
  const { declared, onNewField } = tableFields(config)
  return declared ? onNewField !== "widen" : config.mode === "append"
}

/** Contract of a table: a closed table cannot add fields that have no column. */
const ofTable = (contract: ResolvedOutput, config: Readonly<Record<string, unknown>>): ResolvedOutput => {
  if (contract.onNew !== "add" || !isClosed(config)) return contract
  return { ...contract, onNew: tableFields(config).onNewField === "error" ? "reject" : "drop" }
}

/** Settings of a table that gets its columns from the contract. */
const withColumns = (contract: ResolvedOutput, config: Readonly<Record<string, unknown>>) => {
  const columns = Object.fromEntries(Object.keys(contract.columns).map((name) => [name, "string"]))
  rememberOrder(columns, contract.order ?? [])
  const mayWiden = (contract.onNew === "add" || contract.onNew === "hold") && config.mode !== "append"
  return { ...config, columns, ...(mayWiden ? { onNewField: "widen" } : {}) }
}

const rejecting = <Policy extends string>(policy: Policy | "hold") => (policy === "hold" ? "reject" : policy)

/** Contract for a replay. */
const ofReplay = (contract: ResolvedOutput): ResolvedOutput => ({
  ...contract,
  onNew: rejecting(contract.onNew),
  onType: rejecting(contract.onType),
  onMissing: rejecting(contract.onMissing),
  columns: Object.fromEntries(
    Object.entries(contract.columns).map(([name, { onMissing, onType, ...column }]) => [
      name,
      {
        ...column,
        ...(onType === undefined ? {} : { onType: rejecting(onType) }),
        ...(onMissing === undefined ? {} : { onMissing: rejecting(onMissing) })
      }
    ])
  )
})

/** Contract of an output while the output is open. */
export interface Conforming {
  /** Settings of the sink, with the contract's columns in their order. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Writes the rows that satisfy the contract, and resolves the others by the step's `onError`. Returns the rows to pass on. */
  readonly push: (
    rows: ReadonlyArray<Row>,
    context: Pick<Step.Context, "failed">,
    write: WriteRows
  ) => Effect.Effect<ReadonlyArray<Row>, Step.StepError>
  /** Measures rows as they are stored. */
  readonly sizes: (sizes: RowSizes) => RowSizes
  /** Contract with its current columns, for a commit. */
  readonly save: () => unknown
  /** Adds the schema of the files to the result of sealing them. */
  readonly describe: (sealed: Sealed) => Sealed
}

/** Part of a commit: the contract that the files were opened with, its current columns, and the drift that holds the outputs. */
const Saved = Schema.Struct({
  contract: ResolvedOutput,
  columns: Drift.SavedColumns,
  held: Schema.optional(Schema.Array(Drift.HeldDrift))
})
export type Saved = typeof Saved.Type

export const decodeSaved = Schema.decodeUnknown(Saved)

/** Columns without descriptions and examples, which checkpoints do not need. */
const withoutNotes = (columns: ResolvedOutput["columns"]): ResolvedOutput["columns"] =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { description: _, examples: __, ...column }]) => [name, column])
  )

/**
 * Opens the contract of an output. A resumed run keeps the contract of its last commit, even if the contract file has changed since: its
 * files have the committed columns.
 */
export const open = (
  { columns, contract, held = [] }: Pick<Saved, "contract"> & Partial<Saved>,
  { adds, id: step }: Pick<Step.Context, "adds" | "id">,
  sink: Pick<Sink.Any, "reader">,
  config: Readonly<Record<string, unknown>>
): Conforming => {
  const isTable = Reader.isTable(sink.reader?.(config))
  const { declared, escapes } = tableFields(config)
  const own = adds ? ofReplay(contract) : contract
  const effective = isTable ? ofTable(own, config) : own
  const settings = isTable && !declared ? withColumns(effective, config) : config
  const format = isTable ? { ...table(escapes), isClosed: isClosed(config) } : json
  const makeDrift = () => Drift.make(effective, columns && { columns, held }, format)
  const drift = makeDrift()
  // Rows are measured before they are written: measuring needs columns of its own, because those that the rows add do not exist yet.
  const measured = makeDrift()
  const inColumns = (row: Row, data: Row["data"]): Row => {
    const conformed = withData(row, data)
    const fields = conformed.fields ?? contract.order
    if (fields === undefined) return conformed
    return { ...conformed, fields: [...(contract.order ?? Object.keys(contract.columns)), ...fields] }
  }

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
            const conformed = inColumns(row, stored.right)
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
          Either.match(measured.conform(row.data), { onLeft: () => row, onRight: (data) => inColumns(row, data) })
        )
      ),
    save: () =>
      Schema.encodeSync(Saved)({
        contract: { ...contract, columns: withoutNotes(contract.columns) },
        columns: withoutNotes(drift.columns()),
        ...(drift.held().length === 0 ? {} : { held: drift.held() })
      }),
    describe: (sealed) => ({
      ...sealed,
      schema: schemaOf(drift.columns()),
      ...(drift.held().length === 0 ? {} : { drift: drift.held().map((each) => ({ step, ...each })) }),
      ...(drift.hasEvolved() ? { hasEvolved: true, warnings: [evolvedWarning, ...sealed.warnings] } : {})
    })
  }
}

export const evolvedWarning =
  "the rows of this run need other columns than the contract has: sluice contract diff shows the changes, sluice contract accept writes them into the contract"

/** Files of a shard, with the parts of their contract that the publishing run needs. */
export const ofShard = ({ drift = [], files, hasEvolved = false, schema, ...sealed }: Sealed): Sealed => ({
  ...sealed,
  files: schema === undefined ? files : files.map((file) => ({ ...file, contract: { schema, hasEvolved, drift } }))
})
