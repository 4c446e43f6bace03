/**
 * A step: one value that declares its key, its fields and what it does with rows.
 *
 * The kinds of steps are in {@link Behaviour}, what a run gives to a step in {@link Context}.
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

/** Rows of a source with the cursor behind them. A checkpoint records both or neither. */
export interface Batch {
  readonly rows: ReadonlyArray<Row>
  /** Position behind these rows: a resumed run passes it as `from`. */
  readonly cursor: Json
  /** Failed rows: handled by the step's `onError`, after the good ones. */
  readonly failures?: ReadonlyArray<Failure> | undefined
  /** Fetched pages, for the ledger. */
  readonly pages?: ReadonlyArray<Page> | undefined
  /** For progress: rows that are now known to come, including these, and that no earlier batch has announced. */
  readonly expected?: number | undefined
  /** Rows that the source left out, because an earlier run has read them and they have not changed. */
  readonly unchanged?: number | undefined
  /** True when another client has paid for its pages: they cost this run nothing. */
  readonly isForeign?: boolean | undefined
  /**
   * True when a resume from `cursor` needs none of the answers that the calls of the task have had so far: they are dropped with the
   * checkpoint that has the batch. For a source that makes a call for each page of a long read.
   */
  readonly dropsAnswers?: boolean | undefined
  /** Called after the batch has been committed. */
  readonly taken?: (() => void) | undefined
  /** Credits of the job since the last batch; `unknown` once, at its end, when the service reported none. */
  readonly credits?: number | "unknown" | undefined
}

/** Changes to the state of a step since its last save, for the checkpoint. */
export interface Changes {
  /** Replaces the older value. */
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
  /** In the order of their keys. */
  readonly entries: ReadonlyArray<readonly [key: string, value: Json]>
}

/** Services of a step that works on this machine alone. */
export type LocalServices = FileSystem.FileSystem | Path.Path

/** Services of a step that calls the web data service: the clients, too. */
export type Services = Client | LocalServices

type Batches<R> = Stream.Stream<Batch, StepError, R>

/** Start position of a source. */
export interface Begin {
  /** The incoming row, with `each: true`. */
  readonly row?: Row | undefined
  /** The cursor of the last batch that was committed. */
  readonly from?: Json | undefined
}

/** An open transform: sees all rows, in order. Its members are called one after the other; `push` and `save` never wait for a service. */
export interface Transform<R = Services> {
  /** Transforms rows. */
  readonly push: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<Row>, StepError, R>
  /** Rows of the last `push` that it has not done, because a stop was requested: they are pushed again after the resume. */
  readonly undone?: (() => ReadonlyArray<Row>) | undefined
  /** True when no more rows are wanted. */
  readonly full?: (() => boolean) | undefined
  /** Called when the input has ended: for warnings about all rows. Costs no checkpoint, as `end` does. */
  readonly ended?: Effect.Effect<void> | undefined
  /** Rows after the last one, when the input has ended. */
  readonly end?: ((from: Json | undefined) => Batches<R>) | undefined
  /** Changes since the last call. */
  readonly save?: Effect.Effect<Changes, StepError> | undefined
  /** Rows that it still buffers when the run publishes without them, because the budget is reached. */
  readonly left?: (() => ReadonlyArray<Row>) | undefined
  /** What the fields of an `extract` have matched so far, for the health of the run. */
  readonly matches?: FieldMatches | undefined
}

/** An open sink: writes rows in order and passes them on. Its members are called one after the other, and none waits for a service. */
export interface OpenSink {
  /** Writes rows and returns those that go on to the next step. */
  readonly push: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<Row>, StepError>
  /** Syncs everything pushed so far to disk, then returns the changes since the last call. */
  readonly save: Effect.Effect<Changes, StepError>
  /** Upper bound of the bytes that each row adds to the files, before compression. Called once per row, before `push`. */
  readonly sizeOf: (rows: ReadonlyArray<Row>) => Effect.Effect<ReadonlyArray<number>>
  /** Bytes that are safe on disk. */
  readonly bytes: () => number
  /** Called once, after the last `save`: does everything that can fail before the files get their final names. */
  readonly seal: Effect.Effect<Sealed, StepError>
  /** Removes what was written, when nothing of the run is worth keeping. */
  readonly discard: Effect.Effect<void>
}

/** The kinds of steps, by how they deal with rows. `R`: the services that they use. */
export type Behaviour<Config, R = Services> =
  /** Makes rows: 0 → n. */
  | {
      readonly kind: "source"
      /** True when its rows are paid for once it has begun: it is read to its end when the budget is reached. */
      readonly drains?: boolean | undefined
      /** True when its rows are pages, so that `failOn` means something. */
      readonly pages?: boolean | undefined
      readonly read: (config: Config, context: Context, begin: Begin) => Batches<R>
    }
  /** Turns one row into one row; failures are the row's own. */
  | {
      readonly kind: "item"
      /**
       * True when its rows are pages: `failOn` means something, and a row without a key has the address of its page as key. Rows of
       * other steps keep the key of their input.
       */
      readonly pages?: boolean | undefined
      readonly apply: (config: Config, row: Row, context: Context) => Effect.Effect<Row, StepError, R>
      /**
       * In place of `apply` where the fields ask for several pages of a row: each call reads one, from the cursor of the batch before. The
       * cursor of the last one is null. `timeout`, `retry` and `rate` are for each page.
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
      /** True when it calls the service itself, so that `retry` means something. */
      readonly calls?: boolean | undefined
      /** True when it works on each row by itself, so that `concurrency` and `timeout` mean something. */
      readonly apart?: boolean | undefined
      /** True when the result for a row depends on no other row, so that a cluster may split the rows into shards. */
      readonly alone?: boolean | undefined
      /** True when its rows are pages, so that `failOn` means something. */
      readonly pages?: boolean | undefined
      /** True when its batches announce the rows to come (`Batch.expected`): progress then counts its rows as read. */
      readonly announces?: boolean | undefined
      /** True when it drops all rows after the first ones. `check` refuses it below a step that has marked the dropped rows as seen. */
      readonly truncates?: boolean | undefined
      /** True when it leaves rows out whatever they hold: dropped rows do not count as kept ones. Implied by `truncates`. */
      readonly leavesOut?: boolean | undefined
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
      /** Its files, by its fields as written or as decoded; undefined while the path is not known. */
      readonly destination: (fields: Fields) => Destination | undefined
      readonly open: (
        config: Config,
        context: Context,
        saved: Saved
      ) => Effect.Effect<OpenSink, StepError, R | Scope.Scope>
    }
  /** Makes one value for other steps' `${{ steps.<id>.output }}`; rows pass by. */
  | {
      readonly kind: "value"
      /** True when the value ends with the process, like a browser session: a resumed run makes it again. */
      readonly fleeting?: boolean | undefined
      /** The scope closes when the run is over. */
      readonly get: (config: Config, context: Context) => Effect.Effect<unknown, StepError, R | Scope.Scope>
    }

/** A file or a folder that a field names, relative to the definition's folder. */
export interface Reading {
  /** Path in the step's fields. */
  readonly path: ReadonlyArray<PropertyKey>
  readonly file: string
  /** True where it can only be a folder. */
  readonly isFolder?: boolean
}

/** State that a step keeps from run to run. */
export interface StateUse {
  /** True when the step gives only rows that no earlier run has given. */
  readonly skipsSeen: boolean
  /** A change of its fields with which it gives all rows, after "or": `add unchanged to its emit`. */
  readonly otherwise?: string | undefined
  /** The field of its rows that says new, changed, unchanged or gone. */
  readonly changeField?: string | undefined
}

/**
 * A step: one value with its key, its fields, what it does, and everything that depends on its kind elsewhere. There is no
 * table by key: `check`, `plan`, `graph`, progress, the dashboard and the cluster ask the step.
 *
 * `fields` are the step's fields before the run; what only the run knows is missing in them or stands as it is written.
 * `Traits` keeps for definitions in TypeScript which common keys the step carries out.
 */
export interface Step<Key extends string = string, Config = unknown, Encoded = unknown, Traits = unknown> {
  readonly key: Key
  /** One sentence for the reference. */
  readonly summary: string
  /** A definition of the step as YAML; a test checks that it is valid. */
  readonly example: string
  readonly config: Schema.Schema<Config, Encoded>
  /** Capabilities that not every service has and that the fields ask for; none by default. */
  readonly needs?: ((fields: Fields) => ReadonlyArray<Need>) | undefined
  /** Files and folders that its fields name; for a pattern, the folder in which it begins. */
  readonly reads?: ((fields: Fields) => ReadonlyArray<Reading>) | undefined
  /** Config errors in the fields that their schema cannot express. */
  readonly objections?: ((fields: Fields) => ReadonlyArray<Objection>) | undefined
  /**
   * The operation of the service that it calls. Only a step that declares one may use the clients; a run in which no step does
   * starts no service.
   */
  readonly service?: Operation | ((fields: Fields) => Operation | undefined) | undefined
  /**
   * Upper bound of the cost of one call, or of one page of a job. `plan` prices the step with it and a run reserves it before the
   * call. Undefined fields are not known before the run; `wanted` is `--limit`.
   */
  readonly cost?: ((fields: Fields, wanted?: number) => Cost) | undefined
  /** Requests, pages and rows of a run; by default what its kind and `service` say. */
  readonly estimate?: ((given: Given) => Estimate) | undefined
  /** Counts the rows of a source without a request; undefined, or a failure, where only the run can. */
  readonly list?:
    | ((config: unknown, context: ListingContext) => Effect.Effect<Listing | undefined, unknown, LocalServices>)
    | undefined
  /** Words for its requests and pages in a plan, where `request` and `page` are wrong. */
  readonly nouns?: { readonly request?: string | undefined; readonly page?: string | undefined } | undefined
  /** A sentence for the reader of a plan, without a dot. */
  readonly note?: string | undefined
  /** The fields that decide whether the rows of two runs can be compared: two runs with the same are. All of them by default. */
  readonly comparedBy?: ((fields: Fields) => unknown) | undefined
  /** The state that it keeps from run to run; undefined when it keeps none. */
  readonly state?: ((fields: Fields) => StateUse | undefined) | undefined
  /** Path of the field with headers that are sent to sites: the only place where a secret may stand. */
  readonly headers?: ReadonlyArray<string> | undefined
  /** Its field with credentials, in which secrets may stand at any depth. It is never shown. */
  readonly credentials?: string | undefined
  /** True when the service parses files for it: a local engine starts the process for them ahead. */
  readonly parsesFiles?: boolean | undefined
  /** Sites that it visits beside those that its fields name: those of its rows, or any that the service finds. */
  readonly sites?: ((fields: Fields) => "rows" | "any" | undefined) | undefined
  /** Path of its field with the formats of the pages that it fetches. */
  readonly formatsAt?: ReadonlyArray<string> | undefined
  /** Format of the page that it reads from its rows: the nearest step above with {@link formatsAt} is asked for it. */
  readonly readsFormat?: ((fields: Fields) => string | undefined) | undefined
  /** A smaller format that stands for it, which Sluice's own engine makes; undefined where only {@link readsFormat} will do. */
  readonly ownFormat?: ((fields: Fields) => { readonly type: string } | undefined) | undefined
  /** True when its pages can have an {@link ownFormat}: the engine fetches them itself. */
  readonly takesOwnFormat?: ((fields: Fields) => boolean) | undefined
  readonly behaviour: Behaviour<Config> & Traits
}

type Traits<Kind, Calls, Apart, Pages> = {
  readonly kind: Kind
  readonly calls?: Calls
  readonly apart?: Apart
  readonly pages?: Pages
}

/** Declares a step. Without `service` its effects cannot use the clients. */
export const make = <
  const Key extends string,
  Config,
  Encoded,
  Kind extends Behaviour<unknown>["kind"],
  Calls extends true | undefined = undefined,
  Apart extends true | undefined = undefined,
  Pages extends true | undefined = undefined,
  Service extends Operation | undefined = undefined
>(
  step: Omit<Step<Key, Config, Encoded>, "behaviour" | "service"> & {
    readonly service?: Service | ((fields: Fields) => Service)
    readonly behaviour: Behaviour<Config, [Service] extends [undefined] ? LocalServices : Services> &
      Traits<Kind, Calls, Apart, Pages>
  }
): Step<Key, Config, Encoded, Traits<Kind, Calls, Apart, Pages>> => step

/** A step of any fields. Only {@link make} builds one, so its parts fit each other. */
// biome-ignore lint/suspicious/noExplicitAny: the one place where steps of different fields share a list
export type Any = Step<string, any, any>

/** The operation that a step calls with these fields; undefined when it calls none. */
export const operationOf = ({ service }: Any, fields: Fields): Operation | undefined =>
  typeof service === "function" ? service(fields) : service
