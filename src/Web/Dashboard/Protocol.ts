/** Protocol between the pages of the dashboard and its server: JSON over HTTP, and one stream of server-sent events. */
import type { OccurrenceStatus } from "../../Schedule/OccurrenceStatus.ts"
import type { BudgetUse, News, Progress, RunLine } from "./RunProtocol.ts"

/*
 * All answers are JSON in UTF-8, but for `/`, the files and `/api/events`. Instants are milliseconds since 1970. What is not
 * known is left out (undefined), unless null is said to mean something. A request that fails answers `Trouble` with 400
 * (asked wrongly), 401 (without the token: open the link that was printed once more), 403 (from another site), 404, 409 (not
 * as things stand), 413, 422 (a definition or its inputs are wrong), 503 (the ledger or the
 * service did not answer).
 *
 * Every request below `/api/` brings the token of the link in the header `sluice-token`.
 *
 * Whatever changes something is a POST with `content-type: application/json` (an empty body is `{}`), from the page's own
 * origin. Whatever begins a run may bring an `idempotency-key`: asked once more under the same key, for the same, it gives
 * the run that began at first.
 *
 * GET of a path that is none of these and has no dot in its last segment answers the page itself (`Page.ts`), so that the
 * pages may have addresses of their own: `/runs/20260314T093001-7c2ep2`. `/dashboard.js`, `/dashboard.css` and `/icon.svg`
 * are its files.
 *
 * Answers are described in `Protocol/*.ts`, each by what it is about.
 */

/** Brings the token of the link. */
export const tokenHeader = "sluice-token"

/** Names what is asked for, so that it is done once however often it is asked: 8 to 100 letters, digits, `_` and `-`. */
export const onceHeader = "idempotency-key"

/** Where things are; what begins with `:` is put in by `encodeURIComponent`. */
export const paths = {
  /** → `About` */
  about: "/api/about",
  /** `?pipeline=&state=&text=&group=&after=&limit=` → `RunList` */
  runs: "/api/runs",
  /** → `Names` of pipelines that have run, for the filter. */
  pipelines: "/api/pipelines",
  /** → `RunDetail` */
  run: "/api/runs/:id",
  /** → `Definition` as the run began with it. */
  definition: "/api/runs/:id/definition",
  /** `?after=` a position in bytes, → `Log` */
  log: "/api/runs/:id/log",
  /** `?step=&error=&text=&which=open|replayed|all&after=&limit=` → `RejectList` */
  rejects: "/api/runs/:id/rejects",
  /** `?after=&limit=` → `RunPages` */
  runPages: "/api/runs/:id/pages",
  /** `:number` of the run's `outputs`, `?rows=` (at most 200) → `Preview` */
  preview: "/api/runs/:id/outputs/:number",
  /** POST, `Again` → `Launched`: a new run with the open rejects of this one. */
  replay: "/api/runs/:id/replay",
  /** POST, `Again` → `Launched`: goes on with it, where `canResume`. */
  resume: "/api/runs/:id/resume",
  /** POST → `Done`: stops it in order, where `canStop`. */
  stop: "/api/runs/:id/stop",
  /** `?text=&after=&limit=` → `PageList` */
  pages: "/api/pages",
  /** `?key=&after=&limit=` → `PageVersions` */
  page: "/api/page",
  /** `?key=&from=RUN:NUMBER&to=RUN:NUMBER` → `PageDiff` */
  diff: "/api/page/diff",
  /** → `ScheduleList` */
  schedules: "/api/schedules",
  /** `?from=&to=&pipeline=&days=`: at most 62 days; `days` are their first milliseconds, separated by commas → `Calendar` */
  calendar: "/api/schedules/calendar",
  /** POST, `Pause` → `Done` */
  pause: "/api/schedules/:pipeline/pause",
  /** POST → `Done` */
  unpause: "/api/schedules/:pipeline/resume",
  /** `?months=` (12, at most 36) → `Usage` */
  usage: "/api/usage",
  /** → `EngineNow` */
  engine: "/api/engine",
  /** → `Definitions` that can be run from here. */
  definitions: "/api/definitions",
  /** POST, `Launch` → `Launched` */
  launch: "/api/launch",
  /** `?run=` one to be followed closely; `text/event-stream` of `Events`. */
  events: "/api/events"
} as const

/** Why a request failed, in words for people. */
export interface Trouble {
  readonly error: string
  /** Of a definition or of its inputs. */
  readonly mistakes?: ReadonlyArray<Mistake> | undefined
}

export interface Mistake {
  readonly message: string
  /** The input that it is about. */
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

/** What a list gives at once: what is asked for, within these. */
export const page = { runs: 50, rejects: 50, pages: 50, versions: 100, most: 200 } as const

export interface About {
  readonly version: string
  readonly dataDir: string
  /** Path of the ledger's file, or database URL without the password. */
  readonly ledger: string
  /** Folder of the definitions that can be run; null when there is none. */
  readonly definitions: string | null
  /** Base URL of the connected service; null when there is none. */
  readonly engine: string | null
  /** Server time of the response. */
  readonly now: number
  readonly startedAt: number
  readonly node: string
  readonly platform: string
  /** Number of runs in the ledger, without shards. */
  readonly runs: number
  /** Size of the ledger's file in bytes; undefined for a database server. */
  readonly ledgerBytes?: number | undefined
}

export interface InputField {
  readonly name: string
  readonly type: "string" | "integer" | "number" | "boolean" | "url" | "path"
  readonly description?: string | undefined
  readonly default?: string | number | boolean | undefined
  /** Value in `schedule.inputs`; prefilled in the form. */
  readonly scheduled?: string | number | boolean | undefined
  readonly enum?: ReadonlyArray<string | number> | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly maxLength?: number | undefined
}

export interface DefinitionLine {
  /** Path in the folder; identifies the definition in {@link Launch}. */
  readonly file: string
  readonly name: string
  readonly description?: string | undefined
  readonly inputs: ReadonlyArray<InputField>
  /** Errors that prevent a run. */
  readonly mistakes: ReadonlyArray<Mistake>
}

/** Definitions, ordered by file. */
export interface Definitions {
  /** Absolute path; null when there is no folder of definitions (`why` gives the reason). */
  readonly folder: string | null
  readonly why?: string | undefined
  readonly definitions: ReadonlyArray<DefinitionLine>
}

export interface Launch {
  readonly file: string
  /** Texts are read as the input's type asks. */
  readonly inputs: Readonly<Record<string, string | number | boolean>>
  /** Rows of each source, at most. */
  readonly limit?: number | undefined
  readonly backfill?: boolean | undefined
}

/** How a run is begun that follows another. */
export interface Again {
  /** `resume`: with the definition as it is now. */
  readonly withCurrent?: boolean | undefined
}

/**
 * A run that has begun, by a process of its own: it goes on when the dashboard ends. What keeps it from beginning is a
 * `Trouble` with 422.
 */
export interface Launched {
  readonly run: string
}

/** An instant; `due`: it is still to come. */
export interface Instant {
  readonly pipeline: string
  readonly instant: number
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
  /** Empty when the ledger's own account of it cannot be read. */
  readonly cron: string
  readonly timezone: string
  /** The next instants, at most 5; none while it is paused. */
  readonly next: ReadonlyArray<number>
  readonly pausedAt?: number | undefined
  readonly pausedWhy?: string | undefined
  /** Its definition has gone. */
  readonly removedAt?: number | undefined
  /** The last one that is over, and one that is not. */
  readonly last?: Instant | undefined
  readonly going?: Instant | undefined
}

export interface ScheduleList {
  readonly schedules: ReadonlyArray<ScheduleLine>
  /** Somebody carries them out now (`sluice schedule`). */
  readonly isServed: boolean
}

export interface Calendar {
  /** Ascending; at most 2,000. The oldest ones and those farthest ahead are left out (`isCut`). */
  readonly instants: ReadonlyArray<Instant>
  readonly isCut: boolean
  /** Estimated number of future occurrences that are left out, by pipeline and day (its first millisecond, of `?days=`). */
  readonly later?:
    | ReadonlyArray<{ readonly pipeline: string; readonly day: number; readonly count: number }>
    | undefined
}

export interface Pause {
  readonly why?: string | undefined
}

/** `month` is `2026-03`, in UTC. */
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
  /** Usage per key according to the service; null when no service is connected or it does not answer (`why` gives the reason). */
  readonly keys: ReadonlyArray<{ readonly month: string; readonly name: string; readonly credits: number }> | null
  readonly why?: string | undefined
  /** Remaining credits, if the service reports them. */
  readonly left?: number | undefined
}

export interface Job {
  readonly id: string
  readonly url?: string | undefined
  readonly createdAt?: number | undefined
}

export interface Session {
  readonly id: string
  /** Opened in a new window, because they have another origin. */
  readonly watchUrl?: string | undefined
  readonly steerUrl?: string | undefined
  readonly expiresAt?: number | undefined
}

export interface Storage {
  readonly used: number
  readonly most: number
  /** Set when space is running out; says what to do. */
  readonly warning?: string | undefined
}

/** Null when no service is known (`why` says how to name one); a part that it did not answer is null too. */
export interface EngineNow {
  readonly url: string | null
  readonly why?: string | undefined
  readonly jobs: ReadonlyArray<Job> | null
  readonly sessions: ReadonlyArray<Session> | null
  readonly queue: {
    readonly active: number
    readonly waiting: number
    /** Requests at once, at most. */
    readonly most: number
  } | null
  /** What the service keeps on disk for this team, in bytes, where it says so. */
  readonly storage?: Storage | undefined
}

/**
 * Server-sent events: `event:` is the name, `data:` the JSON, `id:` lets the page resume after a disconnect (`Last-Event-ID`).
 * A comment is sent every 15 seconds. Clients that read too slowly are disconnected and reconnect.
 */
export interface Events {
  /** First event. Sent again when missed events cannot be replayed (`isGap`): reload everything that is shown. */
  readonly hello: { readonly now: number; readonly isGap: boolean }
  /** New and changed runs. */
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
  /** Occurrences of schedules have changed: reload lists of them. */
  readonly schedules: { readonly at: number }
  /** The ledger cannot be read. Sent without `error` when it can be read again. */
  readonly ledger: { readonly error?: string | undefined }
}
