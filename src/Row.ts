/** Row of a pipeline: a JSON object with its identity and source. */
import * as Predicate from "effect/Predicate"
import { sha256 } from "./Row/Hash.ts"
import { canonicalUrl } from "./Row/Url.ts"

/** JSON value. It is stored and read back unchanged. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json | undefined }

/** Content of a row: the object that users see, select from and write. */
export type Data = Readonly<Record<string, unknown>>

/** One row: its content in `data`, and the fields that identify it. */
export interface Row {
  readonly data: Data
  /** Key given by the source; without it, {@link keyOf} derives one. Steps that turn one row into one row keep the key. */
  readonly key?: string | undefined
  /**
   * Derived key of a row that was stored without the content it was derived from. A page that is fetched for the row does not take this key
   * over: it has its own.
   */
  readonly derivedKey?: string | undefined
  /** Data of the row or file line that this row was made from; `$source` in expressions. */
  readonly source?: Data | undefined
  /** The row as its source emitted it, if a step has changed its content. */
  readonly origin?: Row | undefined
  /** Position among the rows of the step that emitted it. */
  readonly position?: number | undefined
  /** Id of the job that returned the row. */
  readonly jobId?: string | undefined
  /** Set in a replay that reads the row again from the page in `data`: content of the row when it was rejected. */
  readonly part?: Data | undefined
  /** Names of the fields in order, set only if an object would not keep that order (`Row/FieldOrder.ts`). */
  readonly fields?: ReadonlyArray<string> | undefined
}

/** A row whose content has a known type, such as the interface of a contract (`sluice contract emit --format typescript`). */
export type TypedRow<Content extends object> = Omit<Row, "data"> & {
  readonly data: { readonly [Name in keyof Content]: Content[Name] }
}

export const addressOf = (data: Data): string | undefined => {
  if (typeof data.url === "string") return data.url
  const metadata = data.metadata
  if (typeof metadata !== "object" || metadata === null) return undefined
  const { sourceURL, url } = metadata as Data
  return typeof sourceURL === "string" ? sourceURL : typeof url === "string" ? url : undefined
}

/**
 * Key of a row, `$key` in expressions. The first that exists of:
 * 1. the key from its source or step: the canonical URL of a page, the content hash of a file, `KEY#n` for a part of another row;
 * 2. the canonical URL in its original content;
 * 3. the SHA-256 of that content.
 *
 * A row that was stored in a ledger, as a reject or in a shard keeps its key.
 */
export const keyOf = (row: Row): string => {
  if (row.key !== undefined) return row.key
  if (row.derivedKey !== undefined) return row.derivedKey
  const { data } = row.origin ?? row
  const address = addressOf(data)
  return (address === undefined ? undefined : canonicalUrl(address)) ?? sha256(JSON.stringify(data))
}

/**
 * Stands in place of a row's key in a state change that holds only once all rows of a run are published, such as the position at which a
 * source continues. Such a change is dropped when a budget cuts the run short, and stays invisible to other runs while the outputs are
 * held.
 */
export const allRows = "\u0001"

/** Prefix of the row key of a change made with {@link onlyWith}. */
export const dependent = "\u0002"

/**
 * Row key of a state change that takes effect only if the run also changes the entry `key` of the step. While the outputs are held it stays
 * invisible to other runs, like that of {@link allRows}.
 */
export const onlyWith = (key: string): string => `${dependent}${key}`

/**
 * Row key of a state change by which a source remembers that it has read a row. The change is kept even if the row is rejected, because a
 * replay processes the rejected row and does not read it from the source again.
 */
export const ofSource = (rowKey: string): string => `${allRows}${rowKey}`

/** Keys of a row and of the rows that it may have been made from: parts of a row have the key `KEY#n`. */
export const originKeys = (row: Row): ReadonlyArray<string> => {
  const keys = new Set<string>()
  for (let key = keyOf(row); ; key = key.replace(/#\d+$/, "")) {
    if (keys.has(key)) break
    keys.add(key)
  }
  if (row.source !== undefined) keys.add(keyOf({ data: row.source }))
  return [...keys]
}

/** The row with new content and the same key, which is computed lazily. */
export const withData = (row: Row, data: Data): Row => {
  // Copies field by field, because a spread costs more than many steps.
  const { derivedKey, fields, key, jobId, origin = row, position, source } = row
  return { data, key, derivedKey, source, origin, position, jobId, fields }
}

/** The row with the identity of `from`, unless it has an identity of its own. */
export const withIdentity = (row: Row, from: Row): Row =>
  row === from || row.key !== undefined || row.derivedKey !== undefined || row.origin !== undefined
    ? row
    : { ...row, key: from.key, derivedKey: from.derivedKey, origin: from.origin ?? from }

/** The row as the ledger stores it: with its key, without its original content. */
export const toJson = (row: Row): { readonly [key: string]: Json | undefined } => ({
  data: row.data as Json,
  key: row.key,
  derivedKey: row.key === undefined ? keyOf(row) : undefined,
  source: row.source as Json | undefined,
  position: row.position,
  jobId: row.jobId,
  part: row.part as Json | undefined,
  fields: row.fields
})

const isOptional = (value: unknown, type: "number" | "string"): boolean => value === undefined || typeof value === type

/** True for a row as {@link toJson} stores it. Written by hand instead of as a schema, because shards and sorts read millions of rows. */
export const isRow = (value: unknown): value is Row =>
  Predicate.isReadonlyRecord(value) &&
  Predicate.isReadonlyRecord(value.data) &&
  isOptional(value.key, "string") &&
  isOptional(value.derivedKey, "string") &&
  isOptional(value.position, "number") &&
  isOptional(value.jobId, "string") &&
  (value.part === undefined || Predicate.isReadonlyRecord(value.part)) &&
  (value.fields === undefined || Array.isArray(value.fields)) &&
  (value.source === undefined || Predicate.isReadonlyRecord(value.source))
