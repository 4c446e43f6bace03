/** `sluice contract`: learns the contract of a pipeline's outputs from its last run, compares the two, and takes changes over. */

import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Contract from "../Contract/Contract.ts"
import * as Emit from "../Contract/Emit.ts"
import * as Learn from "../Contract/Learn.ts"
import { fileErrorReason } from "../Files/FileErrors.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { type Checked, check, scopeBefore } from "../Pipeline/Check.ts"
import { decode } from "../Pipeline/Node.ts"
import { read, type Source } from "../Pipeline/Source.ts"
import type { Data as RowData } from "../Row.ts"
import { perRun } from "../Sink/Destination.ts"
import { type Destination, decodeOutputs, type Output } from "../Step/Output.ts"
import { open } from "../Step/Read/Input.ts"
import { rowsOf } from "../Step/Read/Rows.ts"
import { mapping } from "../Step/Requirements.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { FileUnusable, WrongUsage } from "./CommandErrors.ts"
import { count, place } from "./Format.ts"
import { withLedger } from "./LedgerAccess.ts"
import { lineDiff } from "./LineDiff.ts"
import * as Parameter from "./Parameter.ts"
import * as SharedFlags from "./SharedFlags.ts"
import type { Terminal } from "./Terminal.ts"
import { scopeOf } from "./Trust.ts"
import * as Verb from "./Verb.ts"

const actions = ["init", "diff", "accept", "emit"] as const

const parameters = {
  action: Parameter.oneOf("ACTION", actions, "init, diff, accept or emit."),
  file: Parameter.one("FILE", "A definition."),
  run: Parameter.text("RUN", "The completed run whose outputs are read; default: the last one of the pipeline."),
  format: Parameter.choice("FORMAT", Emit.formats, `What emit prints: ${Emit.formats.join(", ")}.`),
  data: SharedFlags.data("the ledger"),
  profile: SharedFlags.profile,
  "allow-code": SharedFlags.allowCode,
  ...SharedFlags.trust
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "The contract is NAME.contract.yaml beside the definition NAME.yaml. Runs check their rows against it while they write. It belongs into version control.",
  parameters,
  examples: [
    { line: "sluice contract init pipelines/shop.yaml", what: "pipelines/shop.contract.yaml, from the last run" },
    {
      line: "sluice contract diff pipelines/shop.yaml",
      what: "how the last run differs from it; ends with 6 when it does"
    },
    { line: "sluice contract accept pipelines/shop.yaml", what: "takes the differences over" },
    {
      line: "sluice contract emit pipelines/shop.yaml --format duckdb",
      what: "SQL that reads the outputs with their types"
    }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** The action cannot be done. */
class ContractRefused extends Data.TaggedError("ContractRefused")<{ readonly reason: string }> {
  override get message() {
    return this.reason
  }
}

/** The outputs of the run differ from the contract; how has been printed. */
class ContractDiffers extends Data.TaggedError("ContractDiffers")<{ readonly path: string }> {
  readonly exitCode = ExitCode.checkFailed
  override get message() {
    return `the outputs differ from ${this.path}: sluice contract accept takes the differences over`
  }
}

/** A step that writes, with its fields. */
interface Writer {
  readonly step: string
  readonly fields: unknown
  readonly destination: Destination
}

const writersOf = (checked: Checked, terminal: Terminal): Effect.Effect<ReadonlyArray<Writer>> =>
  Effect.map(
    Effect.forEach(checked.nodes, (node) =>
      Effect.map(decode(node, scopeBefore(checked, scopeOf(terminal.env))), (decoded): ReadonlyArray<Writer> => {
        const { behaviour } = node.step
        if (behaviour.kind !== "sink") return []
        const known = Either.isRight(decoded) ? mapping(decoded.right.config) : {}
        const fields = Object.keys(known).length === 0 ? node.config : known
        const destination = behaviour.destination(fields)
        return destination === undefined || destination.path === "-" ? [] : [{ step: node.id, fields, destination }]
      })
    ),
    (found) => found.flat()
  )

/** Matches the files of a destination, also those of shards. */
const patternOf = ({ mode, path }: Destination, out: string): RegExp => {
  const marked = (mode === "perRun" ? perRun(path) : path)
    .replace(/\$\{\{.*?\}\}/g, "\u0002")
    .replace(/\{\w+\}/g, "\u0001")
  const escaped = NodePath.resolve(out, marked).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")
  return new RegExp(`^${escaped.replaceAll("\u0001", "[^/]+").replaceAll("\u0002", ".+")}$`)
}

/** `pages.0003.jsonl` of a cluster is a part of `pages.jsonl`. */
const withoutShard = (path: string): string => path.replace(/\.\d{4,}((?:\.[^./]+)?(?:\.gz)?)$/, "$1")

const filesOf = (writer: Writer, outputs: ReadonlyArray<Output>, out: string): ReadonlyArray<Output> => {
  const pattern = patternOf(writer.destination, out)
  return outputs.filter(
    ({ format, path }) =>
      format === writer.destination.format && (pattern.test(path) || pattern.test(withoutShard(path)))
  )
}

const isTable = ({ destination }: Writer): boolean => destination.delimiter !== undefined

/** Gives every row of a file to `add`. */
const readFile = (writer: Writer, { format, path }: Output, add: (data: RowData) => void) => {
  const { nullText } = mapping(writer.fields)
  const file =
    format === "csv"
      ? {
          file: path,
          format: "csv" as const,
          delimiter: writer.destination.delimiter,
          ...(typeof nullText === "string" && nullText !== "" ? { nullText } : {})
        }
      : { file: path, format: "jsonl" as const }
  return Effect.flatMap(open(path, "/"), (input) =>
    Stream.runForEach(rowsOf(input, file), ({ failures: [failure], rows }) => {
      if (failure !== undefined) return Effect.fail(failure[1])
      return Effect.sync(() => {
        for (const { data } of rows) add(data)
      })
    })
  )
}

const isReal = ({ options, status }: RunRecord): boolean =>
  status === "completed" && options.limit === undefined && options.replayOf === undefined

/** The run whose outputs are read. */
const findRun = ({ run }: Options, pipeline: string) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    if (run !== undefined) {
      const found = yield* history.run(run)
      if (found?.run.status === "completed") return found.run
      return yield* new ContractRefused({
        reason:
          found === undefined
            ? `the ledger has no run ${run}`
            : `run ${run} is ${found.run.status}: only a completed run has outputs`
      })
    }
    const last = (yield* history.runs({ pipeline, limit: 1000 })).find(isReal)
    return last ?? (yield* new ContractRefused({ reason: `no run of ${pipeline} has completed: sluice run makes one` }))
  })

/** The outputs of the run, by the step that wrote them. */
const outputsOf = (options: Options, terminal: Terminal, source: Source) =>
  Effect.gen(function* () {
    const scope = scopeOf(terminal.env)
    const { frame } = yield* check(source, { ...scope, inputs: {}, complete: false, unsetSecrets: "warning" })
    const record = yield* findRun(options, frame.name)
    const checked = yield* check(source, {
      ...scope,
      inputs: mapping(record.inputs),
      saved: true,
      complete: false,
      unsetSecrets: "warning"
    })
    const decoded = decodeOutputs(`The outputs of run ${record.id}`, record.outputs ?? [])
    const outputs = Either.isRight(decoded) ? decoded.right : []
    const writers = yield* writersOf(checked, terminal)
    return { record, written: writers.map((writer) => ({ writer, files: filesOf(writer, outputs, record.out) })) }
  })

/** Beside its place first, so that nobody reads half a file. */
const replace = (path: string, text: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.zipRight(files.writeFileString(`${path}.partial`, text), files.rename(`${path}.partial`, path))
  ).pipe(Effect.mapError((cause) => new FileUnusable({ path, reason: fileErrorReason(cause), cause })))

const pathOf = (source: Source) => {
  const path = Contract.pathOf(source)
  return path === undefined
    ? new ContractRefused({ reason: `${source.file} is no file beside which a contract could be` })
    : Effect.succeed(path)
}

const init = (options: Options, terminal: Terminal, source: Source) =>
  Effect.gen(function* () {
    const path = yield* pathOf(source)
    if ((yield* Contract.load(source)) !== undefined) {
      return yield* new ContractRefused({
        reason: `${place(path)} is there already: sluice contract diff compares it with the last run`
      })
    }
    const { record, written } = yield* outputsOf(options, terminal, source)
    const outputs: Record<string, Contract.OutputContract> = {}
    for (const { files, writer } of written) {
      const learner = Learn.make(isTable(writer))
      yield* Effect.forEach(files, (file) => readFile(writer, file, learner.add), { discard: true })
      const learned = learner.contract()
      if (Object.keys(learned.columns).length > 0) outputs[writer.step] = learned
      else terminal.err.write(`${writer.step}: run ${record.id} has no rows to learn from\n`)
    }
    if (Object.keys(outputs).length === 0) {
      return yield* new ContractRefused({ reason: `run ${record.id} has no rows to learn a contract from` })
    }
    yield* replace(path, Contract.render({ version: 1, outputs }))
    const columns = Object.values(outputs).reduce((sum, each) => sum + Object.keys(each.columns).length, 0)
    terminal.out.write(`${place(path)}: ${count(columns, "column")}, from run ${record.id}\n`)
  })

/** Prints what readers of the outputs need. */
const emit = (options: Options, terminal: Terminal, source: Source) =>
  Effect.gen(function* () {
    if (options.format === undefined) {
      return yield* new WrongUsage({ reason: `emit needs --format: ${Emit.formats.join(", ")}` })
    }
    const contract = yield* loadExisting(source)
    const scope = { ...scopeOf(terminal.env), inputs: {}, complete: false, unsetSecrets: "warning" as const }
    const checked = yield* check(source, scope)
    const outputs = (yield* writersOf(checked, terminal)).flatMap((writer): ReadonlyArray<Emit.EmittedOutput> => {
      const output = Contract.outputOf(contract, writer.step)
      if (output === undefined) return []
      const { delimiter, format, mode, path } = writer.destination
      const { nullText } = mapping(writer.fields)
      const glob = (mode === "perRun" ? perRun(path) : path).replace(/\$\{\{.*?\}\}|\{\w+\}/g, "*")
      return [{ ...output, step: writer.step, format, glob, delimiter, nullText: String(nullText ?? "") }]
    })
    terminal.out.write(Emit.emit(options.format, { pipeline: checked.frame.name, outputs }))
  })

const loadExisting = (source: Source) =>
  Effect.gen(function* () {
    const path = yield* pathOf(source)
    const contract = yield* Contract.load(source)
    if (contract !== undefined) return contract
    return yield* new ContractRefused({
      reason: `there is no ${place(path)}: sluice contract init ${source.file} makes it`
    })
  })

/** The contract file, and the columns that the run's outputs would need. */
const compare = (options: Options, terminal: Terminal, source: Source) =>
  Effect.gen(function* () {
    const path = yield* pathOf(source)
    const contract = yield* loadExisting(source)
    const { record, written } = yield* outputsOf(options, terminal, source)
    const changes: Array<{
      readonly step: string
      readonly before: Contract.Columns
      readonly after: Contract.Columns
    }> = []
    for (const { files, writer } of written) {
      const output = Contract.outputOf(contract, writer.step)
      if (output === undefined) {
        terminal.err.write(`${writer.step}: the contract says nothing of it\n`)
        continue
      }
      const comparison = Learn.compare(output, isTable(writer))
      yield* Effect.forEach(files, (file) => readFile(writer, file, comparison.add), { discard: true })
      changes.push({ step: writer.step, before: output.columns, after: comparison.columns() })
    }
    const text = yield* Effect.mapError(
      Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(path)),
      (cause) => new FileUnusable({ path, reason: fileErrorReason(cause), cause })
    )
    const changed = changes.reduce(
      (current, { after, before, step }) =>
        JSON.stringify(before) === JSON.stringify(after) ? current : Contract.withColumns(current, step, before, after),
      text
    )
    return { path, record, text, changed }
  })

const differ = (options: Options, terminal: Terminal, source: Source) =>
  Effect.gen(function* () {
    const { changed, path, record, text } = yield* compare(options, terminal, source)
    const name = place(path)
    if (changed === text) return void terminal.out.write(`run ${record.id} keeps ${name}\n`)
    terminal.out.write(`${[`--- ${name}`, `+++ run ${record.id}`, ...lineDiff(text, changed)].join("\n")}\n`)
    if (options.action === "diff") return yield* new ContractDiffers({ path: name })
    yield* replace(path, changed)
    terminal.err.write(`${name}: taken over\n`)
  })

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const source = yield* read(options.file)
    if (options.action === "emit") return yield* emit(options, terminal, source)
    const work = options.action === "init" ? init(options, terminal, source) : differ(options, terminal, source)
    yield* withLedger(options, terminal, work)
  })
