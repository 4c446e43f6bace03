/** Streams over the ledger for programs: runs, pages, rejects, state and health. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { HealthRecord } from "./Health.ts"
import type { LedgerError } from "./LedgerErrors.ts"
import type { RunRecord, Status } from "./Model.ts"
import type { PageRecord, RejectRecord } from "./Pages.ts"
import { Ledger } from "./Service.ts"
import type { StateRecord } from "./StateStore.ts"

/** Which runs a query gives; all by default. */
export interface RunQuery {
  /** Name of the pipeline. */
  readonly pipeline?: string | undefined
  /** Statuses, one of which a run has. */
  readonly status?: ReadonlyArray<Status> | undefined
  /** Runs that started at this time or later. */
  readonly since?: Date | undefined
}

const filterOf = ({ pipeline, since, status }: RunQuery) => ({ pipeline, status, since: since?.getTime() })

/**
 * Runs, newest first. A run that this version cannot read is left out with a warning. Runs that begin while you read are not among them.
 *
 * @example
 * ```ts
 * const failed = Ledger.runs({ pipeline: "prices", status: ["failed"] }).pipe(Stream.take(10))
 * ```
 */
export const runs = (query: RunQuery = {}): Stream.Stream<RunRecord, LedgerError, Ledger> =>
  Stream.unwrap(Effect.map(Ledger, ({ history }) => history.allRuns(filterOf(query))))

/** Attempts at pages of a query. */
const pagesPerQuery = 500

/**
 * Attempts at pages: those of a run, in order, or those at one address (`key`) in all runs, newest first. Attempts at an address that are
 * made while you read it may give others twice.
 */
export const pages = (
  of: { readonly run: string } | { readonly key: string }
): Stream.Stream<PageRecord, LedgerError, Ledger> =>
  Stream.unwrap(
    Effect.map(Ledger, ({ history }) =>
      Stream.paginateChunkEffect(0, (offset) => {
        const range = { limit: pagesPerQuery, offset }
        return Effect.map("run" in of ? history.pagesOf(of.run, range) : history.pagesAt(of.key, range), (found) => [
          Chunk.fromIterable(found),
          found.length < pagesPerQuery ? Option.none() : Option.some(offset + pagesPerQuery)
        ])
      })
    )
  )

/** Rejects of a run and its shards, in order. `which`: those that no replay has taken (`open`), those that one has, or all. Default: `all`. */
export const rejects = (
  run: string,
  { which = "all" }: { readonly which?: "open" | "replayed" | "all" | undefined } = {}
): Stream.Stream<RejectRecord, LedgerError, Ledger> =>
  Stream.unwrap(Effect.map(Ledger, ({ history }) => history.rejects(run, which)))

/** Entries of the state across runs under a state key, which is the name of the pipeline unless it names another; by step and key. */
export const state = (
  stateKey: string,
  { step }: { readonly step?: string | undefined } = {}
): Stream.Stream<StateRecord, LedgerError, Ledger> =>
  Stream.unwrap(Effect.map(Ledger, ({ states }) => states.entries(stateKey, step)))

/** Health of the outputs of runs, newest run first: what was measured, and what is not as in the last good runs. */
export const health = (query: RunQuery = {}): Stream.Stream<HealthRecord, LedgerError, Ledger> =>
  runs(query).pipe(
    Stream.mapEffect(({ id }) => Effect.flatMap(Ledger, ({ health }) => health.sinksOf(id))),
    Stream.flattenIterables
  )
