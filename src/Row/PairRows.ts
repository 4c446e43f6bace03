/** Pairs the rows of an output with those of an earlier run: by key if a column is one, otherwise by position. */
import { count } from "./Count.ts"

/** Cells by column; null if missing. */
type Cells = ReadonlyArray<string | null>

interface Table {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Cells>
}

export interface RowPair {
  readonly kind: "changed" | "new" | "gone" | "same"
  /** Cells by column: of the later run, or of the earlier run if the later one lacks the row. */
  readonly cells: Cells
  /** Cells of a changed row in the earlier run. */
  readonly before?: Cells
}

export interface PairedRows {
  readonly columns: ReadonlyArray<string>
  /** Name of the key column; undefined if rows are paired by position. */
  readonly key: string | undefined
  /** Changed rows come first. */
  readonly pairs: ReadonlyArray<RowPair>
}

/** Rows by the values of a column; undefined unless every row has a value and no two are equal. */
const keysOf = ({ columns, rows }: Table, name: string): ReadonlyMap<string, Cells> | undefined => {
  const at = columns.indexOf(name)
  const byKey = new Map(rows.map((row) => [row[at] ?? "", row]))
  return at >= 0 && byKey.size === rows.length && !byKey.has("") ? byKey : undefined
}

/** True for a column of consecutive integers: it is the position of each row, which shifts when a row is added before it. */
const isPosition = (keys: ReadonlyMap<string, Cells>): boolean => {
  const [first] = keys.keys()
  return [...keys.keys()].every((key, index) => key === String(Number(first) + index))
}

const isIdentity = (name: string): boolean => /^(url|id|key)$/i.test(name)

/** Minimum share of the shorter table's rows that must have a row with the same key. */
const minShared = 0.3

interface Side {
  /** True if the output has more rows. */
  readonly isCut: boolean
}

/** Word for each kind of row. If only the first rows of a side are known, a row's counterpart may follow after them. */
export const wordsOf = (now: Side, before: Side): Readonly<Record<RowPair["kind"], string>> => ({
  changed: "changed",
  gone: now.isCut ? "not in these rows" : "not in this run",
  new: before.isCut ? "only in these rows" : "new",
  same: "same"
})

const order = ["changed", "gone", "new", "same"] as const

/** Text such as `20 changed, 40 not in this run`. */
export const describePairs = (pairs: ReadonlyArray<RowPair>, words: ReturnType<typeof wordsOf>): string =>
  order
    .flatMap((kind) => {
      const rows = pairs.filter((pair) => pair.kind === kind).length
      return rows === 0 ? [] : [count(rows, words[kind], words[kind])]
    })
    .join(", ")

export const pairRows = (now: Table, before: Table): PairedRows => {
  const columns = [...new Set([...now.columns, ...before.columns])]
  const cellsOf = (table: Table, row: Cells): Cells => columns.map((name) => row[table.columns.indexOf(name)] ?? null)
  const keys = columns
    .flatMap((name) => {
      const [ours, theirs] = [keysOf(now, name), keysOf(before, name)]
      if (ours === undefined || theirs === undefined) return []
      const rank = Number(isIdentity(name)) - Number(isPosition(ours) && isPosition(theirs))
      return [{ name, rank, ours, theirs, shared: [...ours.keys()].filter((key) => theirs.has(key)).length }]
    })
    .toSorted((a, b) => b.rank - a.rank || b.shared - a.shared)
    .filter(({ shared }) => shared >= Math.max(1, minShared * Math.min(now.rows.length, before.rows.length)))
  const [key] = keys
  const byPosition = ({ rows }: Table) => new Map(rows.map((row, index) => [String(index), row]))
  const [ours, theirs] = key === undefined ? [byPosition(now), byPosition(before)] : [key.ours, key.theirs]
  const pairs = [...new Set([...ours.keys(), ...theirs.keys()])].map((id): RowPair => {
    const [mine, other] = [ours.get(id), theirs.get(id)]
    const earlier = other && cellsOf(before, other)
    if (mine === undefined) return { kind: "gone", cells: earlier ?? [] }
    const cells = cellsOf(now, mine)
    if (earlier === undefined) return { kind: "new", cells }
    return cells.every((cell, at) => cell === earlier[at])
      ? { kind: "same", cells }
      : { kind: "changed", cells, before: earlier }
  })
  return {
    columns,
    key: key?.name,
    pairs: pairs.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  }
}
