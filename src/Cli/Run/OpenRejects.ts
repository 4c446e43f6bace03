/** Open rejects of a run: the rejected rows that no replay has taken over yet. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { RejectRecord } from "../../Ledger/Pages.ts"
import { Ledger } from "../../Ledger.ts"
import type { Checked } from "../../Pipeline/Check.ts"
import { sha256 } from "../../Row/Hash.ts"
import type { Row, Data as RowData } from "../../Row.ts"
import { runStatus } from "../../Run/RunResult.ts"
import type * as Step from "../../Step.ts"
import { commandFailed } from "../CommandErrors.ts"
import { findRun } from "../RunRecords.ts"

/** No reject of the run can be replayed. */
export const nothingToReplay = (run: string, reason: string) =>
  commandFailed(`nothing of run ${run} can be replayed: ${reason}`, "NothingToReplay")

export const gather = (wanted: string | undefined) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const { alive, run } = yield* findRun(wanted)
    const { id } = run
    const status = runStatus(run, alive)
    if (status === "discarded") {
      return yield* nothingToReplay(id, "its outputs were discarded")
    }
    if (status !== "completed" && status !== "failed") {
      return yield* nothingToReplay(
        id,
        alive ? "it is still running" : `it is ${status}: continue it with sluice resume ${id}`
      )
    }
    const rejects = Chunk.toReadonlyArray(yield* Stream.runCollect(history.rejects(id, { which: "open" })))
    if (rejects.length === 0) return yield* nothingToReplay(id, "it has no open rejects")
    if (rejects.some(({ of }) => of !== id)) {
      const reason = `its shards have not finished, and keep their rejects until then: sluice resume ${id}`
      return yield* nothingToReplay(id, reason)
    }
    return { run, rejects }
  })

/** The row as its step received it. For a rejected page of a job: the row that requested the page. */
export const rowOf = ({ isDerived = false, jobId, key, row, source }: RejectRecord, { behaviour }: Step.Any): Row => {
  // Version 0.1 did not record how the key was made; for rows without a URL it was the hash of their content.
  const known = isDerived || key === sha256(JSON.stringify(row)) ? { derivedKey: key } : { key }
  return behaviour.kind === "transform" && behaviour.pages === true && jobId !== undefined && source !== undefined
    ? { data: source as RowData, ...known }
    : { data: row as RowData, ...known, source: source as RowData | undefined, jobId }
}

/** Groups the rows by step. Rejects of a source are left out, because a source takes no rows. */
export const sort = (rejects: ReadonlyArray<RejectRecord>, { nodes }: Checked) => {
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

/** Open rejects of a run, for resuming a replay that ended before it took them over. */
export const rejectsOf = (run: string, checked: Checked) =>
  Effect.flatMap(gather(run), ({ rejects, run: { id } }) => {
    const { numbers, rows } = sort(rejects, checked)
    return numbers.length === 0
      ? nothingToReplay(id, "no step of the definition can process its rejects again")
      : Effect.succeed({ of: id, rows, numbers })
  })
