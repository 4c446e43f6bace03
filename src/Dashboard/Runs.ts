/** Runs: the list, the details of one run, its definition, its log and its rejects. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { isSpent, type RunRecord, replayReads } from "../Ledger/Model.ts"
import type { RunPosition } from "../Ledger/Runs.ts"
import { Ledger } from "../Ledger.ts"
import { isResumable, mayCompleteOnResume, withStatus } from "../Run/RunResult.ts"
import * as Store from "../Schedule/Store.ts"
import { page } from "../Web/Dashboard/Protocol.ts"
import {
  type Definition,
  type Log,
  type OutputFile,
  type RejectList,
  type RunDetail,
  type RunList,
  states,
  type Trigger
} from "../Web/Dashboard/RunProtocol.ts"
import { Watch } from "./Events.ts"
import { verdictsOf } from "./Health.ts"
import type { RunSummary } from "./Queries.ts"
import * as Queries from "./Queries.ts"
import { noRun, type Query, Refusal } from "./Request.ts"
import * as RunView from "./RunView.ts"
import { progressOf } from "./RunView.ts"
import { Setup } from "./Setup.ts"

/** Decodes `startedAt.id` of the previous page's last run. */
const afterOf = (text: string | undefined): Either.Either<RunPosition | undefined, Refusal> => {
  if (text === undefined) return Either.right(undefined)
  const [, startedAt, id] = /^(\d{1,16})\.(.+)$/.exec(text) ?? []
  return id === undefined
    ? Either.left(new Refusal({ status: 400, reason: "after: expected `next` of an earlier response" }))
    : Either.right({ startedAt: Number(startedAt), id })
}

export const list = (query: Query) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const queries = yield* Queries.ofLedger
    const limit = yield* query.number("limit", { least: 1, most: page.most, otherwise: page.runs })
    const state = yield* query.word("state", states)
    const after = yield* afterOf(query.text("after"))
    const alive = yield* history.alive
    const found = yield* queries.runs({
      ...withStatus(state, [...alive]),
      pipeline: query.text("pipeline"),
      group: query.text("group"),
      text: query.text("text", 200),
      after,
      limit: limit + 1
    })
    const now = yield* Clock.currentTimeMillis
    const shown = found.slice(0, limit)
    const last = shown.at(-1)
    return {
      runs: shown.map((run) => RunView.lineOf(run, alive.has(run.id), now)),
      next: found.length > limit && last !== undefined ? `${last.startedAt}.${last.id}` : null
    } satisfies RunList
  })

export const pipelines = Effect.flatMap(Queries.ofLedger, (queries) =>
  Effect.map(queries.pipelines, (names) => ({ names }))
)

export const find = (id: string) =>
  Effect.gen(function* () {
    const { find, held } = yield* Ledger
    const run = yield* find(id)
    if (run === undefined) return yield* noRun(id)
    // The rows of a held run are in the files that wait to be published.
    if (run.status !== "held") return run
    const files = yield* held.files(id)
    return {
      ...run,
      outputs: files.map(({ bytes, format, partial, rows }) => ({ path: partial, format, rows, bytes }))
    }
  })

/** Maximum completed runs searched for the last good one. */
const maxCompleted = 100

/** Last good run before a held one; trials, replays and backfills do not count. */
export const lastGoodBefore = (run: RunRecord) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const { pipeline } = run
    const found = yield* history.runs({ pipeline, status: ["completed"], after: run, limit: maxCompleted })
    return found.find(
      ({ options }) => options.backfill !== true && options.limit === undefined && options.replayOf === undefined
    )
  })

/** Last good run before a held one, with its outputs of the same paths. */
const lastGoodOf = (run: RunRecord, outputs: ReadonlyArray<OutputFile>) =>
  Effect.map(lastGoodBefore(run), (record) => {
    if (record === undefined) return undefined
    const numbers = new Map(RunView.outputsOf(record).map(({ number, path }) => [path, number]))
    return {
      id: record.id,
      startedAt: record.startedAt,
      outputs: Object.fromEntries(
        outputs.flatMap(({ number, path }) => {
          const same = numbers.get(path)
          return same === undefined ? [] : [[number, same]]
        })
      )
    }
  })

const triggerOf = ({ pipeline, replayOf, scheduledFor }: RunSummary) =>
  Effect.gen(function* () {
    if (replayOf !== undefined) return { kind: "replay" } satisfies Trigger
    if (scheduledFor === undefined) return { kind: "direct" } satisfies Trigger
    const schedules = yield* Store.schedules
    const at = { pipeline, since: scheduledFor, until: scheduledFor, limit: 1 }
    const [occurrence] = yield* schedules.occurrences(at)
    // If the occurrence is missing, `sluice schedule prune` has deleted it.
    return { kind: occurrence?.cause ?? "schedule", attempt: occurrence?.attempt } satisfies Trigger
  })

/** Maximum pages of a run for counts by step: with more, adding them up takes too long. */
const maxPagesCounted = 50_000

export const detail = (id: string) =>
  Effect.gen(function* () {
    const { held, history, logs } = yield* Ledger
    const queries = yield* Queries.ofLedger
    const watch = yield* Watch
    const { stopShared } = yield* Setup
    const first = yield* queries.progress([id])
    const alive = (yield* history.alive).has(id)
    // If no process is alive, read again: the run may have ended between the two reads, and must not look crashed.
    const [pace] = alive ? first : yield* queries.progress([id])
    if (pace === undefined) return yield* noRun(id)
    const run = yield* find(id)
    const now = yield* Clock.currentTimeMillis
    const line = RunView.lineOf(pace, alive, now)
    const graph = yield* RunView.graphOf(run)
    const progress = progressOf(pace, graph, watch.rates(id, now))
    const isLarge = ((yield* queries.lastOf([id])).get(id) ?? 0) > maxPagesCounted
    const counted = isLarge ? undefined : yield* history.run(id)
    const groups = yield* queries.rejectCounts(id, 10_000)
    const openRejects = groups.reduce((sum, { open }) => sum + open, 0)
    const options = run.options
    // A run without a checkpoint can be resumed, but a replay without one cannot.
    const isInterrupted = line.replayOf === undefined && ["stopped", "budget", "crashed"].includes(line.state)
    const hasEnded = line.state === "completed" || line.state === "failed"
    // Workers return the shards of a stopped run; a run that waits for workers can be stopped, too.
    const isShared = line.isGroup && stopShared !== undefined
    const isHeld = line.state === "held" || (!alive && line.state !== "waiting" && (yield* held.isReleased(id)))
    const mayResume =
      run.group === undefined
        ? isResumable(run) || (isInterrupted && !isSpent(run))
        : isShared && mayCompleteOnResume(run)
    const reads = replayReads(run)
    const suffix = `.${id}.partial`
    // Shows a held file under its final name.
    const outputs = RunView.outputsOf(run).map((each) => ({
      ...each,
      path: each.path.endsWith(suffix) ? each.path.slice(0, -suffix.length) : each.path
    }))
    return {
      ...line,
      file: run.file,
      out: run.out,
      stateKey: run.stateKey,
      inputs: (run.inputs ?? {}) as RunDetail["inputs"],
      limit: options.limit,
      backfill: options.backfill,
      why: run.error,
      graph,
      progress: {
        ...progress,
        steps: progress.steps.map((step) => {
          const { calls, credits, failedPages, openRejects, pages } =
            counted?.steps.find((each) => each.step === step.step) ?? {}
          return { ...step, calls, credits, failedPages, openRejects, pages }
        })
      },
      budget: yield* RunView.budgetOf(run, progress, now),
      outputs,
      lastGood: run.status === "held" ? yield* lastGoodOf(run, outputs) : undefined,
      news: yield* RunView.newsOf(line, run.error),
      openRejects,
      trigger: yield* triggerOf(pace),
      verdicts: yield* verdictsOf(id),
      // A shard writes to the log of its run.
      hasLog: yield* logs.exists(run.group ?? id),
      replay: hasEnded && openRejects > 0 && reads !== "nothing" ? reads : undefined,
      canResume: !alive && !isHeld && line.state !== "waiting" && mayResume,
      canDiscard: !alive && (yield* held.canDiscard(id)),
      canStop: isShared
        ? ["running", "waiting"].includes(line.state)
        : line.state === "running" && run.group === undefined,
      isHeld
    } satisfies RunDetail
  })

export const definition = (id: string) =>
  Effect.map(find(id), ({ definition: text, file }): Definition => ({ file, text }))

/** Size of a file in bytes; undefined if it does not exist. */
export const sizeOf = (place: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.orElseSucceed(
      Effect.map(files.stat(place), ({ size }) => Number(size)),
      () => undefined
    )
  )

/** Maximum characters of a row, a message and a key in a response. */
const maxLengths = { row: 20_000, message: 4_000, key: 4_000 }
const maxGroups = 100

export const rejects = (id: string, query: Query) =>
  Effect.gen(function* () {
    const queries = yield* Queries.ofLedger
    const which = (yield* query.word("which", ["open", "replayed", "all"])) ?? "all"
    const limit = yield* query.number("limit", { least: 1, most: page.most, otherwise: page.rejects })
    const after = yield* query.number("after", { most: Number.MAX_SAFE_INTEGER, otherwise: 0 })
    if (!(yield* queries.known([id])).has(id)) return yield* noRun(id)
    const found = yield* queries.rejects({
      run: id,
      which,
      step: query.text("step"),
      error: query.text("error"),
      text: query.text("text", 200),
      after,
      limit: limit + 1
    })
    const groups = yield* queries.rejectCounts(id, maxGroups)
    return {
      rejects: found
        .slice(0, limit)
        .map(
          ({
            at,
            attempts,
            content,
            definedAt,
            error,
            isCut,
            jobId,
            key,
            message,
            number,
            replayedBy,
            status,
            step
          }) => {
            const text = isCut ? content : JSON.stringify(JSON.parse(content), undefined, 2)
            return {
              number,
              step,
              key: key.slice(0, maxLengths.key),
              error,
              message: message.slice(0, maxLengths.message),
              status,
              attempts,
              definedAt,
              at: Date.parse(at),
              jobId,
              row: text.slice(0, maxLengths.row),
              isCut: isCut || text.length > maxLengths.row,
              replayedBy
            }
          }
        ),
      next: found.length > limit ? String(found[limit - 1]?.number) : null,
      groups
    } satisfies RejectList
  })

/** The log after a chunk (`after`), or else its end. The log of a shard is that of its run. */
export const readLog = (id: string, query: Query) =>
  Effect.gen(function* () {
    const { logs } = yield* Ledger
    const log = (yield* find(id)).group ?? id
    const after = yield* query.number("after", { most: Number.MAX_SAFE_INTEGER, otherwise: -1 })
    if (!(yield* logs.exists(log))) return yield* new Refusal({ status: 404, reason: `run ${id} has no stored log` })
    return (yield* logs.read(log, after < 0 ? undefined : after)) satisfies Log
  })
