/** All that the steps of one run share: who they are, where they write, what is counted. */
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import type { Checked } from "../Pipeline/Check.ts"
import type { Common } from "../Pipeline/Definition.ts"
import type { Node } from "../Pipeline/Node.ts"
import type { Source } from "../Pipeline/Source.ts"
import { keyOf } from "../Row.ts"
import type { Progress, RunOptions } from "../Run.ts"
import type { Context, Output, Publish, StepError } from "../Step.ts"
import { makeSettle } from "./OnError.ts"
import type { RejectFile } from "./Rejects.ts"

export interface Execution extends RunOptions {
  readonly id: string
  readonly startedAt: Date
  readonly progress: Ref.Ref<Progress>
  readonly rejects: RejectFile
  /** What sinks left to be done at a good end. */
  readonly publications: Ref.Ref<ReadonlyArray<Effect.Effect<Publish, StepError>>>
  /** The outputs that stand under their final names. */
  readonly published: Ref.Ref<ReadonlyArray<Output>>
}

/** Rows worked on at once where a step says nothing. */
const defaultConcurrency = 4

/** `${{ run.… }}` and `$run`. */
export const describeRun = (execution: Execution) => ({
  id: execution.id,
  site: execution.site,
  startedAt: execution.startedAt.toISOString(),
  date: execution.startedAt.toISOString().slice(0, 10)
})

/** Where a step is defined: `file:line:column`. */
export const definedAt = (source: Source, node: Node): string => {
  const place = source.locate(["steps", node.index])
  return place === undefined ? source.file : `${source.file}:${place.line}:${place.column}`
}

/** What one step may use of the run. */
export const makeContext = (
  checked: Checked,
  execution: Execution,
  node: Node,
  common: Common
): Effect.Effect<Context, StepError> =>
  Effect.gen(function* () {
    const { progress } = execution
    const { source } = checked
    const run = describeRun(execution)
    const isSource = node.step.behaviour.kind === "source"
    const { onError = "reject" } = common
    if (onError === "reject" || typeof onError === "object") yield* execution.rejects.prepare
    const { ended, failed } = yield* makeSettle({
      step: node.id,
      definedAt: definedAt(source, node),
      onError,
      rejects: execution.rejects,
      // A source is given nothing, or rows that each become many: it is judged by what it makes.
      seen: (rejected) =>
        Effect.map(Ref.get(progress), ({ steps }) =>
          isSource ? (steps[node.id] ?? 0) + rejected : (steps[node.input ?? node.id] ?? 0)
        ),
      counted: Ref.update(progress, (now) => ({ ...now, rejects: now.rejects + 1 }))
    })
    const publish: Context["publish"] = (seal) => Ref.update(execution.publications, (all) => [...all, seal])
    yield* publish(Effect.as(ended, Effect.succeed([])))
    return {
      id: node.id,
      runId: execution.id,
      startedAt: execution.startedAt,
      folder: source.folder,
      out: execution.out,
      concurrency: common.concurrency ?? defaultConcurrency,
      wanted: isSource ? execution.wanted : undefined,
      failed,
      bindings: (row) => ({
        now: execution.startedAt,
        names: {
          run,
          source: row.source,
          get key() {
            return keyOf(row)
          }
        }
      }),
      spend: (credits) =>
        Ref.update(progress, (now) =>
          credits === undefined ? { ...now, unpriced: now.unpriced + 1 } : { ...now, credits: now.credits + credits }
        ),
      expect: (rows) => Ref.update(progress, (now) => ({ ...now, expected: now.expected + rows })),
      publish
    }
  })
