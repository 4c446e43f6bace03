/** How the pipelines of a folder stand: what comes, and how it went, out of the ledger where there is one. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { nextInstants } from "../../Pipeline/Schedule.ts"
import { type Occurrence, pauseEnd, type ScheduleRecord } from "../../Schedule/Model.ts"
import * as Schedules from "../../Schedule/Store.ts"
import { type Where, withLedger } from "../Past.ts"
import type { Terminal } from "../Terminal.ts"
import * as Definitions from "./Definitions.ts"
import { isBad } from "./News.ts"

/** Instants looked back at for how long it has been going wrong. */
export const depth = 100

export interface Past {
  readonly record: ScheduleRecord | undefined
  readonly last: Occurrence | undefined
  readonly going: Occurrence | undefined
  /** Failures in a row, up to the last instant. */
  readonly failures: number
  readonly lastCompleted: Occurrence | undefined
}

const none: Past = { record: undefined, last: undefined, going: undefined, failures: 0, lastCompleted: undefined }

const isOver = ({ status }: Occurrence): boolean => !["waiting", "running", "retrying"].includes(status)

/** Out of the newest instants, newest first. */
const pastOf = (record: ScheduleRecord | undefined, instants: ReadonlyArray<Occurrence>): Past => {
  const over = instants.filter((each) => isOver(each) && each.status !== "skipped" && each.status !== "replaced")
  const well = over.findIndex(({ status }) => status === "completed")
  return {
    record,
    last: over[0],
    going: instants.find(({ status }) => status === "running" || status === "retrying"),
    failures: (well === -1 ? over : over.slice(0, well)).filter(({ status }) => isBad(status)).length,
    lastCompleted: over[well]
  }
}

const remember = (names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const schedules = yield* Schedules.schedules
    const records = yield* schedules.list
    const pasts = yield* Effect.forEach(names, (pipeline) =>
      Effect.map(schedules.occurrences({ pipeline, limit: depth }), (instants) => {
        const record = records.find((each) => each.pipeline === pipeline)
        return [pipeline, pastOf(record, instants)] as const
      })
    )
    const isServed = (yield* schedules.leaseHolders).size > 0
    // Who has another scheduler carries instants out one by one.
    const isElsewhere = pasts.some(([, { last }]) => last?.cause === "hand")
    return { pasts: new Map(pasts), isServed: isServed || isElsewhere }
  })

export interface Entry extends Definitions.Scheduled, Past {
  readonly next: ReadonlyArray<number>
}

export const isPaused = ({ record }: Past, now: number): boolean =>
  record?.pausedAt !== undefined && (pauseEnd(record.pausedWhy) ?? Number.POSITIVE_INFINITY) > now

export type Needs = FileSystem.FileSystem | Path.Path

/** Where there is no ledger yet, none is made, and no schedule has a past run. */
export const of = (
  folder: string,
  options: Where & { readonly "allow-code"?: boolean; readonly input?: Readonly<Record<string, string>> },
  terminal: Terminal
) =>
  Effect.gen(function* () {
    const { input: inputs = {} } = options
    const where = { env: terminal.env, code: options["allow-code"] === true, inputs }
    const { broken, scheduled } = yield* Definitions.find(folder, where)
    yield* Definitions.ensureDeclared(inputs, { broken, scheduled })
    const now = yield* Clock.currentTimeMillis
    const { isServed, pasts } = yield* withLedger(options, terminal, remember(scheduled.map(({ name }) => name))).pipe(
      Effect.catchTag("NothingYet", () => Effect.succeed({ pasts: new Map<string, Past>(), isServed: false }))
    )
    const entries = scheduled.map((each): Entry => {
      const next = nextInstants(each.schedule, now, 3)
      return { ...each, ...(pasts.get(each.name) ?? none), next }
    })
    return { entries, broken, isServed }
  })
