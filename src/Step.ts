/**
 * A step: one value that declares its key, its fields and its behaviour.
 *
 * The kinds of steps are in {@link Behaviour}; {@link Context} is what a run provides to a step.
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Client } from "./Client.ts"
import type { Json, Row } from "./Row.ts"
import type { Context, Page } from "./Step/Context.ts"
import type { Cost } from "./Step/Cost.ts"
import type { Estimate, Given, Listing, ListingContext, Operation } from "./Step/Estimate.ts"
import type { FieldMatches } from "./Step/Extract/FieldMatches.ts"
import { type FormerFlags, withCurrentFlags } from "./Step/FormerFlags.ts"
import type { Destination, Sealed } from "./Step/Output.ts"
import type { Fields, Need, Objection } from "./Step/Requirements.ts"
import type { StepError } from "./Step/StepError.ts"

export type {
  Booking,
  Buying,
  Context,
  Page,
  PageOutcome,
  Reservation,
  StateChange,
  StateEntry,
  StepState
} from "./Step/Context.ts"
export { StepError } from "./Step/StepError.ts"

/** A failed row, and why it failed. */
export type Failure = readonly [row: Row, error: StepError]

/** Rows of a source, and the cursor after them. A checkpoint records both or neither. */
export interface Batch {
  readonly rows: ReadonlyArray<Row>
  /** Position after these rows. A resumed run passes it to the source as `from`. */
  readonly cursor: Json
  /** Failed rows: handled by the step's `onError`, after the good ones. */
  readonly failures?: ReadonlyArray<Failure> | undefined
  /** Fetched pages, for the ledger. */
  readonly pages?: ReadonlyArray<Page> | undefined
  /** For progress: number of rows that are now known to come and that no earlier batch has announced, including those of this batch. */
  readonly expected?: number | undefined
  /** Rows that the source left out, because an earlier run has read them and they have not changed. */
  readonly unchanged?: number | undefined
  /** True if another client paid for the pages: they cost this run nothing. */
  readonly isForeign?: boolean | undefined
  /**
   * True if a resume from `cursor` needs none of the responses that the task's calls have had so far: the checkpoint with this batch drops
   * them. For a source that makes one call per page of a long read.
   */
  readonly dropsAnswers?: boolean | undefined
  /** Called after the batch has been committed. */
  readonly taken?: (() => void) | undefined
  /** Credits of the job since the last batch; `unknown` once, at its end, when the service reported none. */
  readonly credits?: number | "unknown" | undefined
}

/** Changes to the state of a step since its last save, for the checkpoint. */
export interface Changes {
  /** New value of the state, which replaces the saved one; undefined if it has not changed. */
  readonly value?: Json | undefined
  /**
   * Entries to set; an undefined value deletes the entry. For state that grows: a checkpoint then writes only changed
   * entries.
   */
  readonly entries?: ReadonlyArray<readonly [key: string, value: Json | undefined]> | undefined
}

/** State of a step in the last checkpoint; empty at the first start. */
export interface Saved {
  readonly value: Json | undefined
  /** Saved entries, in the order of their keys. */
  readonly entries: ReadonlyArray<readonly [key: string, value: Json]>
}

/** Services of a step that works on this machine alone. */
export type LocalServices = FileSystem.FileSystem | Path.Path

/** Services of a step that calls the web data service: the local ones and the clients. */
export type Services = Client | LocalServices

type Batches<R> = Stream.Stream<Batch, StepError, R>

/** Start position of a source. */
export interface Begin {
  /** The incoming row, with `each: true`. */
  readonly row?: Row | undefined
  /** The cursor of the last batch that was committed. */
  readonly from?: Json | undefined
}

/** Running transform: sees all rows, in order. Its members are called one after the other; `push` and `save` never wait for a service. */
export interface Transform<R = Services> {
  /** Transforms rows. */
  readonly push: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<Row>, StepError, R>
  /** Rows of the last `push` that were not processed because a stop was requested: they are pushed again after the resume. */
  readonly undone?: (() => ReadonlyArray<Row>) | undefined
  /** True when no more rows are wanted. */
  readonly full?: (() => boolean) | undefined
  /** Called when the input has ended, for warnings about all rows. Unlike `end`, it costs no checkpoint. */
  readonly ended?: Effect.Effect<void> | undefined
  /** Emits further rows when the input has ended. */
  readonly end?: ((from: Json | undefined) => Batches<R>) | undefined
  /** Changes since the last call. */
  readonly save?: Effect.Effect<Changes, StepError> | undefined
  /** Rows that are still buffered when the run publishes without them, because the budget is used up. */
  readonly left?: (() => ReadonlyArray<Row>) | undefined
  /** Values that the fields of an `extract` have matched so far, for the health of the run. */
  readonly matches?: FieldMatches | undefined
}

/** Open sink: writes rows in order and passes them on. Its members are called one after the other; none waits for a service. */
export interface OpenSink {
  /** Writes rows and returns those that go on to the next step. */
  readonly push: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<Row>, StepError>
  /** Called when the input has ended, for warnings about all rows. */
  readonly ended?: Effect.Effect<void> | undefined
  /** Syncs everything pushed so far to disk, then returns the changes since the last call. */
  readonly save: Effect.Effect<Changes, StepError>
  /** Upper bound of the bytes that each row adds to the files, before compression. Called once per row, before `push`. */
  readonly sizeOf: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<number>>
  /** Bytes that are safe on disk. */
  readonly bytes: () => number
  /** Called once, after the last `save`: does everything that can fail before the files get their final names. */
  readonly seal: Effect.Effect<Sealed, StepError>
  /** Removes the written files if nothing of the run is worth keeping. */
  readonly discard: Effect.Effect<void>
}

/** The kinds of steps, by how they deal with rows. `R`: the services that they use. */
export type Behaviour<Config, R = Services> =
  /** Makes rows: 0 → n. */
  | {
      readonly kind: "source"
      /** True if its rows are paid for as soon as it starts: it is then read to the end even when the budget is used up. */
      readonly drains?: boolean | undefined
      /** True if its rows are pages, so that `failOn` applies. */
      readonly pages?: boolean | undefined
      readonly read: (config: Config, context: Context, begin: Begin) => Batches<R>
    }
  /** Turns one row into one row; a failure fails only that row. */
  | {
      readonly kind: "item"
      /**
       * True if its rows are pages: `failOn` applies, and a row without a key gets the URL of its page as key. Rows of other steps keep the
       * key of their input.
       */
      readonly pages?: boolean | undefined
      readonly apply: (config: Config, row: Row, context: Context) => Effect.Effect<Row, StepError, R>
      /**
       * Used instead of `apply` if the fields ask for several pages per row: each call reads one page, starting at the previous batch's
       * cursor. The last cursor is null. `timeout`, `retry` and `rate` apply to each page.
       */
      readonly follow?:
        | ((
            config: Config
          ) => ((row: Row, context: Context, at: Json | undefined) => Effect.Effect<Batch, StepError, R>) | undefined)
        | undefined
    }
  /** Sees all rows: n → n. */
  | {
      readonly kind: "transform"
      /** True if it calls the service itself, so that `retry` applies. */
      readonly calls?: boolean | undefined
      /** True if it processes each row by itself, so that `concurrency` and `timeout` apply. */
      readonly perRow?: boolean | undefined
      /** True when the result for a row depends on no other row, so that a cluster may split the rows into shards. */
      readonly independent?: boolean | undefined
      /** True if its rows are pages, so that `failOn` applies. */
      readonly pages?: boolean | undefined
      /** True if its batches say how many rows are to come (`Batch.expected`): progress then counts its rows as read. */
      readonly expectsRows?: boolean | undefined
      /**
       * True if it drops all rows after the first ones. `check` refuses it below a step that has already marked the dropped rows as seen.
       */
      readonly takesFirst?: boolean | undefined
      /**
       * True if it takes a sample, regardless of what the rows contain. Rows outside of it do not count when a run is checked for whether
       * all of its rows were rejected. Implied by `takesFirst`.
       */
      readonly samples?: boolean | undefined
      readonly make: (
        config: Config,
        context: Context,
        saved: Saved
      ) => Effect.Effect<Transform<R>, StepError, R | Scope.Scope>
    }
  /** Writes rows to files, and passes them on: n → n. */
  | {
      readonly kind: "sink"
      /** Its file formats, for the reference. */
      readonly sinks?: ReadonlyArray<Pick<Step, "config" | "example" | "key" | "summary">> | undefined
      /** Destination files, from the fields as written or as decoded; undefined while the path is not known. */
      readonly destination: (fields: Fields) => Destination | undefined
      readonly open: (
        config: Config,
        context: Context,
        saved: Saved
      ) => Effect.Effect<OpenSink, StepError, R | Scope.Scope>
    }
  /** Makes one value that other steps read as `${{ steps.<id>.output }}`; rows pass through. */
  | {
      readonly kind: "value"
      /** True when the value ends with the process, like a browser session: a resumed run makes it again. */
      readonly fleeting?: boolean | undefined
      /** Returns the value. The scope closes when the run is over. */
      readonly get: (config: Config, context: Context) => Effect.Effect<unknown, StepError, R | Scope.Scope>
    }

/** File or folder that a field names, relative to the definition's folder. */
export interface Reading {
  /** Path of the field in the step. */
  readonly path: ReadonlyArray<PropertyKey>
  readonly file: string
  /** True if it can only be a folder. */
  readonly isFolder?: boolean
}

/** State that a step keeps from run to run. */
export interface StateUse {
  /** True if the step emits only rows that no earlier run has emitted. */
  readonly skipsSeen: boolean
  /** Change to the step's fields that makes it emit all rows, phrased to follow "or": `add unchanged to its emit`. */
  readonly otherwise?: string | undefined
  /** Field of its rows that holds `new`, `changed`, `unchanged` or `gone`. */
  readonly changeField?: string | undefined
}

/**
 * A step: one value with its key, its fields, its behaviour, and everything that depends on the kind of step elsewhere. There is no table
 * by key: `check`, `plan`, `graph`, progress, the dashboard and the cluster ask the step.
 *
 * `fields` are the step's fields before the run: values known only during the run are missing or left as written. `Traits` records, for
 * definitions in TypeScript, which common keys the step supports.
 */
export interface Step<Key extends string = string, Config = unknown, Encoded = unknown, Traits = unknown> {
  readonly key: Key
  /** One sentence for the reference. */
  readonly summary: string
  /** A definition of the step as YAML; a test checks that it is valid. */
  readonly example: string
  readonly config: Schema.Schema<Config, Encoded>
  /** Capabilities that the fields need and that not every service has; none by default. */
  readonly needs?: ((fields: Fields) => ReadonlyArray<Need>) | undefined
  /** Files and folders that its fields name; for a glob, the folder at which it starts. */
  readonly reads?: ((fields: Fields) => ReadonlyArray<Reading>) | undefined
  /** Config errors in the fields that their schema cannot express. */
  readonly objections?: ((fields: Fields) => ReadonlyArray<Objection>) | undefined
  /**
   * Operation of the service that it calls. Only a step that declares one may use the clients; a run without such a step starts no service.
   */
  readonly service?: Operation | ((fields: Fields) => Operation | undefined) | undefined
  /**
   * Upper bound of the cost of one call, or of one page of a job. `plan` prices the step with it, and a run reserves it before the call.
   * Fields that are not known before the run are undefined; `wanted` is `--limit`.
   */
  readonly cost?: ((fields: Fields, wanted?: number) => Cost) | undefined
  /** Estimates requests, pages and rows of a run; by default derived from its kind and `service`. */
  readonly estimate?: ((given: Given) => Estimate) | undefined
  /** Counts the rows of a source without a request; undefined, or a failure, if only the run can count them. */
  readonly list?:
    | ((config: unknown, context: ListingContext) => Effect.Effect<Listing | undefined, unknown, LocalServices>)
    | undefined
  /** Words for its requests and pages in a plan, if `request` and `page` do not fit. */
  readonly nouns?: { readonly request?: string | undefined; readonly page?: string | undefined } | undefined
  /** Sentence for the reader of a plan, without a full stop. */
  readonly note?: string | undefined
  /** Fields that decide whether the rows of two runs can be compared: they can if these fields are equal. Default: all fields. */
  readonly comparedBy?: ((fields: Fields) => unknown) | undefined
  /** State that it keeps from run to run; undefined if it keeps none. */
  readonly state?: ((fields: Fields) => StateUse | undefined) | undefined
  /** Path of the field with headers that are sent to sites: the only field in which a secret may stand. */
  readonly headers?: ReadonlyArray<string> | undefined
  /** Field with credentials, which may contain secrets at any depth. Never shown. */
  readonly credentials?: string | undefined
  /** True if the service parses files for it: a local engine then starts its parser process early. */
  readonly parsesFiles?: boolean | undefined
  /** Sites that it visits besides those in its fields: the sites of its rows, or any that the service finds. */
  readonly sites?: ((fields: Fields) => "rows" | "any" | undefined) | undefined
  /** Path of the field that lists the formats of the pages that it fetches. */
  readonly formatsAt?: ReadonlyArray<string> | undefined
  /** Page format that it reads from its rows: the nearest step above with {@link formatsAt} is asked for this format. */
  readonly readsFormat?: ((fields: Fields) => string | undefined) | undefined
  /** Smaller format that can replace it, made only by Sluice's own engine; undefined if only {@link readsFormat} will do. */
  readonly ownFormat?: ((fields: Fields) => { readonly type: string } | undefined) | undefined
  /** True if its pages can have an {@link ownFormat}, because the engine fetches them itself. */
  readonly takesOwnFormat?: ((fields: Fields) => boolean) | undefined
  readonly behaviour: Behaviour<Config> & Traits
}

type Traits<Kind, Calls, PerRow, Pages> = {
  readonly kind: Kind
  readonly calls?: Calls
  readonly perRow?: PerRow
  readonly pages?: Pages
}

/** Declares a step. Without `service` its effects cannot use the clients. */
export const make = <
  const Key extends string,
  Config,
  Encoded,
  Kind extends Behaviour<unknown>["kind"],
  Calls extends true | undefined = undefined,
  PerRow extends true | undefined = undefined,
  Pages extends true | undefined = undefined,
  Service extends Operation | undefined = undefined
>(
  step: Omit<Step<Key, Config, Encoded>, "behaviour" | "service"> & {
    readonly service?: Service | ((fields: Fields) => Service)
    readonly behaviour: Behaviour<Config, [Service] extends [undefined] ? LocalServices : Services> &
      Traits<Kind, Calls, PerRow, Pages> &
      FormerFlags<PerRow>
  }
): Step<Key, Config, Encoded, Traits<Kind, Calls, PerRow, Pages>> => withCurrentFlags(step)

/** A step with any fields. Only {@link make} builds steps, so the parts of a step fit together. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where steps of different fields share a list
export type Any = Step<string, any, any>

/** The operation that a step calls with these fields; undefined when it calls none. */
export const operationOf = ({ service }: Any, fields: Fields): Operation | undefined =>
  typeof service === "function" ? service(fields) : service
