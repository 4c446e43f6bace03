/** A pipeline as a value: what YAML, JSON and TypeScript all come down to. */
import type * as Schema from "effect/Schema"
import type { forApart, forPages, ignoredByKind } from "./Pipeline/Definition.ts"
import { type BuiltIn, type Extensions, extend } from "./Pipeline/Extensions.ts"
import type { CommonKeys, Frame, StepFields } from "./Pipeline/Interfaces.ts"
import type { RowOf, WithRows } from "./Pipeline/RowType.ts"
import type * as Sink from "./Sink.ts"
import type * as Step from "./Step.ts"

export type { Checked, TypedChecked } from "./Pipeline/Check.ts"
export type { Extensions } from "./Pipeline/Extensions.ts"
export { DefinitionInvalid, type PlacedIssue } from "./Pipeline/Issue.ts"
export { from, type Given, load } from "./Pipeline/Load.ts"
export type { ReadRow, RowOf, SelectedRow, UrlRow } from "./Pipeline/RowType.ts"

/** `${{ … }}`: settled once before the run, and then of the type that the field wants. */
export type Settled = `\${{${string}}}`

type Interpolated<T> = T extends string | number | boolean
  ? T | Settled
  : T extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Interpolated<Item>> | Settled
    : T extends object
      ? FieldsWith<T> | Settled
      : T

/** An object whose fields may be `${{ … }}`; a type of its own, so that editors show the name of the object. */
type FieldsWith<T> = { readonly [K in keyof T]: Interpolated<T[K]> }

type Trait<S extends Step.Any, Name extends string> = S["behaviour"] extends { readonly [K in Name]?: infer Value }
  ? Value
  : undefined

/** The keys that would do nothing on a step. */
type Idle<S extends Step.Any> =
  | Exclude<
      (typeof ignoredByKind)[S["behaviour"]["kind"]][number],
      S["behaviour"]["kind"] extends "transform"
        ? true extends Trait<S, "apart">
          ? (typeof forApart)[number]
          : never
        : never
    >
  | (true extends Trait<S, "pages"> ? never : (typeof forPages)[number])
  | (S["behaviour"]["kind"] extends "sink" ? "retry" : never)
  | (S["behaviour"]["kind"] extends "transform" ? (true extends Trait<S, "calls"> ? never : "retry") : never)

type Beside<S extends Step.Any> = {
  readonly [K in keyof CommonKeys]?: K extends Idle<S> ? never : Interpolated<CommonKeys[K]> | undefined
}

/** The fields of a step, with their descriptions for the steps of Sluice. */
type FieldsOf<Key extends string, S extends Step.Any> = Key extends keyof StepFields
  ? S extends BuiltIn
    ? StepFields[Key]
    : Schema.Schema.Encoded<S["config"]>
  : Schema.Schema.Encoded<S["config"]>

/** The keys of the other steps: one item of the list is one step. */
type NoOther<Key extends string, All extends Step.Any> = { readonly [K in Exclude<All["key"], Key>]?: never }

/** A step of a definition: its own key with its fields, and the common keys that it carries out. `Own`: steps beside those of Sluice. */
export type StepDefinition<Own extends Step.Any = never, OwnSink extends Sink.Any = never> = {
  [S in BuiltIn | Own as S["key"]]: {
    readonly [K in S["key"]]: Interpolated<
      FieldsOf<K, S> | (K extends "write" ? Schema.Schema.Encoded<OwnSink["config"]> : never)
    >
  } & Beside<S> &
    NoOther<S["key"], BuiltIn | Own>
}[(BuiltIn | Own)["key"]]

/** A definition in TypeScript. */
export interface Definition<Own extends Step.Any = never, OwnSink extends Sink.Any = never>
  extends Omit<Frame, "steps"> {
  /** Steps in their order: each reads the rows of the step above it. At least one, which `check` sees: in a type that says so, issues would be shown at the list and not at the step. */
  readonly steps: ReadonlyArray<StepDefinition<Own, OwnSink>>
}

/** A definition whose rows have a known type at its end. */
export interface TypedDefinition<out Content extends object> extends Definition, WithRows<Content> {}

/**
 * A pipeline definition with its types checked; the default export of a `.ts` pipeline. The value is plain data, the
 * same that a YAML file gives. `extensions` are steps and sinks of your own (`Step.make`, `Sink.make`), which the definition
 * may use like those of Sluice.
 *
 * The type of the rows follows from the steps, and reaches `Run.rows` and `createPipeline`: `urls`, `read` with typed columns, steps that give
 * pages (`Document`) and `select`, where the steps are one chain. Rows of all other definitions hold anything.
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
export const make = <
  const Given,
  const Own extends ReadonlyArray<Step.Any> = readonly [],
  const OwnSinks extends ReadonlyArray<Sink.Any> = readonly []
>(
  // The branch that is never taken infers the literal; the value is checked against the other one.
  definition: [Given] extends [never] ? Given : Definition<Own[number], OwnSinks[number]>,
  extensions?: Extensions & { readonly steps?: Own; readonly sinks?: OwnSinks }
): TypedDefinition<RowOf<Given>> =>
  // Only the types of the extensions are lost: who reads a definition checks it by its schemas.
  (extensions === undefined ? definition : extend(definition as Definition, extensions)) as TypedDefinition<
    RowOf<Given>
  >
