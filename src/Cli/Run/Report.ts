/** Report of a finished run: one JSON object for scripts, a few lines for people. */

import type { PlatformPath } from "node:path"
import * as NodePath from "node:path"
import type * as Cause from "effect/Cause"
import * as Struct from "effect/Struct"
import * as NotFollowed from "../../Api/NotFollowed.ts"
import type { Checked } from "../../Pipeline/Check.ts"
import { open } from "../../Pipeline/Interpolate.ts"
import { DefinitionInvalid } from "../../Pipeline/Issue.ts"
import { describeChanges, describeRows } from "../../Row/Count.ts"
import { RunFailed, type Summary } from "../../Run.ts"
import { TooManyRejects } from "../../Step/StepError.ts"
import { StepError } from "../../Step.ts"
import { bytes, count, duration, place } from "../Format.ts"
import { messageOf, unforeseen } from "../Outcome.ts"
import { describeSaved, type SavedPages } from "../SavedPages.ts"
import { type Channel, type Paint, paint } from "../Terminal.ts"
import type { Failure } from "../Verb.ts"

/** The JSON object about a run. Its `runId` is null for a run that never started. */
export type Report = Omit<Summary, "runId" | "status"> & {
  readonly runId: string | null
  /** `running`: workers of the cluster continue the run. */
  readonly status: Summary["status"] | "running"
  /** Unchanged and checked pages; undefined if there were none. */
  readonly saved?: SavedPages | undefined
  readonly error?: ReturnType<typeof errorOf>
}

const errorOf = (failure: Failure) => {
  const root = failure instanceof RunFailed ? failure.reason : failure
  const invalid = root instanceof StepError && root.cause instanceof DefinitionInvalid ? root.cause : root
  const mistakes = invalid instanceof DefinitionInvalid ? invalid.issues : undefined
  const asked = root instanceof StepError ? root.cause : root
  const requestId = typeof asked === "object" && asked !== null && "requestId" in asked ? asked.requestId : undefined
  const named = "code" in root && typeof root.code === "string" ? root.code : root._tag
  return { code: root instanceof StepError ? root.reason : named, message: messageOf(failure), mistakes, requestId }
}

/** The report of a completed run, with the documented fields of its outputs. */
export const completed = (summary: Summary, saved?: SavedPages): Report => ({
  ...summary,
  outputs: summary.outputs.map(({ bytes, format, path, rows }) => ({ path, format, rows, bytes })),
  ...(saved === undefined ? {} : { saved })
})

const nothing = {
  runId: null,
  rows: 0,
  rejects: 0,
  credits: 0,
  unpricedCalls: 0,
  durationMs: 0,
  outputs: [],
  resumable: false
}

/** The report of a run that failed, at whatever point. */
export const failed = (failure: Failure): Report => ({
  ...(failure instanceof RunFailed ? failure.summary : nothing),
  status: failure instanceof RunFailed ? failure.summary.status : "failed",
  error: errorOf(failure)
})

/** The report of a stopped run. */
export const stopped = (summary: Summary): Report => ({ ...completed(summary), status: "stopped" })

/** The report of a run that was stopped before it started. */
export const neverBegan: Report = { ...nothing, status: "stopped" }

/** The report of a run that workers are continuing. */
export const running = (runId: string): Report => ({ ...nothing, runId, status: "running" })

/** The report of a run that ended with a defect, which is a bug of the program. */
export const broken = (cause: Cause.Cause<unknown>): Report => ({
  ...nothing,
  status: "failed",
  error: { code: "UnexpectedError", message: unforeseen(cause), mistakes: undefined, requestId: undefined }
})

/** The last line about a run with `--limit`: it was a trial. */
export const trial = (limit: number): string =>
  `Trial run (--limit ${limit}): did not change the state or outputs of real runs.\n`

/** Counts such as `41 rows, 3 new, 38 unchanged, 1 reject, 38 credits`; with several outputs, the rows of each. */
export const countsOf = ({
  changes,
  credits,
  rejects,
  rows,
  unpricedCalls,
  written
}: Omit<Summary, "runId" | "status">): string =>
  [
    describeRows(written, rows),
    describeChanges(changes),
    rejects === 0 ? "" : count(rejects, "reject"),
    credits === 0 ? "" : count(credits, "credit"),
    unpricedCalls === 0 ? "" : `${count(unpricedCalls, "call")} of unknown price`
  ]
    .filter((part) => part !== "")
    .join(", ")

type Line = readonly [place: string, counts: string, size: string]

/** Aligns paths, counts and sizes in columns. */
const align = (lines: ReadonlyArray<Line>, dye: Paint): ReadonlyArray<string> => {
  const width = (column: 0 | 1 | 2) => Math.max(...lines.map((line) => line[column].length))
  const [places, counts, sizes] = [width(0), width(1), width(2)]
  return lines.map(([where, many, size]) =>
    `  ${dye.cyan(where)}${" ".repeat(places - where.length)}   ${many.padStart(counts)}   ${size === "" ? "" : dye.dim(size.padStart(sizes))}`.trimEnd()
  )
}

/** Fields of the JSON log entry. */
export const fieldsOf = (summary: Summary) => ({
  run: summary.runId,
  ...Struct.pick(summary, "status", "rows", "rejects", "credits", "durationMs")
})

/** Maximum lines about outputs; a run with partitions or shards may have tens of thousands of files. */
const maxOutputLines = 20

/** Files with the same ending in one folder, or below it. */
interface FileGroup {
  /** Path of a single file, or else a glob. */
  readonly path: string
  /** Folder of the group. Groups with the same folder and ending are merged. */
  readonly folder: string
  readonly files: number
  readonly rows: number
  readonly bytes: number
}

/** Paths of sinks that write a single file, as spelled in the definition. */
export const singleFiles = ({ nodes }: Checked): ReadonlyArray<string> =>
  nodes.flatMap(({ config, step: { behaviour } }) => {
    const path = behaviour.kind === "sink" && config !== open ? behaviour.destination(config)?.path : undefined
    return path === undefined || path.includes("{") ? [] : [NodePath.normalize(path)]
  })

/**
 * Merges files by folder and ending, deepest folders first, until few enough groups are left. If nothing merges, the deepest files count as
 * files of the parent folder. Files that were not merged keep their names, and so do the files in `single`.
 */
export const groupFiles = (
  outputs: Summary["outputs"],
  single: ReadonlyArray<string> = [],
  system: PlatformPath = NodePath
): ReadonlyArray<FileGroup> => {
  const depthOf = ({ folder }: FileGroup): number =>
    system.dirname(folder) === folder ? 0 : folder.split(system.sep).length
  const isSingle = ({ path }: { readonly path: string }) =>
    single.some((each) => path === each || path.endsWith(system.sep + each))
  const all = outputs.map(
    ({ bytes, path, rows }): FileGroup => ({ path, folder: system.dirname(path), files: 1, rows, bytes })
  )
  const named = all.filter(isSingle).slice(0, maxOutputLines)
  let groups: ReadonlyArray<FileGroup> = all.filter((group) => !named.includes(group))
  while (named.length + groups.length > maxOutputLines) {
    const deepest = groups.reduce((depth, group) => Math.max(depth, depthOf(group)), 0)
    const merged = new Map<string, FileGroup>()
    for (const group of groups) {
      const pattern = system.join(group.folder, `*${system.extname(group.path)}`)
      const key = depthOf(group) === deepest ? pattern : group.path
      const known = merged.get(key)
      const together = known && {
        path: pattern,
        folder: group.folder,
        files: known.files + group.files,
        rows: known.rows + group.rows,
        bytes: known.bytes + group.bytes
      }
      merged.set(key, together ?? group)
    }
    if (merged.size === groups.length && deepest === 0) break
    const isStuck = merged.size === groups.length
    groups = [...merged.values()].map((group) =>
      isStuck && depthOf(group) === deepest ? { ...group, folder: system.dirname(group.folder) } : group
    )
  }
  return [...named, ...groups]
}

const nameOf = ({ files, path }: FileGroup): string =>
  files === 1 ? place(path) : `${place(path)} (${count(files, "file")})`

const linesOf = (outputs: Summary["outputs"], single: ReadonlyArray<string>): ReadonlyArray<Line> => {
  const groups = groupFiles(outputs, single)
  const rest = groups.slice(maxOutputLines)
  const sum = (field: "files" | "rows" | "bytes") => rest.reduce((total, group) => total + group[field], 0)
  const more: ReadonlyArray<Line> =
    rest.length === 0
      ? []
      : [[`and ${count(sum("files"), "more file")}`, count(sum("rows"), "row"), bytes(sum("bytes"))]]
  return [
    ...groups
      .slice(0, maxOutputLines)
      .map((group): Line => [nameOf(group), count(group.rows, "row"), bytes(group.bytes)]),
    ...more
  ]
}

/** Describes a run that has completed. `single`: see {@link singleFiles}. */
export const describe = (
  name: string,
  summary: Summary,
  channel: Channel,
  single: ReadonlyArray<string> = [],
  saved?: SavedPages
): string => {
  const dye = paint(channel)
  const left = NotFollowed.describe(summary.notFollowed)
  const notes = [...describeSaved(saved).map(([, text]) => text), ...(left === undefined ? [] : [left])].map((text) =>
    dye.dim(`  ${text}`)
  )
  const rejects: ReadonlyArray<Line> =
    summary.rejectFile === undefined ? [] : [[place(summary.rejectFile), count(summary.rejects, "reject"), ""]]
  const head = `${dye.green(channel.interactive ? "✔ " : "")}${dye.bold(name)}: ${countsOf(summary)} in ${duration(summary.durationMs)}`
  return `${[head, ...align([...linesOf(summary.outputs, single), ...rejects], dye), ...notes].join("\n")}\n`
}

/** Describes a run that did not complete; the caller prints the failure itself. `repair`: a command that may repair the definition. */
export const describeFailed = (
  name: string,
  summary: Summary,
  channel: Channel,
  failure?: Failure,
  repair?: string
): string => {
  const dye = paint(channel)
  const groups = groupFiles(summary.outputs)
  const endings: Readonly<Record<string, string>> = {
    budget: "stopped at its budget",
    stopped: "was stopped",
    held: "is held"
  }
  const ended = endings[summary.status] ?? "failed"
  const left =
    summary.status === "held"
      ? "nothing was published"
      : groups.length === 0
        ? "no output was written"
        : `only these outputs were written: ${[
            ...groups.slice(0, maxOutputLines).map(nameOf),
            ...(groups.length > maxOutputLines ? [`and ${groups.length - maxOutputLines} more`] : [])
          ].join(", ")}`
  const head = `${dye.red(channel.interactive ? "✖ " : "")}${dye.bold(name)} ${ended} after ${duration(summary.durationMs)}: ${countsOf(summary)}; ${left}`
  // Resuming with the same stopAfter would stop at once.
  const isFull = failure instanceof RunFailed && failure.reason instanceof TooManyRejects
  const how = isFull
    ? `. Raise stopAfter, then: sluice resume ${summary.runId} --with-current`
    : `: sluice resume ${summary.runId}`
  const { runId } = summary
  const on = summary.resumable
    ? [`  Progress is saved${how}`]
    : summary.status === "held"
      ? [`  sluice show ${runId} --health, then sluice publish ${runId} or sluice discard ${runId}`]
      : []
  const rejects =
    summary.rejectFile === undefined
      ? []
      : align([[place(summary.rejectFile), count(summary.rejects, "reject"), ""]], dye)
  const hint = repair === undefined ? [] : [`  If the site has changed, find the values again: ${repair}`]
  return `${[head, ...rejects, ...on, ...hint].join("\n")}\n`
}
