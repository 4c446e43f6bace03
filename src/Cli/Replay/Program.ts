/** Gathers the rejects of a run that nobody has taken up, and runs the pipeline on them. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RunRecord } from "../../Ledger/Model.ts"
import type { RejectRecord } from "../../Ledger/Pages.ts"
import { Ledger } from "../../Ledger.ts"
import { type Checked, check, definitionHash } from "../../Pipeline/Check.ts"
import { parseText, read } from "../../Pipeline/Source.ts"
import { sha256 } from "../../Row/Hash.ts"
import type { Data, Row } from "../../Row.ts"
import { runStatus } from "../../Run/RunResult.ts"
import { optionsOf } from "../../Run/RunSpec.ts"
import { mapping } from "../../Step/Requirements.ts"
import type * as Step from "../../Step.ts"
import { NothingToReplay } from "../Errors.ts"
import { withLedger } from "../Past.ts"
import * as Profile from "../Profile.ts"
import type { ReplayParameters } from "../Replay.ts"
import { perform, printing } from "../Run/Perform.ts"
import { scopeOf } from "../Scope.ts"
import { findRun } from "../Show/Program.ts"
import type { Terminal } from "../Terminal.ts"
import { writingTo } from "../Trust.ts"
import { count, place } from "../Words.ts"

const gather = (wanted: string | undefined) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const { alive, run } = yield* findRun(wanted)
    const { id } = run
    const status = runStatus(run, alive)
    if (status !== "completed" && status !== "failed") {
      const reason = alive ? "it is still running" : `it is ${status}: go on with it by sluice resume ${id}`
      return yield* new NothingToReplay({ run: id, reason })
    }
    const rejects = Chunk.toReadonlyArray(yield* Stream.runCollect(history.rejects(id, "open")))
    if (rejects.length === 0) return yield* new NothingToReplay({ run: id, reason: "it has no reject that is open" })
    if (rejects.some(({ of }) => of !== id)) {
      const reason = `its shards have not come to their end, and their rejects belong to them until then: sluice resume ${id}`
      return yield* new NothingToReplay({ run: id, reason })
    }
    return { run, rejects }
  })

/** The definition as it is now; the run's own where the file is gone. */
const definitionOf = (run: RunRecord) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const isThere = yield* Effect.orElseSucceed(files.exists(run.file), () => false)
    return isThere ? yield* read(run.file) : yield* parseText(run.file, paths.dirname(run.file), run.definition)
  })

/** Says that a replay runs another definition, or other code, than the run did; undefined where they are the same. */
const changeOf = (run: RunRecord, checked: Checked): string | undefined => {
  if (definitionHash(checked) === run.definitionHash) return undefined
  const { text, value } = checked.source
  const what = text === run.definition ? `the code of its extensions (${mapping(value).extensions})` : place(run.file)
  return `${what} has changed since run ${run.id} began: the replay uses it as it is now`
}

/** The row as its step was given it. A job's reject is its page, and the row that asked for the page is its source. */
export const rowOf = ({ isDerived = false, jobId, key, row, source }: RejectRecord, { behaviour }: Step.Any): Row => {
  // Version 0.1 did not say how the key came about; of rows without an address it was the hash of their content.
  const known = isDerived || key === sha256(JSON.stringify(row)) ? { derivedKey: key } : { key }
  return behaviour.kind === "transform" && behaviour.pages === true && jobId !== undefined && source !== undefined
    ? { data: source as Data, ...known }
    : { data: row as Data, ...known, source: source as Data | undefined, jobId }
}

/** The rows by step; a source makes its own rows and takes none. */
const sort = (rejects: ReadonlyArray<RejectRecord>, { nodes }: Checked) => {
  const rows = new Map<string, Array<Row>>()
  const numbers: Array<number> = []
  const left = new Map<string, number>()
  for (const reject of rejects) {
    const node = nodes.find(({ id }) => id === reject.step)
    if (node === undefined || node.inputs.length === 0) {
      left.set(reject.step, (left.get(reject.step) ?? 0) + 1)
      continue
    }
    const own = rows.get(node.id) ?? []
    own.push(rowOf(reject, node.step))
    rows.set(node.id, own)
    numbers.push(reject.number)
  }
  return { rows, numbers, left }
}

/** The open rejects of a run, for a replay that was cut before it took them up. */
export const rejectsOf = (run: string, checked: Checked) =>
  Effect.flatMap(gather(run), ({ rejects, run: { id } }) => {
    const { numbers, rows } = sort(rejects, checked)
    return numbers.length === 0
      ? Effect.fail(new NothingToReplay({ run: id, reason: "no step of the definition takes its rejects" }))
      : Effect.succeed({ of: id, rows, numbers })
  })

export const program = (options: ReplayParameters, terminal: Terminal) =>
  printing(options, terminal, (print) =>
    Effect.gen(function* () {
      const paths = yield* Path.Path
      const settings = yield* Profile.read(terminal.env, options.profile)
      const dataDir = paths.resolve(options.data ?? settings.dataDir)
      const { rejects, run } = yield* withLedger(options, terminal, gather(options.run))
      const source = yield* definitionOf(run)
      const inputs = run.inputs as Readonly<Record<string, unknown>>
      const given = yield* check(source, { ...scopeOf(terminal.env), inputs, saved: true, complete: true }).pipe(
        writingTo(run.out, optionsOf(run).wanted)
      )
      // As they were settled then: a path was relative to another folder.
      const checked = { ...given, inputs }
      const change = changeOf(run, checked)
      if (change !== undefined) print.talk(`${change}\n`)
      const { left, numbers, rows } = sort(rejects, checked)
      for (const [step, many] of left) {
        print.talk(
          `${count(many, "reject")} of ${step}: it makes its rows itself, or is gone; run the pipeline again for them\n`
        )
      }
      if (numbers.length === 0) {
        return yield* new NothingToReplay({ run: run.id, reason: "no step of the definition takes its rejects" })
      }
      yield* perform(
        {
          checked,
          settings,
          dataDir,
          out: run.out,
          // Rejects of a trial lead to a trial.
          limit: optionsOf(run).wanted,
          allowCode: options["allow-code"],
          replay: { of: run.id, rows, numbers },
          quiet: options.quiet
        },
        terminal,
        print
      )
    }).pipe(Effect.scoped)
  )
