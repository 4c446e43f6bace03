/** The tables of the search index: what is known of a page, its text once, and the words that point to it. */
import { type Migration, statements } from "../../Database/Migration.ts"

export const migrations: ReadonlyArray<Migration> = [
  statements(
    1,
    "search",
    `CREATE TABLE search_page (
      id INTEGER PRIMARY KEY, team TEXT NOT NULL, url TEXT NOT NULL, host TEXT NOT NULL, extension TEXT NOT NULL,
      kinds INTEGER NOT NULL, digest TEXT NOT NULL, published BIGINT, first_seen BIGINT NOT NULL,
      last_seen BIGINT NOT NULL, UNIQUE (team, url))`,
    "CREATE INDEX search_page_host ON search_page (team, host)",
    "CREATE INDEX search_page_date ON search_page (team, coalesce(published, first_seen))",
    `CREATE TABLE search_text (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, description TEXT NOT NULL, text TEXT NOT NULL)`,
    // Contentless: the text is kept once, in search_text, and what is indexed may be prepared differently from it.
    `CREATE VIRTUAL TABLE search_word USING fts5 (
      title, text, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`
  ),
  statements(
    2,
    "how the index was made",
    // One row: what is there already was made by version 1, and all of it.
    "CREATE TABLE search_version (version INTEGER NOT NULL, upto BIGINT)",
    "INSERT INTO search_version (version, upto) VALUES (1, NULL)"
  ),
  statements(
    3,
    "words that are written later, and images",
    // Pages whose words are not in search_word yet, the characters of each, and whether some are written without spaces.
    "CREATE TABLE search_pending (id INTEGER PRIMARY KEY, size INTEGER NOT NULL, spaced INTEGER NOT NULL)",
    // More pieces of the index before they are merged: half the writing, and a search looks into a few more of them.
    "INSERT INTO search_word (search_word, rank) VALUES ('automerge', 16)",
    "INSERT INTO search_word (search_word, rank) VALUES ('crisismerge', 32)",
    "INSERT INTO search_word (search_word, rank) VALUES ('hashsize', 8000000)",
    `CREATE TABLE search_image (
      id INTEGER PRIMARY KEY, page INTEGER NOT NULL, url TEXT NOT NULL, caption TEXT NOT NULL, words TEXT NOT NULL,
      extension TEXT NOT NULL, width INTEGER, height INTEGER)`,
    "CREATE INDEX search_image_page ON search_image (page)",
    `CREATE VIRTUAL TABLE search_caption USING fts5(
      caption, title, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`
  ),
  statements(
    4,
    "pending pages of a team",
    "ALTER TABLE search_pending ADD COLUMN team TEXT NOT NULL DEFAULT ''",
    "UPDATE search_pending SET team = coalesce((SELECT p.team FROM search_page p WHERE p.id = search_pending.id), '')",
    "CREATE INDEX search_pending_team ON search_pending (team)"
  )
]
