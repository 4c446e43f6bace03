/** A run as it travels to workers: the definition as it was read, and what it is told beside it. Plain JSON, without secrets. */
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import { type Checked, check } from "../Pipeline/Check.ts"
import { parseText } from "../Pipeline/Source.ts"
import type { RunOptions } from "../Run.ts"

export interface Task {
  readonly runId: string
  readonly pipeline: string
  /** Absolute; its folder is on storage that all workers share, where the pipeline reads files from it. */
  readonly file: string
  readonly definition: string
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
export const checkedOf = ({ definition, file, inputs }: Task, scope: Required<Pick<RunOptions, "env" | "secrets">>) =>
  Effect.gen(function* () {
    const source = yield* parseText(file, NodePath.dirname(file), definition)
    const checked = yield* check(source, {
      env: scope.env ?? {},
      secrets: scope.secrets ?? (() => undefined),
      inputs,
      saved: true,
      complete: true,
      begun: true
    })
    // As they were settled where the run was handed in: a path was relative to a folder there.
    return { ...checked, inputs } satisfies Checked
  })
