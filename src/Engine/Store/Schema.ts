/** Tables of the engine, by area. Each area has its own list of migrations. */
import { type Migration, type Parts, statements } from "../../Database/Migration.ts"
import * as Storage from "./Storage.ts"

export const browserTables: ReadonlyArray<Migration> = [
  statements(
    1,
    "sessions and profiles",
    // Ids of sessions. Those of ended sessions stay for a while, because the error for an ended session differs from that for an unknown
    // id.
    "CREATE TABLE browser_sessions (id TEXT PRIMARY KEY, team TEXT NOT NULL, expires_at BIGINT NOT NULL)",
    "CREATE INDEX browser_sessions_expires ON browser_sessions (expires_at)",
    // version: name of the folder with the saved state; null until the first save. saver…: lease of the session that may save the profile.
    `CREATE TABLE browser_profiles (
      team TEXT NOT NULL, name TEXT NOT NULL, version TEXT, bytes BIGINT NOT NULL DEFAULT 0, saved_at BIGINT,
      saver TEXT, saver_host TEXT, saver_pid INTEGER, saver_until BIGINT, PRIMARY KEY (team, name))`
  ),
  statements(
    2,
    "logins",
    // sealed: encrypted cookies of the profile and the recipe for repeating its login. expires_at: when the login of a single run is
    // deleted; null for a login that stays.
    "ALTER TABLE browser_profiles ADD COLUMN sealed BLOB",
    "ALTER TABLE browser_profiles ADD COLUMN expires_at BIGINT"
  )
]

export const pageCacheTables: ReadonlyArray<Migration> = [
  statements(
    1,
    "copies",
    // A copy is an entry of the page cache: the response of a site, or the conversion of one. Bodies are in segment files (copy_files)
    // beside the database: deleting a file frees its space at once, deleting rows does not.
    `CREATE TABLE copy_files (
      id TEXT PRIMARY KEY, bytes BIGINT NOT NULL, last_at BIGINT NOT NULL)`,
    `CREATE TABLE copies (
      copy_key TEXT PRIMARY KEY, file TEXT NOT NULL, position BIGINT NOT NULL, bytes INTEGER NOT NULL,
      checksum BIGINT NOT NULL, coding TEXT NOT NULL, url TEXT NOT NULL, status INTEGER NOT NULL, headers TEXT NOT NULL,
      at BIGINT NOT NULL)`,
    "CREATE INDEX copies_file ON copies (file)"
  ),
  statements(
    2,
    "versions",
    // body is null for a page that was too long to store; only its hash is stored then.
    `CREATE TABLE page_versions (
      version_key TEXT PRIMARY KEY, at BIGINT NOT NULL, hash TEXT NOT NULL, bytes INTEGER NOT NULL, body BLOB)`,
    "CREATE INDEX page_versions_at ON page_versions (at, bytes)"
  ),
  statements(
    3,
    "validators",
    // hash: of the decoded body; empty for a page that its validators do not describe, such as a rendered one.
    "ALTER TABLE copies ADD COLUMN hash TEXT NOT NULL DEFAULT ''",
    `CREATE TABLE host_validators (
      team TEXT NOT NULL, host TEXT NOT NULL, confirmed INTEGER NOT NULL, renewed INTEGER NOT NULL, lied_at BIGINT,
      at BIGINT NOT NULL, PRIMARY KEY (team, host))`
  ),
  statements(
    4,
    "visits",
    // site: team and host. since: time of the first visit that the entry's counts include; null for stored conversions, and after a visit
    // that did not return the page.
    "ALTER TABLE copies ADD COLUMN site TEXT",
    "ALTER TABLE copies ADD COLUMN since BIGINT",
    "ALTER TABLE copies ADD COLUMN visits INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE copies ADD COLUMN changes INTEGER NOT NULL DEFAULT 0",
    "CREATE INDEX copies_site ON copies (site) WHERE site IS NOT NULL",
    // subject: the kind of evidence: validators, sitemap, or the change rates learned from the pages.
    `CREATE TABLE host_trust (
      team TEXT NOT NULL, host TEXT NOT NULL, subject TEXT NOT NULL, confirmed INTEGER NOT NULL, wrong INTEGER NOT NULL,
      lied_at BIGINT, at BIGINT NOT NULL, PRIMARY KEY (team, host, subject))`,
    "INSERT INTO host_trust SELECT team, host, 'validators', confirmed, renewed, lied_at, at FROM host_validators",
    "DROP TABLE host_validators"
  ),
  // told: number of pages that had changed, and whose change the subject reported.
  statements(5, "changes that hosts tell of", "ALTER TABLE host_trust ADD COLUMN told INTEGER NOT NULL DEFAULT 0")
]

export const jobTables: ReadonlyArray<Migration> = [
  statements(
    1,
    "jobs",
    // Counters of pages are updated in the same transaction as the pages, so no query has to count rows. claimed = active + results. queued
    // may exceed the page limit.
    `CREATE TABLE jobs (
      id TEXT PRIMARY KEY, team TEXT NOT NULL, key_id TEXT NOT NULL, kind TEXT NOT NULL, version INTEGER NOT NULL,
      url TEXT NOT NULL, spec TEXT NOT NULL, status TEXT NOT NULL, seeded INTEGER NOT NULL, error TEXT,
      page_limit INTEGER NOT NULL,
      queued INTEGER NOT NULL DEFAULT 0, active INTEGER NOT NULL DEFAULT 0, claimed INTEGER NOT NULL DEFAULT 0,
      results INTEGER NOT NULL DEFAULT 0, completed INTEGER NOT NULL DEFAULT 0, blocked INTEGER NOT NULL DEFAULT 0,
      bytes BIGINT NOT NULL DEFAULT 0, credits INTEGER NOT NULL DEFAULT 0,
      created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, finished_at BIGINT, purged INTEGER NOT NULL DEFAULT 0)`,
    "CREATE INDEX jobs_team ON jobs (team, status, created_at)",
    "CREATE INDEX jobs_status ON jobs (status, updated_at)",
    // state: 0 queued, 1 leased, 2 done, 3 blocked by robots.txt
    `CREATE TABLE job_pages (
      id INTEGER PRIMARY KEY, job_id TEXT NOT NULL, url TEXT NOT NULL, url_key TEXT NOT NULL, depth INTEGER NOT NULL,
      state INTEGER NOT NULL DEFAULT 0, owner TEXT, UNIQUE (job_id, url_key))`,
    "CREATE INDEX job_pages_queued ON job_pages (job_id, id) WHERE state = 0",
    "CREATE INDEX job_pages_leased ON job_pages (owner) WHERE state = 1",
    "CREATE INDEX job_pages_blocked ON job_pages (job_id, id) WHERE state = 3",
    `CREATE TABLE job_results (
      job_id TEXT NOT NULL, position INTEGER NOT NULL, bytes INTEGER NOT NULL, upto BIGINT NOT NULL, body BLOB NOT NULL)`,
    "CREATE UNIQUE INDEX job_results_position ON job_results (job_id, position, upto)",
    `CREATE TABLE job_errors (
      id TEXT PRIMARY KEY, job_id TEXT NOT NULL, at BIGINT NOT NULL, url TEXT NOT NULL, code TEXT, error TEXT NOT NULL)`,
    "CREATE INDEX job_errors_job ON job_errors (job_id, at)",
    // Lease owners (processes). If an owner stops renewing, its pages are given to other owners.
    "CREATE TABLE job_owners (id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL, expires_at BIGINT NOT NULL)",
    `CREATE TABLE job_starts (
      team TEXT NOT NULL, idempotency_key TEXT NOT NULL, request TEXT NOT NULL, job_id TEXT NOT NULL,
      invalid_urls TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (team, idempotency_key))`
  ),
  // queued_at: 0 for pages that were queued by an older version.
  statements(2, "waiting", "ALTER TABLE job_pages ADD COLUMN queued_at BIGINT NOT NULL DEFAULT 0"),
  // Rows of jobs are kept for a month. These indexes find a team's last success and the expired jobs among them.
  statements(
    3,
    "lookups",
    "CREATE INDEX jobs_finished ON jobs (team, status, finished_at)",
    "CREATE INDEX jobs_purged ON jobs (purged, updated_at, status)"
  ),
  statements(4, "codes of failed jobs", "ALTER TABLE jobs ADD COLUMN code TEXT"),
  statements(
    5,
    "crawls that leave pages out",
    // Number of crawls since the last one that visited every page, by start URL and options.
    `CREATE TABLE crawl_rounds (
      team TEXT NOT NULL, start TEXT NOT NULL, rounds INTEGER NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (team, start))`
  ),
  // content: compressed beginning of the document, continued by body (`ResultSlice.ts`); null if body is the whole document. bytes:
  // uncompressed size of both.
  statements(6, "compressed results", "ALTER TABLE job_results ADD COLUMN content BLOB"),
  // An earlier version recorded in-memory jobs here.
  statements(7, "no rows of jobs with zero data retention", `DELETE FROM jobs WHERE spec LIKE '{"heldBy":%'`)
]

export const searchTables: ReadonlyArray<Migration> = [
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
    // Contentless (without a copy of the text): search_text stores the text, and in the index, letters of scripts without spaces are
    // separate words.
    `CREATE VIRTUAL TABLE search_word USING fts5 (
      title, text, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2')`
  ),
  statements(
    2,
    "how the index was made",
    // One row: version of the indexing rules, and the page up to which the index has been rebuilt with them (null: all pages).
    "CREATE TABLE search_version (version INTEGER NOT NULL, upto BIGINT)",
    "INSERT INTO search_version (version, upto) VALUES (1, NULL)"
  ),
  statements(
    3,
    "words that are written later, and images",
    // Pages not indexed in search_word yet. size: characters; spaced, despite its name: 1 if some text has no spaces between words.
    "CREATE TABLE search_pending (id INTEGER PRIMARY KEY, size INTEGER NOT NULL, spaced INTEGER NOT NULL)",
    // Merge index segments later, which halves the bytes written, though a query reads a few more segments.
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
  ),
  statements(
    5,
    "headings",
    // headings: JSON array of [position in the text, level]. Empty for pages of an earlier version until they change.
    "ALTER TABLE search_text ADD COLUMN headings TEXT NOT NULL DEFAULT '[]'"
  )
]

export const usageTables: ReadonlyArray<Migration> = [
  statements(
    1,
    "ledger",
    `CREATE TABLE usage_ledger (
      team TEXT NOT NULL, key_id TEXT NOT NULL, month TEXT NOT NULL, endpoint TEXT NOT NULL,
      credits INTEGER NOT NULL, at BIGINT NOT NULL)`,
    "CREATE INDEX usage_ledger_team ON usage_ledger (team, month, key_id, credits)"
  ),
  statements(
    2,
    "paid calls",
    // bytes: null for an answer that was too long to store.
    `CREATE TABLE paid_calls (
      team TEXT NOT NULL, idempotency_key TEXT NOT NULL, request TEXT NOT NULL, bytes INTEGER, at BIGINT NOT NULL,
      PRIMARY KEY (team, idempotency_key))`,
    "CREATE INDEX paid_calls_at ON paid_calls (at)",
    `CREATE TABLE paid_call_parts (
      team TEXT NOT NULL, idempotency_key TEXT NOT NULL, part INTEGER NOT NULL, body BLOB NOT NULL,
      PRIMARY KEY (team, idempotency_key, part))`
  )
]

export const webhookTables: ReadonlyArray<Migration> = [
  statements(
    1,
    "webhooks",
    // open: 1 until the last event was sent; started, pages, ended_at: which events were sent; misses: undelivered events in a row;
    // attempts, due_at: failed attempts of the next event, and when it is sent; owner: process that delivers.
    `CREATE TABLE webhooks (
      job_id TEXT PRIMARY KEY, sealed BLOB NOT NULL, open INTEGER NOT NULL DEFAULT 1,
      started INTEGER NOT NULL DEFAULT 0, pages INTEGER NOT NULL DEFAULT 0, ended_at BIGINT,
      attempts INTEGER NOT NULL DEFAULT 0, due_at BIGINT NOT NULL DEFAULT 0, misses INTEGER NOT NULL DEFAULT 0,
      owner TEXT)`,
    "CREATE INDEX webhooks_open ON webhooks (job_id) WHERE open = 1"
  )
]

export const parts: Parts = {
  browser: browserTables,
  copies: pageCacheTables,
  jobs: jobTables,
  search: searchTables,
  usage: usageTables,
  webhooks: webhookTables,
  // Must come last, because its triggers reference the tables of the other areas.
  storage: Storage.migrations
}
