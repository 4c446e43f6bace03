/** The last version of each page that is tracked, for the next one to be compared with. */
import * as Zlib from "node:zlib"
import * as SqlClient from "@effect/sql/SqlClient"
import type * as SqlError from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { view } from "../Store/Blob.ts"

/** What was read out of a page by a model. */
export interface Reading {
  /** What was asked of the model, by its hash. */
  readonly wish: string
  readonly value: unknown
}

export interface Version {
  readonly at: number
  /** Of what counts as the page's content. */
  readonly hash: string
  /** The page as markdown; undefined when it was too long to be kept. */
  readonly text: string | undefined
  readonly reading: Reading | undefined
}

interface Service {
  /** Puts a version in the place of the last one, which it gives. */
  readonly replace: (key: string, version: Version) => Effect.Effect<Version | undefined, SqlError.SqlError>
  /** The last version. */
  readonly last: (key: string) => Effect.Effect<Version | undefined, SqlError.SqlError>
}

/** Undefined where there is no store. */
export class Versions extends Context.Reference<Versions>()("sluice/Engine/Versions", {
  defaultValue: (): Service | undefined => undefined
}) {}

export interface Limits {
  readonly count: number
  readonly bytes: number
}

const limits: Limits = { count: 200_000, bytes: 512 * 1024 * 1024 }

/** Characters of a text that is kept. */
const maxText = 4 * 1024 * 1024

/** Rows deleted in one statement; they have bodies. */
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
  const sql = yield* SqlClient.SqlClient

  const find = (key: string) =>
    Effect.map(sql<Row>`SELECT at, hash, body FROM page_versions WHERE version_key = ${key}`, (rows) => rows[0])

  const last = (key: string) =>
    Effect.flatMap(find(key), (row) => (row === undefined ? Effect.succeed(undefined) : versionOf(row)))

  const replace = Effect.fn("Versions.replace")(function* (key: string, { at, hash, reading, text }: Version) {
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

/** Removes the versions that were longest left alone, of too many. */
export const sweep = Effect.fn("Versions.sweep")(function* ({ bytes, count }: Limits = limits) {
  const sql = yield* SqlClient.SqlClient
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

/** In the engine's store; swept now and then for as long as the scope is open. */
export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = Layer.merge(
  Layer.effect(Versions, make),
  Layer.scopedDiscard(
    sweep().pipe(
      Effect.catchAllCause((cause) =>
        Effect.logWarning("Old versions of pages could not be removed; trying again later", cause)
      ),
      Effect.zipRight(Effect.sleep(Duration.hours(1))),
      Effect.forever,
      Effect.forkScoped
    )
  )
)
