/** A submitted run as sent to workers, and its status. Imports no database types, so that the public entry point needs none. */
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import * as Contract from "../Contract/Contract.ts"
import { clusterFolder } from "../Ledger/Retention.ts"
import { type Checked, check, stateKey } from "../Pipeline/Check.ts"
import { type Priority, priorities } from "../Pipeline/Definition.ts"
import { DefinitionInvalid } from "../Pipeline/Issue.ts"
import { parseText } from "../Pipeline/Source.ts"
import { decodeSaved, type SavedValueInvalid } from "../Row/SavedValue.ts"
import { describeRun } from "../Run/RunContext.ts"
import { makeRunSpec, type ResolvedOptions } from "../Run/RunSpec.ts"
import type { RunOptions } from "../Run.ts"

export const Submitted = Schema.Struct({
  runId: Schema.String,
  pipeline: Schema.String,
  /** Absolute path. The folder must be on shared storage if the pipeline reads files. */
  file: Schema.String,
  definition: Schema.String,
  /** Hash of the definition and the code of its extensions. Workers refuse other code. */
  definitionHash: Schema.optional(Schema.String),
  /** Text of the contract, null without one: all workers apply the same. Undefined in tasks of an earlier version, whose workers read the file. */
  contract: Schema.optional(Schema.NullOr(Schema.String)),
  inputs: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  /** Absolute path on shared storage. */
  out: Schema.String,
  startedAt: Schema.Number,
  scheduledFor: Schema.optional(Schema.Number),
  limit: Schema.optional(Schema.Number),
  backfill: Schema.optional(Schema.Boolean),
  allowCode: Schema.optional(Schema.Boolean),
  /** Key of the state across runs; undefined if the pipeline has none, or the run does not touch it. */
  stateKey: Schema.optional(Schema.String),
  /** Maximum number of rows of a shard. */
  shardRows: Schema.Number,
  /** Undefined in tasks of an earlier version. */
  priority: Schema.optional(Schema.Literal(...priorities)),
  /** The `traceparent` of the submitter: spans of all parts belong to that trace. */
  trace: Schema.optional(Schema.String),
  /** Reason why the run is not split, if it is not. */
  whole: Schema.optional(Schema.String)
})

/** A submitted run, without secrets: each worker has its own. */
export interface Task extends Schema.Schema.Type<typeof Submitted> {
  /** Start of the budget, from the submission. */
  readonly budgetFrom?: RunOptions["budgetFrom"]
}

const decodeSubmitted = decodeSaved(Schema.parseJson(Submitted))

/** Decodes a submission of this version or an earlier one. */
export const decodeTask = (runId: string, text: string): Either.Either<Task, SavedValueInvalid> =>
  decodeSubmitted(`Run ${runId}`, text)

/** Text of the contract, null without one. An unreadable contract is refused here, instead of by each part. */
export const contractOf = ({ source }: Checked) =>
  Contract.load(source).pipe(
    Effect.zipRight(Contract.readText(source)),
    Effect.mapError(
      ({ path, reason: message }) => new DefinitionInvalid({ file: path, issues: [{ path: [], message }] })
    )
  )

/** Makes the task that workers or shards get for a run of the definition, and the run's record in the ledger. */
export const makeTask = (
  checked: Checked,
  { id, startedAt }: { readonly id: string; readonly startedAt: number },
  options: ResolvedOptions & { readonly shardRows: number }
) =>
  Effect.gen(function* () {
    const { env = {}, scheduledFor, secrets = () => undefined } = options
    const run = describeRun(checked, {
      id,
      parentRun: undefined,
      scheduledFor,
      site: undefined,
      startedAt: new Date(startedAt)
    })
    const key = yield* stateKey(checked, { env, secrets, run })
    const spec = makeRunSpec(checked, options, { id, startedAt }, { key: typeof key === "string" ? key : undefined })
    const task: Task = {
      runId: id,
      pipeline: checked.frame.name,
      ...Struct.pick(spec, "file", "definition", "definitionHash", "scheduledFor", "stateKey"),
      contract: yield* contractOf(checked),
      inputs: checked.inputs,
      out: options.out,
      startedAt,
      limit: options.wanted,
      backfill: options.backfill,
      allowCode: options.allowCode,
      shardRows: options.shardRows
    }
    return { spec, task }
  })

/** Folder for input splits and the outputs of shards, below the output folder. */
export const folderOf = ({ out, runId }: Task): string => clusterFolder(out, runId)

/** Data folder for the runs of the parts, with their rejects. */
export const dataDirOf = (task: Task): string => NodePath.join(folderOf(task), "data")

/** Reads the definition on the executing machine, with that machine's environment. */
export const checkedOf = (
  { allowCode, contract, definition, definitionHash, file, inputs }: Task,
  scope: Required<Pick<RunOptions, "env" | "secrets">>
) =>
  Effect.gen(function* () {
    const source = yield* parseText(file, NodePath.dirname(file), definition)
    const checked = yield* check(
      { ...source, contract },
      {
        env: scope.env ?? {},
        secrets: scope.secrets ?? (() => undefined),
        inputs,
        saved: true,
        complete: true,
        begun: true,
        allowCode: allowCode ?? false,
        definitionHash
      }
    )
    // Resolved by the submitter, because paths are relative to a folder of its machine.
    return { ...checked, inputs } satisfies Checked
  })

/** Options of a submission, in addition to the definition. */
export interface Submission
  extends Pick<
    ResolvedOptions,
    "out" | "backfill" | "allowCode" | "scheduledFor" | "wanted" | "now" | "env" | "secrets"
  > {
  readonly shardRows?: number | undefined
  /** Runs of a higher priority come first; default: the definition's priority, or else normal. */
  readonly priority?: Priority | undefined
  /** Id of the run; default: a new one. */
  readonly id?: string | undefined
  /** Pipeline whose occurrence `scheduledFor` the run must own. If another run owns it, the submission is refused. */
  readonly scheduledPipeline?: string | undefined
}

/** Status of a run on a cluster. */
export interface Standing {
  readonly status: "running" | "completed" | "failed" | "budget" | "stopped"
  readonly isSplit: boolean
  /** True once the source was read, so that the number of shards is final. */
  readonly isRead: boolean
  readonly shards: number
  readonly done: number
  readonly working: number
  /** Parts that no worker has. */
  readonly waiting: number
  readonly priority: Priority
  readonly rows: number
  readonly rejects: number
  readonly credits: number
  readonly why: string | undefined
  readonly reason: string | undefined
  readonly error: string | undefined
  /** Why a part is deferred: another run holds what it needs. */
  readonly waitsFor: string | undefined
}
