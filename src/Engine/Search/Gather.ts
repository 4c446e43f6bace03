/** Stores pages for the search index. Unchanged pages are not indexed again; changed ones are queued in the backlog. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as BulkStatement from "../../Database/BulkStatement.ts"
import { believed } from "../../Html/Metadata.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import type { Sql } from "../Store/Sql.ts"
import * as Captions from "./Backlog.ts"
import { maxTitleInCaption } from "./Backlog.ts"
import type { Entry } from "./Entry.ts"
import { locate } from "./Place.ts"
import { clean } from "./Words.ts"

/** A page as it is added to the search index: its team, URL and content. */
export interface IndexedPage extends Entry {
  readonly teamId: string
  readonly url: string
  /** Publication date according to the page. Without one, the time at which the page was first seen counts. */
  readonly published?: Date | undefined
  /** Actual extension of a file (`pdf`), whatever its URL says. */
  readonly extension?: string | undefined
}

interface Known {
  readonly id: number
  readonly team: string
  readonly url: string
  readonly digest: string
}

/** Maximum characters stored in one transaction. */
const maxBatchCharacters = 4_000_000

const key = (team: string, url: string) => `${team} ${url}`

/** Values of a page that the SQL statements below bind. */
const valuesOf = ({ extension, published, teamId, ...page }: IndexedPage, now: number) => {
  const place = locate(page.url, extension)
  return {
    ...page,
    team: teamId,
    url: clean(page.url),
    seen: [place.host, place.extension, place.kinds, believed(published, now), now] as const
  }
}

/** Number of characters to index. The page title counts once more per image, because it is indexed with each image. */
const sizeOf = ({ images, text, title }: ReturnType<typeof valuesOf>): number =>
  images.reduce(
    (sum, { words }) => sum + words.length + Math.min(title.length, maxTitleInCaption),
    text.length + title.length
  )

/** Splits pages into batches of limited size. */
const batchesOf = (pages: ReadonlyArray<IndexedPage>): ReadonlyArray<ReadonlyArray<IndexedPage>> => {
  const portions: Array<Array<IndexedPage>> = []
  let free = 0
  for (const page of pages) {
    const size = page.text.length
    const portion = portions.at(-1)
    if (portion === undefined || size > free) {
      portions.push([page])
      free = maxBatchCharacters - size
    } else {
      portion.push(page)
      free -= size
    }
  }
  return portions
}

// Bound as parameters: escaping and parsing long texts as JSON costs more than indexing them.
const insertTexts = BulkStatement.inserting(
  "INSERT OR REPLACE INTO search_text (id, title, description, text, headings)",
  5
)
const insertImages = BulkStatement.inserting(
  "INSERT INTO search_image (page, url, caption, words, extension, width, height)",
  7
)
const insertPending = BulkStatement.inserting("INSERT OR REPLACE INTO search_pending (id, team, size, spaced)", 4)

const addBatch = (sql: Sql) =>
  Effect.fnUntraced(function* (pages: ReadonlyArray<IndexedPage>) {
    const now = yield* Clock.currentTimeMillis
    const batch = new Map(
      pages.map((page) => valuesOf(page, now)).map((page) => [key(page.team, page.url), page] as const)
    )
    const rows = [...batch.values()]
    const addresses = JSON.stringify(rows.map(({ team, url }) => [team, url]))

    // Write first: SQLite cannot turn a read transaction into a write transaction after another process has written.
    const known = yield* sql<Known>`
      UPDATE search_page SET last_seen = ${now}
      WHERE (team, url) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${addresses}))
      RETURNING id, team, url, digest`
    const digests = new Map(known.map((page) => [key(page.team, page.url), page]))
    const fresh = rows.filter(({ team, url, digest }) => digests.get(key(team, url))?.digest !== digest)
    const stale = JSON.stringify(fresh.flatMap(({ team, url }) => digests.get(key(team, url))?.id ?? []))

    // A page cannot have been published after it was first seen.
    const seen = JSON.stringify(rows.map(({ team, url, digest, seen }) => [team, url, digest, ...seen]))
    const ids = yield* sql<Omit<Known, "digest">>`
      INSERT INTO search_page (team, url, digest, host, extension, kinds, published, first_seen, last_seen)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 7
      FROM json_each(${seen}) WHERE true
      ON CONFLICT (team, url) DO UPDATE SET digest = excluded.digest, host = excluded.host, extension = excluded.extension,
        kinds = excluded.kinds, published = min(coalesce(excluded.published, published), first_seen), last_seen = excluded.last_seen
      RETURNING id, team, url`
    if (fresh.length === 0) return

    const idOf = new Map(ids.map((page) => [key(page.team, page.url), page.id]))
    const idFor = ({ team, url }: (typeof rows)[number]) => idOf.get(key(team, url)) ?? null
    if (stale !== "[]") {
      yield* Captions.removeCaptions(sql, stale)
      yield* sql`DELETE FROM search_image WHERE page IN (SELECT value FROM json_each(${stale}))`
    }
    yield* insertTexts(sql, [], fresh, (page) => [idFor(page), page.title, page.description, page.text, page.headings])
    yield* insertImages(
      sql,
      [],
      fresh.flatMap((page) => page.images.map((image) => ({ ...image, page: idFor(page) }))),
      ({ caption, extension, height, page, url, width, words }) => [page, url, caption, words, extension, width, height]
    )
    yield* insertPending(sql, [], fresh, (page) => [idFor(page), page.team, sizeOf(page), page.isUnspaced ? 1 : 0])
  }, sql.withTransaction)

/**
 * Adds or replaces pages by (team, url); among duplicates the last one wins. Never fails: pages that cannot be stored are logged and
 * missing from the index.
 */
export const add = (sql: Sql) => {
  const addAll = addBatch(sql)
  return Trace.fn("SearchIndex.add")((pages: ReadonlyArray<IndexedPage>) =>
    Effect.forEach(
      batchesOf(pages),
      (portion) =>
        Effect.catchAllCause(addAll(portion), (cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.interrupt
            : Effect.logWarning(`Pages could not be added to the search index: ${portion.length}`, cause)
        ),
      { discard: true }
    )
  )
}
