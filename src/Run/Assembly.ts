/** The steps of a definition, folded lazily into streams and drained side by side. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Checked } from "../Pipeline/Check.ts"
import type { Node } from "../Pipeline/Node.ts"
import type { Row } from "../Row.ts"
import { type Services, StepError } from "../Step.ts"
import { definedAt, type Execution, makeContext } from "./Execution.ts"
import { fanOut } from "./FanOut.ts"
import { runItems } from "./Items.ts"
import { allRejected } from "./Rejects.ts"
import { withRetry, withRetryStream, withRetryThrough } from "./Retry.ts"
import { asStepError, awaitsValue, makeDecode } from "./Values.ts"

type Rows = Stream.Stream<Row, StepError, Services>

/** Builds every step, drains every end, and publishes what the sinks have written. */
export const assemble = (checked: Checked, execution: Execution) =>
  Effect.gen(function* () {
    const { nodes, source } = checked
    const inStep = ({ cause, message, reason, ...error }: StepError, node: Node): StepError =>
      new StepError({
        reason,
        message,
        cause,
        step: error.step ?? node.id,
        definedAt: error.definedAt ?? definedAt(source, node)
      })
    const decode = yield* makeDecode(checked, execution)
    const scope = yield* Effect.scope

    /** What a node does with its input. */
    const build = (node: Node) =>
      Effect.gen(function* () {
        const { common, config } = yield* decode(node)
        const { behaviour } = node.step
        if (common.when === false) {
          // What a source would have read is still read, for those who read beside it.
          return (rows: Rows): Rows => (behaviour.kind === "source" ? Stream.drain(rows) : rows)
        }
        const context = yield* makeContext(checked, execution, node, common)
        switch (behaviour.kind) {
          case "source": {
            const read = (row?: Row): Rows => withRetryStream(behaviour.read(config, context, row), common.retry)
            if (node.input === undefined) return () => read()
            const readEach = (row: Row): Rows =>
              Stream.catchAll(read(row), (error) =>
                error.reason === "TooManyRejects"
                  ? Stream.fail(error)
                  : Stream.fromIterableEffect(context.failed(row, error))
              )
            return (rows: Rows): Rows => Stream.flatMap(rows, readEach, { concurrency: common.concurrency ?? 1 })
          }
          case "item":
            return yield* runItems(
              (row) => withRetry(behaviour.apply(config, row, context), common.retry),
              common,
              context
            )
          case "stream":
            return withRetryThrough(yield* behaviour.through(config, context), common.retry)
          case "value":
            return (rows: Rows): Rows => rows
        }
      })

    const ended = new Map<string, Deferred.Deferred<void>>()
    /** The rows of each step, once for every step that reads them. */
    const given = new Map<string, Array<Rows>>()
    const ends: Array<Rows> = []

    for (const node of nodes) {
      if (node.step.behaviour.kind === "value") continue
      const input = (node.input === undefined ? undefined : given.get(node.input)?.pop()) ?? Stream.empty
      // A step that waits for a value is built when its first row is asked for; every other one now, so that a
      // mistake or a folder that cannot be written ends the run before its first request.
      const through = Scope.extend(build(node), scope).pipe(
        Effect.catchTag("StepError", (error) => Effect.fail(inStep(error, node)))
      )
      const rows: Rows = awaitsValue(checked, node)
        ? Stream.unwrap(Effect.map(Effect.mapError(through, asStepError), (make) => make(input)))
        : (yield* through)(input)
      const end = yield* Deferred.make<void>()
      ended.set(node.id, end)
      const waits = node.after.flatMap((id) => ended.get(id) ?? [])
      const own = rows.pipe(
        (each) =>
          waits.length === 0
            ? each
            : Stream.unwrap(Effect.as(Effect.forEach(waits, Deferred.await, { discard: true }), each)),
        Stream.mapError((error) => inStep(error, node)),
        Stream.ensuring(Deferred.succeed(end, undefined))
      )
      const counted = Stream.mapChunksEffect(own, (chunk) =>
        Effect.as(
          Ref.update(execution.progress, (now) => ({
            ...now,
            steps: { ...now.steps, [node.id]: (now.steps[node.id] ?? 0) + chunk.length }
          })),
          chunk
        )
      )
      const readers = nodes.filter((each) => each.input === node.id).length
      if (readers === 0) ends.push(counted)
      else given.set(node.id, readers === 1 ? [counted] : [...(yield* fanOut(counted, readers))])
    }

    yield* Effect.forEach(
      ends,
      (rows) =>
        Stream.runForEachChunk(rows, (chunk) =>
          Ref.update(execution.progress, (now) => ({ ...now, rows: now.rows + chunk.length }))
        ),
      { concurrency: "unbounded", discard: true }
    )
    yield* publish(execution)
  })

/** Outputs appear together or not at all, as far as a file system can do that: all are sealed before the first is named. */
const publish = (execution: Execution): Effect.Effect<void, StepError> =>
  Effect.gen(function* () {
    const { rejects, rows } = yield* Ref.get(execution.progress)
    if (rows === 0 && rejects > 0) return yield* allRejected(rejects, execution.rejects)
    const sealed = yield* Effect.forEach(yield* Ref.get(execution.publications), (seal) => seal)
    const named = Effect.forEach(sealed, (publish) =>
      Effect.flatMap(publish, (outputs) => Ref.update(execution.published, (all) => [...all, ...outputs]))
    )
    yield* Effect.uninterruptible(named)
  })
