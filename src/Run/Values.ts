/** Values of `${{ steps.… }}`: a value step runs at most once per run, when the first step that names it is decoded. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Scope from "effect/Scope"
import type { Checked } from "../Pipeline/Check.ts"
import { open } from "../Pipeline/Interpolate.ts"
import { DefinitionInvalid } from "../Pipeline/Issue.ts"
import { type DecodedNode, decode, type Node, namedSteps } from "../Pipeline/Node.ts"
import * as Pin from "../Pipeline/Pin.ts"
import type { Services, StepError } from "../Step.ts"
import { withRetry } from "./Retry.ts"
import { describeRun, makeStepContext, type RunContext, type StepValues } from "./RunContext.ts"
import { inStep } from "./RunErrors.ts"
import type { RunOptions } from "./RunSpec.ts"

/** Decoded step with the values of the steps that it names. */
interface WithValues extends DecodedNode {
  readonly steps: StepValues
}

type Decode = (node: Node) => Effect.Effect<WithValues, StepError | DefinitionInvalid, Services>

/** Value steps that a node names. */
const named = (checked: Checked, node: Node): ReadonlyArray<Node> => {
  const ids = namedSteps(node)
  return checked.nodes.filter((each) => each.step.behaviour.kind === "value" && ids.has(each.id))
}

type Instead = RunOptions["instead"]

/** True when a step can be decoded only after another step has run. A step whose output is replaced needs no values. */
export const awaitsValue = (checked: Checked, node: Node, instead: Instead): boolean =>
  instead?.has(node.id) !== true && named(checked, node).length > 0

/** Makes the decoder of steps. A value step runs once for all steps that name it. */
export const makeDecode = (checked: Checked, run: RunContext): Effect.Effect<Decode, never, Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const runValues = describeRun(checked, run)
    const values = new Map<string, Effect.Effect<unknown, StepError | DefinitionInvalid, Services>>()

    const decodeNode: Decode = (node) =>
      Effect.gen(function* () {
        const steps: Record<string, { readonly output: unknown }> = {}
        for (const { id } of named(checked, node)) {
          if (run.instead?.has(node.id) === true) {
            steps[id] = { output: open }
            continue
          }
          const value = values.get(id)
          if (value !== undefined) steps[id] = { output: yield* value }
        }
        const decoded = yield* decode(node, {
          inputs: checked.inputs,
          env: run.env ?? {},
          secrets: run.secrets ?? (() => undefined),
          run: runValues,
          steps
        })
        if (Either.isRight(decoded)) return { ...decoded.right, steps }
        const issues = decoded.left.map((issue) => ({ ...issue, ...checked.source.locate(issue.path) }))
        return yield* new DefinitionInvalid({ file: checked.source.file, issues })
      })

    for (const node of checked.nodes) {
      const { behaviour } = node.step
      if (behaviour.kind !== "value") continue
      const get = Effect.gen(function* () {
        const { common, config, steps } = yield* decodeNode(node)
        if (common.when === false) return undefined
        if (common.pin !== undefined) return yield* Pin.answer(checked, node, common.pin, config as Pin.Question)
        const { context } = makeStepContext(checked, run, node, common, steps)
        const ask = Scope.extend(withRetry(behaviour.get(config, context), common.retry), scope)
        if (behaviour.fleeting === true) return yield* ask
        // Cached for the whole run, also across resumes.
        const cost = node.step.cost?.(config)
        return yield* context.once(
          {
            name: "value",
            ...(cost === undefined ? {} : { buys: { cost: () => cost }, book: () => ({ credits: undefined }) })
          },
          () => Effect.map(ask, (value) => value ?? null)
        )
      })
      // A failure names the value step itself, not the step that needs the value.
      const located = Effect.mapError(get, (error) =>
        error._tag === "StepError" ? inStep(error, checked, node) : error
      )
      values.set(node.id, yield* Effect.cached(located))
    }
    return decodeNode
  })
