/** Row of a pipeline: a JSON object with its identity and source. */
import { sha256 } from "./Row/Hash.ts"
import { canonicalUrl } from "./Row/Url.ts"

/** JSON value, which is stored and read back unchanged. */
export type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json | undefined }

/** The object that users see, select from and write. */
export type Data = Readonly<Record<string, unknown>>

/** One row. `data` is theirs; the rest is how we recognise it. */
export interface Row {
  readonly data: Data
  /** The identity, where its source knows one; {@link keyOf} derives one otherwise. Steps that turn a row into one row keep it. */
  readonly key?: string | undefined
  /**
   * The identity that was derived before the row was kept outside of memory, where its first content is not kept. It stands
   * in for that content alone: a page that is fetched for the row has the page's address as its identity.
   */
  readonly derivedKey?: string | undefined
  /** The file a row was made from; `$source` in expressions. */
  readonly source?: Data | undefined
  /** The row as its source made it, once its content has changed. */
  readonly origin?: Row | undefined
  /** Position within the step that made it. */
  readonly position?: number | undefined
  /** The job that brought it. */
  readonly jobId?: string | undefined
}

const addressOf = (data: Data): string | undefined => {
  if (typeof data.url === "string") return data.url
  const metadata = data.metadata
  if (typeof metadata !== "object" || metadata === null) return undefined
  const { sourceURL, url } = metadata as Data
  return typeof sourceURL === "string" ? sourceURL : typeof url === "string" ? url : undefined
}

/**
 * `$key`, the one rule for the identity of a row: the key that its source or step gave it (the canonical address of a page,
 * the content hash of a file, `KEY#n` for a part of another row), else the canonical address in its first content, else the
 * hash of that content. It is the same for a row that stayed in memory and for one that was kept in a ledger, as a reject, or in
 * a shard.
 */
export const keyOf = (row: Row): string => {
  if (row.key !== undefined) return row.key
  if (row.derivedKey !== undefined) return row.derivedKey
  const { data } = row.origin ?? row
  const address = addressOf(data)
  return (address === undefined ? undefined : canonicalUrl(address)) ?? sha256(JSON.stringify(data))
}

/** The row with other content and the same identity, which is computed lazily. */
export const withData = (row: Row, data: Data): Row => {
  // Field by field: a spread costs more than many a step.
  const { derivedKey, key, jobId, origin = row, position, source } = row
  return { data, key, derivedKey, source, origin, position, jobId }
}

/** The row as it is kept in the ledger: its identity, without its first content. */
export const toJson = (row: Row): { readonly [key: string]: Json | undefined } => ({
  data: row.data as Json,
  key: row.key,
  derivedKey: row.key === undefined ? keyOf(row) : undefined,
  source: row.source as Json | undefined,
  position: row.position,
  jobId: row.jobId
})

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isOptional = (value: unknown, type: "number" | "string"): boolean => value === undefined || typeof value === type

/** True for a row as {@link toJson} keeps it. By hand: shards and sorted rows are read by the million. */
export const isRow = (value: unknown): value is Row =>
  isObject(value) &&
  isObject(value.data) &&
  isOptional(value.key, "string") &&
  isOptional(value.derivedKey, "string") &&
  isOptional(value.position, "number") &&
  isOptional(value.jobId, "string") &&
  (value.source === undefined || isObject(value.source))
