/** `sluice contract`: learns the contract of a pipeline's outputs from its last run, compares the two, and takes changes over. */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Contract from "../Contract/Contract.ts"
import * as Emit from "../Contract/Emit.ts"
import * as Learn from "../Contract/Learn.ts"
import { isTable, whyUnreadable } from "../Contract/Reader.ts"
import { fileErrorReason } from "../Files/FileErrors.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { type Checked, check, scopeBefore } from "../Pipeline/Check.ts"
import { decode } from "../Pipeline/Node.ts"
import { read, type Source } from "../Pipeline/Source.ts"
import type { Data as RowData } from "../Row.ts"
import { globOf, isFileOf } from "../Sink/Destination.ts"
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
  run: Parameter.text(
    "RUN",
    "The completed or held run whose outputs are read; default: the last one that has completed, or that a contract holds."
  ),
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

/** A step that writes. */
interface Writer {
  readonly step: string
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
        return destination === undefined || destination.path === "-" ? [] : [{ step: node.id, destination }]
      })
    ),
    (found) => found.flat()
  )

/** A file of a run. `from`: where it is, while the run is held. */
interface WrittenFile extends Output {
  readonly from: string
}

const filesOf = (
  { destination }: Writer,
  outputs: ReadonlyArray<WrittenFile>,
  out: string
): ReadonlyArray<WrittenFile> => outputs.filter((output) => isFileOf(destination, out, output))

/** Gives every row of a file to `add`. */
const readFile = ({ destination }: Writer, { from }: WrittenFile, add: (data: RowData) => void) =>
  Effect.flatMap(open(from, "/"), (input) =>
    Stream.runForEach(rowsOf(input, { ...destination.reader, file: from }), ({ failures: [failure], rows }) => {
      if (failure !== undefined) return Effect.fail(failure[1])
      return Effect.sync(() => {
        for (const { data } of rows) add(data)
      })
    })
  )

const isReal = ({ options }: RunRecord): boolean => options.limit === undefined && options.replayOf === undefined

/** True for a run that a contract holds, and nothing else. Rows that are broken in other ways teach a contract nothing. */
const isHeldByContract = ({ id }: RunRecord) =>
  Effect.gen(function* () {
    const { health } = yield* Ledger
    const whole = yield* health.of(id)
    const records = [...(whole === undefined ? [] : [whole]), ...(yield* health.sinksOf(id))]
    const broken = records.flatMap(({ verdicts }) => verdicts).filter(({ level }) => level === "broken")
    return broken.length > 0 && broken.every(({ metric }) => metric === "contract")
  })

/** The run whose outputs are read. */
const findRun = ({ action, run }: Options, pipeline: string) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    if (run !== undefined) {
      const found = yield* history.run(run)
      if (found?.run.status === "completed" || found?.run.status === "held") return found.run
      return yield* new ContractRefused({
        reason:
          found === undefined
            ? `the ledger has no run ${run}`
            : `run ${run} is ${found.run.status}: only a completed or held run has outputs`
      })
    }
    for (const record of yield* history.runs({ pipeline, limit: 1000 })) {
      if (!isReal(record)) continue
      if (record.status === "completed") return record
      if (record.status === "held" && action !== "init" && (yield* isHeldByContract(record))) return record
    }
    return yield* new ContractRefused({ reason: `no run of ${pipeline} has completed: sluice run makes one` })
  })

/** Files of a run: under their names, or of a held run, where they wait. */
const filesIn = (record: RunRecord) =>
  Effect.gen(function* () {
    const { held } = yield* Ledger
    if (record.status === "held") {
      return (yield* held.files(record.id)).map((file): WrittenFile => ({ ...file, from: file.partial }))
    }
    const decoded = decodeOutputs(`The outputs of run ${record.id}`, record.outputs ?? [])
    return Either.getOrElse(decoded, () => []).map((file): WrittenFile => ({ ...file, from: file.path }))
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
    const outputs = yield* filesIn(record)
    const writers = (yield* writersOf(checked, terminal)).filter(({ destination: { format, reader }, step }) => {
      const why = whyUnreadable(format, reader)
      if (why !== undefined) terminal.err.write(`warning: ${step}: ${why}; the output is left out\n`)
      return why === undefined
    })
    return { record, written: writers.map((writer) => ({ writer, files: filesOf(writer, outputs, record.out) })) }
  })

/** Writes a partial file first, so that no reader sees half a file. */
const replace = (path: string, text: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    // The partial name may be taken by a link.
    files
      .remove(`${path}.partial`, { force: true })
      .pipe(
        Effect.zipRight(files.writeFileString(`${path}.partial`, text, { flag: "wx" })),
        Effect.zipRight(files.rename(`${path}.partial`, path))
      )
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
      const learner = Learn.make(isTable(writer.destination.reader))
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
    const { format } = options
    if (format === undefined) {
      return yield* new WrongUsage({ reason: `emit needs --format: ${Emit.formats.join(", ")}` })
    }
    const contract = yield* loadExisting(source)
    const scope = { ...scopeOf(terminal.env), inputs: {}, complete: false, unsetSecrets: "warning" as const }
    const checked = yield* check(source, scope)
    const outputs = (yield* writersOf(checked, terminal)).flatMap((writer): ReadonlyArray<Emit.EmittedOutput> => {
      const output = Contract.outputOf(contract, writer.step)
      if (output === undefined) return []
      const { format, reader } = writer.destination
      return [{ ...output, step: writer.step, format, glob: globOf(writer.destination), reader }]
    })
    for (const output of outputs) {
      const why = Emit.whyLeftOut(format, output)
      if (why !== undefined) terminal.err.write(`warning: ${output.step}: ${why}; the output is left out\n`)
    }
    terminal.out.write(Emit.emit(format, { pipeline: checked.frame.name, outputs }))
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
      const comparison = Learn.compare(output, isTable(writer.destination.reader))
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
    const next = record.status === "held" ? `; sluice publish ${record.id} releases the outputs` : ""
    terminal.err.write(`${name}: taken over${next}\n`)
  })

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const source = yield* read(options.file)
    if (options.action === "emit") return yield* emit(options, terminal, source)
    const work = options.action === "init" ? init(options, terminal, source) : differ(options, terminal, source)
    yield* withLedger(options, terminal, work)
  })
