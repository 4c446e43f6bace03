/** What the dashboard's pages and its server say to each other: JSON over HTTP, and one stream of events (pipelines 17, 18). */

/*
 * All answers are JSON in UTF-8, but for `/`, the files and `/api/events`. Instants are milliseconds since 1970. What is not
 * known is left out (undefined), unless null is said to mean something. A request that fails answers `Trouble` with 400
 * (asked wrongly), 401 (no cookie: open the link that was printed once more), 403 (from another site), 404, 409 (not as
 * things stand), 413, 422 (a definition or its inputs are wrong), 501 (this ledger or service cannot), 503 (the ledger or
 * the service did not answer).
 *
 * Whatever changes something is a POST with `content-type: application/json` (an empty body is `{}`), from the page's own
 * origin.
 *
 * GET of a path that is none of these and has no dot in its last segment answers the page itself (`Page.ts`), so that the
 * pages may have addresses of their own: `/runs/20260314T093001-7c2e`. `/dashboard.js`, `/dashboard.css` and `/icon.svg`
 * are its files.
 */

/** Where things are; what begins with `:` is put in by `encodeURIComponent`. */
export const paths = {
  /** → {@link About} */
  about: "/api/about",
  /** `?pipeline=&state=&text=&group=&after=&limit=` → {@link RunList} */
  runs: "/api/runs",
  /** → {@link Names} of pipelines that have run, for the filter. */
  pipelines: "/api/pipelines",
  /** → {@link RunDetail} */
  run: "/api/runs/:id",
  /** → {@link Definition} as the run began with it. */
  definition: "/api/runs/:id/definition",
  /** `?after=` a position in bytes, → {@link Log} */
  log: "/api/runs/:id/log",
  /** `?step=&error=&text=&which=open|replayed|all&after=&limit=` → {@link RejectList} */
  rejects: "/api/runs/:id/rejects",
  /** `?after=&limit=` → {@link RunPages} */
  runPages: "/api/runs/:id/pages",
  /** `:number` of the run's `outputs`, `?rows=` (at most 200) → {@link Preview} */
  preview: "/api/runs/:id/outputs/:number",
  /** POST, {@link Again} → {@link Launched}: a new run with the open rejects of this one. */
  replay: "/api/runs/:id/replay",
  /** POST, {@link Again} → {@link Launched}: goes on with it, where `canResume`. */
  resume: "/api/runs/:id/resume",
  /** POST → {@link Done}: stops it in order, where `canStop`. */
  stop: "/api/runs/:id/stop",
  /** `?text=&after=&limit=` → {@link PageList} */
  pages: "/api/pages",
  /** `?key=&after=&limit=` → {@link PageVersions} */
  page: "/api/page",
  /** `?key=&from=RUN:NUMBER&to=RUN:NUMBER` → {@link PageDiff} */
  diff: "/api/page/diff",
  /** → {@link ScheduleList} */
  schedules: "/api/schedules",
  /** `?from=&to=&pipeline=`: instants, at most 62 days apart → {@link Calendar} */
  calendar: "/api/schedules/calendar",
  /** POST, {@link Pause} → {@link Done} */
  pause: "/api/schedules/:pipeline/pause",
  /** POST → {@link Done} */
  unpause: "/api/schedules/:pipeline/resume",
  /** `?months=` (12, at most 36) → {@link Usage} */
  usage: "/api/usage",
  /** → {@link EngineNow} */
  engine: "/api/engine",
  /** → {@link Definitions} that can be run from here. */
  definitions: "/api/definitions",
  /** POST, {@link Launch} → {@link Launched} */
  launch: "/api/launch",
  /** `?run=` one to be followed closely; `text/event-stream` of {@link Events}. */
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

/** Where lists go on: given back as `after`; null at the end. */
export type Next = string | null

/** What a list gives at once: what is asked for, within these. */
export const page = { runs: 50, rejects: 50, pages: 50, versions: 100, most: 200 } as const

// ── About

export interface About {
  readonly version: string
  readonly dataDir: string
  /** Of the ledger: a path, or a database's address without its password. */
  readonly ledger: string
  /** The folder whose definitions can be run; null when there is none. */
  readonly definitions: string | null
  /** Base URL of the service that is known; null when none is. */
  readonly engine: string | null
  /** The server's clock when it answered. */
  readonly now: number
  readonly startedAt: number
  readonly node: string
  readonly platform: string
  /** Runs that the ledger has, shards not counted. */
  readonly runs: number
  /** Bytes of the ledger's file; none in a database. */
  readonly ledgerBytes?: number | undefined
}

// ── Runs

/**
 * `crashed`: nobody works on it any more, and it did not end. `waiting`: shared out among workers, and none has it now.
 * `publishing`: its files get their names.
 */
export const states = [
  "running",
  "waiting",
  "publishing",
  "completed",
  "stopped",
  "budget",
  "failed",
  "crashed"
] as const
export type State = (typeof states)[number]

/** Those in which something is still going on. */
export const lively: ReadonlyArray<State> = ["running", "publishing"]

/** A run in a list. */
export interface RunLine {
  readonly id: string
  readonly pipeline: string
  readonly state: State
  readonly startedAt: number
  /** Its last sign of life, until it ended. */
  readonly updatedAt: number
  readonly endedAt?: number | undefined
  readonly rows: number
  readonly rejects: number
  readonly credits: number
  /** Calls whose price the service did not say. */
  readonly unpriced: number
  /** Milliseconds so far, or in all. */
  readonly duration: number
  /** Why it failed: its first line. */
  readonly error?: string | undefined
  /** The instant of its schedule. */
  readonly scheduledFor?: number | undefined
  /** The run whose rejects it takes up. */
  readonly replayOf?: string | undefined
  /** Its shards are listed by `?group=` this id. */
  readonly isGroup: boolean
}

/** Newest first. */
export interface RunList {
  readonly runs: ReadonlyArray<RunLine>
  readonly next: Next
}

/** What a step has done so far. */
export interface StepCount {
  readonly step: string
  /** Rows that it was given, and that it has given. A step with several readers gives each of them all its rows. */
  readonly in: number
  readonly out: number
  readonly rejects: number
  /** Rows given per second, of late; 0 when it is at rest; undefined until it can be told. */
  readonly rate?: number | undefined
  /** Rows that wait in it or are worked on, and so many that it takes before those above it have to wait. */
  readonly held?: number | undefined
  readonly room?: number | undefined
  /** Rows that are being worked on. */
  readonly busy?: number | undefined
  /** It has to wait: what comes below it is full. */
  readonly blocked?: boolean | undefined
  /** Attempts at pages, failed ones, calls and credits; not part of events. */
  readonly pages?: number | undefined
  readonly failedPages?: number | undefined
  readonly calls?: number | undefined
  readonly credits?: number | undefined
  readonly openRejects?: number | undefined
}

/** What a run has come to, step by step, as its last commit says. */
export interface Progress {
  /** When it was taken down. */
  readonly at: number
  /** Rows that sources and jobs have promised so far; 0 when they have not. */
  readonly expected: number
  /** Rows that those have given: of `expected`, what is done. */
  readonly read: number
  readonly pages: number
  /** Bytes of outputs that are safe on disk. */
  readonly bytes?: number | undefined
  readonly steps: ReadonlyArray<StepCount>
}

export interface GraphNode {
  readonly id: string
  /** `scrape`, `write` … */
  readonly key: string
  readonly kind: "source" | "step" | "value" | "sink"
  /** Its most telling field, short. */
  readonly detail: string
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
  /** Rows that flow, a step that must have ended, or a value that is read. */
  readonly kind: "rows" | "after" | "value"
}

/** Nodes are in the order of the definition: every edge goes forward. */
export interface Graph {
  readonly nodes: ReadonlyArray<GraphNode>
  readonly edges: ReadonlyArray<GraphEdge>
}

/** A limit of the budget, and what of it is used. `duration` is in milliseconds. */
export interface BudgetUse {
  readonly name: "credits" | "pages" | "rows" | "bytes" | "duration"
  readonly used: number
  readonly limit: number
  /** By the day: the credits of all runs of the pipeline on this day (UTC). */
  readonly per: "run" | "day"
}

export interface OutputFile {
  /** Of the run's outputs, from 0: for the preview. */
  readonly number: number
  readonly path: string
  readonly format: string
  readonly rows: number
  readonly bytes: number
}

/** What there is to tell about a run beside its numbers, newest last. */
export interface News {
  readonly at: number
  readonly kind: "began" | "reject" | "page" | "ended"
  readonly text: string
  readonly step?: string | undefined
}

export interface RunDetail extends RunLine {
  readonly file: string
  readonly out: string
  readonly stateKey?: string | undefined
  readonly inputs: Readonly<Record<string, unknown>>
  readonly limit?: number | undefined
  readonly backfill?: boolean | undefined
  /** The whole of `error`. */
  readonly why?: string | undefined
  /** Null when the definition cannot be read any more. */
  readonly graph: Graph | null
  readonly progress: Progress
  readonly budget: ReadonlyArray<BudgetUse>
  readonly outputs: ReadonlyArray<OutputFile>
  readonly news: ReadonlyArray<News>
  readonly openRejects: number
  /** A log was kept, which is so for runs that were started from here. */
  readonly hasLog: boolean
  readonly canReplay: boolean
  readonly canResume: boolean
  readonly canStop: boolean
}

export interface Definition {
  readonly file: string
  /** As it is written: secrets stand in it by their names. */
  readonly text: string
}

/** Part of a log. */
export interface Log {
  readonly text: string
  /** Where to go on: `?after=`. Without `after` the log's last 64 KB are given. */
  readonly next: number
  /** True while whoever writes it may write more. */
  readonly isOpen: boolean
}

// ── Rejects

export interface RejectLine {
  readonly number: number
  readonly step: string
  readonly key: string
  /** Its reason in a word, and in a sentence. */
  readonly error: string
  readonly message: string
  /** `file:line:column` of the step. */
  readonly definedAt: string
  readonly at: number
  readonly jobId?: string | undefined
  /** The row, as JSON that may be cut: `isCut`. */
  readonly row: string
  readonly isCut: boolean
  readonly replayedBy?: string | undefined
}

/** Rejects of one step for one reason. */
export interface RejectGroup {
  readonly step: string
  readonly error: string
  readonly count: number
  readonly open: number
}

export interface RejectList {
  readonly rejects: ReadonlyArray<RejectLine>
  readonly next: Next
  /** Of the whole run, whatever the filter, most frequent first, at most 100. */
  readonly groups: ReadonlyArray<RejectGroup>
}

// ── Pages

/** An attempt of a run at a page. */
export interface PageVersion {
  readonly run: string
  /** In its run. `RUN:NUMBER` names it. */
  readonly number: number
  readonly step: string
  readonly key: string
  readonly at: number
  readonly status?: number | undefined
  readonly error?: string | undefined
  /** SHA-256 of its content. */
  readonly hash?: string | undefined
  readonly jobId?: string | undefined
  readonly credits?: number | undefined
  /** `known`, `shared` with the other pages of its job, `unknown` or `none`. */
  readonly price: string
}

export interface RunPages {
  readonly pages: ReadonlyArray<PageVersion>
  readonly next: Next
}

/** A page, whichever runs met it. */
export interface PageLine {
  readonly key: string
  readonly attempts: number
  readonly firstSeen: number
  readonly lastSeen: number
  /** Of its newest attempt. */
  readonly last: PageVersion
}

/** In the order of their addresses. All words of the text occur in the key, in whatever case. */
export interface PageList {
  readonly pages: ReadonlyArray<PageLine>
  readonly next: Next
  /** The search was cut short for its time: `next` goes on with it, even when `pages` is empty. */
  readonly isPartial: boolean
  /** Milliseconds that it took. */
  readonly took: number
}

/** Newest first. */
export interface PageVersions {
  readonly key: string
  readonly attempts: number
  readonly firstSeen?: number | undefined
  readonly lastSeen?: number | undefined
  readonly versions: ReadonlyArray<PageVersion>
  readonly next: Next
}

/** A stretch of lines; `same` stretches are whole: whoever shows them may fold them. */
export interface DiffPart {
  readonly kind: "same" | "added" | "removed"
  readonly lines: ReadonlyArray<string>
}

export interface PageDiff {
  readonly from: PageVersion
  readonly to: PageVersion
  /** What differs of what the ledger has: status, error, hash, credits … */
  readonly fields: ReadonlyArray<{
    readonly name: string
    readonly from?: string | undefined
    readonly to?: string | undefined
  }>
  /** `same` by their hashes; null when a hash is missing. */
  readonly isSame: boolean | null
  /**
   * Of the contents, as the outputs of both runs have them. Null when they are not there any more (`why` says so: an
   * output was replaced by a later run, or holds no such field).
   */
  readonly parts: ReadonlyArray<DiffPart> | null
  readonly why?: string | undefined
  /** What was compared: `markdown`, another field, or `row` for the whole row as JSON. */
  readonly of?: string | undefined
}

// ── Schedules

export const outcomes = [
  "waiting",
  "running",
  "retrying",
  "completed",
  "failed",
  "budget",
  "missed",
  "skipped",
  "replaced"
] as const

/** An instant; `due`: it is still to come. */
export interface Instant {
  readonly pipeline: string
  readonly instant: number
  readonly status: (typeof outcomes)[number] | "due"
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

/** Ascending; at most 2,000: the oldest, and those that are farthest ahead, are left out (`isCut`). */
export interface Calendar {
  readonly instants: ReadonlyArray<Instant>
  readonly isCut: boolean
}

export interface Pause {
  readonly why?: string | undefined
}

// ── Usage

/** `month` is `2026-03`, in UTC. */
export interface Usage {
  /** The months asked for, oldest first, those without use too. */
  readonly months: ReadonlyArray<string>
  /** What runs have used, as the ledger has it; `name` is the pipeline. */
  readonly pipelines: ReadonlyArray<{
    readonly month: string
    readonly name: string
    readonly credits: number
    readonly unpriced: number
  }>
  /** What the service says, by the name of the key; null when none is known or it does not answer: `why`. */
  readonly keys: ReadonlyArray<{ readonly month: string; readonly name: string; readonly credits: number }> | null
  readonly why?: string | undefined
  /** Credits that are left there, where it says. */
  readonly left?: number | undefined
}

// ── Engine

export interface Job {
  readonly id: string
  readonly url?: string | undefined
  readonly createdAt?: number | undefined
}

export interface Session {
  readonly id: string
  /** Open in a window of their own: another origin. */
  readonly watchUrl?: string | undefined
  readonly steerUrl?: string | undefined
  readonly expiresAt?: number | undefined
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
}

// ── Outputs

/** The first rows of an output. */
export interface Preview {
  readonly path: string
  readonly format: string
  readonly columns: ReadonlyArray<string>
  /** By columns. Texts are as they are (JSON where they are no text), cut at 2,000 characters; null: not there. */
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>
  /** There are more. */
  readonly isCut: boolean
  /** Why there is nothing to show: the file has gone, was replaced by a later run, or is of no such format. */
  readonly why?: string | undefined
}

// ── Launch

export interface InputField {
  readonly name: string
  readonly type: "string" | "integer" | "number" | "boolean" | "url" | "path"
  readonly description?: string | undefined
  readonly default?: string | number | boolean | undefined
  readonly enum?: ReadonlyArray<string | number> | undefined
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  readonly maxLength?: number | undefined
}

export interface DefinitionLine {
  /** Names it in {@link Launch}: its path in the folder. */
  readonly file: string
  readonly name: string
  readonly description?: string | undefined
  readonly inputs: ReadonlyArray<InputField>
  /** What keeps it from being run. */
  readonly mistakes: ReadonlyArray<Mistake>
}

/** By file. */
export interface Definitions {
  /** Absolute; null when there is no folder of definitions: `why`. */
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

// ── Events

/**
 * Server-sent events: `event:` is the name, `data:` the JSON, `id:` lets the browser go on where it was (`Last-Event-ID`).
 * A comment comes every 15 seconds. Who reads too slowly is cut off and comes again by itself.
 */
export interface Events {
  /** First of all, and after a gap that cannot be made up for (`isGap`): what is shown should be asked for anew then. */
  readonly hello: { readonly now: number; readonly isGap: boolean }
  /** Runs that are new or have changed. */
  readonly runs: { readonly runs: ReadonlyArray<RunLine> }
  /** The run that is followed has moved. */
  readonly progress: {
    readonly run: string
    readonly progress: Progress
    readonly budget: ReadonlyArray<BudgetUse>
    readonly news: ReadonlyArray<News>
  }
  /** Runs that the ledger has forgotten. */
  readonly gone: { readonly runs: ReadonlyArray<string> }
  /** Instants of schedules have changed: lists of them should be asked for anew. */
  readonly schedules: { readonly at: number }
  /** The ledger cannot be read now; once more without an error when it can. */
  readonly ledger: { readonly error?: string | undefined }
}
