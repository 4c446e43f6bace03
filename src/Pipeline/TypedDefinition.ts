/** TypeScript types of a definition: the fields of each step, and the common keys that have an effect on it. */
import type * as Schema from "effect/Schema"
import type { CommonKeys, Frame, IdleKeys, StepFields } from "../Generated/Pipeline.ts"
import type * as Sink from "../Sink.ts"
import type { StandardSchema } from "../Step/StandardSchema.ts"
import type * as Step from "../Step.ts"
import type { forPages, ignoredByKind, perRowKeys } from "./Definition.ts"
import type { WithRows } from "./RowType.ts"

/** `${{ … }}`: resolved once before the run to a value of the field's type. */
export type Settled = `\${{${string}}}`

type Interpolated<T> = T extends StandardSchema
  ? T
  : T extends string | number | boolean
    ? T | Settled
    : T extends ReadonlyArray<infer Item>
      ? ReadonlyArray<Interpolated<Item>> | Settled
      : T extends object
        ? FieldsWith<T> | Settled
        : T

/** An object whose fields may be `${{ … }}`. A separate type, so that editors show its name. */
type FieldsWith<T> = { readonly [K in keyof T]: Interpolated<T[K]> }

type Trait<S extends Step.Any, Name extends string> = S["behaviour"] extends { readonly [K in Name]?: infer Value }
  ? Value
  : undefined

/** The common keys that have no effect on a step. */
type Idle<S extends Step.Any> =
  | Exclude<
      (typeof ignoredByKind)[S["behaviour"]["kind"]][number],
      S["behaviour"]["kind"] extends "transform"
        ? true extends Trait<S, "perRow">
          ? (typeof perRowKeys)[number]
          : never
        : never
    >
  | (true extends Trait<S, "pages"> ? never : (typeof forPages)[number])
  | (S["behaviour"]["kind"] extends "sink" ? "retry" : never)
  | (S["behaviour"]["kind"] extends "transform" ? (true extends Trait<S, "calls"> ? never : "retry") : never)

type Beside<Idle extends string> = {
  readonly [K in keyof CommonKeys]?: K extends Idle ? never : Interpolated<CommonKeys[K]> | undefined
}

/** The fields of a step as in YAML; in TypeScript, a schema itself is allowed in place of its name. */
type WithSchema<Fields> = {
  readonly [K in keyof Fields]: K extends "schema" ? Fields[K] | StandardSchema : Fields[K]
}

/** Forbids the keys of other steps: one item of the list is one step. */
type NoOther<Key extends string, All extends string> = { readonly [K in Exclude<All, Key>]?: never }

/** A step of Sluice. `Other`: keys of additional steps; `Sinks`: fields of additional sinks. */
type BuiltInStep<Other extends string = never, Sinks = never> = {
  [Key in keyof StepFields]: {
    readonly [K in Key]: Interpolated<
      (K extends "extract" ? WithSchema<StepFields[K]> : StepFields[K]) | (K extends "write" ? Sinks : never)
    >
  } & Beside<IdleKeys[Key]> &
    NoOther<Key, keyof StepFields | Other>
}[keyof StepFields]

type OwnStep<Own extends Step.Any> = {
  [S in Own as S["key"]]: {
    readonly [K in S["key"]]: Interpolated<Schema.Schema.Encoded<S["config"]>>
  } & Beside<Idle<S>> &
    NoOther<S["key"], keyof StepFields | Own["key"]>
}[Own["key"]]

/**
 * A step of a definition: its own key with its fields, and the common keys that it supports; any other common key is a type error.
 * `Own`: custom steps; `OwnSink`: custom sinks.
 */
export type StepDefinition<Own extends Step.Any = never, OwnSink extends Sink.Any = never> =
  | BuiltInStep<Own["key"], Schema.Schema.Encoded<OwnSink["config"]>>
  | OwnStep<Own>

/** A definition that uses only steps of Sluice. Its type does not refer to Effect. */
export interface PlainDefinition extends Omit<Frame, "steps"> {
  /**
   * Steps in order: each reads the rows of the step above it. `check` requires at least one; if the type did, errors would be shown at the
   * list and not at the step.
   */
  readonly steps: ReadonlyArray<BuiltInStep>
}

/** A definition in TypeScript. */
export interface Definition<Own extends Step.Any = never, OwnSink extends Sink.Any = never>
  extends Omit<PlainDefinition, "steps"> {
  /** Steps in order: each reads the rows of the step above it. */
  readonly steps: ReadonlyArray<StepDefinition<Own, OwnSink>>
}

/** A definition with a known type of its final rows. */
export interface TypedDefinition<out Content extends object> extends PlainDefinition, WithRows<Content> {}
