/**
 * Prints the changes of a watch on stdout, each at least once.
 *
 * The ledger stores the last visit whose changes were printed. This is written once stdout has taken the changes. So changes of a visit
 * that was killed before printing are printed at the next start, and those of a visit that was killed while printing are printed again.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { safely } from "../../Callback.ts"
import { Ledger } from "../../Ledger.ts"
import { changesOfRun } from "../../Schedule/Changes.ts"
import type { Occurrence } from "../../Schedule/Model.ts"
import * as Store from "../../Schedule/Store.ts"
import { ExitCode } from "../../TypedError/ExitCode.ts"
import { count } from "../Format.ts"
import type { Channel } from "../Terminal.ts"
import * as Report from "./Report.ts"

/** Writing the changes to standard output failed. */
export class OutputClosed extends Data.TaggedError("OutputClosed")<{ readonly reason: string }> {
  readonly exitCode = ExitCode.failed
  override get message() {
    return `changes could not be printed: ${this.reason}. The next start prints them`
  }
}

/** Waits until all written output has been consumed. */
const flush = ({ pipe }: Channel): Effect.Effect<void, OutputClosed> =>
  pipe === undefined
    ? Effect.void
    : Effect.async<void, OutputClosed>((resume) =>
        pipe(
          new Uint8Array(),
          safely((error?: Error | null) => resume(error ? new OutputClosed({ reason: error.message }) : Effect.void))
        )
      )

interface Printing {
  readonly out: Channel
  readonly isJson: boolean
  /** Prints a message for people on stderr. */
  readonly say: (text: string) => Effect.Effect<void>
}

/** Prints the changes found by a visit. Returns their number. */
export const print = ({ isJson, out, say }: Printing, { scheduledTime, pipeline, runId }: Occurrence) =>
  Effect.gen(function* () {
    const found = runId === undefined ? undefined : yield* changesOfRun(yield* Ledger, runId)
    for (const each of found?.changes ?? []) {
      out.write(isJson ? `${JSON.stringify(Report.changeObject(each))}\n` : Report.change(each, out))
    }
    if (found !== undefined && found.changes.length > 0) yield* flush(out)
    if (found !== undefined && found.more > 0) {
      yield* say(
        `and ${count(found.more, "more change")} in this visit, more than a watch keeps. To get all of them as rows, use --write FILE and add a write step after dedupe`
      )
    }
    yield* (yield* Store.schedules).markPrinted(pipeline, scheduledTime)
    return found === undefined ? 0 : found.changes.length + found.more
  })

/** Maximum earlier visits whose changes are printed at a start. */
const maxLate = 100

/** Prints the changes of ended visits that were not printed yet. Returns their number. */
export const printLate = (printing: Printing, pipeline: string) =>
  Effect.gen(function* () {
    const schedules = yield* Store.schedules
    const printed = yield* schedules.printed(pipeline)
    if (printed === undefined) {
      // An earlier version did not record what it printed: its visits count as printed.
      const [last] = yield* schedules.occurrences({ pipeline, limit: 1 })
      const isOpen = last !== undefined && last.endedAt === undefined
      yield* schedules.markPrinted(
        pipeline,
        last === undefined ? 0 : isOpen ? last.scheduledTime - 1 : last.scheduledTime
      )
      return 0
    }
    const late = yield* schedules.occurrences({ pipeline, status: ["completed"], since: printed + 1, limit: maxLate })
    let changes = 0
    // Visits of the daemon are skipped: it has already sent notifications about them.
    for (const visit of late.toReversed()) if (visit.cause === "hand") changes += yield* print(printing, visit)
    return changes
  })
