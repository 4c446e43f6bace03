/** Protocol, part 2: runs with their progress, rejects and outputs, and the page ledger. */

import type { OutputRows } from "../../Row/Count.ts"

/** Position after which the list continues, for `?after=`; null at the end. */
export type Next = string | null

/**
 * `crashed`: its process ended unexpectedly. `waiting`: on the cluster, and no worker executes it now. `publishing`: its files are
 * being renamed to their final names. `held`: its files wait to be published or discarded.
 */
export const states = [
  "running",
  "waiting",
  "publishing",
  "completed",
  "stopped",
  "budget",
  "failed",
  "held",
  "discarded",
  "crashed"
] as const
export type State = (typeof states)[number]

/** States with a living process. */
export const lively: ReadonlyArray<State> = ["running", "publishing"]

/** A run in a list. */
export interface RunLine {
  readonly id: string
  readonly pipeline: string
  readonly state: State
  readonly startedAt: number
  /** Last checkpoint. */
  readonly updatedAt: number
  readonly endedAt?: number | undefined
  /** Rows that left the last step. */
  readonly rows: number
  /** Rows of each output; undefined when no step writes. */
  readonly written?: ReadonlyArray<OutputRows> | undefined
  readonly rejects: number
  readonly credits: number
  /** Calls whose price the service did not report. */
  readonly unpriced: number
  /** Milliseconds, so far or in total. */
  readonly duration: number
  /** First line of the reason of the failure. */
  readonly error?: string | undefined
  /** Time for which it was scheduled. */
  readonly scheduledFor?: number | undefined
  /** The run whose rejects it replays. */
  readonly replayOf?: string | undefined
  /** Has shards on the cluster, which `?group=ID` lists. */
  readonly isGroup: boolean
}

/** Newest first. */
export interface RunList {
  readonly runs: ReadonlyArray<RunLine>
  readonly next: Next
}

/** Counts of a step so far. */
export interface StepCount {
  readonly step: string
  readonly in: number
  /** Emitted rows; each downstream step gets all of them. */
  readonly out: number
  readonly rejects: number
  /** Emitted rows per second over the last seconds; undefined until it is known. */
  readonly rate?: number | undefined
  /** Rows in its buffer, and the size of the buffer: upstream steps wait when it is full. */
  readonly held?: number | undefined
  readonly room?: number | undefined
  /** Rows in work. */
  readonly busy?: number | undefined
  /** Waits because the buffer of a downstream step is full. */
  readonly blocked?: boolean | undefined
  /** Attempts at pages. This and the counts below are not part of events. */
  readonly pages?: number | undefined
  readonly failedPages?: number | undefined
  readonly calls?: number | undefined
  readonly credits?: number | undefined
  readonly openRejects?: number | undefined
}

/** Progress of a run, as of its last checkpoint. */
export interface Progress {
  /** Time of the checkpoint. */
  readonly at: number
  /** Rows that sources and jobs have announced; 0 when unknown. */
  readonly expected: number
  /** Of `expected`, the rows that have been read. */
  readonly read: number
  readonly pages: number
  /** Calls that a budget counts; 0 for runs of earlier versions. */
  readonly calls?: number | undefined
  /** Bytes of outputs on disk. */
  readonly bytes?: number | undefined
  readonly steps: ReadonlyArray<StepCount>
  /** Links that crawls have found and not followed, in words; undefined without any. */
  readonly notFollowed?: string | undefined
  /**
   * Activity of the steps: a letter per slot of `every` milliseconds. `w` working, `r` retrying, `b` blocked by a step
   * downstream, `.` waiting for rows, blank: stopped. Undefined for runs of earlier versions and very short ones.
   */
  readonly timeline?: { readonly every: number; readonly steps: Readonly<Record<string, string>> } | undefined
}

export interface GraphNode {
  readonly id: string
  /** `scrape`, `write` … */
  readonly key: string
  readonly kind: "source" | "step" | "value" | "sink"
  /** Value of its main field, shortened. */
  readonly detail: string
  /** Its rows count as read, like those of sources. */
  readonly announces?: true
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
  /** `rows`: rows flow; `after`: waits for the end of a step; `value`: reads a value. */
  readonly kind: "rows" | "after" | "value"
}

/** Nodes are in the order of the definition: every edge goes forward. */
export interface Graph {
  readonly nodes: ReadonlyArray<GraphNode>
  readonly edges: ReadonlyArray<GraphEdge>
}

/** A limit of the budget and its use; `duration` is in milliseconds. */
export interface BudgetUse {
  readonly name: "credits" | "pages" | "calls" | "rows" | "bytes" | "duration"
  readonly used: number
  readonly limit: number
  /** `day`: counts the credits of all runs of the pipeline on this day (UTC). */
  readonly per: "run" | "day"
}

export interface OutputFile {
  /** Position in the outputs, from 0; names the output in the preview. */
  readonly number: number
  readonly path: string
  readonly format: string
  readonly rows: number
  readonly bytes: number
}

/** An event in the history of a run. */
export interface News {
  readonly at: number
  readonly kind: "began" | "reject" | "page" | "ended"
  readonly text: string
  readonly step?: string | undefined
}

/**
 * Origin of a run: its schedule, a scheduled time that a person ran by hand, a replay, or anything else (`direct`): the
 * command line, this dashboard, or a program.
 */
export interface Trigger {
  readonly kind: "schedule" | "hand" | "replay" | "direct"
  /** Attempt at the scheduled time, from 1. */
  readonly attempt?: number | undefined
}

/** A figure of the outputs that is not as in the runs before. */
export interface HealthVerdict {
  readonly level: "unusual" | "broken"
  /** A sentence: the expected value, the actual one, and since when. */
  readonly text: string
}

/** Figures behind a verdict: those of the good runs that it was compared with, and that of the run. */
export type Comparison =
  | {
      readonly kind: "history"
      readonly unit: "rows" | "share" | "values"
      /** Oldest first, at most 20. */
      readonly good: ReadonlyArray<{ readonly run: string; readonly at: number; readonly value: number }>
      /** Range of the trusted ones. */
      readonly least: number
      readonly greatest: number
      readonly came: number
    }
  | {
      /** Shares of types, languages or values, the most frequent ones first; `expected` are medians. */
      readonly kind: "mix"
      readonly parts: ReadonlyArray<{ readonly name: string; readonly expected: number; readonly came: number }>
    }
  | {
      /** Smallest value, 10 %, median, 90 % and largest value; `expected` are medians. */
      readonly kind: "quantiles"
      readonly unit: "length" | "number"
      readonly expected: ReadonlyArray<number>
      readonly came: ReadonlyArray<number>
    }

/** Verdicts of a run, broken ones first. */
export interface RunHealth {
  readonly verdicts: ReadonlyArray<
    HealthVerdict & {
      /** `rows`, `fill` and the like. */
      readonly metric: string
      /** The step and the field, where it is about one. */
      readonly step?: string | undefined
      readonly field?: string | undefined
      /** First of the last runs in a row that had the same verdict; undefined for the run itself. */
      readonly since?: string | undefined
      /** By a rule of the definition or the contract: needs no other runs. */
      readonly isRule: boolean
      /** Undefined when too few of the good runs are still in the ledger. */
      readonly comparison?: Comparison | undefined
    }
  >
}

export interface RunDetail extends RunLine {
  readonly trigger: Trigger
  /** Broken ones first. */
  readonly verdicts: ReadonlyArray<HealthVerdict>
  readonly file: string
  readonly out: string
  readonly stateKey?: string | undefined
  readonly inputs: Readonly<Record<string, unknown>>
  readonly limit?: number | undefined
  readonly backfill?: boolean | undefined
  /** Complete reason of the failure. */
  readonly why?: string | undefined
  /** Null when the definition cannot be read. */
  readonly graph: Graph | null
  readonly progress: Progress
  readonly budget: ReadonlyArray<BudgetUse>
  readonly outputs: ReadonlyArray<OutputFile>
  /** Of a held run: the last good run before it, and the number of the same output there, by the number of an output. */
  readonly lastGood?:
    | { readonly id: string; readonly startedAt: number; readonly outputs: Readonly<Record<number, number>> }
    | undefined
  /** Oldest first. */
  readonly news: ReadonlyArray<News>
  readonly openRejects: number
  /** Its log is on this machine. */
  readonly hasLog: boolean
  readonly canReplay: boolean
  readonly canResume: boolean
  /** No process works on it, and it is held, or its publication has not begun. False for a run of a cluster that is not stopped. */
  readonly canDiscard: boolean
  readonly canStop: boolean
  /** Its outputs are held, or released and not published because their process died: they can be published. */
  readonly isHeld: boolean
}

export interface Definition {
  readonly file: string
  /** As written: secrets appear by name only. */
  readonly text: string
}

/** Part of a log. */
export interface Log {
  readonly text: string
  /** Position for `?after=`. Without `after`, a response has the end of the log, about 64 KB. */
  readonly next: number
  /** The log has more text. */
  readonly isMore: boolean
}

/** An attempt of a run at a page. */
export interface PageVersion {
  readonly run: string
  /** Number in the run; `RUN:NUMBER` identifies the version. */
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
  /** `known`, `shared` (with the other pages of its job), `unknown` or `none`. */
  readonly price: string
}

export interface RunPages {
  readonly pages: ReadonlyArray<PageVersion>
  readonly next: Next
}

/** A page over all runs. */
export interface PageLine {
  readonly key: string
  readonly attempts: number
  readonly firstSeen: number
  readonly lastSeen: number
  /** Newest attempt. */
  readonly last: PageVersion
}

/** Pages whose URLs contain all words of the text (ignoring case), sorted by URL. */
export interface PageList {
  readonly pages: ReadonlyArray<PageLine>
  readonly next: Next
  /** The search ran out of time: `next` continues it, also when `pages` is empty. */
  readonly isPartial: boolean
  /** Milliseconds. */
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

/** Consecutive lines of a difference; `same` parts are complete. */
export interface DiffPart {
  readonly kind: "same" | "added" | "removed"
  readonly lines: ReadonlyArray<string>
}

export interface PageDiff {
  readonly from: PageVersion
  readonly to: PageVersion
  /** Fields of the ledger that differ: status, error, hash, credits … */
  readonly fields: ReadonlyArray<{
    readonly name: string
    readonly from?: string | undefined
    readonly to?: string | undefined
  }>
  /** True when the hashes are equal; null when a hash is missing. */
  readonly isSame: boolean | null
  /** Contents from the outputs of the runs; null when a content no longer exists (`why` gives the reason). */
  readonly parts: ReadonlyArray<DiffPart> | null
  readonly why?: string | undefined
  /** Field that was compared, or `row` for the whole row as JSON. */
  readonly of?: string | undefined
}

export interface RejectLine {
  readonly number: number
  readonly step: string
  readonly key: string
  /** Error code. */
  readonly error: string
  readonly message: string
  /** HTTP status of a page that failed. */
  readonly status?: number | undefined
  /** Calls for the row. */
  readonly attempts?: number | undefined
  /** `file:line:column` of the step in the definition. */
  readonly definedAt: string
  readonly at: number
  readonly jobId?: string | undefined
  /** The row as indented JSON; incomplete when `isCut`. */
  readonly row: string
  readonly isCut: boolean
  readonly replayedBy?: string | undefined
}

/** Rejects of one step with one error code. */
export interface RejectGroup {
  readonly step: string
  readonly error: string
  readonly count: number
  readonly open: number
}

export interface RejectList {
  readonly rejects: ReadonlyArray<RejectLine>
  readonly next: Next
  /** Of the whole run regardless of the filter, most frequent first, at most 100. */
  readonly groups: ReadonlyArray<RejectGroup>
}

/** First rows of an output. */
export interface Preview {
  readonly path: string
  readonly format: string
  readonly columns: ReadonlyArray<string>
  /** Cells by column: strings as they are, other values as JSON, at most 2,000 characters; null when missing. */
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>
  /** The output has more rows. */
  readonly isCut: boolean
  /** Why there is no preview: the file no longer exists, has changed, or has another format. */
  readonly why?: string | undefined
}

/** Statistics of a column. An empty cell counts as missing. */
export interface ColumnProfile {
  readonly name: string
  /** Rows with a value. */
  readonly filled: number
  /** Rows by type, most frequent first: `string`, `integer`, `number`, `boolean`, `array`, `object`. */
  readonly types: ReadonlyArray<{ readonly type: string; readonly rows: number }>
  /** Number of distinct values, at most 1,000; `hasMore` when there are more. */
  readonly distinct: number
  readonly hasMore: boolean
  /** Of numbers. */
  readonly range?: { readonly least: number; readonly greatest: number } | undefined
  /** Characters of strings. */
  readonly lengths?: { readonly least: number; readonly greatest: number } | undefined
  /** Most frequent values that occur more than once, at most 3; long ones are cut. */
  readonly top: ReadonlyArray<{ readonly value: string; readonly rows: number }>
}

/** Columns of an output, over its first `rows` rows. */
export interface OutputProfile {
  readonly columns: ReadonlyArray<ColumnProfile>
  readonly rows: number
  /** The output has more rows. */
  readonly isCut: boolean
  /** Why there is no profile, as for {@link Preview}. */
  readonly why?: string | undefined
}
