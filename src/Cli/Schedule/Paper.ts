/** Files for another scheduler, and what their printers share. */
import type { Schedule } from "../../Pipeline/Schedule.ts"

/** A pipeline that another scheduler starts. */
export interface Job {
  readonly name: string
  readonly description: string | undefined
  /** Absolute. */
  readonly file: string
  readonly schedule: Schedule
  /** Inputs from `--input`. */
  readonly inputs?: ReadonlyArray<readonly [name: string, value: string]> | undefined
  /** Names that the definition reads of the environment: as secrets, and plainly. */
  readonly secrets: ReadonlyArray<string>
  readonly variables: ReadonlyArray<string>
}

/** Facts about this machine and this call. */
export interface Surroundings {
  /** Absolute paths of the program that runs sluice, and of sluice. */
  readonly node: string
  readonly bin: string
  /** The current folder, absolute: relative paths of definitions are under it. */
  readonly folder: string
  /** Absolute. */
  readonly data: string
  readonly out: string
  /** Flags of this call that the printed commands repeat: profile, permissions. */
  readonly flags: ReadonlyArray<string>
  /** Runs are submitted to the cluster's workers, and awaited. */
  readonly onCluster: boolean
  /** Name of the current user, if known. */
  readonly user?: string | undefined
  /** Of a container. */
  readonly image: string
  readonly now: number
}

export interface Paper {
  /** File name. */
  readonly file: string
  readonly text: string
}

export interface Print {
  readonly papers: ReadonlyArray<Paper>
  /** Pipelines that this scheduler cannot express, and why. */
  readonly refused: ReadonlyArray<{ readonly name: string; readonly reason: string }>
}

export type Printer = (jobs: ReadonlyArray<Job>, around: Surroundings) => Print

/** Replaces line breaks and runs of spaces by one space. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Lines of a comment. */
export const comment = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line) => (line === "" ? "#" : `# ${oneLine(line)}`))

/** A word for a shell. */
export const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** Path relative to the folder, if it is inside. */
export const under = (folder: string, path: string): string =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path

/** Flags of every printed command. */
export const flagsOf = ({ flags, onCluster }: Pick<Surroundings, "flags" | "onCluster">): ReadonlyArray<string> => [
  ...(onCluster ? ["--on", "cluster"] : []),
  ...flags,
  "--quiet"
]

/** The command-line arguments that pass the inputs: `--input name=value` for each. */
export const inputsOf = ({ inputs = [] }: Job): ReadonlyArray<string> =>
  inputs.flatMap(([name, value]) => ["--input", `${name}=${value}`])

/** Variable that the other scheduler must set for cluster runs. */
export const database = "SLUICE_DATABASE_URL"

/** Arguments that run the last scheduled time. */
export const words = (
  job: Job,
  around: Pick<Surroundings, "data" | "flags" | "onCluster" | "out">
): ReadonlyArray<string> => [
  "schedule",
  "run",
  job.file,
  ...inputsOf(job),
  "--data",
  around.data,
  "--out",
  around.out,
  ...flagsOf(around)
]
