/** Tables of the page cache: the segment files, the position of each page in them, and the last versions of tracked pages. */
import { type Migration, statements } from "../../Database/Migration.ts"

export const migrations: ReadonlyArray<Migration> = [
  statements(
    1,
    "copies",
    // The bodies are in segment files beside the database: deleting a file frees its space at once, deleting rows does not.
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
    // body is null for a page that was too long to store; then only its hash is known.
    `CREATE TABLE page_versions (
      version_key TEXT PRIMARY KEY, at BIGINT NOT NULL, hash TEXT NOT NULL, bytes INTEGER NOT NULL, body BLOB)`,
    "CREATE INDEX page_versions_at ON page_versions (at, bytes)"
  )
]
