/** Protocol between the pages of the dashboard and its server: JSON over HTTP, and one stream of server-sent events. */
import type { InputFields } from "../../Generated/Pipeline.ts"
import type { OutputRows } from "../../Row/Count.ts"
import type { OccurrenceStatus } from "../../Schedule/OccurrenceStatus.ts"
import type { BudgetUse, DiffPart, Graph, News, Next, Progress, RunLine, State, StepCount } from "./RunProtocol.ts"

/*
 * - Responses are JSON in UTF-8, except for pages, files and `/api/events`. Times are milliseconds since 1970. Unknown values are
 *   left out; null has a meaning that its field describes.
 * - Every request below `/api/` needs the token of the link in the header `sluice-token`.
 * - Changes are POST requests with `content-type: application/json` from the origin of the page. An empty body is `{}`.
 *   A request that starts a run may have an `idempotency-key`: a second one with the same key and body returns the first run.
 * - Errors are a `RequestFailure` with status 400 (invalid request), 401 (token missing or wrong), 403 (another site), 404,
 *   409 (not possible in this state), 413, 422 (invalid definition or inputs) or 503 (the ledger or the service failed).
 * - GET of any other path without a file extension returns the page, so that each screen has an address.
 */

/** Header with the token from the link. */
export const tokenHeader = "sluice-token"

/** Header with an idempotency key: 8 to 100 letters, digits, `_` and `-`. */
export const idempotencyHeader = "idempotency-key"

/** Paths; parameters that begin with `:` are encoded with `encodeURIComponent`. */
export const paths = {
  /** → `About` */
  about: "/api/about",
  /** `?pipeline=&state=&text=&group=&after=&limit=` → `RunList` */
  runs: "/api/runs",
  /** → `Names`: pipelines that have run, for the filter. */
  pipelines: "/api/pipelines",
  /** → `PipelineDetail` */
  pipeline: "/api/pipelines/:pipeline",
  /** → `FieldTrends` */
  fields: "/api/pipelines/:pipeline/fields",
  /** → `ContractHistory` */
  contract: "/api/pipelines/:pipeline/contract",
  /** `?text=&step=&after=&limit=` → `StateList` */
  state: "/api/pipelines/:pipeline/state",
  /** `?after=&limit=` → `ChangeList` */
  changes: "/api/pipelines/:pipeline/changes",
  /** `?from=RUN&to=RUN` → `DefinitionDiff` */
  definitionDiff: "/api/definition/diff",
  /** → `RunDetail` */
  run: "/api/runs/:id",
  /** → `Definition` that the run began with. */
  definition: "/api/runs/:id/definition",
  /** `?after=` (`next` of the previous part) → `Log` */
  log: "/api/runs/:id/log",
  /** `?step=&error=&text=&which=open|replayed|all&after=&limit=` → `RejectList` */
  rejects: "/api/runs/:id/rejects",
  /** `?after=&limit=` → `RunPages` */
  runPages: "/api/runs/:id/pages",
  /** `:number` of an output, `?rows=` (at most 200) → `Preview` */
  preview: "/api/runs/:id/outputs/:number",
  /** → `OutputProfile` */
  profile: "/api/runs/:id/outputs/:number/profile",
  /** POST, `Resume` → `Launched`: starts a new run with the open rejects of this one. */
  replay: "/api/runs/:id/replay",
  /** POST, `Resume` → `Launched`: continues the run, if `canResume`. */
  resume: "/api/runs/:id/resume",
  /** → `RunHealth` */
  health: "/api/runs/:id/health",
  /** POST → `Launched`: publishes the outputs of the run, if `isHeld`. */
  publish: "/api/runs/:id/publish",
  /** POST → `Done`: discards everything that the run has written, if `canDiscard`. */
  discard: "/api/runs/:id/discard",
  /** POST → `Done`: stops the run after a checkpoint, if `canStop`. */
  stop: "/api/runs/:id/stop",
  /** `?text=&after=&limit=` → `PageList` */
  pages: "/api/pages",
  /** `?key=&after=&limit=` → `PageVersions` */
  page: "/api/page",
  /** `?key=&from=RUN:NUMBER&to=RUN:NUMBER` → `PageDiff` */
  diff: "/api/page/diff",
  /** → `WatchList` */
  watches: "/api/watches",
  /** → `ScheduleList` */
  schedules: "/api/schedules",
  /** `?from=&to=&pipeline=&days=`: at most 62 days; `days` has the start of each day, separated by commas → `Calendar` */
  calendar: "/api/schedules/calendar",
  /** POST, `Pause` → `Done` */
  pause: "/api/schedules/:pipeline/pause",
  /** POST → `Done` */
  unpause: "/api/schedules/:pipeline/resume",
  /** `?months=` (12, at most 36) → `Usage` */
  usage: "/api/usage",
  /** → `EngineNow` */
  engine: "/api/engine",
  /** → `ClusterNow`, or null when the ledger is not shared */
  cluster: "/api/cluster",
  /** → `Definitions` */
  definitions: "/api/definitions",
  /** POST, `Launch` → `Launched` */
  launch: "/api/launch",
  /** `?run=` (the run to send progress of) → `text/event-stream` of `Events` */
  events: "/api/events"
} as const

/** Body of an error response. */
export interface RequestFailure {
  /** Error message for users. */
  readonly error: string
  /** Errors of a definition or of its inputs. */
  readonly mistakes?: ReadonlyArray<DefinitionError> | undefined
}

export interface DefinitionError {
  readonly message: string
  /** Name of the input that the error is about, if any. */
  readonly input?: string | undefined
  readonly line?: number | undefined
  readonly column?: number | undefined
}

export interface Done {
  readonly done: true
}

export interface Names {
  readonly names: ReadonlyArray<string>
}

/** Range of values that are normal for a metric. */
export interface Band {
  readonly least: number
  readonly median: number
  readonly greatest: number
}

export interface PipelineRun extends RunLine {
  /** Hash of the definition with which the run began. */
  readonly definition: string
}

/** A pipeline that has run, or has a schedule. */
export interface PipelineDetail {
  readonly pipeline: string
  /** Path of its definition, according to the newest run. */
  readonly file?: string | undefined
  /** Path for {@link Launch}, if the definition is in the folder of definitions. */
  readonly startable?: string | undefined
  /** Graph of the newest run; null without a run, or if its definition cannot be read. */
  readonly graph: Graph | null
  /** Counts of each step in the newest run. */
  readonly steps: ReadonlyArray<StepCount>
  /** Runs, at most 60, newest first. */
  readonly runs: ReadonlyArray<PipelineRun>
  /** Ranges of normal values, computed from the last 20 completed runs without replays; undefined with fewer than 5 such runs. */
  readonly bands: Readonly<Record<"duration" | "credits" | "rejects", Band | undefined>>
  /**
   * Outputs of the newest run that has any, each with the normal range of its number of rows. If no run writes files, one output without a
   * name.
   */
  readonly outputs: ReadonlyArray<Pick<OutputRows, "step" | "name"> & { readonly band: Band | undefined }>
  /** Which of these the pipeline has: changes that a step has stored, a contract, state across runs. */
  readonly has: Readonly<Record<"changes" | "contract" | "state", boolean>>
  /** Number of runs in the last 14 weeks, by half hour (its start) and state. */
  readonly calendar: ReadonlyArray<{ readonly at: number; readonly state: State; readonly runs: number }>
  readonly schedule?: ScheduleLine | undefined
}

/** Fill rates of the fields of one output, over several runs. */
export interface SinkTrends {
  readonly sink: string
  /** Name of the output's file. */
  readonly name: string
  /** At most 30 runs with the same definition of the steps, oldest first. */
  readonly runs: ReadonlyArray<{ readonly run: string; readonly at: number; readonly isPublished: boolean }>
  /** At most 60 fields: those that differ from the usual first, then those that vary most. */
  readonly fields: ReadonlyArray<{
    readonly name: string
    /** For each run, the share of rows in which the field is filled. */
    readonly fill: ReadonlyArray<number>
    /** Normal range, computed from the published runs before the newest one. */
    readonly band?: Band | undefined
  }>
  /** Number of all fields, including those left out. */
  readonly count: number
}

export interface FieldTrends {
  readonly sinks: ReadonlyArray<SinkTrends>
}

/** Column of a contract. */
export interface ContractColumn {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
  readonly isKey: boolean
  readonly unit?: string | undefined
  readonly description?: string | undefined
  /** The only allowed values, as JSON. */
  readonly values?: ReadonlyArray<string> | undefined
}

/** Version of a contract, and the first run that began with it. */
export interface ContractVersion {
  /** First run that began with this version. */
  readonly run: string
  readonly at: number
  /** Changes since the previous version; null for the first version, or if comparing the two takes longer than 2 seconds. */
  readonly parts: ReadonlyArray<DiffPart> | null
}

export interface ContractHistory {
  /** Path of the contract next to the definition; undefined if the definition is not in a file. */
  readonly path?: string | undefined
  /** Current contract; null if there is no file, or it cannot be used (`why` gives the reason). */
  readonly outputs: ReadonlyArray<{
    readonly step: string
    readonly policies: Readonly<Record<"onMissing" | "onNew" | "onType", string>>
    readonly columns: ReadonlyArray<ContractColumn>
  }> | null
  readonly why?: string | undefined
  /** At most 50 versions, newest first. */
  readonly versions: ReadonlyArray<ContractVersion>
}

/** State that a pipeline keeps across runs. */
export interface StateList {
  /** State key of the newest run; undefined if the pipeline keeps no state. */
  readonly key?: string | undefined
  /** Number of entries by step; only on the first page of a list without a search. */
  readonly steps: ReadonlyArray<{ readonly step: string; readonly entries?: number | undefined }>
  readonly entries: ReadonlyArray<{
    readonly step: string
    readonly key: string
    /** JSON, cut to 2,000 characters. */
    readonly value: string
    readonly firstSeen: number
    readonly lastSeen: number
  }>
  readonly next: Next
}

/** Response with the changes that the pipeline has found and stored in its state, newest first. */
export interface ChangeList {
  readonly changes: ReadonlyArray<{
    /** Identifies the change in the list. */
    readonly id: string
    readonly at: number
    readonly run: string
    readonly step: string
    readonly change: "new" | "changed" | "gone"
    /** Key of the row, usually a page's address. */
    readonly key: string
    readonly summary?: string | undefined
    /** Word diff: `[-removed-]` and `{+added+}`. */
    readonly diff?: string | undefined
  }>
  readonly next: Next
}

/** A watch: a step that stores the changes it finds. */
export interface WatchLine {
  readonly pipeline: string
  readonly step: string
  /** Number of stored changes. */
  readonly changes: number
  readonly latest?:
    | {
        readonly at: number
        readonly change: "new" | "changed" | "gone"
        readonly key: string
        readonly summary?: string | undefined
      }
    | undefined
  /** Last run, as long as the ledger has it. */
  readonly last?: { readonly run: string; readonly state: State; readonly at: number } | undefined
}

export interface WatchList {
  /** At most 500 watches, those with the latest changes first (`isCut` if there are more). */
  readonly watches: ReadonlyArray<WatchLine>
  readonly isCut: boolean
}

export interface DefinitionDiff {
  readonly from: { readonly run: string; readonly at: number }
  readonly to: { readonly run: string; readonly at: number }
  /** Null if comparing the two takes longer than 2 seconds. */
  readonly parts: ReadonlyArray<DiffPart> | null
}

/** Default lengths of lists, and the maximum that a request may ask for (`most`). */
export const page = { runs: 50, rejects: 50, pages: 50, versions: 100, most: 200 } as const

export interface About {
  readonly version: string
  readonly dataDir: string
  /** Path of the ledger's file, or database URL without the password. */
  readonly ledger: string
  /** Folder of the definitions that can be run; null if there is none. */
  readonly definitions: string | null
  /** Base URL of the connected service; null if there is none. */
  readonly engine: string | null
  /** Server time of the response. */
  readonly now: number
  readonly startedAt: number
  readonly node: string
  readonly platform: string
  /** Number of runs in the ledger, not counting shards. */
  readonly runs: number
  /** Size of the ledger's file in bytes; undefined for a database server. */
  readonly ledgerBytes?: number | undefined
}

/** An input of a definition with its name. */
export interface InputField extends InputFields {
  readonly name: string
  /** Value in `schedule.inputs`; prefilled in the form. */
  readonly scheduled?: string | number | boolean | undefined
}

export interface DefinitionLine {
  /** Path in the folder; identifies the definition in {@link Launch}. */
  readonly file: string
  readonly name: string
  readonly description?: string | undefined
  readonly inputs: ReadonlyArray<InputField>
  /** Errors because of which the definition cannot run. */
  readonly mistakes: ReadonlyArray<DefinitionError>
}

/** Definitions, ordered by file. */
export interface Definitions {
  /** Absolute path; null if there is no folder of definitions (`why` gives the reason). */
  readonly folder: string | null
  readonly why?: string | undefined
  readonly definitions: ReadonlyArray<DefinitionLine>
  /** Number of files that are not listed yet, because they are still being checked. */
  readonly checking: number
}

export interface Launch {
  readonly file: string
  /** Values of the inputs. Strings are converted to the type of their input. */
  readonly inputs: Readonly<Record<string, string | number | boolean>>
  /** Maximum rows from each source. */
  readonly limit?: number | undefined
  readonly backfill?: boolean | undefined
}

/** Options of a resume or a replay. */
export interface Resume {
  /** Only for a resume: use the current definition. */
  readonly withCurrent?: boolean | undefined
}

/** A run that has started in its own process. If a run cannot start, the response is a `RequestFailure` with status 422. */
export interface Launched {
  readonly run: string
}

/** Record of one scheduled time; with the status `due` it is in the future. */
export interface OccurrenceLine {
  readonly pipeline: string
  readonly scheduledTime: number
  readonly status: OccurrenceStatus | "due"
  readonly cause?: "schedule" | "hand" | undefined
  readonly run?: string | undefined
  readonly attempt?: number | undefined
  readonly reason?: string | undefined
  readonly begunAt?: number | undefined
  readonly nextAt?: number | undefined
  readonly endedAt?: number | undefined
}

export interface ScheduleLine {
  readonly pipeline: string
  readonly file: string
  /** Empty if the stored schedule cannot be read. */
  readonly cron: string
  readonly timezone: string
  /** At most 5 next scheduled times; none while the schedule is paused. */
  readonly next: ReadonlyArray<number>
  readonly pausedAt?: number | undefined
  readonly pausedWhy?: string | undefined
  /** End of a pause that ends by itself. */
  readonly pausedUntil?: number | undefined
  /** Set if the definition no longer exists. */
  readonly removedAt?: number | undefined
  /** Last occurrence that has ended. */
  readonly last?: OccurrenceLine | undefined
  /** Occurrence that is waiting, running or retrying. */
  readonly active?: OccurrenceLine | undefined
}

export interface ScheduleList {
  readonly schedules: ReadonlyArray<ScheduleLine>
  /** True if a scheduler (`sluice schedule`) is running. */
  readonly isServed: boolean
}

export interface Calendar {
  /** At most 2,000, ordered by time: the oldest and the latest are left out (`isCut`). */
  readonly occurrences: ReadonlyArray<OccurrenceLine>
  readonly isCut: boolean
  /** Estimated number of omitted future times, by pipeline and day (its start, from `?days=`). */
  readonly later?:
    | ReadonlyArray<{ readonly pipeline: string; readonly day: number; readonly count: number }>
    | undefined
}

export interface Pause {
  readonly why?: string | undefined
}

/** Response with the usage by month; `month` is like `2026-03`, in UTC. */
export interface Usage {
  /** Requested months, oldest first, including those without usage. */
  readonly months: ReadonlyArray<string>
  /** Usage of runs according to the ledger; `name` is the pipeline. */
  readonly pipelines: ReadonlyArray<{
    readonly month: string
    readonly name: string
    readonly credits: number
    readonly unpriced: number
  }>
  /** Usage per key according to the service; null if no service is connected or it does not answer (`why` gives the reason). */
  readonly keys: ReadonlyArray<{ readonly month: string; readonly name: string; readonly credits: number }> | null
  readonly why?: string | undefined
  /** Remaining credits, if the service reports them. */
  readonly remaining?: number | undefined
}

export interface Job {
  readonly id: string
  readonly url?: string | undefined
  readonly createdAt?: number | undefined
}

export interface Session {
  readonly id: string
  /** Links to live views, which open in a new window because they have another origin. */
  readonly watchUrl?: string | undefined
  readonly steerUrl?: string | undefined
  readonly expiresAt?: number | undefined
}

export interface Storage {
  readonly used: number
  readonly limit: number
  /** Set if storage is running out; says what to do. */
  readonly warning?: string | undefined
}

/**
 * Current state of the connected service. `url` is null if there is none. A field is null if the service did not return it (`why` gives the
 * reason).
 */
export interface EngineNow {
  readonly url: string | null
  readonly why?: string | undefined
  readonly jobs: ReadonlyArray<Job> | null
  readonly sessions: ReadonlyArray<Session> | null
  readonly queue: {
    readonly active: number
    readonly waiting: number
    /** Maximum number of concurrent requests. */
    readonly limit: number
  } | null
  /** Bytes that the service stores for this team, if it reports them. */
  readonly storage?: Storage | undefined
}

/** Response with the workers of a cluster, and the parts that wait for one. */
export interface ClusterNow {
  /** Parts of running runs that no worker has taken. */
  readonly waiting: number
  readonly workers: ReadonlyArray<{
    readonly id: string
    /** Maximum number of parts at once. */
    readonly concurrency: number
    /** True if the worker finishes its parts and then leaves. */
    readonly draining: boolean
    /** True if the worker has sent a heartbeat in the last few seconds. */
    readonly alive: boolean
    readonly parts: ReadonlyArray<{
      readonly runId: string
      readonly pipeline: string
      /** `shard 3`, `split` or `finish`. */
      readonly part: string
      /** Number of times in a row that a worker has started the part without making progress. */
      readonly attempts: number
      readonly begunAt: number
    }>
  }>
}

/**
 * Server-sent events: `event:` is the name, `data:` the JSON, `id:` lets the page continue after a disconnect (`Last-Event-ID`). A comment
 * is sent every 15 seconds. Clients that read too slowly are disconnected and reconnect.
 */
export interface Events {
  /** First event. Sent again if missed events cannot be replayed (`isGap`): reload everything on the screen. */
  readonly hello: { readonly now: number; readonly isGap: boolean }
  /** Runs that are new or have changed. */
  readonly runs: { readonly runs: ReadonlyArray<RunLine> }
  /** Progress of the run that the page follows. */
  readonly progress: {
    readonly run: string
    readonly progress: Progress
    readonly budget: ReadonlyArray<BudgetUse>
    readonly news: ReadonlyArray<News>
  }
  /** Runs that were deleted from the ledger. */
  readonly gone: { readonly runs: ReadonlyArray<string> }
  /** Scheduled times have changed: reload their lists. */
  readonly schedules: { readonly at: number }
  /** The ledger cannot be read. Sent without `error` once it can be read again. */
  readonly ledger: { readonly error?: string | undefined }
}
