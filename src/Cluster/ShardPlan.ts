/** Shard plan: the definitions that the parts of a run execute, which are the split, the shards and the finish. */
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Files from "../Files.ts"
import { padShard } from "../Ledger/Runs.ts"
import { shardRows } from "../Permissions.ts"
import type { Checked } from "../Pipeline/Check.ts"
import type { Node } from "../Pipeline/Node.ts"
import { type Row, toJson } from "../Row.ts"
import { evolvedWarning } from "../Sink/Conform.ts"
import { protectFromTrial, withModifiedTime } from "../Sink/Existing.ts"
import { write } from "../Sink/Write.ts"
import type { Sealed, Trials } from "../Step/Output.ts"
import * as Step from "../Step.ts"
import * as InputSplits from "./InputSplits.ts"
import { type Split, stopAfterOf } from "./Partition.ts"
import { isKept, type PartResult } from "./PartResult.ts"

/** File with rows for the finish, below the folder of a shard. */
const keptFile = (index: number): string => NodePath.join(shardRows, `${index}.jsonl`)

const keeperOf = (step: string): string => `~rows of ${step}`

/** Definition of the split: the source, and a sink that writes input splits. */
export const splitPlan = (checked: Checked, { reading, root }: Split, options: InputSplits.Options): Checked =>
  withNodes(checked, [...reading, node("~portions", root.id, InputSplits.writer(options))], false)

/** Transform that wraps rows for storage, with their keys and positions. */
const wrapping: Step.Any["behaviour"] = {
  kind: "transform",
  make: () =>
    Effect.succeed({
      push: (rows: ReadonlyArray<Row>) => Effect.succeed(rows.map((row): Row => ({ data: toJson(row) })))
    })
}

/** Transform that ends a branch without counting its rows: the finish counts them. */
const ending: Step.Any["behaviour"] = {
  kind: "transform",
  make: () => Effect.succeed({ push: () => Effect.succeed([]) })
}

/** A percentage in `stopAfter` applies to all shards together, so a shard ignores it. */
const withoutStopAfter = (node: Node): Node =>
  typeof stopAfterOf(node) === "string" ? { ...node, common: { ...node.common, onError: "reject" } } : node

/**
 * Definition of a shard: its steps, and sinks for rows that the finish reads. The source reads `input`; without it, the run is passed rows
 * in place of the source's.
 */
export const shardPlan = (checked: Checked, { kept, root, shared }: Split, input?: ReadonlyArray<Slice>): Checked => {
  const source = input === undefined ? root : node(root.id, undefined, readingFiles(input))
  const keeping = kept.flatMap((step, index): ReadonlyArray<Node> => {
    const wrapper = node(`~${step}`, step, wrapping)
    const keeper = node(keeperOf(step), wrapper.id, wrapping)
    return [
      wrapper,
      { ...keeper, step: write, config: { jsonl: keptFile(index) } },
      node(`~end of ${step}`, keeper.id, ending)
    ]
  })
  return withNodes(checked, [source, ...shared.map(withoutStopAfter), ...keeping], false)
}

/** Rows of a file: all of them, or rows `from` up to `to`, counted from 0. */
export interface Slice {
  readonly file: string
  readonly from?: number
  readonly to?: number
}

/** Position in the files: number of files read, and of rows read from the next file. A single number comes from a run of version 0.1. */
const Cursor = Schema.Union(Schema.Number, Schema.Tuple(Schema.Number, Schema.Number))

/** Source that reads files one after another. */
const readingFiles = (slices: ReadonlyArray<Slice>): Step.Any["behaviour"] => ({
  kind: "source",
  read: (_config: unknown, _context: Step.Context, { from: cursor }: Step.Begin) => {
    const begun = Schema.is(Cursor)(cursor) ? cursor : 0
    const [done, read] = typeof begun === "number" ? [begun, 0] : begun
    return Stream.fromIterable(slices.slice(done).entries()).pipe(
      Stream.flatMap(([index, { file, from = 0, to = Number.POSITIVE_INFINITY }]) => {
        let end = 0
        return Stream.map(InputSplits.stream(file), (all): Step.Batch => {
          const begin = end
          end += all.length
          const first = Math.max(from, index === 0 ? read : 0)
          const rows = all.slice(Math.max(0, first - begin), Math.max(0, to - begin))
          return { rows, cursor: [done + index, end] }
        })
      })
    )
  }
})

/** Name of a shard's file: `pages.jsonl` of shard 3 becomes `pages.0003.jsonl`. */
export const partName = (path: string, part: number | string): string => {
  const zip = /\.gz$/i.exec(path)?.[0] ?? ""
  const plain = path.slice(0, path.length - zip.length)
  const { base, dir, ext, name } = NodePath.parse(plain)
  return `${NodePath.join(dir, ext === "" ? base : name)}.${typeof part === "number" ? padShard(part) : part}${ext}${zip}`
}

export interface FinishInputs {
  /** Results by shard number. */
  readonly results: ReadonlyMap<number, PartResult>
  /** Folder of a shard. */
  readonly folderOf: (part: number) => string
  readonly out: string
  /** Files that earlier runs of the pipeline have published. Other files are left alone, whatever their names. */
  readonly before: ReadonlySet<string>
}

/** Warning for a file that is named like an output of the run, but is not one. */
export const foreign = (path: string): string =>
  `${path} has a name like the files of this run, but no run of this pipeline in the ledger has written it. Remove it if it is an old output.`

/** Name without the shard: `pages.jsonl` for `pages.0003.jsonl`. Undefined for other names. */
export const wholeName = (path: string): string | undefined => {
  const found = /^(.*)\.\d{4,}((?:\.[^./\\]+)?(?:\.gz)?)$/.exec(path)
  return found === null ? undefined : `${found[1]}${found[2]}`
}

const unreadable = (error: Error) =>
  new Step.StepError({ reason: "LedgerError", message: error.message, cause: error, scope: "run" })

/** The shards' files under their final names, and outdated files of an earlier run with more shards. */
const sealed = ({ before, folderOf, results, out }: FinishInputs, trials: Trials | undefined) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const published =
      trials?.isTrial === true ? new Set((yield* Effect.mapError(trials.written, unreadable)).keys()) : before
    const all = [...results].flatMap(([part, { outputs }]) =>
      outputs.flatMap((output) => {
        const within = NodePath.relative(folderOf(part), output.path)
        const path = NodePath.join(out, partName(within, part))
        const manifest = output.manifest && NodePath.join(out, NodePath.relative(folderOf(part), output.manifest))
        return isKept(output)
          ? []
          : [{ ...output, path, partial: output.path, within, ...(manifest === undefined ? {} : { manifest }) }]
      })
    )
    const finals = new Set(all.map(({ path }) => path))
    // Until now these folders exist only inside the folders of the shards.
    const folders = new Set(all.map(({ path }) => NodePath.dirname(path)))
    yield* Effect.forEach(folders, (folder) => Files.makeFolder(files, folder), { discard: true }).pipe(
      Effect.mapError(({ message }) => new Step.StepError({ reason: "FolderUnusable", message }))
    )
    const bases = new Set(all.map(({ within }) => within))
    const stale = yield* Effect.forEach(bases, (within) => {
      const [before = "", after = ""] = NodePath.basename(partName(within, "{}")).split("{}")
      const folder = NodePath.join(out, NodePath.dirname(within))
      return Effect.map(
        Effect.orElseSucceed(files.readDirectory(folder), (): ReadonlyArray<string> => []),
        (names) =>
          names
            .filter((name) => name.startsWith(before) && name.endsWith(after))
            .filter((name) => /^\d{4,}$/.test(name.slice(before.length, name.length - after.length)))
            .map((name) => NodePath.join(folder, name))
            .filter((path) => published.has(path) && !finals.has(path))
      )
    })
    // A file without a shard number comes from a run on one machine or from a replay. It is outdated if an earlier run published it.
    const whole = [...bases].map((within) => NodePath.join(out, within)).filter((path) => !finals.has(path))
    const left = yield* Effect.filter(whole, (path) => Effect.orElseSucceed(files.exists(path), () => false))
    const old = [...stale.flat(), ...left.filter((path) => published.has(path))]
    yield* Effect.mapError(protectFromTrial(files, trials, [...finals, ...old]), Step.StepError.of)
    const contracts = all.flatMap(({ contract }) => contract ?? [])
    const drift = [
      ...new Map(contracts.flatMap((each) => each.drift.map((one) => [JSON.stringify(one), one] as const))).values()
    ]
    const warnings = left.filter((path) => !published.has(path)).map(foreign)
    const result: Sealed = {
      files: yield* Effect.forEach(all, ({ within: _, ...file }) => withModifiedTime(files, trials, file)),
      stale: old,
      scraps: [],
      ...(drift.length === 0 ? {} : { drift }),
      warnings: contracts.some(({ hasEvolved }) => hasEvolved) ? [evolvedWarning, ...warnings] : warnings
    }
    return result
  })

/** Definition of the finish: the steps that need all rows, and a sink that publishes the files of the shards. */
export const finishPlan = (checked: Checked, { kept, tail }: Split, inputs: FinishInputs): Checked => {
  const sources = kept.map((step, index) =>
    node(
      step,
      undefined,
      readingFiles(
        [...inputs.results.keys()].map((part) => ({ file: NodePath.join(inputs.folderOf(part), keptFile(index)) }))
      )
    )
  )
  const nothing = node("~nothing", undefined, { kind: "source", read: () => Stream.empty })
  const publish = node("~publish", nothing.id, {
    kind: "sink",
    destination: () => undefined,
    open: (_config: unknown, { trials }: Step.Context) =>
      Effect.map(
        FileSystem.FileSystem,
        (files): Step.OpenSink => ({
          push: Effect.succeed,
          save: Effect.succeed({}),
          seal: Effect.provideService(sealed(inputs, trials), FileSystem.FileSystem, files),
          sizeOf: (rows) => Effect.succeed(rows.map(() => 0)),
          bytes: () => 0,
          discard: Effect.void
        })
      )
  })
  return withNodes(checked, [...sources, ...tail, nothing, publish], true)
}

/** A step that the definition does not contain. */
const node = (
  id: string,
  input: string | undefined,
  behaviour: Step.Any["behaviour"],
  common: Node["common"] = {}
): Node => ({
  id,
  index: 0,
  step: { key: id, summary: "", example: "", config: Schema.Unknown, behaviour } as Step.Any,
  config: null,
  common,
  inputs: input === undefined ? [] : [input],
  after: []
})

/** The definition with only these steps. Only the finish, which sees all rows, keeps state across runs. */
const withNodes = (checked: Checked, nodes: ReadonlyArray<Node>, keepsState: boolean): Checked =>
  keepsState
    ? { ...checked, nodes, all: checked.nodes }
    : {
        ...checked,
        nodes,
        remembering: [],
        source: { ...checked.source, value: { ...(checked.source.value as object), state: undefined } }
      }
