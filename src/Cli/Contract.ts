/** `sluice contract`: learns a contract for a pipeline's outputs from its last run, compares the two, and accepts changes. */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Contract from "../Contract/Contract.ts"
import * as Emit from "../Contract/Emit.ts"
import * as Learn from "../Contract/Learn.ts"
import { isTable } from "../Contract/Reader.ts"
import type { RunRecord } from "../Ledger/Model.ts"
import { Ledger } from "../Ledger.ts"
import { check } from "../Pipeline/Check.ts"
import { read, type Source } from "../Pipeline/Source.ts"
import { globOf } from "../Sink/Destination.ts"
import { checkFailed, commandFailed, unusable, wrongUsage } from "./CommandErrors.ts"
import { count, place } from "./Format.ts"
import { withLedger } from "./LedgerAccess.ts"
import { lineDiff } from "./LineDiff.ts"
import * as Parameter from "./Parameter.ts"
import * as RunOutputs from "./RunOutputs.ts"
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
    "The completed or held run whose outputs are read; default: the last one that completed or was held by a contract."
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
    "The contract is NAME.contract.yaml beside the definition NAME.yaml. Runs check their rows against it while they write. Commit it to version control.",
  parameters,
  examples: [
    { line: "sluice contract init pipelines/shop.yaml", what: "writes pipelines/shop.contract.yaml from the last run" },
    {
      line: "sluice contract diff pipelines/shop.yaml",
      what: "shows how the last run differs from the contract (exit code 6)"
    },
    { line: "sluice contract accept pipelines/shop.yaml", what: "accepts the differences" },
    {
      line: "sluice contract emit pipelines/shop.yaml --format duckdb",
      what: "SQL that reads the outputs with their types"
    }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** True if the run is held only because of the contract. No contract is learned from rows that are broken in other ways. */
const isHeldByContract = ({ id }: RunRecord) =>
  Effect.gen(function* () {
    const { health } = yield* Ledger
    const whole = yield* health.of(id)
    const records = [...(whole === undefined ? [] : [whole]), ...(yield* health.sinksOf(id))]
    const broken = records.flatMap(({ verdicts }) => verdicts).filter(({ level }) => level === "broken")
    return broken.length > 0 && broken.every(({ metric }) => metric === "contract")
  })

/** Finds the run whose outputs the action reads. */
const findRun = ({ action, run }: Options, pipeline: string) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    if (run !== undefined) {
      const found = yield* history.run(run)
      if (found?.run.status === "completed" || found?.run.status === "held") return found.run
      return yield* commandFailed(
        found === undefined
          ? `the ledger has no run ${run}`
          : `run ${run} is ${found.run.status}: only a completed or held run has outputs`
      )
    }
    for (const record of yield* history.runs({ pipeline, limit: 1000 })) {
      if (!RunOutputs.isReal(record)) continue
      if (record.status === "completed") return record
      if (record.status === "held" && action !== "init" && (yield* isHeldByContract(record))) return record
    }
    return yield* commandFailed(
      `no run of ${pipeline} has completed (trials with --limit and replays do not count): start one with sluice run`
    )
  })

/** Outputs of the run, by the step that wrote them. */
const outputsOf = (options: Options, terminal: Terminal, source: Source) =>
  RunOutputs.outputsOf(source, terminal, (pipeline) => findRun(options, pipeline))

const pathOf = (source: Source) => {
  const path = Contract.pathOf(source)
  return path === undefined
    ? commandFailed(
        `${source.file} is not a file: a contract is stored beside a definition, so name the file of a definition`
      )
    : Effect.succeed(path)
}

const init = (options: Options, terminal: Terminal, source: Source) =>
  Effect.gen(function* () {
    const path = yield* pathOf(source)
    if ((yield* Contract.load(source)) !== undefined) {
      return yield* commandFailed(`${place(path)} already exists: sluice contract diff compares it with the last run`)
    }
    const { record, written } = yield* outputsOf(options, terminal, source)
    const outputs: Record<string, Contract.OutputContract> = {}
    for (const { files, writer } of written) {
      const learner = Learn.make(isTable(writer.destination.reader))
      yield* Effect.forEach(files, (file) => RunOutputs.readFile(writer, file, learner.add), { discard: true })
      const learned = learner.contract()
      if (learned.key === undefined)
        for (const name of learner.uncompared())
          terminal.err.write(
            `${writer.step}: ${name} has too many values to compare them all, so it is not taken as the key: if they all differ, add "key: [${name}]" to the contract\n`
          )
      if (Object.keys(learned.columns).length > 0) outputs[writer.step] = learned
      else terminal.err.write(`${writer.step}: run ${record.id} has no rows to learn a contract from\n`)
    }
    if (Object.keys(outputs).length === 0) {
      return yield* commandFailed(
        `run ${record.id} has no rows to learn a contract from: run the pipeline again, or name another run with --run`
      )
    }
    yield* RunOutputs.replace(path, Contract.render({ version: 1, outputs }))
    const columns = Object.values(outputs).reduce((sum, each) => sum + Object.keys(each.columns).length, 0)
    terminal.out.write(`${place(path)}: ${count(columns, "column")}, from run ${record.id}\n`)
  })

/** Prints the schema of the outputs for their readers, in the chosen format. */
const emit = (options: Options, terminal: Terminal, source: Source) =>
  Effect.gen(function* () {
    const { format } = options
    if (format === undefined) {
      return yield* wrongUsage(`emit needs --format: ${Emit.formats.join(", ")}`)
    }
    const contract = yield* loadExisting(source)
    const scope = { ...scopeOf(terminal.env), inputs: {}, complete: false, unsetSecrets: "warning" as const }
    const checked = yield* check(source, scope)
    const outputs = (yield* RunOutputs.writersOf(checked, terminal)).flatMap(
      (writer): ReadonlyArray<Emit.EmittedOutput> => {
        const output = Contract.outputOf(contract, writer.step)
        if (output === undefined) return []
        const { format, reader } = writer.destination
        return [{ ...output, step: writer.step, format, glob: globOf(writer.destination), reader }]
      }
    )
    for (const output of outputs) {
      const why = Emit.whyLeftOut(format, output)
      if (why !== undefined) terminal.err.write(`warning: ${output.step}: ${why}; this output is left out\n`)
    }
    terminal.out.write(Emit.emit(format, { pipeline: checked.frame.name, outputs }))
  })

const loadExisting = (source: Source) =>
  Effect.gen(function* () {
    const path = yield* pathOf(source)
    const contract = yield* Contract.load(source)
    if (contract !== undefined) return contract
    return yield* commandFailed(`there is no ${place(path)}: create it with sluice contract init ${source.file}`)
  })

/** Compares the contract with the columns that the run's outputs would need. */
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
        terminal.err.write(`${writer.step}: the contract does not cover this output\n`)
        continue
      }
      const comparison = Learn.compare(output, isTable(writer.destination.reader))
      yield* Effect.forEach(files, (file) => RunOutputs.readFile(writer, file, comparison.add), { discard: true })
      changes.push({ step: writer.step, before: output.columns, after: comparison.columns() })
    }
    const text = yield* Effect.mapError(
      Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(path)),
      unusable(path)
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
    if (options.action === "diff") {
      return yield* checkFailed(
        `the outputs differ from ${name}: to accept the differences, run sluice contract accept ${source.file}`
      )
    }
    yield* RunOutputs.replace(path, changed)
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
