/**
 * Input of a new job, or of an extended batch. A start repeated with the same idempotency key happens once; a different start with that key
 * is refused.
 */
import { hash } from "node:crypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Revisit as RevisitOption } from "../../Api/Crawl.ts"
import type { Revisit } from "../Scrape/Recrawl/Revisit.ts"
import type { Sql } from "../Store/Sql.ts"
import { type IdempotentRequest, reused, sorted } from "../Usage/Idempotency.ts"
import type { Spender } from "../Usage/Usage.ts"
import type { Kind, Spec, Version } from "./JobRecord.ts"
import type { FoundPage } from "./PageOutcome.ts"

/** Input for a new job. */
export interface Start {
  readonly team: Spender
  readonly kind: Kind
  readonly version: Version
  readonly url: string
  readonly spec: Spec
  /** Lets a crawl skip pages that have most likely not changed. */
  readonly revisit?: RevisitOption | undefined
  readonly pages: ReadonlyArray<FoundPage>
  /** True when `pages` is complete. When false, the sitemap adds more. */
  readonly seeded: boolean
  readonly limit: number
  readonly invalidURLs: ReadonlyArray<string>
  readonly repeat?: IdempotentRequest | undefined
  /** Encrypted webhook. */
  readonly webhook?: Uint8Array | undefined
}

export interface Started {
  readonly id: string
  readonly invalidURLs: ReadonlyArray<string>
}

/** Pages and options to add to a batch. */
export interface AppendedPages extends Pick<Start, "pages" | "invalidURLs" | "repeat"> {
  /** Options of the request, including `maxConcurrency`. They must equal the job's options. */
  readonly options: object
}

interface Row {
  readonly request: string
  readonly job_id: string
  readonly invalid_urls: string
}

/** Key of all crawls with the same start and options. Other options would read other pages, or store them under other keys. */
const seriesOf = ({ spec: { options, params }, url }: Pick<Start, "spec" | "url">): string => {
  // `limit` is ignored, because a budget may make it smaller from run to run.
  const { limit: _, ...own } = params ?? {}
  return `${url}\n${hash("sha256", JSON.stringify(sorted([own, options])), "base64url")}`
}

/** Counts a crawl that skips unchanged pages. Every `fullEvery`-th crawl with the same start and options visits all pages. */
export const revisitOf = (
  sql: Sql,
  { revisit, team, ...crawl }: Pick<Start, "revisit" | "spec" | "team" | "url">,
  at: number
) =>
  Effect.gen(function* () {
    if (revisit === undefined) return undefined
    const start = seriesOf(crawl)
    const [row] = yield* sql<{ rounds: number }>`
      INSERT INTO crawl_rounds ${sql.insert({ team: team.id, start, rounds: 1, at })}
      ON CONFLICT (team, start) DO UPDATE SET rounds = crawl_rounds.rounds + 1, at = excluded.at RETURNING rounds`
    const isAudit = (row?.rounds ?? 1) >= revisit.fullEvery
    if (isAudit) {
      yield* sql`UPDATE crawl_rounds SET rounds = 0 WHERE team = ${team.id} AND start = ${start}`
      yield* sql`DELETE FROM crawl_rounds WHERE at < ${at - roundsExpire}`
    }
    return { ceiling: revisit.atLeast, floor: revisit.atMost, isAudit } satisfies Revisit
  })

/** Milliseconds after the last crawl of a start for which its count is kept. */
const roundsExpire = 400 * 86_400_000

/** Runs `start` unless it has run before, in the caller's transaction. */
export const once = <E, R>(sql: Sql, teamId: string, repeat: IdempotentRequest, start: Effect.Effect<Started, E, R>) =>
  Effect.gen(function* () {
    const { key, request } = repeat
    const at = yield* Clock.currentTimeMillis
    // Inserted first: of two concurrent starts with the same key, the second waits for the first.
    const inserted = yield* sql`INSERT INTO job_starts ${sql.insert({
      team: teamId,
      idempotency_key: key,
      request,
      job_id: "",
      invalid_urls: "[]",
      at
    })} ON CONFLICT DO NOTHING RETURNING at`
    if (inserted.length > 0) {
      const started = yield* start
      yield* sql`UPDATE job_starts SET job_id = ${started.id}, invalid_urls = ${JSON.stringify(started.invalidURLs)}
        WHERE team = ${teamId} AND idempotency_key = ${key}`
      return started
    }
    const rows = yield* sql<Row>`SELECT request, job_id, invalid_urls FROM job_starts
      WHERE team = ${teamId} AND idempotency_key = ${key}`
    const first = rows[0]
    if (first === undefined || first.request !== request) {
      return yield* reused(repeat)
    }
    return { id: first.job_id, invalidURLs: JSON.parse(first.invalid_urls) as ReadonlyArray<string> }
  })

/** Fails if this store (on disk or in memory) knows the idempotency key of a request that goes to the other one. */
export const refuseKnown = (sql: Sql, teamId: string, repeat: IdempotentRequest) =>
  Effect.flatMap(sql`SELECT 1 FROM job_starts WHERE team = ${teamId} AND idempotency_key = ${repeat.key}`, (known) =>
    known.length > 0 ? reused(repeat) : Effect.void
  )
