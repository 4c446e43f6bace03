/** Second part of the protocol: runs with their progress, rejects and outputs, and the page ledger. */

import type { OutputRows } from "../../Row/Count.ts"

/** Position at which the next page of a list begins, for `?after=`; null at the end of the list. */
export type Next = string | null

/**
 * `crashed`: its process ended unexpectedly. `waiting`: on the cluster, but no worker is running it. `publishing`: its files are being
 * renamed to their final names. `held`: its files wait to be published or discarded.
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

/** States of runs with a living process. */
export const lively: ReadonlyArray<State> = ["running", "publishing"]

/** Run in a list. */
export interface RunLine {
  readonly id: string
  readonly pipeline: string
  readonly state: State
  readonly startedAt: number
  /** Time of the last checkpoint. */
  readonly updatedAt: number
  readonly endedAt?: number | undefined
  /** Rows that left the last step. */
  readonly rows: number
  /** Rows written to each output; undefined if no step writes. */
  readonly written?: ReadonlyArray<OutputRows> | undefined
  readonly rejects: number
  readonly credits: number
  /** Calls whose price the service did not report. */
  readonly unpriced: number
  /** Duration in milliseconds, so far or in total. */
  readonly duration: number
  /** First line of the reason why the run failed. */
  readonly error?: string | undefined
  /** Scheduled time of the run. */
  readonly scheduledFor?: number | undefined
  /** Run whose rejects this run replays. */
  readonly replayOf?: string | undefined
  /** True if it has shards on the cluster; `?group=ID` lists them. */
  readonly isGroup: boolean
}

/** Runs, newest first. */
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
  /** Emitted rows per second over the last few seconds; undefined until known. */
  readonly rate?: number | undefined
  /** Rows in the buffer of the step (`held`), and its size (`room`): upstream steps wait when it is full. */
  readonly held?: number | undefined
  readonly room?: number | undefined
  /** Number of rows being processed. */
  readonly busy?: number | undefined
  /** True if the step waits because the buffer of a downstream step is full. */
  readonly blocked?: boolean | undefined
  /** Number of attempts at pages. Events do not include this count and those below. */
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
  /** Rows that sources and jobs have announced; 0 if unknown. */
  readonly expected: number
  /** Number of the `expected` rows that have been read. */
  readonly read: number
  readonly pages: number
  /** Calls counted by a budget; 0 for runs of earlier versions. */
  readonly calls?: number | undefined
  /** Bytes of the outputs on disk. */
  readonly bytes?: number | undefined
  readonly steps: ReadonlyArray<StepCount>
  /** Links that crawls found but did not follow, as text; undefined if there are none. */
  readonly notFollowed?: string | undefined
  /**
   * Activity of the steps: one letter per slot of `every` milliseconds. `w` working, `r` retrying, `b` blocked by a step downstream, `.`
   * waiting for rows, blank: stopped. Undefined for runs of earlier versions and very short runs.
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
  /** True if the step's rows count as read, like those of sources. */
  readonly announces?: true
}

export interface GraphEdge {
  readonly from: string
  readonly to: string
  /** `rows`: rows flow; `after`: waits until a step has ended; `value`: reads a value. */
  readonly kind: "rows" | "after" | "value"
}

/** Nodes are in definition order, so every edge goes forward. */
export interface Graph {
  readonly nodes: ReadonlyArray<GraphNode>
  readonly edges: ReadonlyArray<GraphEdge>
}

/** A limit of the budget, and how much of it is used; `duration` is in milliseconds. */
export interface BudgetUse {
  readonly name: "credits" | "pages" | "calls" | "rows" | "bytes" | "duration"
  readonly used: number
  readonly limit: number
  /** `day`: counts the credits of all runs of the pipeline on that day (UTC). */
  readonly per: "run" | "day"
}

export interface OutputFile {
  /** Position among the outputs, from 0; identifies the output in the preview. */
  readonly number: number
  readonly path: string
  readonly format: string
  readonly rows: number
  readonly bytes: number
}

/** Event in the history of a run. */
export interface News {
  readonly at: number
  readonly kind: "began" | "reject" | "page" | "ended"
  readonly text: string
  readonly step?: string | undefined
}

/**
 * Cause of a run: its schedule, a scheduled time that a user ran by hand, a replay, or anything else (`direct`): the command line, this
 * dashboard, or a program.
 */
export interface Trigger {
  readonly kind: "schedule" | "hand" | "replay" | "direct"
  /** Attempt at the scheduled time, from 1. */
  readonly attempt?: number | undefined
}

/** Verdict on a metric of the outputs that differs from earlier runs. */
export interface HealthVerdict {
  readonly level: "unusual" | "broken"
  /** Sentence with the expected value, the actual one, and since when they differ. */
  readonly text: string
}

/** Values behind a verdict: those of the good runs used for comparison, and that of this run. */
export type Comparison =
  | {
      readonly kind: "history"
      readonly unit: "rows" | "share" | "values"
      /** At most 20, oldest first. */
      readonly good: ReadonlyArray<{ readonly run: string; readonly at: number; readonly value: number }>
      /** Range of values that count as normal. */
      readonly least: number
      readonly greatest: number
      readonly got: number
    }
  | {
      /** Shares of types, languages or values, most frequent first; `expected` has medians. */
      readonly kind: "mix"
      readonly parts: ReadonlyArray<{ readonly name: string; readonly expected: number; readonly got: number }>
    }
  | {
      /** Smallest value, 10 %, median, 90 % and largest value; `expected` has medians. */
      readonly kind: "quantiles"
      readonly unit: "length" | "number"
      readonly expected: ReadonlyArray<number>
      readonly got: ReadonlyArray<number>
    }

/** Verdicts of a run, broken ones first. */
export interface RunHealth {
  readonly verdicts: ReadonlyArray<
    HealthVerdict & {
      /** Name of the metric, such as `rows` or `fill`. */
      readonly metric: string
      /** Step and field that the verdict is about, if any. */
      readonly step?: string | undefined
      readonly field?: string | undefined
      /** The first of the successive runs with the same verdict, up to this one; undefined if that is this run. */
      readonly since?: string | undefined
      /** True for a rule of the definition or the contract, which needs no other runs. */
      readonly isRule: boolean
      /** Undefined if too few of the good runs are still in the ledger. */
      readonly comparison?: Comparison | undefined
    }
  >
}

export interface RunDetail extends RunLine {
  readonly trigger: Trigger
  /** Verdicts, broken ones first. */
  readonly verdicts: ReadonlyArray<HealthVerdict>
  readonly file: string
  readonly out: string
  readonly stateKey?: string | undefined
  readonly inputs: Readonly<Record<string, unknown>>
  readonly limit?: number | undefined
  readonly backfill?: boolean | undefined
  /** Full reason why the run failed. */
  readonly why?: string | undefined
  /** Null if the definition cannot be read. */
  readonly graph: Graph | null
  readonly progress: Progress
  readonly budget: ReadonlyArray<BudgetUse>
  readonly outputs: ReadonlyArray<OutputFile>
  /** For a held run, the last good run before it. `outputs` maps the number of an output to the number of the same output in that run. */
  readonly lastGood?:
    | { readonly id: string; readonly startedAt: number; readonly outputs: Readonly<Record<number, number>> }
    | undefined
  /** Events, oldest first. */
  readonly news: ReadonlyArray<News>
  readonly openRejects: number
  /** True if the ledger contains a log of the run. */
  readonly hasLog: boolean
  /** Part of the run that a replay reads again; undefined if there is nothing to replay. */
  readonly replay: "pages" | "rejects" | undefined
  readonly canResume: boolean
  /** True if no process works on the run, and it is held or has not begun to publish. False for a cluster run that is not stopped. */
  readonly canDiscard: boolean
  readonly canStop: boolean
  /** True if the outputs can be published: they are held, or were released but not published because the process died. */
  readonly isHeld: boolean
}

export interface Definition {
  readonly file: string
  /** Text as written: secrets appear only by name. */
  readonly text: string
}

/** Part of a log. */
export interface Log {
  readonly text: string
  /** Position for `?after=`. Without `after`, the response has the end of the log, about 64 KB. */
  readonly next: number
  /** True if the log has more text. */
  readonly isMore: boolean
}

/** One attempt of a run at a page. */
export interface PageVersion {
  readonly run: string
  /** Number within the run; `RUN:NUMBER` identifies the version. */
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

/** A page with its attempts in all runs. */
export interface PageLine {
  readonly key: string
  readonly attempts: number
  readonly firstSeen: number
  readonly lastSeen: number
  /** Newest attempt. */
  readonly last: PageVersion
}

/** Response to a search of pages: those whose URLs contain all words of the query `text` (ignoring case), sorted by URL. */
export interface PageList {
  readonly pages: ReadonlyArray<PageLine>
  readonly next: Next
  /** True if the search ran out of time: `next` continues it, even if `pages` is empty. */
  readonly isPartial: boolean
  /** Duration of the search in milliseconds. */
  readonly took: number
}

/** Attempts at a page, newest first. */
export interface PageVersions {
  readonly key: string
  readonly attempts: number
  readonly firstSeen?: number | undefined
  readonly lastSeen?: number | undefined
  readonly versions: ReadonlyArray<PageVersion>
  /**
   * Default comparison, as `RUN:NUMBER`: the two latest distinct contents among all attempts, preferring those whose outputs still exist.
   * Only on the first page of the list; undefined if there are fewer than two contents.
   */
  readonly compare?: { readonly from: string; readonly to: string } | undefined
  readonly next: Next
}

/** Consecutive lines of a difference; parts with `same` are complete. */
export interface DiffPart {
  readonly kind: "same" | "added" | "removed"
  readonly lines: ReadonlyArray<string>
}

export interface PageDiff {
  readonly from: PageVersion
  readonly to: PageVersion
  /** Fields in the ledger that differ, such as status, error, hash and credits. */
  readonly fields: ReadonlyArray<{
    readonly name: string
    readonly from?: string | undefined
    readonly to?: string | undefined
  }>
  /** True if the hashes are equal; null if one is missing. */
  readonly isSame: boolean | null
  /**
   * Difference of the contents, which are read from the outputs of the runs; null if a content no longer exists (`why` gives the reason).
   */
  readonly parts: ReadonlyArray<DiffPart> | null
  readonly why?: string | undefined
  /** Name of the field that was compared, or `row` for the whole row as JSON. */
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
  /** Number of calls for the row. */
  readonly attempts?: number | undefined
  /** `file:line:column` of the step in the definition. */
  readonly definedAt: string
  readonly at: number
  readonly jobId?: string | undefined
  /** The row as indented JSON; incomplete if `isCut`. */
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
  /** At most 100 groups of the whole run, whatever the filter, most frequent first. */
  readonly groups: ReadonlyArray<RejectGroup>
}

/** Response with the first rows of an output. */
export interface Preview {
  readonly path: string
  readonly format: string
  readonly columns: ReadonlyArray<string>
  /** Cells by column: strings unchanged, other values as JSON, at most 2,000 characters; null if missing. */
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>
  /** True if the output has more rows. */
  readonly isCut: boolean
  /** Why there is no preview: the file is missing, has changed since the run, or has a format that only code of the project can read. */
  readonly why?: string | undefined
}

/** Statistics of a column. An empty cell counts as missing. */
export interface ColumnProfile {
  readonly name: string
  /** Number of rows with a value. */
  readonly filled: number
  /** Number of rows by type, most frequent first: `string`, `integer`, `number`, `boolean`, `array`, `object`. */
  readonly types: ReadonlyArray<{ readonly type: string; readonly rows: number }>
  /** Number of distinct values, at most 1,000; `hasMore` if there are more. */
  readonly distinct: number
  readonly hasMore: boolean
  /** Range of the numbers. */
  readonly range?: { readonly least: number; readonly greatest: number } | undefined
  /** Lengths of the strings, in characters. */
  readonly lengths?: { readonly least: number; readonly greatest: number } | undefined
  /** At most 3 of the most frequent values that occur more than once; long values are cut. */
  readonly top: ReadonlyArray<{ readonly value: string; readonly rows: number }>
}

/** Statistics of an output's columns, computed from its first `rows` rows. */
export interface OutputProfile {
  readonly columns: ReadonlyArray<ColumnProfile>
  readonly rows: number
  /** True if the output has more rows. */
  readonly isCut: boolean
  /** Why there is no profile; same reasons as in {@link Preview}. */
  readonly why?: string | undefined
}
