/** A submitted run as it travels to workers, and its status. Imports no database types, so that the public entry needs none. */
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import { type Checked, check, requireSameCode } from "../Pipeline/Check.ts"
import { parseText } from "../Pipeline/Source.ts"
import type { ResolvedOptions } from "../Run/RunSpec.ts"
import type { RunOptions } from "../Run.ts"

export interface Task {
  readonly runId: string
  readonly pipeline: string
  /** Absolute; its folder is on storage that all workers share, where the pipeline reads files from it. */
  readonly file: string
  readonly definition: string
  /** Of the definition with the code of its extensions; workers refuse other code. */
  readonly definitionHash?: string | undefined
  readonly inputs: Readonly<Record<string, unknown>>
  /** Absolute, on shared storage. */
  readonly out: string
  readonly startedAt: number
  readonly scheduledFor?: number | undefined
  readonly limit?: number | undefined
  readonly backfill?: boolean | undefined
  readonly allowCode?: boolean | undefined
  /** Of the state across runs; undefined where the pipeline has none, or this run leaves it alone. */
  readonly stateKey?: string | undefined
  /** Rows of a shard at most. */
  readonly shardRows: number
  /** The `traceparent` of whoever handed it in: its parts are in that trace, on whatever machine. */
  readonly trace?: string | undefined
  /** Why the run stays whole, if it does. */
  readonly whole?: string | undefined
  /** Where its budget counts from, as the board has it. */
  readonly budgetFrom?: RunOptions["budgetFrom"]
}

/** Where the parts of a run put what they leave to each other, under its output folder. */
export const folderOf = ({ out, runId }: Task): string => NodePath.join(out, ".sluice", "cluster", runId)

/** Where the runs of its parts keep their rejects. */
export const dataDirOf = (task: Task): string => NodePath.join(folderOf(task), "data")

/** Reads the definition again, where it will run: with this machine's environment. */
export const checkedOf = (
  { allowCode, definition, definitionHash, file, inputs }: Task,
  scope: Required<Pick<RunOptions, "env" | "secrets">>
) =>
  Effect.gen(function* () {
    const source = yield* parseText(file, NodePath.dirname(file), definition)
    const found = yield* check(source, {
      env: scope.env ?? {},
      secrets: scope.secrets ?? (() => undefined),
      inputs,
      saved: true,
      complete: true,
      begun: true,
      allowCode: allowCode ?? false
    })
    const checked = yield* requireSameCode(found, definitionHash)
    // As they were settled where the run was handed in: a path was relative to a folder there.
    return { ...checked, inputs } satisfies Checked
  })

/** What a run is told beside its definition. */
export interface Submission
  extends Pick<
    ResolvedOptions,
    "out" | "backfill" | "allowCode" | "scheduledFor" | "wanted" | "now" | "env" | "secrets"
  > {
  readonly shardRows?: number | undefined
  /** The id that the run gets; one is made where none is given. */
  readonly id?: string | undefined
  /** The instant of a schedule that the run is for: where that is no longer this run's, it is not handed in. */
  readonly instantOf?: string | undefined
}

/** How a run stands, for those who follow it. */
export interface Standing {
  readonly status: "running" | "completed" | "failed" | "budget" | "stopped"
  readonly isSplit: boolean
  /** True when the source has been read, so that no more shards come. */
  readonly isRead: boolean
  readonly shards: number
  readonly done: number
  readonly working: number
  readonly rows: number
  readonly rejects: number
  readonly credits: number
  readonly why: string | undefined
  readonly reason: string | undefined
  readonly error: string | undefined
  /** What a part waits for that somebody else has now. */
  readonly waitsFor: string | undefined
}
