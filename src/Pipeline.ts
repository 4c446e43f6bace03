/** A pipeline as a value: what YAML, JSON and TypeScript all come down to. */
import type * as Schema from "effect/Schema"
import type { Common, Frame, forApart, forPages, ignoredByKind } from "./Pipeline/Definition.ts"
import type { AnyStep } from "./Pipeline/Steps.ts"

export type { Checked } from "./Pipeline/Check.ts"
export { from, type Given, load } from "./Pipeline/Load.ts"
export { DefinitionInvalid, type PlacedMistake } from "./Pipeline/Mistake.ts"

/** `${{ … }}`: settled once before the run, and then of the type that the field wants. */
export type Settled = `\${{${string}}}`

type Interpolated<T> = T extends string | number | boolean
  ? T | Settled
  : T extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Interpolated<Item>> | Settled
    : T extends object
      ? { readonly [K in keyof T]: Interpolated<T[K]> } | Settled
      : T

type StepKey = AnyStep["key"]
type CommonKeys = Schema.Schema.Encoded<typeof Common>

/** The keys that would do nothing on a step. */
type Idle<S extends AnyStep> =
  | Exclude<
      (typeof ignoredByKind)[S["behaviour"]["kind"]][number],
      S["behaviour"]["kind"] extends "transform"
        ? true extends S["behaviour"]["apart"]
          ? (typeof forApart)[number]
          : never
        : never
    >
  | (true extends S["behaviour"]["pages"] ? never : (typeof forPages)[number])
  | (S["behaviour"]["kind"] extends "sink" ? "retry" : never)
  | (S["behaviour"]["kind"] extends "transform" ? (true extends S["behaviour"]["calls"] ? never : "retry") : never)

type Beside<S extends AnyStep> = {
  readonly [K in keyof CommonKeys]?: K extends Idle<S> ? never : Interpolated<CommonKeys[K]> | undefined
}

/** The keys of the other steps: one item of the list is one step. */
type NoOther<Key extends StepKey> = { readonly [K in Exclude<StepKey, Key>]?: never }

/** A step: its own key with its fields, and the keys beside it that it carries out. */
export type StepDefinition = {
  [S in AnyStep as S["key"]]: {
    readonly [K in S["key"]]: Interpolated<Schema.Schema.Encoded<S["config"]>>
  } & Beside<S> &
    NoOther<S["key"]>
}[StepKey]

/** A definition in TypeScript. */
export interface Definition extends Omit<Schema.Schema.Encoded<typeof Frame>, "steps"> {
  /** At least one, which `check` sees: in a type that says so, mistakes would be shown at the list and not at the step. */
  readonly steps: ReadonlyArray<StepDefinition>
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
