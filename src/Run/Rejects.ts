/**
 * Rejected rows of a run: the reject file, the `onError` policy of each step, and runs in which every row was rejected.
 *
 * Reject file: rejects are added in memory, under the commit lock; a checkpoint appends them to the file and records
 * its length. A resume cuts the file back to that length, and rows after it are rejected again.
 *
 * Error policy: one per step. It decides what replaces a failed row, and when `stopAfter` ends the run. The reject that
 * reaches the limit is committed before the run ends, so a resume fails at once instead of rejecting one more row.
 *
 * A run in which every delivered row was rejected fails (exit code 3) and replaces no output: an older output is worth
 * more than an empty one.
 * - Rows that a step filtered, deduplicated or found unchanged count as delivered and not rejected: such a run is good,
 *   even if the few remaining rows have failed.
 * - Rows that a `limit` or `sample` cut off, or that no later step wanted, count neither as kept nor as rejected.
 * - The decision uses the numbers of rows that each step received, emitted and rejected, which checkpoints save: a
 *   resumed run decides as it would have without the crash, and a run on a cluster by the sums of its shards.
 */
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { NetworkError } from "../Client/ClientErrors.ts"
import { fileErrorReason } from "../Files/FileErrors.ts"
import * as Files from "../Files.ts"
import type { Reject } from "../Ledger/RejectLine.ts"
import * as RejectLine from "../Ledger/RejectLine.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { OnError } from "../Pipeline/Definition.ts"
import { isRoot, type Node } from "../Pipeline/Node.ts"
import { count } from "../Row/Count.ts"
import { type Json, keyOf, type Row, withData } from "../Row.ts"
import { takeOver } from "../Sink/PartFile.ts"
import { RejectsUnwritable, TooManyRejects } from "../Step/StepError.ts"
import { StepError } from "../Step.ts"
import * as Trace from "../Telemetry/Trace.ts"
import type { Counters } from "./Progress.ts"

/** Error of a run that ends because of its rejects. If the last reject was a lost connection, reports the service as unreachable. */
const ended = (
  fields: Omit<ConstructorParameters<typeof TooManyRejects>[0], "scope" | "exitCode">,
  last: StepError | undefined
) =>
  last?.cause instanceof NetworkError
    ? new StepError({ ...fields, reason: last.reason, scope: "run" })
    : new TooManyRejects(fields)

/** Error of a run in which a step has reached its `stopAfter`. */
export const tooManyRejects = (limit: {
  readonly step: string
  readonly definedAt: string
  readonly rejects: number
  readonly allowed: number | string
  readonly file: string
  /** Error of the last reject; undefined after a resume. */
  readonly last: StepError | undefined
}): StepError =>
  ended(
    {
      message: `rejected ${limit.rejects} ${limit.rejects === 1 ? "row" : "rows"}, and stopAfter: ${limit.allowed} ends the run there${limit.last === undefined ? "" : `; the last: ${limit.last.message}`} (${limit.rejects === 1 ? "it is" : "all of them are"} in ${limit.file}). Fix what rejects them, or raise stopAfter, and run the pipeline again`,
      cause: limit.last,
      step: limit.step,
      definedAt: limit.definedAt
    },
    limit.last
  )

/** Error of a run in which all delivered rows were rejected. Keeps older outputs instead of replacing them with empty ones. */
export const allRejected = (rejects: number, { last, path }: Rejects): StepError => {
  const rows = rejects === 1 ? "the only row was" : `all ${rejects} rows were`
  const reject = last()
  const why = reject === undefined ? "" : `; the last, by ${reject.step}: ${reject.error.message}`
  return ended(
    {
      message: `${rows} rejected, so no output was replaced${why} (${rejects === 1 ? "it is" : "all of them are"} in ${path})`
    },
    reject?.error
  )
}

/** Request id of the failed call, if the service responded. */
const requestOf = ({ cause }: StepError): string | undefined =>
  typeof cause === "object" && cause !== null && "requestId" in cause && typeof cause.requestId === "string"
    ? cause.requestId
    : undefined

export interface Rejects {
  readonly path: string
  /** Adds a reject; the next checkpoint records it. */
  readonly add: (step: string, definedAt: string, row: Row, error: StepError) => Effect.Effect<void>
  /** Rejects since the last checkpoint. */
  readonly pending: () => ReadonlyArray<Reject>
  /** Appends the pending rejects to the file, syncs it, and returns its length. */
  readonly flush: Effect.Effect<number, StepError>
  /** Called after the checkpoint with these rejects has been committed. */
  readonly committed: () => void
  /** The newest reject. */
  readonly last: () => { readonly step: string; readonly error: StepError } | undefined
}

/** Path of the reject file of a run. */
export const pathIn = (folder: string): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (paths) => paths.join(folder, "rejects.jsonl"))

/** A reject as stored in the ledger and the reject file. */
const makeReject = (step: string, definedAt: string, row: Row, error: StepError): Effect.Effect<Reject> =>
  Effect.zipWith(Clock.currentTimeMillis, Trace.here, (now, ids) => ({
    key: keyOf(row),
    isDerived: row.key === undefined,
    step,
    definedAt,
    error: error.reason,
    message: error.message,
    status: error.status,
    attempts: error.attempts ?? 0,
    at: new Date(now).toISOString(),
    jobId: row.jobId,
    ...ids,
    requestId: requestOf(error),
    row: row.data as Json,
    source: row.source as Json | undefined
  }))

/** Opens the reject file, creating its folder if needed, and truncates it to `length` bytes. */
const openFile = (folder: string, path: string, length: number, mayBeHeld: boolean) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    yield* Files.makeFolder(files, folder)
    const exists = yield* files.exists(path)
    if (mayBeHeld && exists) yield* takeOver(files, path, length)
    const handle = yield* files.open(path, { flag: exists ? "r+" : "w" })
    yield* handle.truncate(length)
    yield* handle.seek(length, "start")
    return handle
  })

/**
 * The reject file of a run. Created with its first line, and truncated to `length` bytes on resume. If a
 * process that lost its lock may still write to it, the resumed run continues in a copy that replaces the file.
 */
export const make = (
  folder: string,
  length: number,
  { mayBeHeld = false }: { readonly mayBeHeld?: boolean } = {}
): Effect.Effect<Rejects, StepError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* pathIn(folder)
    const unwritable = (cause: PlatformError.PlatformError) =>
      new RejectsUnwritable({
        message: `rejected rows cannot be recorded in ${path}: ${fileErrorReason(cause)}`,
        cause
      })
    const open = yield* openFile(folder, path, length, mayBeHeld).pipe(
      Scope.extend(yield* Effect.scope),
      Effect.provideService(FileSystem.FileSystem, files),
      Effect.mapError(unwritable),
      Effect.cached
    )
    let pending: Array<Reject> = []
    let unwritten: Array<Reject> = []
    let last: ReturnType<Rejects["last"]>
    let size = length
    // Lines after the last checkpoint will be written again, so cut them off.
    if (yield* Effect.orElseSucceed(files.exists(path), () => false)) yield* open
    return {
      path,
      add: (step, definedAt, row, error) =>
        Effect.map(makeReject(step, definedAt, row, error), (reject) => {
          last = { step, error }
          pending.push(reject)
          unwritten.push(reject)
        }).pipe(Effect.zipLeft(Trace.note({ "error.type": error.reason }))),
      pending: () => pending,
      flush: Effect.suspend(() => {
        if (unwritten.length === 0) return Effect.succeed(size)
        const bytes = Buffer.from(unwritten.map(RejectLine.write).join(""))
        return Effect.flatMap(open, (handle) =>
          Effect.mapError(Effect.zipRight(handle.writeAll(bytes), handle.sync), unwritable)
        ).pipe(
          Effect.map(() => {
            unwritten = []
            size += bytes.length
            return size
          })
        )
      }),
      committed: () => {
        pending = []
      },
      last: () => last
    }
  })

/** While rows still come, a percentage is checked only from this many rows on: otherwise the first reject would be "100 %". */
const minRowsForShare = 100

/** True if `count` rejects out of `seen` rows reach `stopAfter`. A percentage refers to the rows that the step received. */
export const isReached = (stopAfter: number | string, count: number, seen: number): boolean =>
  count > 0 && (typeof stopAfter === "number" ? count >= stopAfter : count * 100 >= seen * Number.parseFloat(stopAfter))

export interface ErrorPolicyOptions {
  readonly step: string
  readonly definedAt: string
  readonly onError: OnError | undefined
  readonly rejects: Rejects
  readonly counters: Counters
  /** Steps whose rows this step receives: a percentage in `stopAfter` refers to them. Empty for a source: then it refers to its own rows. */
  readonly inputs: ReadonlyArray<string>
}

/** Resolution of one failed row. */
export interface Resolution {
  /** Rows emitted in place of the failed row; undefined if that row is left for a resumed run. */
  readonly replacement: ReadonlyArray<Row> | undefined
  /** Error that ends the run after `replacement` has been emitted. */
  readonly stop: StepError | undefined
}

export interface ErrorPolicy {
  /** Resolves a row that is moved on its own. Never fails, so that the last reject before the end of the run can be committed. */
  readonly resolve: (row: Row, error: StepError) => Effect.Effect<Resolution>
  /**
   * Resolves a row of a chunk, and returns the rows emitted in its place. Fails if this ends the run, with the chunk half
   * moved.
   */
  readonly resolveInChunk: (row: Row, error: StepError) => Effect.Effect<ReadonlyArray<Row>, StepError>
  /** Error that ends the run, once the limit is reached. */
  readonly limitError: () => StepError | undefined
  /** Number of rows to process next, at least 1: only the last of them may be the reject that ends the run. */
  readonly chunkLimit: () => number
  /**
   * Runs work on at most {@link chunkLimit} rows. A reject that reaches the limit does not fail the work: its error is
   * returned with the result.
   */
  readonly upToLimit: <A, E, R>(
    work: Effect.Effect<A, E, R>
  ) => Effect.Effect<{ readonly made: A; readonly stop: StepError | undefined }, E, R>
  /** Fails if a resumed run has already reached `stopAfter`. */
  readonly checkAtStart: Effect.Effect<void, StepError>
  /** Checks a percentage again, once all rows have passed. */
  readonly checkAtEnd: Effect.Effect<void, StepError>
}

/** Value of the field `error` in a row kept by `onError: keep`. */
const errorField = ({ message, reason, status }: StepError) => ({
  reason,
  message,
  ...(status === undefined ? {} : { status })
})

/** State of an error policy. Changed under the commit lock. */
interface PolicyState extends ErrorPolicyOptions {
  /** Error of the newest reject of this process. */
  last: StepError | undefined
  /** Set during `upToLimit`; `stop` is the error that ends the run after the work. */
  limit: { stop: StepError | undefined } | undefined
}

const stopAfterOf = ({ onError }: ErrorPolicyOptions) => (typeof onError === "object" ? onError.stopAfter : undefined)

/** Number of rejects of the step, and of rows it has received. */
const countRows = ({ counters, inputs, step }: ErrorPolicyOptions) => {
  const count = counters.rejected.get(step) ?? 0
  const given = (id: string) => counters.given.get(id) ?? 0
  const seen = inputs.length === 0 ? given(step) + count : inputs.reduce((sum, id) => sum + given(id), 0)
  return { count, seen }
}

/** Error that ends the run if the limit is reached. A percentage is not checked below `minRows` rows. */
const limitError = (policy: PolicyState, minRows: number): StepError | undefined => {
  const stopAfter = stopAfterOf(policy)
  if (stopAfter === undefined) return undefined
  const { definedAt, last, rejects, step } = policy
  const { count, seen } = countRows(policy)
  return (typeof stopAfter === "number" || seen >= minRows) && isReached(stopAfter, count, seen)
    ? tooManyRejects({ step, definedAt, rejects: count, allowed: stopAfter, file: rejects.path, last })
    : undefined
}

const rejectRow = (policy: PolicyState, row: Row, error: StepError) =>
  Effect.suspend((): Effect.Effect<Resolution> => {
    const { counters, definedAt, rejects, step } = policy
    // Rows that fail after the limit was reached do not count as rejects: a resumed run processes them.
    const before = limitError(policy, minRowsForShare)
    if (before !== undefined) return Effect.succeed({ replacement: undefined, stop: before })
    policy.last = error
    counters.reject(step, error.rows)
    return Effect.map(rejects.add(step, definedAt, row, error), () => ({
      replacement: [],
      stop: limitError(policy, minRowsForShare)
    }))
  })

const resolveRow = (policy: PolicyState, row: Row, error: StepError): Effect.Effect<Resolution> => {
  const { counters, onError = "reject", step } = policy
  // Whatever replaces the row, downstream steps do not see its key, and must not take the row for gone.
  counters.markIncomplete(step, "failed")
  switch (onError) {
    case "fail":
      return Effect.succeed({ replacement: undefined, stop: error })
    case "drop":
      return Effect.succeed({ replacement: [], stop: undefined })
    case "keep":
      return Effect.succeed({
        replacement: [withData(row, { ...row.data, error: errorField(error) })],
        stop: undefined
      })
    default:
      return rejectRow(policy, row, error)
  }
}

const chunkLimit = (policy: PolicyState): number => {
  const stopAfter = stopAfterOf(policy)
  if (stopAfter === undefined) return Number.POSITIVE_INFINITY
  const { count, seen } = countRows(policy)
  if (typeof stopAfter === "number") return Math.max(1, stopAfter - count)
  if (seen < minRowsForShare) return Number.POSITIVE_INFINITY
  return Math.max(1, Math.ceil((seen * Number.parseFloat(stopAfter)) / 100) - count)
}

const upToLimit = <A, E, R>(policy: PolicyState, work: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const limit: NonNullable<PolicyState["limit"]> = { stop: undefined }
    policy.limit = limit
    return Effect.map(work, (made) => ({ made, stop: limit.stop }))
  }).pipe(
    Effect.ensuring(
      Effect.sync(() => {
        policy.limit = undefined
      })
    )
  )

/** Makes the error policy of a step. */
export const makeErrorPolicy = (options: ErrorPolicyOptions): ErrorPolicy => {
  const policy: PolicyState = { ...options, last: undefined, limit: undefined }
  const check = (minRows: number) =>
    Effect.suspend(() => {
      const reason = limitError(policy, minRows)
      return reason === undefined ? Effect.void : Effect.fail(reason)
    })
  return {
    resolve: (row, error) => resolveRow(policy, row, error),
    resolveInChunk: (row, error) =>
      Effect.flatMap(resolveRow(policy, row, error), ({ replacement, stop }) => {
        if (stop === undefined) return Effect.succeed(replacement ?? [])
        if (policy.limit === undefined || replacement === undefined) return Effect.fail(stop)
        policy.limit.stop = stop
        return Effect.succeed(replacement)
      }),
    limitError: () => limitError(policy, minRowsForShare),
    chunkLimit: () => chunkLimit(policy),
    upToLimit: (work) => upToLimit(policy, work),
    // A percentage may still fall as more rows arrive.
    checkAtStart: typeof stopAfterOf(options) === "number" ? check(0) : Effect.void,
    checkAtEnd: check(0)
  }
}

type Counted = Pick<Counters, "given" | "incomplete" | "rejected" | "rejects" | "rows" | "unchanged">

/** True for a step that drops rows without judging them: these count neither as kept nor as rejected. */
const dropsUnjudged = ({ step: { behaviour } }: Node): boolean =>
  behaviour.kind === "transform" && (behaviour.takesFirst === true || behaviour.samples === true)

/** True if some rows that entered a step ended there without being rejected. */
const hasKept = (counters: Counted, node: Node): boolean => {
  const { id, inputs, step } = node
  if (inputs.length === 0 || step.behaviour.kind === "value" || dropsUnjudged(node)) return false
  if (counters.incomplete.get(id)?.has("wanted") === true) return false
  const given = (step: string) => counters.given.get(step) ?? 0
  return inputs.reduce((sum, input) => sum + given(input), 0) > given(id) + (counters.rejected.get(id) ?? 0)
}

/** Steps of the whole definition, even if this run is only the part that completes the work of shards. */
const stepsOf = ({ all, nodes }: Checked): ReadonlyArray<Node> => all ?? nodes

/** True if every row that the sources delivered was rejected, and there was at least one. */
export const isEveryRowRejected = (checked: Checked, counters: Counted): boolean =>
  counters.rows === 0 &&
  counters.rejects > 0 &&
  counters.unchanged === 0 &&
  !stepsOf(checked).some((node) => hasKept(counters, node))

/** Warning for a run that completed although most of its rows were rejected. */
export const manyRejectedWarning = (checked: Checked, counters: Counted, isReplay: boolean): string | undefined => {
  const { given, rejected, rows, unchanged } = counters
  // A single reject may stand for several rows.
  const rejects = Math.max(
    counters.rejects,
    Array.from(rejected.values()).reduce((sum, each) => sum + each, 0)
  )
  const delivered = stepsOf(checked)
    .filter(isRoot)
    .reduce((sum, { id }) => sum + (given.get(id) ?? 0) + (rejected.get(id) ?? 0), unchanged)
  // Rows of a replay do not come from a source, and a step may make many rows from one.
  const all = isReplay ? rows + rejects : Math.max(delivered, rows + rejects)
  if (rejects * 2 <= all) return undefined
  return `${rejects} of ${count(all, "row")} ${rejects === 1 ? "was" : "were"} rejected. To end a run when this many rows fail, set stopAfter in onError`
}
