/** Runs: the list, and one of them with everything that the ledger has of it. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { isSpent } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { isResumable } from "../Run/RunResult.ts"
import { type Definition, type RunDetail, type RunList, type State, states } from "../Web/Dashboard/Protocol/Runs.ts"
import { page } from "../Web/Dashboard/Protocol.ts"
import { Children } from "./Children.ts"
import { progressOf } from "./Counts.ts"
import * as Log from "./Log.ts"
import type { SummaryFilter } from "./Queries.ts"
import * as Queries from "./Queries.ts"
import { noRun, type Query, Refusal } from "./Refusal.ts"
import { Setup } from "./Setup.ts"
import * as Told from "./Told.ts"
import { Watch } from "./Watch.ts"

/** What the ledger has to be asked for runs in this state: who works on them is known by locks alone. */
const inState = (state: State | undefined, ids: ReadonlyArray<string>): Omit<SummaryFilter, "limit"> => {
  switch (state) {
    case undefined:
      return {}
    case "running":
    case "publishing":
      return { status: [state], alive: { ids, is: true } }
    case "crashed":
      return { status: ["running", "publishing"], alive: { ids, is: false }, shared: false }
    case "waiting":
      return { status: ["running", "publishing"], alive: { ids, is: false }, shared: true }
    default:
      return { status: [state] }
  }
}

/** `startedAt.id` of the last run of a page. */
const afterOf = (text: string | undefined): Either.Either<SummaryFilter["after"], Refusal> => {
  if (text === undefined) return Either.right(undefined)
  const [, startedAt, id] = /^(\d{1,16})\.(.+)$/.exec(text) ?? []
  return id === undefined
    ? Either.left(new Refusal({ status: 400, reason: "after: expected what an earlier answer gave as next" }))
    : Either.right({ startedAt: Number(startedAt), id })
}

export const list = (query: Query) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const survey = yield* Queries.survey
    const limit = yield* query.number("limit", { least: 1, most: page.most, otherwise: page.runs })
    const state = yield* query.word("state", states)
    const after = yield* afterOf(query.text("after"))
    const alive = yield* history.alive
    const found = yield* survey.runs({
      ...inState(state, [...alive]),
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
      runs: shown.map((run) => Told.lineOf(run, alive.has(run.id), now)),
      next: found.length > limit && last !== undefined ? `${last.startedAt}.${last.id}` : null
    } satisfies RunList
  })

export const pipelines = Effect.flatMap(Queries.survey, (survey) =>
  Effect.map(survey.pipelines, (names) => ({ names }))
)

export const find = (id: string) =>
  Effect.flatMap(Ledger, (ledger) =>
    Effect.flatMap(ledger.find(id), (run) => (run === undefined ? noRun(id) : Effect.succeed(run)))
  )

/** More pages than that are not added up step by step. */
const addedUp = 50_000

export const detail = (id: string) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const survey = yield* Queries.survey
    const watch = yield* Watch
    const children = yield* Children
    const { stopShared } = yield* Setup
    const run = yield* find(id)
    const [pace] = yield* survey.paces([id])
    if (pace === undefined) return yield* noRun(id)
    const alive = (yield* history.alive).has(id)
    const now = yield* Clock.currentTimeMillis
    const line = Told.lineOf(pace, alive, now)
    const graph = yield* Told.graphOf(run)
    const progress = progressOf(pace, graph, watch.rates(id, now))
    const isLarge = ((yield* survey.lastOf([id])).get(id) ?? 0) > addedUp
    const counted = isLarge ? undefined : yield* history.run(id)
    const groups = yield* survey.rejectCounts(id, 10_000)
    const openRejects = groups.reduce((sum, { open }) => sum + open, 0)
    const options = (run.options ?? {}) as { readonly limit?: number; readonly backfill?: boolean }
    // A run that was cut off before its first row goes on as well; a replay has to have begun.
    const isCut = line.replayOf === undefined && ["stopped", "budget", "crashed"].includes(line.state)
    const hasEnded = line.state === "completed" || line.state === "failed"
    // Workers give back what they have of it, also where none has anything now.
    const isShared = line.isGroup && stopShared !== undefined && ["running", "waiting"].includes(line.state)
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
      budget: yield* Told.budgetOf(run, progress, now),
      outputs: Told.outputsOf(run),
      news: yield* Told.newsOf(line, run.error),
      openRejects,
      hasLog: yield* Log.isThere(run),
      canReplay: hasEnded && openRejects > 0,
      canResume: !alive && run.group === undefined && (isResumable(run) || (isCut && !isSpent(run))),
      canStop: isShared || (alive && children.has(id))
    } satisfies RunDetail
  })

export const definition = (id: string) =>
  Effect.map(find(id), ({ definition: text, file }): Definition => ({ file, text }))

/** Bytes of the ledger's file. */
export const sizeOf = (place: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.orElseSucceed(
      Effect.map(files.stat(place), ({ size }) => Number(size)),
      () => undefined
    )
  )
