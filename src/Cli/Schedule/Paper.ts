/** What is written for another scheduler: texts with the names they are kept under. */
import type { Schedule } from "../../Pipeline/Schedule.ts"

/** A pipeline that is to be begun by somebody else. */
export interface Job {
  readonly name: string
  readonly description: string | undefined
  /** Absolute. */
  readonly file: string
  readonly schedule: Schedule
  /** What `--input` gives it. */
  readonly inputs?: ReadonlyArray<readonly [name: string, value: string]> | undefined
  /** Names that the definition reads of the environment: as secrets, and plainly. */
  readonly secrets: ReadonlyArray<string>
  readonly variables: ReadonlyArray<string>
}

/** What a machine must be told beside it. */
export interface Surroundings {
  /** Absolute paths of the program that runs sluice, and of sluice. */
  readonly node: string
  readonly bin: string
  /** The current folder, absolute: relative paths of definitions are under it. */
  readonly folder: string
  /** Absolute. */
  readonly data: string
  readonly out: string
  /** What was said for this call and holds for those that are printed: the profile, and whether code may be run. */
  readonly flags: ReadonlyArray<string>
  /** Runs are handed in to the workers that share a database; what begins them only awaits them. */
  readonly onCluster: boolean
  /** Whose program it is, where the system says so. */
  readonly user?: string | undefined
  /** Of a container. */
  readonly image: string
  readonly now: number
}

export interface Paper {
  /** Its name: where it belongs, as far as it is known. */
  readonly file: string
  readonly text: string
}

export interface Print {
  readonly papers: ReadonlyArray<Paper>
  /** Pipelines that this scheduler cannot carry out, and why. */
  readonly refused: ReadonlyArray<{ readonly name: string; readonly reason: string }>
}

export type Printer = (jobs: ReadonlyArray<Job>, around: Surroundings) => Print

/** A text as one line of a comment. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/** Lines of a comment. */
export const comment = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line) => (line === "" ? "#" : `# ${oneLine(line)}`))

/** A word for a shell. */
export const quote = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

/** Under the current folder, where it is. */
export const under = (folder: string, path: string): string =>
  path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path

/** What holds for every call that is printed. */
export const flagsOf = ({ flags, onCluster }: Pick<Surroundings, "flags" | "onCluster">): ReadonlyArray<string> => [
  ...(onCluster ? ["--on", "cluster"] : []),
  ...flags,
  "--quiet"
]

/** The command-line arguments that pass the inputs: `--input name=value` for each. */
export const inputsOf = ({ inputs = [] }: Job): ReadonlyArray<string> =>
  inputs.flatMap(([name, value]) => ["--input", `${name}=${value}`])

/** What whoever begins them must bring, where runs go to workers. */
export const database = "SLUICE_DATABASE_URL"

/** The words that carry out the instant that has come last. */
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
