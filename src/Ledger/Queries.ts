/** Streams over the ledger for use in programs: runs, pages, rejects, state and health. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { HealthRecord } from "./Health.ts"
import type { LedgerError } from "./LedgerErrors.ts"
import type { RunRecord, Status } from "./Model.ts"
import type { PageRecord, RejectFilter, RejectRecord } from "./Pages.ts"
import { Ledger } from "./Service.ts"
import type { StateFilter, StateRecord } from "./StateStore.ts"

/** Filter for runs; matches all runs by default. */
export interface RunQuery {
  /** Name of the pipeline. */
  readonly pipeline?: string | undefined
  /** Matches runs with any of these statuses. */
  readonly status?: ReadonlyArray<Status> | undefined
  /** Runs that started at this time or later. */
  readonly since?: Date | undefined
  /** Substring of id, pipeline, file or error; ignores case. */
  readonly text?: string | undefined
}

const filterOf = ({ since, ...query }: RunQuery) => ({ ...query, since: since?.getTime() })

/**
 * Runs, newest first. Omits runs that this version cannot read, with a warning. Does not include runs that begin while you read.
 *
 * @example
 * ```ts
 * const failed = Ledger.runs({ pipeline: "prices", status: ["failed"] }).pipe(Stream.take(10))
 * ```
 */
export const runs = (query: RunQuery = {}): Stream.Stream<RunRecord, LedgerError, Ledger> =>
  Stream.unwrap(Effect.map(Ledger, ({ history }) => history.allRuns(filterOf(query))))

/** Attempts at pages read by one query. */
const pagesPerQuery = 500

/** Reads a list in parts; `next` returns the position after the last record of a part. */
const inParts = <A, Position>(
  first: Position,
  part: (after: Position) => Effect.Effect<ReadonlyArray<A>, LedgerError, Ledger>,
  next: (last: A, after: Position) => Position
) =>
  Stream.paginateChunkEffect(first, (after) =>
    Effect.map(part(after), (found) => {
      const last = found.at(-1)
      const isLast = last === undefined || found.length < pagesPerQuery
      return [Chunk.fromIterable(found), isLast ? Option.none() : Option.some(next(last, after))] as const
    })
  )

/**
 * Attempts at pages: those of a run, in order, or those at one address (`key`) in all runs, newest first. If new attempts at the address
 * are made while you read, the stream may contain some attempts twice.
 */
export const pages = (
  of: { readonly run: string } | { readonly key: string }
): Stream.Stream<PageRecord, LedgerError, Ledger> => {
  const limit = pagesPerQuery
  const ask = <A>(part: (history: Ledger["Type"]["history"]) => Effect.Effect<A, LedgerError>) =>
    Effect.flatMap(Ledger, ({ history }) => part(history))
  return "run" in of
    ? inParts(
        0,
        (after) => ask((history) => history.pagesOf(of.run, { limit, after })),
        ({ number }) => number
      )
    : inParts(
        0,
        (offset) => ask((history) => history.pagesAt(of.key, { limit, offset })),
        (_, offset) => offset + limit
      )
}

/** Rejects of a run and its shards, in order; `filter` selects some of them. */
export const rejects = (run: string, filter: RejectFilter = {}): Stream.Stream<RejectRecord, LedgerError, Ledger> =>
  Stream.unwrap(Effect.map(Ledger, ({ history }) => history.rejects(run, filter)))

/** Entries of the state across runs, by step and key. The state key is the pipeline's name, unless the pipeline sets another one. */
export const state = (
  stateKey: string,
  { step, ...filter }: StateFilter & { readonly step?: string | undefined } = {}
): Stream.Stream<StateRecord, LedgerError, Ledger> =>
  Stream.unwrap(Effect.map(Ledger, ({ states }) => states.entries(stateKey, step, filter)))

/** Health of the outputs of runs, newest run first: the measured figures, and the verdicts that compare them with the last good runs. */
export const health = (query: RunQuery = {}): Stream.Stream<HealthRecord, LedgerError, Ledger> =>
  runs(query).pipe(
    Stream.mapEffect(({ id }) => Effect.flatMap(Ledger, ({ health }) => health.sinksOf(id))),
    Stream.flattenIterables
  )
