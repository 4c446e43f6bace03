/** A pipeline as a value: what YAML, JSON and TypeScript all come down to. */
import type * as Schema from "effect/Schema"
import type { Common, Frame, settledKeys } from "./Pipeline/Definition.ts"
import type { AnyStep } from "./Pipeline/Steps.ts"

export type { Checked } from "./Pipeline/Check.ts"
export { from, type Given, load } from "./Pipeline/Load.ts"
export { DefinitionInvalid } from "./Pipeline/Mistake.ts"

/** `${{ … }}`: settled once before the run, and then of the type that the field wants. */
export type Settled = `\${{${string}}}`

type Interpolated<T> = T extends string | number | boolean
  ? T | Settled
  : T extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Interpolated<Item>> | Settled
    : T extends object
      ? { readonly [K in keyof T]: Interpolated<T[K]> } | Settled
      : T

type CommonKeys = {
  readonly [K in keyof Schema.Schema.Encoded<typeof Common>]?:
    | Interpolated<Schema.Schema.Encoded<typeof Common>[K]>
    | undefined
}

/** A step: its own key with its fields, and the keys that every step may have. */
export type StepDefinition = {
  [S in AnyStep as S["key"]]: {
    readonly [K in S["key"]]: Interpolated<Schema.Schema.Encoded<S["config"]>>
  } & CommonKeys
}[AnyStep["key"]]

type FrameDefinition = Schema.Schema.Encoded<typeof Frame>
type SettledKey = (typeof settledKeys)[number]
type SettledFrame = {
  readonly [K in SettledKey]?: Interpolated<NonNullable<FrameDefinition[K]>> | undefined
}

/** A definition in TypeScript. */
export interface Definition extends Omit<FrameDefinition, "steps" | SettledKey>, SettledFrame {
  readonly steps: readonly [StepDefinition, ...ReadonlyArray<StepDefinition>]
}

/**
 * A pipeline definition with its types checked; the default export of a `.ts` pipeline. The value is plain data, the
 * same that a YAML file gives.
 *
 * @example
 * ```ts
 * import { Pipeline } from "sluice"
 *
 * export default Pipeline.make({
 *   version: 1,
 *   name: "two-pages",
 *   steps: [
 *     { urls: ["https://example.com/a", "https://example.com/b"] },
 *     { scrape: { formats: ["markdown"] } },
 *     { write: { jsonl: "pages.jsonl" } }
 *   ]
 * })
 * ```
 */
export const make = (definition: Definition): Definition => definition
