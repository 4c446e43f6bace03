/** Runs: entries of the list, and the details of one run. */
import type { Next } from "../Protocol.ts"

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
  /** There is more already. */
  readonly isMore: boolean
}
