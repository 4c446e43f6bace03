/** Protocol, part 2: what the ledger knows of runs, their pages, their rejects and their outputs. */

/** Position after which a list continues: sent back as `after`; null at the end. */
export type Next = string | null

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
  /** Progress counts its rows as read, as those of sources. */
  readonly announces?: true
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
  /** The log of the run is on this machine. */
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
  /** There is more already. */
  readonly isMore: boolean
}

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
  /**
   * Default comparison, as `RUN:NUMBER`: the newest two contents over all attempts, those first whose outputs still exist.
   * Only on the first page of the list; undefined with fewer than two contents.
   */
  readonly compare?: { readonly from: string; readonly to: string } | undefined
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

export interface RejectLine {
  readonly number: number
  readonly step: string
  readonly key: string
  /** Its reason in a word, and in a sentence. */
  readonly error: string
  readonly message: string
  /** What the site answered, of a page that failed for its status. */
  readonly status?: number | undefined
  /** Calls that were made for the row. */
  readonly attempts?: number | undefined
  /** `file:line:column` of the step. */
  readonly definedAt: string
  readonly at: number
  readonly jobId?: string | undefined
  /** The row, as JSON for people that may be cut: `isCut`. */
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
