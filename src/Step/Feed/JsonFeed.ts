/** Reads JSON Feed 1.0 and 1.1. */
import { parse } from "../../Row/Integers.ts"
import { escapeHtml, oneLine, withoutSoftHyphens } from "../../Values/Text.ts"
import { list, mapping } from "../Requirements.ts"
import {
  addEnclosure,
  addText,
  dateOf,
  type Enclosure,
  type Entry,
  type Feed,
  isEntry,
  type Unreadable
} from "./FeedEntry.ts"
import { webAddress } from "./FeedText.ts"

/** Text of a field; some feeds have numeric ids. */
const text = (value: unknown): string | undefined =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined

const authorsOf = (value: unknown): ReadonlyArray<string> => {
  const { author, authors } = mapping(value)
  const names: Array<string> = []
  for (const each of [...list(authors), author]) addText(names, oneLine(text(mapping(each).name) ?? ""))
  return names
}

const entryOf = (value: unknown, base: string): Entry => {
  const item = mapping(value)
  const categories: Array<string> = []
  const enclosures: Array<Enclosure> = []
  for (const tag of list(item.tags)) addText(categories, oneLine(text(tag) ?? ""))
  for (const each of list(item.attachments)) {
    const { mime_type: type, size_in_bytes: size, url } = mapping(each)
    addEnclosure(enclosures, base, { url: text(url), type: text(type), length: text(size) })
  }
  const plain = text(item.content_text)
  const summary = text(item.summary)
  return {
    id: text(item.id)?.trim() || undefined,
    url: webAddress(text(item.url) ?? text(item.external_url), base),
    title: oneLine(withoutSoftHyphens(text(item.title) ?? "")),
    published: dateOf(text(item.date_published)),
    updated: dateOf(text(item.date_modified)),
    authors: authorsOf(item),
    summary: summary === undefined ? undefined : escapeHtml(summary),
    content: text(item.content_html) ?? (plain === undefined ? undefined : escapeHtml(plain)),
    categories,
    enclosures,
    base
  }
}

/** Reads a JSON Feed; undefined for any other document. */
export const readJson = (document: string, url: string, limit: number): Feed | Unreadable | undefined => {
  let value: unknown
  try {
    value = parse(document.replace(/^\ufeff/, "")).value
  } catch {
    return undefined
  }
  const feed = mapping(value)
  if (!String(feed.version).includes("jsonfeed.org") && !Array.isArray(feed.items)) return undefined
  const entries = list(feed.items)
    .slice(0, limit)
    .map((item) => entryOf(item, url))
  return {
    title: oneLine(withoutSoftHyphens(text(feed.title) ?? "")),
    authors: authorsOf(feed),
    entries: entries.filter(isEntry),
    isCut: list(feed.items).length > limit,
    isDamaged: false
  }
}
