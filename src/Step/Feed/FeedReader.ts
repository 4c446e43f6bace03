/** Reads a feed of any format from its text. Loaded with the first feed, because the HTML parser is large. */
import * as Effect from "effect/Effect"
import { nextTurn } from "../../Callback/EventLoop.ts"
import type { Row } from "../../Row.ts"
import { dataOf, type Feed, keyOfEntry, type Unreadable } from "./FeedEntry.ts"
import { readJson } from "./JsonFeed.ts"
import { pieceLength, XmlFeedReader } from "./XmlFeed.ts"

export { feedsOf } from "./FeedText.ts"

export const read = (text: string, url: string, limit: number): Effect.Effect<Feed | Unreadable> =>
  Effect.gen(function* () {
    const json = /^[\s\ufeff]*\{/.test(text.slice(0, 1_000)) ? readJson(text, url, limit) : undefined
    if (json !== undefined) return json
    const reader = new XmlFeedReader(url, limit)
    for (let at = 0; at < text.length; at += pieceLength) {
      if (!reader.write(text.slice(at, at + pieceLength))) break
      yield* nextTurn
    }
    return reader.end()
  })

/** Ids that a feed gives to several entries, such as one constant id, and that therefore identify none of them. */
const sharedIds = ({ entries }: Feed, at: string): ReadonlySet<string> => {
  const entryOf = new Map<string, string>()
  const shared = new Set<string>()
  for (const entry of entries) {
    if (entry.id === undefined) continue
    const other = keyOfEntry({ ...entry, id: undefined }, at)
    const known = entryOf.get(entry.id)
    if (known === undefined) entryOf.set(entry.id, other)
    else if (known !== other) shared.add(entry.id)
  }
  return shared
}

/**
 * Rows of a feed's entries, one for each key. `address` is from the definition, `at` is where the feed was found. An entry whose id is
 * shared with others is identified by its address.
 */
export const rowsOf = (
  address: string,
  at: string,
  feed: Feed,
  source: Row["data"] | undefined
): ReadonlyArray<Row> => {
  const shared = sharedIds(feed, at)
  const keys = new Set<string>()
  const rows: Array<Row> = []
  for (const entry of feed.entries) {
    const isShared = entry.id !== undefined && shared.has(entry.id)
    const key = keyOfEntry(isShared ? { ...entry, id: undefined } : entry, at)
    if (keys.has(key)) continue
    keys.add(key)
    rows.push({ data: dataOf(entry, feed, address), key, position: rows.length, source })
  }
  return rows
}
