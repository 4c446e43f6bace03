/** The tables of the usage ledger, and of the answers that were paid for. */
import { type Migration, statements } from "../../Database/Migration.ts"

export const migrations: ReadonlyArray<Migration> = [
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
    // bytes is null where the answer was too long to be kept.
    `CREATE TABLE paid_calls (
      team TEXT NOT NULL, idempotency_key TEXT NOT NULL, request TEXT NOT NULL, bytes INTEGER, at BIGINT NOT NULL,
      PRIMARY KEY (team, idempotency_key))`,
    "CREATE INDEX paid_calls_at ON paid_calls (at)",
    `CREATE TABLE paid_call_parts (
      team TEXT NOT NULL, idempotency_key TEXT NOT NULL, part INTEGER NOT NULL, body BLOB NOT NULL,
      PRIMARY KEY (team, idempotency_key, part))`
  )
]
