/**
 * Checks rows against a contract while they are written, and evolves the columns as the contract allows.
 *
 * - Stateful: columns are only added (`add`) or widened (`widen`, a column that becomes nullable, an `enum` that is removed). Earlier rows
 *   fit the columns after every change, so the final columns describe the whole file.
 * - A row is accepted or rejected as a whole: a rejected row changes nothing.
 * - `hold` evolves the columns like `add`, `widen` and `null`, and records the drift: the run then holds its outputs.
 * - Every column of the contract is in every row, as null if it has no value. Added columns are left out if they have none.
 * - `save` is part of the sink's commit. A resumed run continues with the columns of its last commit, even if the contract file has changed
 *   since.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { withGot } from "../Row/SavedValue.ts"
import type { Data } from "../Row.ts"
import { TypedError } from "../TypedError.ts"
import { coerce, plain, readCell, storedAs, typeOf, widen } from "./ColumnType.ts"
import { Column, type Columns, type ResolvedOutput } from "./Contract.ts"

/** Error of a row that violates the contract of its output. */
export class ContractBroken extends TypedError("ContractBroken", { scope: "row" })<{
  readonly column: string
  readonly reason: string
}> {
  override get message() {
    return `The row breaks the contract: column "${this.column}" ${this.reason}.`
  }
}

/** Columns of an output as a commit saves them, with the changes made by the run. */
export const SavedColumns = Schema.Record({ key: Schema.String, value: Column })

/** Deviation from the contract for which the policy is `hold`: the run does not publish its outputs until they are released. */
export const HeldDrift = withGot(Schema.Struct({ column: Schema.String, expected: Schema.String, got: Schema.String }))
export type HeldDrift = typeof HeldDrift.Type

/** Maximum columns of an output, because pages may invent any number of fields. */
const maxColumns = 10_000

/** Maximum drifts recorded for a run. */
const maxHeldDrifts = 100

const describe = (value: unknown): string => {
  const text =
    typeof value === "object" ? "a nested value" : typeof value === "string" ? JSON.stringify(value) : `${value}`
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** Representation of values in the files of a format. */
export interface Format {
  /** Returns the value as written; undefined if the format cannot represent it. */
  readonly store: (value: unknown, type: Column["type"]) => unknown
  /** True for tables, whose cells are text: the text "5" fits a column of numbers. */
  readonly isText: boolean
  /** True for files that cannot get further columns: with `hold`, a new field is noted and left out. */
  readonly isClosed?: boolean
}

export interface Drift {
  /** Returns the row as it is stored, or the reason why it is rejected. Adds or widens columns as the contract allows. */
  readonly conform: (data: Data) => Either.Either<Data, ContractBroken>
  readonly columns: () => Columns
  /** True once the columns differ from those of the contract. */
  readonly hasEvolved: () => boolean
  /** Deviations found so far for which the policy is `hold`. */
  readonly held: () => ReadonlyArray<HeldDrift>
}

/** Result of fitting a value into its column. */
interface Fit {
  /** The value as it is written; null if there is none. */
  readonly stored: unknown
  /** The changed column, if the value requires a change. */
  readonly changed?: Column
  readonly held?: HeldDrift | undefined
}

/** State from the last commit of a resumed run. */
interface Before {
  readonly columns: Columns
  readonly held: ReadonlyArray<HeldDrift>
}

/** Starts checking the rows of one output. */
export const make = (
  contract: ResolvedOutput,
  before: Before | undefined,
  { isClosed = false, isText, store }: Format
): Drift => {
  const columns = new Map(Object.entries(before?.columns ?? contract.columns))
  const held = [...(before?.held ?? [])]
  let hasEvolved = before !== undefined && JSON.stringify(before.columns) !== JSON.stringify(contract.columns)

  const inColumn = (name: string, column: Column, value: unknown): Either.Either<Fit, ContractBroken> => {
    const broken = (reason: string) => Either.left(new ContractBroken({ column: name, reason }))
    const isEmpty = isText && value === "" && column.type !== "string"
    if (value === undefined || value === null || isEmpty) {
      if (column.nullable) return Either.right({ stored: null })
      const onMissing = column.onMissing ?? contract.onMissing
      if (onMissing === "reject") return broken("has no value")
      const held =
        onMissing === "hold"
          ? { column: name, expected: "a value in every row (contract)", got: "rows without one" }
          : undefined
      return Either.right({ stored: null, changed: { ...column, nullable: true }, held })
    }
    const allowed = (stored: unknown) => column.enum === undefined || column.enum.some((each) => each === stored)
    const fitting = storedAs(value, column.type)
    if (fitting !== undefined && allowed(fitting)) return Either.right({ stored: fitting })
    const cell = isText ? storedAs(readCell(value), column.type) : undefined
    if (cell !== undefined && allowed(cell)) return Either.right({ stored: value })
    const onType = column.onType ?? contract.onType
    const wrong =
      fitting === undefined
        ? `is of type ${column.type}, got ${describe(value)}`
        : `takes only ${column.enum?.map(describe).join(", ")}, got ${describe(value)}`
    if (onType === "coerce") {
      const coerced = coerce(value, column.type)
      return coerced !== undefined && allowed(coerced) ? Either.right({ stored: coerced }) : broken(wrong)
    }
    if (onType === "reject") return broken(wrong)
    const { enum: values = [], ...open } = column
    const isHeld = onType === "hold"
    if (fitting !== undefined) {
      const expected = `one of its ${values.length} values (contract)`
      return Either.right({
        stored: fitting,
        changed: open,
        held: isHeld ? { column: name, expected, got: "another one" } : undefined
      })
    }
    const { stored, type } = widen(column.type, value)
    if (stored === undefined) return broken(wrong)
    return Either.right({
      stored,
      ...(type === column.type && column.enum === undefined ? {} : { changed: { ...open, type } }),
      held: isHeld
        ? { column: name, expected: `type ${column.type} (contract)`, got: `type ${typeOf(plain(value))}` }
        : undefined
    })
  }

  /** Records a drift, once for each column and expectation. */
  const note = (drift: HeldDrift): void => {
    const isKnown = held.some(({ column, expected }) => column === drift.column && expected === drift.expected)
    if (!isKnown && held.length < maxHeldDrifts) held.push(drift)
  }

  const conform: Drift["conform"] = (data) => {
    const row: Record<string, unknown> = {}
    const changes: Array<readonly [string, Column]> = []
    const noted: Array<HeldDrift> = []
    for (const [name, column] of columns) {
      const value = Object.hasOwn(data, name) ? plain(data[name]) : undefined
      const isOwn = Object.hasOwn(contract.columns, name)
      if (!isOwn && (value === undefined || value === null)) continue
      const found = inColumn(name, column, value)
      if (Either.isLeft(found)) return Either.left(found.left)
      const { changed, held, stored } = found.right
      if (changed !== undefined) changes.push([name, changed])
      if (held !== undefined) noted.push(held)
      const written = stored === null ? null : store(stored, (changed ?? column).type)
      if (written === undefined) {
        return Either.left(
          new ContractBroken({ column: name, reason: `cannot hold ${describe(stored)} in this format` })
        )
      }
      define(row, name, written)
    }
    for (const name of Object.keys(data)) {
      if (columns.has(name) || contract.onNew === "drop") continue
      const value = plain(data[name])
      if (value === undefined) continue
      if (contract.onNew === "reject") {
        return Either.left(new ContractBroken({ column: name, reason: "is not in it" }))
      }
      // A column of only nulls says nothing about its type, so no column is added yet.
      if (value === null) continue
      const type = typeOf(value)
      const isHeld = contract.onNew === "hold"
      if (isHeld) noted.push({ column: name, expected: "no such field (contract)", got: `a field of type ${type}` })
      if ((isHeld && isClosed) || columns.size + changes.length >= maxColumns) continue
      changes.push([name, { type, nullable: true }])
      define(row, name, store(value, type))
    }
    for (const [name, column] of changes) columns.set(name, column)
    for (const drift of noted) note(drift)
    hasEvolved ||= changes.length > 0
    return Either.right(row)
  }

  return { conform, columns: () => Object.fromEntries(columns), hasEvolved: () => hasEvolved, held: () => held }
}

/** Sets a field, even if its name is that of an inherited property such as `__proto__`. */
const define = (row: Record<string, unknown>, name: string, value: unknown): void => {
  if (name === "__proto__")
    Object.defineProperty(row, name, { value, enumerable: true, writable: true, configurable: true })
  else row[name] = value
}
