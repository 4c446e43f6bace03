/** Learns a contract from the rows of an output, and compares rows with a contract, to find the contract that all rows would fit. */
import * as Either from "effect/Either"
import { rememberOrder } from "../Row/FieldOrder.ts"
import type { Data } from "../Row.ts"
import { type ColumnType, join, plain, readCell, typeOf } from "./ColumnType.ts"
import type { Column, Columns, OutputContract, ResolvedOutput } from "./Contract.ts"
import * as Drift from "./Drift.ts"

const maxExamples = 3
const maxExampleLength = 40

/** Names of columns that may become the key of the contract. */
const keyNames = ["$key", "key", "id", "url"]
/** Maximum distinct values checked in a column with such a name; with more, it is not taken as the key, and `uncompared` lists it. */
const maxKeyValues = 1_000_000

interface Learned {
  type: ColumnType
  rows: number
  examples: Array<unknown>
  /** Different values of a column that can be a key; undefined once a value has occurred twice, "too many" above the limit. */
  distinct: Set<unknown> | "too many" | undefined
}

/** Matches names of columns that may describe a person or hold a secret: a contract is shared, so it contains no examples from them. */
const privateName =
  /name|user|author|owner|person|people|customer|contact|login|handle|nick|profile|mail|phone|mobile|fax|address|street|city|zip|postal|birth|dob|age$|gender|sex$|iban|card|account|tax|passport|^ip|[^a-z]ip|ip$|ssn|salary|password|secret|token|cookie|session|key$|lat$|lon$|lng$|location|comment|message|review/i

/** Matches e-mail and IP addresses, URLs of pages, numbers as long as phone or card numbers, and texts that look like keys. */
const privateText =
  /@|\d[\d ()./-]{6,}\d|\d+\.\d+\.\d+\.\d+|::|(?:[0-9a-f]{1,4}:){5}|:\/\/[^/?#]*[/?#].|[A-Za-z0-9_-]{20,}/i

/**
 * True for a short value that says nothing about a person. Text of several words does not count: it may be a name, a comment or a title.
 */
const isExample = (name: string, value: unknown, type: ColumnType): boolean => {
  const text = String(value)
  if (typeof value === "object" || text.length > maxExampleLength || privateName.test(name)) return false
  return type === "date" || type === "timestamp" || !(privateText.test(text) || /\s/.test(text.trim()))
}

/** Common type of text cells: string if they do not agree on another type. */
const joinCells = (a: ColumnType, b: ColumnType): ColumnType => {
  const both = join(a, b)
  return both === "json" && a !== b ? "string" : both
}

/** Starts to learn the contract of one output from its rows. `isTable`: values are cells without types. */
export const make = (isTable: boolean, maxDistinct = maxKeyValues) => {
  const columns = new Map<string, Learned>()
  let rows = 0
  const newColumn = (name: string, type: ColumnType): Learned => {
    const column = { type, rows: 0, examples: [], distinct: keyNames.includes(name) ? new Set() : undefined }
    columns.set(name, column)
    return column
  }
  const add = (data: Data): void => {
    rows++
    for (const [name, raw] of Object.entries(data)) {
      const value = isTable ? readCell(raw) : plain(raw)
      if (value === null || value === undefined) {
        // The type of a column without values is unknown. In a table, `json` would put quotes around the first string that comes later.
        if (!columns.has(name)) newColumn(name, isTable ? "string" : "json")
        continue
      }
      const type = typeOf(value)
      const known = columns.get(name)
      const column = known ?? newColumn(name, type)
      if (known !== undefined)
        column.type = column.rows === 0 ? type : isTable ? joinCells(column.type, type) : join(column.type, type)
      column.rows++
      if (column.examples.length < maxExamples && isExample(name, value, type) && !column.examples.includes(value)) {
        column.examples.push(value)
      }
      if (!(column.distinct instanceof Set)) continue
      if (column.distinct.has(value)) column.distinct = undefined
      else if (column.distinct.size < maxDistinct) column.distinct.add(value)
      else column.distinct = "too many"
    }
  }

  const canBeKey = (name: string): boolean => {
    const column = columns.get(name)
    return column?.distinct !== undefined && column.rows === rows && rows > 1 && column.type !== "json"
  }

  /** Contract for all rows so far. A column named like `id` or `url` becomes the key if every row has a value and all are different. */
  const contract = (): OutputContract => {
    const all = [...columns].map(([name, { examples, rows: present, type }]): readonly [string, Column] => {
      const stored = type === "string" || type === "date" || type === "timestamp" ? examples.map(String) : examples
      return [name, { type, nullable: present < rows, ...(stored.length === 0 ? {} : { examples: stored }) }]
    })
    const key = keyNames.find((name) => canBeKey(name) && columns.get(name)?.distinct instanceof Set)
    const learned = Object.fromEntries(all)
    rememberOrder(learned, [...columns.keys()])
    return { columns: learned, ...(key === undefined ? {} : { key: [key] }) }
  }

  /** Columns that may be the key, but have too many values to compare them all. */
  const uncompared = () => keyNames.filter((name) => canBeKey(name) && columns.get(name)?.distinct === "too many")

  return { add, contract, uncompared }
}

/** A cell as stored for the type of its column. */
const readTyped = (text: unknown, type: ColumnType | undefined): unknown => {
  if (typeof text !== "string" || type === undefined) return readCell(text)
  if (text === "") return null
  if (type !== "integer" && type !== "number" && type !== "boolean" && type !== "json") return text
  return Either.getOrElse(
    Either.try(() => JSON.parse(text) as unknown),
    () => text
  )
}

/** Compares rows with a contract. `columns` are the columns that the contract would need, regardless of its policies. */
export const compare = (contract: ResolvedOutput, isTable: boolean) => {
  const lenient = Object.entries(contract.columns).map(([name, { onMissing: _, onType: __, ...column }]) => [
    name,
    column
  ])
  const open: ResolvedOutput = {
    ...contract,
    columns: Object.fromEntries(lenient),
    onNew: "add",
    onType: "widen",
    onMissing: "null"
  }
  const drift = Drift.make(open, undefined, { isText: isTable, store: (value) => value })
  const add = (data: Data): void => {
    if (!isTable) return void drift.conform(data)
    const known = drift.columns()
    drift.conform(
      Object.fromEntries(Object.entries(data).map(([name, text]) => [name, readTyped(text, known[name]?.type)]))
    )
  }
  const columns = (): Columns =>
    Object.fromEntries(
      Object.entries(drift.columns()).map(([name, column]) => {
        const { onMissing, onType } = contract.columns[name] ?? {}
        return [name, { ...column, ...(onType && { onType }), ...(onMissing && { onMissing }) }]
      })
    )
  return { add, columns }
}
