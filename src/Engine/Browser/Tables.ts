/** The tables of browser sessions and of their profiles. */
import { type Migration, statements } from "../../Database/Migration.ts"

export const migrations: ReadonlyArray<Migration> = [
  statements(
    1,
    "sessions and profiles",
    // That a session was, so that its end can be told from an id that never was.
    "CREATE TABLE browser_sessions (id TEXT PRIMARY KEY, team TEXT NOT NULL, expires_at BIGINT NOT NULL)",
    "CREATE INDEX browser_sessions_expires ON browser_sessions (expires_at)",
    // version is the name of the folder that holds the state; null before it was saved for the first time.
    // A saver that stops renewing its lease has lost it.
    `CREATE TABLE browser_profiles (
      team TEXT NOT NULL, name TEXT NOT NULL, version TEXT, bytes BIGINT NOT NULL DEFAULT 0, saved_at BIGINT,
      saver TEXT, saver_host TEXT, saver_pid INTEGER, saver_until BIGINT, PRIMARY KEY (team, name))`
  )
]
