/** What a step is: one value that declares its key, its fields and what it does with rows. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Client } from "./Client.ts"
import type { Bindings } from "./Row/Expression.ts"
import type { Row } from "./Row.ts"

/** Why a row, or a whole step, could not go on. */
export class StepError extends Data.TaggedError("StepError")<{
  /** What failed: the tag of the underlying error. */
  readonly reason: string
  readonly message: string
  readonly cause?: unknown
  /** The step it happened in, and where that is defined (`file:line:column`). */
  readonly step?: string | undefined
  readonly definedAt?: string | undefined
}> {}

/** A file that a run made. */
export interface Output {
  readonly path: string
  readonly format: string
  readonly rows: number
  readonly bytes: number
}

/** Gives outputs their final names, each in one step. */
export type Publish = Effect.Effect<ReadonlyArray<Output>, StepError>

/** What a step may use of the run that it is part of. */
export interface Context {
  /** The step's id. */
  readonly id: string
  readonly runId: string
  readonly startedAt: Date
  /** The folder that the definition's relative inputs are under. */
  readonly folder: string
  /** The folder that relative outputs are under. */
  readonly out: string
  /** Rows worked on at once. */
  readonly concurrency: number
  /** At most so many rows are wanted (`--limit`); only sources are told. */
  readonly wanted: number | undefined
  /** `$key`, `$source` and `$run` for a row's expressions. */
  readonly bindings: (row: Row) => Bindings
  /** Settles a row that failed by the step's `onError`: what is returned goes on, a failure stops the run. */
  readonly failed: (row: Row, error: StepError) => Effect.Effect<ReadonlyArray<Row>, StepError>
  /** Books what a call cost in credits; undefined when the service did not say. */
  readonly spend: (credits: number | undefined) => Effect.Effect<void>
  /** Announces rows to come, for progress. */
  readonly expect: (rows: number) => Effect.Effect<void>
  /** What to do when the run has ended well. All sinks are sealed before the first of them is published. */
  readonly publish: (seal: Effect.Effect<Publish, StepError>) => Effect.Effect<void>
}

/** What any step may ask for: the clients and the files. */
export type Services = Client | FileSystem.FileSystem | Path.Path

type Rows = Stream.Stream<Row, StepError, Services>

/** The ways to deal with rows. */
export type Behaviour<Config> =
  /** Makes rows: 0 → n. */
  | { readonly kind: "source"; readonly read: (config: Config, context: Context, row: Row | undefined) => Rows }
  /** Turns one row into one row; failures are the row's own. */
  | {
      readonly kind: "item"
      readonly apply: (config: Config, row: Row, context: Context) => Effect.Effect<Row, StepError, Services>
    }
  /** Sees the whole stream: n → n. */
  | {
      readonly kind: "stream"
      /** True when it calls the service itself, so that `retry` means something. */
      readonly calls?: boolean | undefined
      readonly through: (
        config: Config,
        context: Context
      ) => Effect.Effect<(rows: Rows) => Rows, StepError, Services | Scope.Scope>
    }
  /** Makes one value for other steps' `${{ steps.<id>.output }}`; rows pass by. */
  | {
      readonly kind: "value"
      readonly get: (config: Config, context: Context) => Effect.Effect<unknown, StepError, Services>
    }

/** A step as it declares itself. */
export interface Step<Key extends string = string, Config = unknown, Encoded = unknown> {
  readonly key: Key
  /** One sentence for the reference. */
  readonly summary: string
  /** A definition of the step as YAML; a test checks that it is valid. */
  readonly example: string
  readonly config: Schema.Schema<Config, Encoded>
  readonly behaviour: Behaviour<Config>
}

/** Declares a step. */
export const make = <const Key extends string, Config, Encoded>(
  step: Step<Key, Config, Encoded>
): Step<Key, Config, Encoded> => step

/** A step whatever its fields are; only {@link make} builds one, so its parts fit each other. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where steps of different fields share a list
export type Any = Step<string, any, any>
