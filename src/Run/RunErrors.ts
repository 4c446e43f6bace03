/** Errors of a run: adds the step and its position in the definition, and converts errors of rows for checkpoints. */
import * as Schema from "effect/Schema"
import type { LedgerError, Locked } from "../Ledger/LedgerErrors.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { DefinitionInvalid } from "../Pipeline/Issue.ts"
import type { Node } from "../Pipeline/Node.ts"
import type { Source } from "../Pipeline/Source.ts"
import { SavedRow } from "../Row/SavedValue.ts"
import { type Json, toJson } from "../Row.ts"
import { restored } from "../Step/StepError.ts"
import { type Failure, StepError } from "../Step.ts"

/** Converts a failure of the ledger to a failure of the run. */
export const ledgerFailed = (error: LedgerError | Locked): StepError => StepError.of(error)

/** Adds the position of its step to a failure. */
export const inStep = (error: StepError, checked: Checked, node: Node): StepError =>
  error.with({
    step: error.step ?? node.id,
    definedAt: error.definedAt ?? definedAt(checked.source, node)
  })

/** Adds the position of a step, given by id, to a failure. */
export const inStepNamed = <E extends StepError | DefinitionInvalid>(error: E, checked: Checked, step: string) => {
  const node = checked.nodes.find(({ id }) => id === step)
  return error._tag === "StepError" && node !== undefined ? inStep(error, checked, node) : error
}

/** Position of a step in its definition: `file:line:column`. */
export const definedAt = (source: Source, node: Node): string => {
  const place = source.locate(["steps", node.index])
  return place === undefined ? source.file : `${source.file}:${place.line}:${place.column}`
}

/** A failed row as stored in the ledger. */
export const SavedFailure = Schema.Struct({
  row: SavedRow,
  error: Schema.Struct({
    reason: Schema.String,
    message: Schema.String,
    status: Schema.optional(Schema.Number),
    attempts: Schema.optional(Schema.Number)
  })
})

export const failureJson = ([row, { attempts, message, reason, status }]: Failure): Json => ({
  row: toJson(row),
  error: { attempts, message, reason, status }
})

export const failureOf = ({ error, row }: typeof SavedFailure.Type): Failure => [row, restored(error)]
