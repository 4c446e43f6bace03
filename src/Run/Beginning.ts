/** What the ledger is told when a run is opened. */
import * as NodePath from "node:path"
import type { Checked } from "../Pipeline/Check.ts"
import { sha256 } from "../Row/Hash.ts"
import type { Json } from "../Row.ts"
import type { Beginning } from "./Ledger.ts"
import type { RunOptions } from "./Options.ts"

interface Made {
  readonly id: string
  readonly startedAt: number
}

/** True for a run that neither reads nor advances the state across runs. */
export const leavesNoTrace = ({ backfill, wanted }: RunOptions): boolean => backfill === true || wanted !== undefined

/** `key` is that of the state across runs, if the pipeline has one. */
export const beginningOf = (
  checked: Checked,
  options: RunOptions,
  { id, startedAt }: Made,
  key: string | undefined
): Beginning => {
  const { resume } = options
  const { frame, source } = checked
  const { text } = source
  // It may go on with a newer definition than it was begun with, when its user says so.
  if (resume !== undefined) return { ...resume, definition: text, definitionHash: sha256(text) }
  return {
    id,
    pipeline: frame.name,
    file: NodePath.resolve(source.file),
    definition: text,
    definitionHash: sha256(text),
    inputs: checked.inputs as Json,
    out: options.out,
    folder: `${options.dataDir}/runs/${id}`,
    options: { limit: options.wanted, backfill: options.backfill, replayOf: options.replay?.of },
    startedAt,
    scheduledFor: options.scheduledFor?.getTime(),
    stateKey: leavesNoTrace(options) ? undefined : key
  }
}
