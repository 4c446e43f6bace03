/** Last version of each tracked page (format `changeTracking`), in the store. Evicts the least recently updated versions. */
import * as Zlib from "node:zlib"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { repeatedly } from "../../Telemetry/Log.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { view } from "../Store/Blob.ts"
import { Sql } from "../Store/Sql.ts"

/** Data that a language model extracted from the version. */
export interface Reading {
  /** Hash of the schema and prompts. */
  readonly wish: string
  readonly value: unknown
}

export interface Version {
  readonly at: number
  /** Hash of the content. */
  readonly hash: string
  /** The page as Markdown; undefined when it was too long to store. */
  readonly text: string | undefined
  readonly reading: Reading | undefined
}

interface Service {
  /** Replaces the last version, and returns it. */
  readonly replace: (key: string, version: Version) => Effect.Effect<Version | undefined>
  readonly last: (key: string) => Effect.Effect<Version | undefined>
}

export class PageVersions extends Context.Tag("sluice/Engine/PageCache/PageVersions")<PageVersions, Service>() {}

export interface Limits {
  readonly count: number
  readonly bytes: number
}

const limits: Limits = { count: 200_000, bytes: 512 * 1024 * 1024 }

/** Maximum characters of stored Markdown. */
const maxText = 4 * 1024 * 1024

/** Rows deleted per statement, so that other statements do not wait long. */
const portion = 50

interface Content {
  readonly text: string
  readonly reading?: Reading
}

interface Row {
  readonly at: number
  readonly hash: string
  readonly body: ArrayBuffer | Uint8Array | null
}

const pack = (content: Content) =>
  Effect.async<Buffer>((resume) => {
    const bytes = Buffer.from(JSON.stringify(content))
    const quality = { [Zlib.constants.BROTLI_PARAM_QUALITY]: 4 }
    Zlib.brotliCompress(bytes, { params: quality }, (error, packed) =>
      resume(error === null ? Effect.succeed(packed) : Effect.die(error))
    )
  })

const unpack = (body: Uint8Array) =>
  Effect.async<Content>((resume) => {
    Zlib.brotliDecompress(body, (error, bytes) =>
      resume(error === null ? Effect.sync(() => JSON.parse(bytes.toString()) as Content) : Effect.die(error))
    )
  })

const versionOf = ({ at, body, hash }: Row): Effect.Effect<Version> =>
  body === null
    ? Effect.succeed({ at, hash, text: undefined, reading: undefined })
    : Effect.map(unpack(view(body)), ({ reading, text }) => ({ at, hash, text, reading }))

const make = Effect.gen(function* () {
  const sql = yield* Sql

  const find = (key: string) =>
    Effect.map(sql<Row>`SELECT at, hash, body FROM page_versions WHERE version_key = ${key}`, (rows) => rows[0])

  const last = (key: string) =>
    Effect.flatMap(find(key), (row) => (row === undefined ? Effect.succeed(undefined) : versionOf(row)))

  const replace = Trace.fn("PageVersions.replace")(function* (key: string, { at, hash, reading, text }: Version) {
    const isKept = text !== undefined && text.length <= maxText
    const body = isKept ? yield* pack({ text, ...(reading === undefined ? {} : { reading }) }) : null
    const row = { version_key: key, at, hash, bytes: body?.byteLength ?? 0, body }
    const before = yield* sql.withTransaction(
      Effect.zipLeft(
        find(key),
        sql`INSERT INTO page_versions ${sql.insert(row)} ON CONFLICT (version_key)
          DO UPDATE SET at = excluded.at, hash = excluded.hash, bytes = excluded.bytes, body = excluded.body`
      )
    )
    return before === undefined ? undefined : yield* versionOf(before)
  })

  return { last, replace }
})

/** Removes the least recently updated versions until the store fits its limits. */
export const sweep = Trace.fn("PageVersions.sweep")(function* ({ bytes, count }: Limits = limits) {
  const sql = yield* Sql
  const [total] = yield* sql<{ count: number; bytes: number }>`
    SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM page_versions`
  let [surplus, surplusBytes] = [(total?.count ?? 0) - count, (total?.bytes ?? 0) - bytes]
  while (surplus > 0 || surplusBytes > 0) {
    const some = surplusBytes > 0 ? portion : Math.min(portion, surplus)
    const gone = yield* sql<{ bytes: number }>`DELETE FROM page_versions WHERE version_key IN (
      SELECT version_key FROM page_versions ORDER BY at LIMIT ${some}) RETURNING bytes`
    if (gone.length === 0) return
    surplus -= gone.length
    surplusBytes -= gone.reduce((sum, row) => sum + row.bytes, 0)
    yield* Effect.yieldNow()
  }
})

/** Page versions in the store, swept hourly. */
export const layer: Layer.Layer<PageVersions, never, Sql> = Layer.merge(
  Layer.effect(PageVersions, make),
  Layer.scopedDiscard(repeatedly(sweep(), "1 hour", "Old page versions could not be removed; retrying in an hour"))
)
