/** Page cache on disk: pages are appended to segment files, and a table holds their positions. Evicts the oldest segments first. */
import { randomUUID } from "node:crypto"
import { crc32 } from "node:zlib"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as BulkStatement from "../../Database/BulkStatement.ts"
import { failing, Sql } from "../Store/Sql.ts"

/** Visits of a page since it has been in the cache without interruption. */
export interface VisitHistory {
  /** Time of the first visit. */
  readonly since: number
  /** Later visits, each compared with the one before. */
  readonly visits: number
  /** Number of those visits that found different content. */
  readonly changes: number
}

/** A response without its body. */
export interface CachedResponse {
  /** URL after redirects. */
  readonly url: string
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  /** Content coding of the stored body; empty when it is decoded. */
  readonly coding: string
  /** Hash of the decoded body; empty when the headers do not describe it, as for a rendered page. */
  readonly hash: string
  /** Time of the fetch, or of the last response that confirmed the page. */
  readonly at: number
  /** Undefined for entries that are not visited, such as conversions. */
  readonly history?: VisitHistory | undefined
  /** Team and host, to find the histories of a site; undefined if there is no history. */
  readonly site?: string | undefined
}

/** A response as it was fetched. */
export interface CachedPage extends CachedResponse {
  /** Body as stored: in the site's content coding, or decoded. */
  readonly body: Uint8Array
}

/** Position of a stored response. */
export interface Place {
  readonly file: string
  readonly position: number
  readonly bytes: number
  readonly checksum: number
}

/** Visits of several pages: `millis` is the sum of the times from the first to the last visit of each page. */
export interface Visits extends Omit<VisitHistory, "since"> {
  readonly millis: number
}

/** A response in a segment. */
export type StoredResponse = CachedResponse & Place

export interface Limits {
  /** Maximum total size of the cache. */
  readonly bytes: number
  readonly age: Duration.Duration
}

/** Approximate size of a row and its index entries. */
const rowBytes = 500

/** Size at which a segment is closed, at most a sixteenth of the cache: one eviction removes a small part. One write may exceed it. */
const fileBytes = ({ bytes }: Limits): number => Math.min(16 * 1024 * 1024, Math.ceil(bytes / 16))

/** Rows deleted per statement, so that other statements do not wait long. */
const portion = 500

const blockBytes = 1024 * 1024

/** Maximum bytes of neighbouring bodies read at once, including the gaps between them. */
const maxRunBytes = 1024 * 1024

/** Groups responses that lie within `maxRunBytes` of one segment. */
const runsOf = <A extends readonly [key: string, place: Place]>(
  all: ReadonlyArray<A>
): ReadonlyArray<ReadonlyArray<A>> => {
  const runs: Array<Array<A>> = []
  const sorted = [...all].sort(([, one], [, other]) =>
    one.file === other.file ? one.position - other.position : one.file < other.file ? -1 : 1
  )
  for (const each of sorted) {
    const run = runs.at(-1)
    const first = run?.[0]?.[1]
    const [, { bytes, file, position }] = each
    if (run !== undefined && first?.file === file && position + bytes - first.position <= maxRunBytes) run.push(each)
    else runs.push([each])
  }
  return runs
}

/** Concatenates the bodies in blocks. The buffer is reused: write each block before requesting the next one. */
function* blocksOf(bodies: ReadonlyArray<Uint8Array>, block: Buffer): Generator<Uint8Array> {
  let filled = 0
  for (const body of bodies) {
    for (let at = 0; at < body.byteLength; ) {
      const part = body.subarray(at, at + block.byteLength - filled)
      block.set(part, filled)
      filled += part.byteLength
      at += part.byteLength
      if (filled < block.byteLength) continue
      yield block
      filled = 0
    }
  }
  if (filled > 0) yield block.subarray(0, filled)
}

interface Row extends Place {
  readonly coding: string
  readonly url: string
  readonly status: number
  readonly headers: string
  readonly hash: string
  readonly at: number
  readonly site: string | null
  readonly since: number | null
  readonly visits: number
  readonly changes: number
}

const columns = [
  "file",
  "position",
  "bytes",
  "checksum",
  "coding",
  "url",
  "status",
  "headers",
  "hash",
  "at",
  "site",
  "since",
  "visits",
  "changes"
] as const

const insert = BulkStatement.make({
  before: `INSERT INTO copies (copy_key, ${columns.join(", ")}) VALUES `,
  row: (own) => `(${own})`,
  after: ` ON CONFLICT (copy_key) DO UPDATE SET ${columns.map((name) => `${name} = excluded.${name}`).join(", ")}`,
  shared: 0,
  width: columns.length + 1
})

const valuesOf = (key: string, page: CachedResponse, { bytes, checksum, file, position }: Place) => [
  key,
  file,
  position,
  bytes,
  checksum,
  page.coding,
  page.url,
  page.statusCode,
  JSON.stringify(page.headers),
  page.hash,
  page.at,
  page.site ?? null,
  page.history?.since ?? null,
  page.history?.visits ?? 0,
  page.history?.changes ?? 0
]

/** Reads and writes the rows of stored responses. */
const makeRows = (sql: Sql, limits: Limits) => {
  /** Renews responses that their sites confirmed, if they have not been replaced since. Their segments are then evicted later. */
  const confirm = (pages: ReadonlyArray<readonly [key: string, page: StoredResponse]>) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const times = new Map<string, number>()
        for (const [key, { at, file, headers, history, position, site = null }] of pages) {
          yield* sql`UPDATE copies SET headers = ${JSON.stringify(headers)}, at = ${at}, site = ${site},
              since = ${history?.since ?? null}, visits = ${history?.visits ?? 0}, changes = ${history?.changes ?? 0}
            WHERE copy_key = ${key} AND file = ${file} AND position = ${position}`
          times.set(file, Math.max(at, times.get(file) ?? 0))
        }
        for (const [file, at] of times) {
          yield* sql`UPDATE copy_files SET last_at = ${at} WHERE id = ${file} AND last_at < ${at}`
        }
      })
    )

  const responseOf = ({ changes, headers, since, site, status, visits, ...stored }: Row): StoredResponse => ({
    ...stored,
    statusCode: status,
    headers: JSON.parse(headers),
    history: since === null ? undefined : { since, visits, changes },
    site: site ?? undefined
  })

  const oldest = Effect.map(Clock.currentTimeMillis, (now) => now - Duration.toMillis(limits.age))

  /** Returns the response under a key without its body, if it has not expired. */
  const peek = Effect.fnUntraced(function* (key: string) {
    const [row] = yield* sql<Row>`SELECT file, position, bytes, checksum, coding, url, status, headers, hash, at,
      site, since, visits, changes FROM copies WHERE copy_key = ${key}`
    return row === undefined || row.at <= (yield* oldest) ? undefined : responseOf(row)
  })

  /** Like `peek` for many keys, in one statement. */
  const peekAll = Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
    const rows = yield* sql<Row & { readonly copy_key: string }>`SELECT copy_key, file, position, bytes, checksum,
      coding, url, status, headers, hash, at, site, since, visits, changes FROM copies
      WHERE copy_key IN (SELECT value FROM json_each(${JSON.stringify(keys)}))`
    const over = yield* oldest
    return new Map(
      rows.flatMap(({ copy_key, ...row }) => (row.at <= over ? [] : [[copy_key, responseOf(row)] as const]))
    )
  })

  /** Resets the visit history of a page, so that its next visit counts as the first. */
  const forget = (key: string) => sql`UPDATE copies SET since = NULL, visits = 0, changes = 0 WHERE copy_key = ${key}`

  const drop = (key: string) => sql`DELETE FROM copies WHERE copy_key = ${key}`

  /** Sums the visits of all pages of a site, and the time that they cover. */
  const visitsOf = (site: string) =>
    Effect.map(
      sql<{ visits: number | null; changes: number | null; millis: number | null }>`
        SELECT sum(visits) AS visits, sum(changes) AS changes, sum(at - since) AS millis FROM copies WHERE site = ${site}`,
      ([row]): Visits => ({
        visits: Number(row?.visits ?? 0),
        changes: Number(row?.changes ?? 0),
        millis: Number(row?.millis ?? 0)
      })
    )

  return { confirm, drop, forget, peek, peekAll, visitsOf }
}

/** Reads the bodies of stored responses. */
const makeBodies = (sql: Sql, files: FileSystem.FileSystem, pathOf: (file: string) => string) => {
  const readBytes = ({ bytes, file, position }: Pick<Place, "bytes" | "file" | "position">) =>
    Effect.gen(function* () {
      if (bytes === 0) return new Uint8Array()
      const open = yield* files.open(pathOf(file), { flag: "r" })
      yield* open.seek(position, "start")
      return Option.getOrElse(yield* open.readAlloc(bytes), () => new Uint8Array())
    }).pipe(
      Effect.scoped,
      Effect.catchAll(() => Effect.succeed(new Uint8Array()))
    )

  const isWhole = (body: Uint8Array, { bytes, checksum }: Place): boolean =>
    body.byteLength === bytes && crc32(body) === checksum

  /** Returns the body of a response. Undefined if the checksum is wrong; the response is then deleted. */
  const read = Effect.fnUntraced(function* (key: string, place: Place) {
    const body = yield* readBytes(place)
    if (isWhole(body, place)) return body
    yield* sql`DELETE FROM copies WHERE copy_key = ${key} AND file = ${place.file} AND position = ${place.position}`
    return undefined
  })

  /** Returns the bodies of many responses, in their order. Neighbours are read at once: opening a file costs more than reading it. */
  const readAll = Effect.fnUntraced(function* (all: ReadonlyArray<readonly [key: string, place: Place]>) {
    const bodies = new Map<string, Uint8Array | undefined>()
    for (const run of runsOf(all)) {
      const [[, first] = []] = run
      const end = run.at(-1)?.[1]
      if (first === undefined || end === undefined) continue
      const bytes = end.position + end.bytes - first.position
      const part = yield* readBytes({ file: first.file, position: first.position, bytes })
      for (const [key, place] of run) {
        const from = place.position - first.position
        const body = part.subarray(from, from + place.bytes)
        bodies.set(key, isWhole(body, place) ? body : yield* read(key, place))
      }
    }
    return bodies
  })

  return { read, readAll }
}

export const make = Effect.fnUntraced(function* (folder: string, limits: Limits) {
  const sql = yield* Sql
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const pathOf = (file: string) => path.join(folder, `${file}.bin`)
  /** Segment that this process appends to. No other process writes to the segment. */
  let current: { readonly id: string; bytes: number } | undefined

  /** Buffer for all writes: allocating one per write would cost more than the write itself. */
  const block = Buffer.allocUnsafeSlow(blockBytes)

  const append = (to: string, bodies: ReadonlyArray<Uint8Array>) =>
    Effect.gen(function* () {
      const open = yield* files.open(to, { flag: "a", mode: 0o600 })
      for (const filled of blocksOf(bodies, block)) yield* open.writeAll(filled)
    }).pipe(Effect.scoped)

  const remove = Effect.fnUntraced(function* (file: string) {
    if (current?.id === file) current = undefined
    yield* Effect.repeat(
      Effect.zipLeft(
        sql`DELETE FROM copies WHERE copy_key IN (
          SELECT copy_key FROM copies WHERE file = ${file} LIMIT ${portion}) RETURNING at`,
        Effect.yieldNow()
      ),
      { until: (rows) => rows.length < portion }
    )
    yield* files.remove(pathOf(file), { force: true })
    yield* sql`DELETE FROM copy_files WHERE id = ${file}`
  })

  /** Removes segments whose newest response has expired, then the oldest ones until the cache fits its limit. */
  const sweep = Effect.gen(function* () {
    const over = (yield* Clock.currentTimeMillis) - Duration.toMillis(limits.age)
    const found = yield* sql<{ id: string; bytes: number; last_at: number }>`
      SELECT id, bytes, last_at FROM copy_files ORDER BY last_at, id`
    let surplus = found.reduce((sum, { bytes }) => sum + bytes, 0) - limits.bytes
    for (const { bytes, id, last_at } of found) {
      if (surplus <= 0 && last_at > over) return
      yield* remove(id)
      surplus -= bytes
    }
  })

  const begin = Effect.gen(function* () {
    const file = { id: randomUUID(), bytes: 0 }
    yield* files.makeDirectory(folder, { recursive: true, mode: 0o700 })
    // Insert the row first, so that every file has a row even after a crash.
    yield* sql`INSERT INTO copy_files ${sql.insert({ id: file.id, bytes: 0, last_at: yield* Clock.currentTimeMillis })}`
    current = file
    return file
  })

  /** Returns the segment to append to. Starts a new one when another process has evicted the current one. */
  const place = Effect.gen(function* () {
    const file = current
    if (file === undefined) return yield* begin
    const known = yield* sql`SELECT id FROM copy_files WHERE id = ${file.id}`
    return known.length > 0 ? file : yield* begin
  })

  /** Continues in a new segment after a failed write, because the length of the file is then unknown. */
  const abandon = Effect.suspend(() => {
    const file = current
    current = undefined
    return file?.bytes === 0 ? remove(file.id) : Effect.void
  })

  /** Stores responses. Each replaces the earlier response under its key. */
  const add = (pages: ReadonlyArray<readonly [key: string, page: CachedPage]>) =>
    Effect.gen(function* () {
      const file = yield* place
      let position = file.bytes
      const rows = pages.map(([key, page]) => {
        const { body } = page
        const place = { file: file.id, position, bytes: body.byteLength, checksum: crc32(body) }
        position += body.byteLength
        return valuesOf(key, page, place)
      })
      yield* append(
        pathOf(file.id),
        pages.map(([, { body }]) => body)
      )
      const last = pages.at(-1)?.[1].at ?? 0
      yield* sql.withTransaction(
        Effect.zipRight(
          sql`UPDATE copy_files SET last_at = ${last},
            bytes = bytes + ${position - file.bytes + rows.length * rowBytes} WHERE id = ${file.id}`,
          insert(sql, [], rows, (row) => row)
        )
      )
      file.bytes = position
      if (position + rows.length * rowBytes < fileBytes(limits)) return
      current = undefined
      yield* sweep
    }).pipe(Effect.tapErrorCause(() => Effect.ignore(failing(abandon))))

  return { add, sweep, ...makeRows(sql, limits), ...makeBodies(sql, files, pathOf) }
})
