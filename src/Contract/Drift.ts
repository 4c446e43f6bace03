/**
 * Checks rows against a contract while they are written, and evolves the columns as the contract allows.
 *
 * - Stateful: the columns only grow (`add`) or widen (`widen`, a column that becomes nullable, an `enum` that goes). Rows that were
 *   written before fit the columns after every change, so a file is readable by the columns as they are at its end.
 * - A row is taken as a whole: one that is rejected changes nothing.
 * - Every column of the contract is in every row, as null where it has no value. Columns that were added are left out where they have none.
 * - `save` is part of the sink's commit. A resumed run continues with the columns of its last commit, also if the file has changed since.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Data } from "../Row.ts"
import { TypedError } from "../TypedError.ts"
import { coerce, plain, readCell, storedAs, typeOf, widen } from "./ColumnType.ts"
import { Column, type Columns, type ResolvedOutput } from "./Contract.ts"

/** A row does not keep the contract of its output. */
export class ContractBroken extends TypedError("ContractBroken", { scope: "row" })<{
  readonly column: string
  readonly reason: string
}> {
  override get message() {
    return `The row breaks the contract: column "${this.column}" ${this.reason}.`
  }
}

/** Columns with what a run has changed. */
export const SavedColumns = Schema.Record({ key: Schema.String, value: Column })

/** Limits what pages that invent fields can add. */
const maxColumns = 10_000

const describe = (value: unknown): string => {
  const text =
    typeof value === "object" ? "a nested value" : typeof value === "string" ? JSON.stringify(value) : `${value}`
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

/** How files of a format hold values. */
export interface Format {
  /** The value as it is written; undefined when the format cannot hold it. */
  readonly store: (value: unknown, type: Column["type"]) => unknown
  /** True for tables, whose cells are text: the text "5" fits a column of numbers. */
  readonly isText: boolean
}

export interface Drift {
  /** The row as it is stored, or why it is rejected. Evolves the columns. */
  readonly conform: (data: Data) => Either.Either<Data, ContractBroken>
  readonly columns: () => Columns
  /** True once the columns are no longer those of the contract. */
  readonly hasEvolved: () => boolean
}

/** Opens the check of one output; `saved` are the columns of the last commit. */
export const make = (contract: ResolvedOutput, saved: Columns | undefined, { isText, store }: Format): Drift => {
  const columns = new Map(Object.entries(saved ?? contract.columns))
  let hasEvolved = saved !== undefined && JSON.stringify(saved) !== JSON.stringify(contract.columns)

  /** Value and, if it has to change for it, the column. Null is a missing value. */
  const inColumn = (
    name: string,
    column: Column,
    value: unknown
  ): Either.Either<readonly [stored: unknown, changed: Column | undefined], ContractBroken> => {
    const broken = (reason: string) => Either.left(new ContractBroken({ column: name, reason }))
    const isEmpty = isText && value === "" && column.type !== "string"
    if (value === undefined || value === null || isEmpty) {
      if (column.nullable) return Either.right([null, undefined])
      return (column.onMissing ?? contract.onMissing) === "null"
        ? Either.right([null, { ...column, nullable: true }])
        : broken("has no value")
    }
    const allowed = (stored: unknown) => column.enum === undefined || column.enum.some((each) => each === stored)
    const fitting = storedAs(value, column.type)
    if (fitting !== undefined && allowed(fitting)) return Either.right([fitting, undefined])
    const cell = isText ? storedAs(readCell(value), column.type) : undefined
    if (cell !== undefined && allowed(cell)) return Either.right([value, undefined])
    const onType = column.onType ?? contract.onType
    const wrong =
      fitting === undefined
        ? `is of type ${column.type}, got ${describe(value)}`
        : `takes only ${column.enum?.map(describe).join(", ")}, got ${describe(value)}`
    if (onType === "coerce") {
      const coerced = coerce(value, column.type)
      return coerced !== undefined && allowed(coerced) ? Either.right([coerced, undefined]) : broken(wrong)
    }
    if (onType === "reject") return broken(wrong)
    const { enum: _, ...open } = column
    if (fitting !== undefined) return Either.right([fitting, open])
    const { stored, type } = widen(column.type, value)
    if (stored === undefined) return broken(wrong)
    return Either.right([stored, type === column.type && column.enum === undefined ? undefined : { ...open, type }])
  }

  const conform: Drift["conform"] = (data) => {
    const row: Record<string, unknown> = {}
    const changes: Array<readonly [string, Column]> = []
    for (const [name, column] of columns) {
      const value = Object.hasOwn(data, name) ? plain(data[name]) : undefined
      const isOwn = Object.hasOwn(contract.columns, name)
      if (!isOwn && (value === undefined || value === null)) continue
      const found = inColumn(name, column, value)
      if (Either.isLeft(found)) return Either.left(found.left)
      const [stored, changed] = found.right
      if (changed !== undefined) changes.push([name, changed])
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
      // Nothing is known of a column that only has nulls.
      if (value === null || columns.size + changes.length >= maxColumns) continue
      const type = typeOf(value)
      changes.push([name, { type, nullable: true }])
      define(row, name, store(value, type))
    }
    for (const [name, column] of changes) columns.set(name, column)
    hasEvolved ||= changes.length > 0
    return Either.right(row)
  }

  return { conform, columns: () => Object.fromEntries(columns), hasEvolved: () => hasEvolved }
}

/** Sets a field that may have the name of one that every object inherits. */
const define = (row: Record<string, unknown>, name: string, value: unknown): void => {
  if (name === "__proto__")
    Object.defineProperty(row, name, { value, enumerable: true, writable: true, configurable: true })
  else row[name] = value
}
