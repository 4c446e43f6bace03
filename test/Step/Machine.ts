/** A run as a step sees it, without the run: what is pushed, kept, lost and told. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { mistakesOf } from "../../src/Pipeline/Mistake.ts"
import { type Data, type Json, keyOf, type Row } from "../../src/Row.ts"
import type * as Step from "../../src/Step.ts"

/** What a run has taken down of a step. */
export interface World {
  readonly rejects: Array<{ readonly row: Row; readonly error: Step.StepError }>
  readonly puts: Array<Step.StateChange>
  incomplete: boolean
}

export interface Around {
  readonly folder?: string
  readonly allowCode?: boolean
  readonly wanted?: number
  /** What earlier runs left; without it the state is not active. */
  readonly earlier?: ReadonlyArray<Step.StateEntry>
  readonly met?: ReadonlyArray<string>
  readonly complete?: boolean
  readonly runId?: string
  readonly timeout?: Duration.Duration
  /** Pages that came with an error before the run was resumed. */
  readonly failedPages?: ReadonlyArray<string>
  /** Answers of an earlier start of the same run. */
  readonly answers?: Map<string, unknown>
}

const filesAndPaths = Layer.merge(NodeFileSystem.layer, NodePath.layer)

/** The steps that are tried here ask for files, and never for a client. */
export const provided = <A, E>(effect: Effect.Effect<A, E, Step.Services>): Effect.Effect<A, E> =>
  Effect.provide(effect, filesAndPaths) as Effect.Effect<A, E>

export const newWorld = (): World => ({ rejects: [], puts: [], incomplete: false })

export const contextOf = (around: Around, world: World): Step.Context => ({
  written: undefined,
  secrets: [],
  id: "step",
  runId: around.runId ?? "run-1",
  startedAt: new Date(0),
  folder: around.folder ?? "/nowhere",
  out: "/nowhere",
  adds: false,
  cut: Effect.void,
  failsOn: (status) => status >= 500,
  retryPage: () => Effect.succeed(false),
  tried: () => Effect.void,
  failedPages: () => Effect.succeed(new Set(around.failedPages ?? [])),
  allowCode: around.allowCode ?? false,
  concurrency: 4,
  timeout: around.timeout,
  wanted: around.wanted,
  bindings: (row) => ({ names: { key: keyOf(row), source: row.source, run: { id: around.runId ?? "run-1" } } }),
  failed: (row, error) =>
    Effect.sync(() => {
      world.rejects.push({ row, error })
      return []
    }),
  reserve: (_, { most = 1 }) =>
    Effect.succeed({
      id: undefined,
      units: most,
      spend: () => {},
      settle: () => {},
      shrink: () => {},
      end: () => {},
      release: Effect.void,
      wanted: Effect.never
    }),
  spend: () => Effect.void,
  once: ({ buys, name = "" }, ask) =>
    around.answers?.has(name) === true
      ? Effect.succeed(around.answers.get(name) as never)
      : Effect.tap(ask(name, buys?.most ?? 1), (answer) => Effect.sync(() => around.answers?.set(name, answer))),
  incomplete: () =>
    Effect.sync(() => {
      world.incomplete = true
    }),
  warnOnce: (_, message) => Effect.logWarning(message),
  stopping: Effect.never,
  leaveRunning: () => undefined,
  usedUp: Effect.void,
  isStopped: () => false,
  state: {
    active: around.earlier !== undefined,
    load: Effect.succeed(around.earlier ?? []),
    put: (changes) => Effect.sync(() => void world.puts.push(...changes)),
    met: Effect.succeed(new Set(around.met ?? [])),
    knowsAny: () => Effect.succeed(true),
    whyIncomplete: Effect.succeed(around.complete === false ? "read: it reached its limit" : undefined)
  }
})

/** The step's fields as they are decoded, or what is wrong with them. */
export const configOf = (step: Step.Any, config: unknown): Either.Either<unknown, ReadonlyArray<string>> =>
  Either.mapLeft(
    Schema.decodeUnknownEither(step.config, { errors: "all", onExcessProperty: "error" })(config),
    (error) => mistakesOf(error.issue).map(({ message, path }) => [...path.map(String), message].join(": "))
  )

/** Rows of plain data. */
export const rowsOf = (data: ReadonlyArray<Data>): ReadonlyArray<Row> =>
  data.map((each, position) => ({ data: each, position }))

/** What two passes are compared by. */
export interface Result {
  readonly rows: ReadonlyArray<readonly [key: string, data: Data]>
  readonly rejects: ReadonlyArray<readonly [key: string, reason: string]>
  readonly puts: ReadonlyArray<Step.StateChange>
  readonly warnings: ReadonlyArray<string>
  /** Of the rejects. */
  readonly messages: ReadonlyArray<string>
  /** Entries that the last checkpoint left. */
  readonly kept: number
}

/** Runs an effect and gives what it warns of, beside what it comes to. */
const listening = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const warnings: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel._tag === "Warning") warnings.push(String(message))
    })
    return Effect.map(Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger)), (result) => ({
      ...result,
      warnings
    }))
  })

const told = (rows: ReadonlyArray<Row>): Result["rows"] => rows.map((row) => [keyOf(row), row.data])

/** What may happen on the way: a chunk of rows or a batch of the end goes by, and then perhaps something else. */
export type Event = { readonly rows: number; readonly after: "nothing" | "checkpoint" | "crash" }

interface Committed {
  value: Json | undefined
  entries: Map<string, Json>
  out: ReadonlyArray<Row>
  rejects: World["rejects"]
  puts: World["puts"]
  pushed: number
  cursor: Json | undefined
}

const plain = <A>(value: A): A => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as A))

/**
 * Pushes all rows through a step, and takes what comes at the end. After a crash the step is made again from its last
 * checkpoint, and what came after that is pushed again. The last event stands for all that follow.
 */
export const pass = (
  step: Step.Any,
  config: unknown,
  rows: ReadonlyArray<Row>,
  events: ReadonlyArray<Event> = [],
  around: Around = {}
): Effect.Effect<Result, Step.StepError> =>
  provided(
    Effect.gen(function* () {
      const { behaviour } = step
      if (behaviour.kind !== "transform") return yield* Effect.dieMessage("not a transform")
      const decoded = Either.getOrThrow(configOf(step, config))
      let world = newWorld()
      let next = 0
      const last: Committed = {
        value: undefined,
        entries: new Map(),
        out: [],
        rejects: [],
        puts: [],
        pushed: 0,
        cursor: undefined
      }
      const make = Effect.suspend(() => {
        world = { rejects: [...last.rejects], puts: [...last.puts], incomplete: false }
        const entries = [...last.entries].sort(([a], [b]) => (a < b ? -1 : 1))
        return behaviour.make(decoded, contextOf(around, world), plain({ value: last.value, entries }))
      })
      let machine = yield* make
      let out: Array<Row> = []
      let pushed = 0
      let cursor: Json | undefined
      let crashes = 0

      /** True when the step was made again. */
      const happen = (after: Event["after"]) =>
        Effect.gen(function* () {
          if (after === "nothing") return false
          if (after === "crash") {
            // A run that always fell at the same place would never end.
            if (++crashes > events.length) return false
            machine = yield* make
            out = [...last.out]
            pushed = last.pushed
            cursor = last.cursor
            return true
          }
          const { entries = [], value } = yield* machine.save ?? Effect.succeed<Step.Changes>({})
          if (value !== undefined) last.value = plain(value)
          for (const [key, entry] of plain(entries)) {
            if (entry === undefined || entry === null) last.entries.delete(key)
            else last.entries.set(key, entry)
          }
          Object.assign(last, { out: [...out], rejects: [...world.rejects], puts: [...world.puts], pushed, cursor })
          return false
        })

      for (;;) {
        while (pushed < rows.length && machine.full?.() !== true) {
          const event = events[Math.min(next++, events.length - 1)] ?? { rows: rows.length, after: "nothing" }
          const chunk = rows.slice(pushed, pushed + Math.max(1, event.rows))
          out.push(...(yield* machine.push(chunk)))
          pushed += chunk.length
          yield* happen(event.after)
        }
        if (machine.end === undefined) break
        let again = false
        yield* Stream.runForEachWhile(machine.end(plain(cursor)), (batch) =>
          Effect.gen(function* () {
            out.push(...batch.rows)
            cursor = batch.cursor
            const event = events[Math.min(next++, events.length - 1)] ?? { rows: 0, after: "nothing" }
            again = yield* happen(event.after)
            return !again
          })
        )
        if (!again) break
      }
      return {
        rows: told(out),
        rejects: world.rejects.map(({ error, row }) => [keyOf(row), error.reason] as const),
        messages: world.rejects.map(({ error }) => error.message),
        puts: world.puts,
        kept: last.entries.size
      }
    }).pipe(Effect.scoped, listening)
  )

/** All batches of a source. */
export const readAll = (step: Step.Any, config: unknown, around: Around = {}, from?: Json) =>
  provided(
    Effect.gen(function* () {
      const { behaviour } = step
      if (behaviour.kind !== "source") return yield* Effect.dieMessage("not a source")
      const world = newWorld()
      const context = contextOf(around, world)
      const batches: Array<Step.Batch> = []
      const failure = yield* behaviour.read(Either.getOrThrow(configOf(step, config)), context, { from }).pipe(
        Stream.runForEach((batch) => Effect.sync(() => void batches.push({ ...batch, cursor: plain(batch.cursor) }))),
        Effect.flip,
        Effect.option
      )
      return {
        batches,
        rows: batches.flatMap((batch) => batch.rows),
        rejects: batches.flatMap(({ failures = [] }) => failures),
        puts: world.puts,
        incomplete: world.incomplete,
        failure: failure._tag === "Some" ? (failure.value as Step.StepError) : undefined
      }
    }).pipe(listening)
  )
