/** One run that is killed, resumed, killed again, and in the end looked at. */
import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import type { Chance } from "./Chance.ts"
import { differences, type Result, resultOf } from "./Result.ts"
import { type Ended, launch, type Running, sluice } from "./Sluice.ts"
import { newestRun, usageOf } from "./Store.ts"

/** Where a run happens: executable, definition, folder and service. */
export interface Place {
  readonly bin: string
  /** The definition. */
  readonly file: string
  /** Folder of this run alone. */
  readonly folder: string
  /** A service that outlives the run; without it the engine lives and dies with the run. */
  readonly service?: { readonly env: Readonly<Record<string, string>>; readonly dataDir: string } | undefined
}

/** Result of a run without a fault. */
export interface Undisturbed {
  readonly result: Result
  readonly usage: Readonly<Record<string, number>>
  readonly millis: number
}

const outOf = ({ folder }: Place): string => `${folder}/out`
const dataOf = ({ folder }: Place): string => `${folder}/data`

const words = (place: Place, verb: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...verb,
  // The definition is beside the folders of its runs.
  "--allow-path",
  dirname(place.file),
  "--data",
  dataOf(place),
  "--json"
]

export const beginning = (place: Place) => ({
  bin: place.bin,
  cwd: place.folder,
  env: place.service?.env,
  words: words(place, ["run", place.file, "--out", outOf(place)])
})

export const resuming = (place: Place, id: string, more: ReadonlyArray<string> = []) => ({
  bin: place.bin,
  cwd: place.folder,
  env: place.service?.env,
  words: words(place, ["resume", id, ...more])
})

const engineOf = (place: Place): string => place.service?.dataDir ?? dataOf(place)

const minus = (after: Readonly<Record<string, number>>, before: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]))

const report = (ended: Ended) => {
  const { outputs: _, durationMs: __, rejectFile, runId, ...rest } = JSON.parse(ended.out)
  return { runId: String(runId), line: JSON.stringify({ ...rest, hasRejectFile: typeof rejectFile === "string" }) }
}

/** A run without a fault. */
export const undisturbed = (place: Place): Effect.Effect<Undisturbed> =>
  Effect.gen(function* () {
    mkdirSync(place.folder, { recursive: true })
    const before = yield* usageOf(engineOf(place))
    const ended = yield* sluice(beginning(place))
    if (ended.code !== 0) return yield* Effect.dieMessage(`the undisturbed run ended with ${ended.code}: ${ended.err}`)
    const { line, runId } = report(ended)
    const result = yield* resultOf(outOf(place), dataOf(place), runId)
    const usage = minus(yield* usageOf(engineOf(place)), before)
    return { result: { ...result, report: [line] }, usage, millis: ended.millis }
  })

/** When a process is killed. */
export interface Moment {
  readonly kind: "start" | "any" | "write" | "publish" | "end"
  /** Milliseconds, behind what the kind waits for. */
  readonly wait: number
}

/** Moments over a life of so many milliseconds; more of them where more happens. */
export const momentOf = (chance: Chance, millis: number): Moment => {
  const kind = chance.one(["any", "any", "any", "start", "write", "publish", "end"] as const)
  const wait = {
    start: () => chance.below(500),
    any: () => chance.below(millis),
    write: () => chance.below(300),
    publish: () => chance.below(20),
    end: () => millis * 0.8 + chance.below(millis * 0.3)
  }[kind]()
  return { kind, wait: Math.round(wait) }
}

/** A name that only a finished output has. */
const isPublished = (out: string): boolean =>
  existsSync(out) && readdirSync(out).some((name) => /\.(jsonl|csv)$/.test(name))

const isBegun = (out: string): boolean => existsSync(out) && readdirSync(out).length > 0

/** Completes when the moment has come; never, when it does not come. */
const comes = ({ kind, wait }: Moment, out: string): Effect.Effect<void> => {
  const sign = kind === "publish" ? isPublished : kind === "write" ? isBegun : undefined
  const looking =
    sign === undefined || sign(out)
      ? Effect.void
      : Effect.suspend(() => (sign(out) ? Effect.succeed(true) : Effect.delay(Effect.succeed(false), 2))).pipe(
          Effect.repeat({ until: (seen) => seen }),
          Effect.asVoid
        )
  return Effect.zipRight(looking, Effect.sleep(wait))
}

/** State of a run after a kill. */
export interface Kill extends Moment {
  /** In the ledger: none, running, publishing, completed. */
  readonly found: string
  /** True when the run had committed something. */
  readonly committed: boolean
}

export interface Trial {
  readonly kills: ReadonlyArray<Kill>
  /** Sentences; none is what is promised. */
  readonly violations: ReadonlyArray<string>
}

const live = (running: Running, moment: Moment | undefined, out: string): Effect.Effect<Ended | "killed"> =>
  Effect.gen(function* () {
    if (moment !== undefined) yield* Effect.forkScoped(Effect.zipRight(comes(moment, out), running.kill))
    const ended = yield* running.ended
    return ended.code === undefined ? "killed" : ended
  }).pipe(Effect.scoped)

/** Kills the run at the given moments, once per process, and lets the last process run to its end. */
export const trial = (place: Place, moments: ReadonlyArray<Moment>, model: Undisturbed): Effect.Effect<Trial> =>
  Effect.gen(function* () {
    mkdirSync(place.folder, { recursive: true })
    const out = outOf(place)
    const data = dataOf(place)
    const before = yield* usageOf(engineOf(place))
    const kills: Array<Kill> = []
    const waiting = [...moments]
    let last: Ended | undefined
    let id: string | undefined
    while (last === undefined) {
      const launched = id === undefined ? beginning(place) : resuming(place, id)
      const moment = waiting.shift()
      const ended = yield* Effect.scoped(Effect.flatMap(launch(launched), (running) => live(running, moment, out)))
      if (ended === "killed") {
        if (moment === undefined) return { kills, violations: ["the run was killed, but not by this trial"] }
        const run = yield* newestRun(data)
        id = run?.id
        kills.push({ ...moment, found: run?.status ?? "none", committed: run?.checkpoints ?? false })
        if (run?.status === "completed") break
      } else last = ended
    }
    if (last !== undefined && last.code !== 0) {
      return { kills, violations: [`it ended with ${last.code}: ${last.err.trim()}`] }
    }
    const told = last === undefined ? undefined : report(last)
    const result = yield* resultOf(out, data, told?.runId ?? id ?? "")
    const usage = minus(yield* usageOf(engineOf(place)), before)
    const paid = Object.entries({ ...model.usage, ...usage }).filter(
      ([name]) => (usage[name] ?? 0) !== (model.usage[name] ?? 0)
    )
    // Killed when all was done: what a next run clears away may still be there.
    const uncleared = ["ledger: locks", "ledger: left over"].map((name) => [name, result[name] ?? []])
    const expected =
      told === undefined ? { ...model.result, ...Object.fromEntries(uncleared), report: [] } : model.result
    return {
      kills,
      violations: [
        ...differences(expected, told === undefined ? result : { ...result, report: [told.line] }),
        ...paid.map(([name]) => `engine: ${usage[name] ?? 0} ${name}, undisturbed ${model.usage[name] ?? 0}`)
      ]
    }
  })
