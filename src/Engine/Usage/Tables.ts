/** The tables of the usage ledger. */
import { type Migration, statements } from "../../Database/Migration.ts"

export const migrations: ReadonlyArray<Migration> = [
  statements(
    1,
    "ledger",
    `CREATE TABLE usage_ledger (
      team TEXT NOT NULL, key_id TEXT NOT NULL, month TEXT NOT NULL, endpoint TEXT NOT NULL,
      credits INTEGER NOT NULL, at BIGINT NOT NULL)`,
    "CREATE INDEX usage_ledger_team ON usage_ledger (team, month, key_id, credits)"
  )
]
