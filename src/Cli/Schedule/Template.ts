/** What the printers for other schedulers share. Each printer fills templates that look like the file it prints. */
import * as Arr from "effect/Array"
import * as Either from "effect/Either"
import { stringify } from "yaml"
import type { Schedule } from "../../Pipeline/Schedule.ts"

/** A pipeline that another scheduler starts. */
export interface Job {
  readonly name: string
  readonly description: string | undefined
  /** Absolute path. */
  readonly file: string
  readonly schedule: Schedule
  /** Inputs from `--input`. */
  readonly inputs?: ReadonlyArray<readonly [name: string, value: string]> | undefined
  /** Environment variables that the definition reads as `secrets.NAME`. */
  readonly secrets: ReadonlyArray<string>
  /** Environment variables that the definition reads as `env.NAME`. */
  readonly variables: ReadonlyArray<string>
}

/** This machine and the options of this call, as far as the printed files depend on them. Paths are absolute. */
export interface PrintContext {
  /** Program that runs sluice. */
  readonly node: string
  /** Script of sluice. */
  readonly bin: string
  /** Current folder; definitions inside it are printed with relative paths where the scheduler allows it. */
  readonly folder: string
  readonly data: string
  readonly out: string
  /** Flags of this call that the printed commands repeat: profile, permissions. */
  readonly flags: ReadonlyArray<string>
  /** True to submit runs to the cluster's workers and wait for them. */
  readonly onCluster: boolean
  /** Current user, if known. */
  readonly user?: string | undefined
  /** Container image. */
  readonly image: string
  readonly now: number
}

export interface PrintedFile {
  readonly name: string
  readonly text: string
}

export interface Printed {
  readonly files: ReadonlyArray<PrintedFile>
  /** Pipelines with a schedule that the other scheduler cannot express. */
  readonly refused: ReadonlyArray<Refused>
}

export interface Refused {
  readonly name: string
  readonly reason: string
}

export type Printer = (jobs: ReadonlyArray<Job>, context: PrintContext) => Printed

/** Makes a file from its lines. */
export const fileOf = (name: string, lines: ReadonlyArray<string>): PrintedFile => ({
  name,
  text: `${lines.join("\n")}\n`
})

/** Comment lines about the pipelines that a file leaves out. */
export const leftOut = (refused: ReadonlyArray<Refused>): ReadonlyArray<string> =>
  refused.map(({ name, reason }) => `${name} is not in this file: ${reason}.`)

/** Splits jobs into those that the scheduler can express, and those that it cannot. */
export const express = <A>(
  jobs: ReadonlyArray<Job>,
  expressed: (job: Job) => Either.Either<A, string>
): readonly [refused: ReadonlyArray<Refused>, expressed: ReadonlyArray<{ readonly job: Job; readonly as: A }>] =>
  Arr.partitionMap(jobs, (job) =>
    Either.mapBoth(expressed(job), {
      onLeft: (reason): Refused => ({ name: job.name, reason }),
      onRight: (as) => ({ job, as })
    })
  )

/** A YAML scalar on one line. */
export const scalar = (value: string): string =>
  value.includes("\n") ? JSON.stringify(value) : stringify(value, { lineWidth: 0 }).trimEnd()

/** Path relative to the folder, if it is inside. */
export const relativeTo = (folder: string, path: string): string =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path

/** Flags of every printed command. */
export const flagsOf = ({ flags, onCluster }: Pick<PrintContext, "flags" | "onCluster">): ReadonlyArray<string> => [
  ...(onCluster ? ["--on", "cluster"] : []),
  ...flags,
  "--quiet"
]

/** `--input name=value` for each input. */
export const inputsOf = ({ inputs = [] }: Job): ReadonlyArray<string> =>
  inputs.flatMap(([name, value]) => ["--input", `${name}=${value}`])

/** Arguments with which sluice runs the latest scheduled time of a pipeline. */
export const runArguments = (
  job: Job,
  context: Pick<PrintContext, "data" | "flags" | "onCluster" | "out">
): ReadonlyArray<string> => [
  "schedule",
  "run",
  job.file,
  ...inputsOf(job),
  "--data",
  context.data,
  "--out",
  context.out,
  ...flagsOf(context)
]
