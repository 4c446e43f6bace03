/** Failures of a watch: reported when they begin, and when the page can be read again. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Ledger } from "../../Ledger.ts"
import type { Occurrence } from "../../Schedule/Model.ts"
import { describeFailedPages } from "../PageFailures.ts"
import { type Channel, paint } from "../Terminal.ts"
import type { Failure } from "../Verb.ts"

export interface Visited {
  readonly record: Occurrence
  /** Error of the visit's run; undefined if the run succeeded, or if another process ran it. */
  readonly failure: Failure | undefined
}

interface PageFailure {
  readonly message: string
  /** True if the page could not be read; false if it was read, and a later step failed. */
  readonly isUnread: boolean
}

/** Ongoing failures of a watch by page; an empty name stands for the visit as a whole. */
export type Failures = ReadonlyMap<string, PageFailure>

export const none: Failures = new Map()

/** Maximum pages whose failures are remembered. */
const maxFailures = 1000

/** Maximum pages with the same failure that are named. */
const maxNamed = 5

/** Failures of a visit. `compared`: id of the step that compares pages; a page that failed there could be read. */
export const of = ({ failure, record }: Visited, compared: string | undefined) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    const failures = new Map<string, PageFailure>()
    if (record.runId !== undefined) {
      const rejects = Stream.take(history.rejects(record.runId, { which: "all" }), maxFailures)
      yield* Stream.runForEach(rejects, ({ key, message, step }) =>
        Effect.sync(() => failures.set(key, { message, isUnread: step !== compared }))
      )
    }
    if (failures.size > 0) return failures
    const why = failure?.message ?? (record.status === "completed" ? undefined : (record.reason ?? record.status))
    return why === undefined ? failures : failures.set("", { message: why, isUnread: true })
  })

/** True if the run has read the page; it may also have skipped it, or not have reached it. */
const wasRead = (runId: string | undefined, key: string) =>
  Effect.gen(function* () {
    if (runId === undefined) return false
    const [latest] = yield* (yield* Ledger).history.pagesAt(key, { limit: 1 })
    return latest?.runId === runId && latest.error === undefined && (latest.status ?? 200) < 400
  })

/** Prints new failures to `err`, and resolved ones with `say`. Returns the ongoing failures. */
export const report = (
  { err, say }: { readonly err: Channel; readonly say: (text: string) => Effect.Effect<void> },
  before: Failures,
  now: Failures,
  { record }: Visited
) =>
  Effect.gen(function* () {
    const dye = paint(err)
    const begun = [...now].filter(([key]) => !before.has(key)).map(([page, { message }]) => ({ page, message }))
    for (const line of describeFailedPages(begun, "fail", maxNamed)) err.write(`${dye.red("error:")} ${line}\n`)
    // A visit that failed as a whole tells nothing about single pages.
    if (now.has("")) return new Map([...before, ...now].slice(-maxFailures))
    const lasting = new Map(now)
    for (const [key, failure] of before) {
      if (now.has(key)) continue
      if (key === "") yield* say("visits succeed again")
      else if (yield* wasRead(record.runId, key)) {
        yield* say(failure.isUnread ? `${key} can be read again` : `${key} fails no longer`)
      } else if (lasting.size < maxFailures) lasting.set(key, failure)
    }
    return lasting
  })
