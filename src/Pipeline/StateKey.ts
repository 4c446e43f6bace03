/** State key: names the state that runs of a pipeline share. One run at a time holds its lock. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Schema from "effect/Schema"
import type { Checked } from "./Check.ts"
import { State } from "./Definition.ts"
import { open, type Scope } from "./Interpolate.ts"
import { DefinitionInvalid } from "./Mistake.ts"
import { decodePart } from "./Node.ts"

/**
 * Settled with the run's values: without them it may be {@link open}. Undefined when the pipeline keeps nothing and asks for
 * no state; its name when a step keeps something and no key is said.
 */
export const stateKey = (
  checked: Checked,
  scope: Pick<Scope, "env" | "secrets" | "run">
): Effect.Effect<string | typeof open | undefined, DefinitionInvalid> =>
  Effect.gen(function* () {
    const { frame, inputs, remembering, source } = checked
    const written = (source.value as { readonly state?: unknown }).state
    if (written === undefined) return remembering.length > 0 ? frame.name : undefined
    const names: Scope = { ...scope, inputs, steps: {} }
    const state = yield* decodePart(State as Schema.Schema<State, unknown>, written, ["state"], names)
    if (Either.isLeft(state)) {
      const mistakes = state.left.map((mistake) => ({ ...mistake, ...source.locate(mistake.path) }))
      return yield* new DefinitionInvalid({ file: source.file, mistakes })
    }
    return state.right === open ? open : (state.right.key ?? frame.name)
  })
