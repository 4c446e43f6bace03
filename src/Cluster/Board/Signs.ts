/** Signs of life, and the time, as the database has them: clocks of machines differ, its clock is one. */
import type * as PgClient from "@effect/sql-pg/PgClient"

/** For workers that the row of `workers` is of: whether they have given a sign lately. They give one each second. */
export const isAlive = (sql: PgClient.PgClient) => sql.literal("beat >= now() - interval '5 seconds'")

/** Milliseconds since 1970, as the ledger counts them. */
export const millis = (sql: PgClient.PgClient) => sql.literal("floor(extract(epoch FROM now()) * 1000)::bigint")
