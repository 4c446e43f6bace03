/** The record of a run that the ledger keeps when the run starts, and reads when it is resumed. */
import * as NodePath from "node:path"
import * as Duration from "effect/Duration"
import type { Checked } from "../Pipeline/Check.ts"
import type { Touches } from "../Pipeline/Touches.ts"
import { sha256 } from "../Row/Hash.ts"
import type { Json } from "../Row.ts"
import type { Beginning, RunRecord } from "./Ledger.ts"
import type { RunOptions, Settled } from "./Options.ts"

interface Made {
  readonly id: string
  readonly startedAt: number
}

/** True for a run that neither reads nor advances the state across runs. */
export const leavesNoTrace = ({ backfill, wanted }: RunOptions): boolean => backfill === true || wanted !== undefined

/** Limits as they were settled, for those who look on. */
const limitsOf = ({ frame: { budget } }: Checked): Json | undefined =>
  budget && ({ ...budget, duration: budget.duration && Duration.toMillis(budget.duration) } as unknown as Json)

/** `key` is that of the state across runs, if the pipeline has one. */
export const beginningOf = (
  checked: Checked,
  options: Settled,
  { id, startedAt }: Made,
  { key, touches }: { readonly key: string | undefined; readonly touches?: Touches | undefined }
): Beginning => {
  const { resume } = options
  const { frame, source } = checked
  const { text } = source
  // It may go on with a newer definition than it was begun with, when its user says so.
  if (resume !== undefined) return { ...resume, definition: text, definitionHash: sha256(text) }
  return {
    id,
    pipeline: frame.name,
    // Of a value in a program, a file in the folder that its relative paths are under.
    file: NodePath.resolve(source.folder, NodePath.basename(source.file)),
    definition: text,
    definitionHash: sha256(text),
    inputs: checked.inputs as Json,
    out: options.out,
    folder: `${options.dataDir}/runs/${id}`,
    options: {
      limit: options.wanted,
      backfill: options.backfill,
      replayOf: options.replay?.of,
      budget: limitsOf(checked),
      // As written. Earlier versions kept it with inputs filled in, as `touches`: the two cannot be compared.
      named: touches
    },
    startedAt,
    scheduledFor: options.scheduledFor?.getTime(),
    stateKey: leavesNoTrace(options) ? undefined : key,
    group: options.group
  }
}

/** Options of a resumed run, from its record: they cannot be changed by the resume. */
export const optionsOf = (
  record: RunRecord
): Pick<RunOptions, "backfill" | "group" | "out" | "replay" | "resume" | "wanted"> => {
  const { backfill, limit, replayOf } = (record.options ?? {}) as {
    readonly backfill?: boolean
    readonly limit?: number
    readonly replayOf?: string
  }
  return {
    resume: record,
    out: record.out,
    wanted: limit,
    backfill,
    group: record.group,
    // Its rows are the run's own since its first checkpoint.
    replay: replayOf === undefined ? undefined : { of: replayOf, rows: new Map(), numbers: [] }
  }
}
