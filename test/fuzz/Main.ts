/**
 * Attacks engines of this working copy, part by part, and prints one table. About 10 minutes on two cores.
 *
 *   npm run fuzz                                the whole
 *   npm run fuzz -- --only bombs --seed 7       one part, with what was sent before
 */
import { parseArgs } from "node:util"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Chromium from "../../src/Settings/Chromium.ts"
import { build } from "../faults/Sluice.ts"
import { attackWithBombs } from "./Bombs.ts"
import { attackFiles } from "./Definitions.ts"
import { fuzzDoors } from "./Doors.ts"
import type { Delay } from "./EngineProcess.ts"
import { attackExpressions } from "./Expressions.ts"
import { fuzz } from "./Fuzz.ts"
import { maxWait } from "./Innocent.ts"
import { attackPipelined } from "./Pipelined.ts"
import { attackShares } from "./Shares.ts"
import { leaveUnread } from "./Unread.ts"

const { values } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    only: { type: "string" },
    seed: { type: "string" },
    minutes: { type: "string", default: "2" },
    each: { type: "string", default: "40" },
    messages: { type: "string", default: "1500" },
    bombs: { type: "string", default: "150" },
    definitions: { type: "string", default: "300" },
    expressions: { type: "string", default: "400" }
  }
})

/** Findings of a part; undefined where it measures nothing. */
interface Result {
  readonly attempts: number
  readonly refused: number
  /** True if its engine exited by itself. */
  readonly hasEnded: boolean
  readonly delay?: Delay | undefined
  /** Milliseconds of the longest wait of an innocent team. */
  readonly wait?: number | undefined
  readonly notes?: ReadonlyArray<readonly [name: string, value: string | number]>
  readonly faults: ReadonlyArray<string>
}

interface Means {
  /** The executable. */
  readonly bin: string
  readonly chromium: string | undefined
  readonly seed: number
}

const told = (line: string) => console.error(line)
const ms = (millis: number): string => `${Math.round(millis)} ms`
const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, each) => all + each, 0)

const parts: Readonly<Record<string, (means: Means) => Effect.Effect<Result | undefined>>> = {
  requests: ({ bin, seed }) =>
    Effect.suspend(() => {
      const end = performance.now() + Number(values.minutes) * 60_000
      return fuzz({
        bin,
        seed,
        each: Number(values.each),
        goesOn: (rounds) => rounds === 0 || performance.now() < end,
        told
      })
    }).pipe(
      Effect.map(({ handles, requests, statuses, ...report }) => ({
        ...report,
        attempts: requests,
        refused: sum(Object.entries(statuses).flatMap(([status, count]) => (Number(status) >= 400 ? [count] : []))),
        notes: [
          ...Object.entries(statuses).map(([status, count]) => [`answered ${status}`, count] as const),
          ["handles before and after", handles.join(" ")] as const
        ]
      }))
    ),
  // Sessions of browsers (CDP), live views that watch and steer, watched jobs.
  frames: ({ bin, chromium, seed }) =>
    chromium === undefined
      ? Effect.succeed(undefined)
      : Effect.map(
          fuzzDoors({ bin, chromium, seed, each: Number(values.messages) }),
          ({ closes, messages, slowest, ...report }) => ({
            ...report,
            attempts: messages,
            // A message of a wrong type is answered with an error or ignored; these have ended their connection.
            refused: sum(Object.values(closes)),
            notes: [
              ...Object.entries(closes).map(([door, count]) => [`closed ${door}`, count] as const),
              ["slowest /health", ms(slowest)] as const
            ]
          })
        ),
  shares: ({ bin, chromium }) =>
    Effect.map(
      attackShares({ bin, chromium, rounds: 10 }),
      ({ alone, beside, sessions, shownAlone, shownBeside, ...report }) => ({
        ...report,
        wait: Math.max(...beside, ...shownBeside),
        notes: [
          ["one-page batch, alone and beside", `${ms(Math.max(...alone))} ${ms(Math.max(...beside))}`],
          ["shown page, alone and beside", `${ms(Math.max(0, ...shownAlone))} ${ms(Math.max(0, ...shownBeside))}`],
          ["sessions, hostile and other team", sessions.join(" + ")]
        ] as const
      })
    ),
  unread: ({ bin }) =>
    Effect.map(leaveUnread({ bin, attempts: 40, hold: 15_000 }), ({ memory, ...report }) => ({
      ...report,
      notes: [["megabytes before, at most, 30 s after", memory.join(" ")] as const]
    })),
  pipelined: ({ bin }) =>
    Effect.map(
      attackPipelined({
        bin,
        withoutKey: { connections: 20, each: 5_000, hold: 5_000, read: 10_000 },
        withKey: { connections: 200, each: 100, hold: 0, read: 30_000 }
      }),
      ({ answered, calls, health, memory, ...report }) => {
        const times = ({ ownP99, p50, p99 }: typeof calls) => [p50, p99, ownP99].map(Math.round).join(" ")
        return {
          ...report,
          notes: [
            ["answers read", answered],
            ["megabytes before, unread, at most", memory.join(" ")],
            ["others' /health, ms: p50, p99, own p99", times(health)],
            ["another team, ms: p50, p99, own p99", times(calls)]
          ] as const
        }
      }
    ),
  bombs: ({ bin, seed }) =>
    Effect.map(attackWithBombs({ bin, seed, attempts: Number(values.bombs) }), ({ memory, ...report }) => ({
      ...report,
      notes: [["megabytes at most", memory] as const]
    })),
  expressions: ({ seed }) =>
    Effect.map(attackExpressions({ attempts: Number(values.expressions), seed }), ({ codes, longest, ...report }) => ({
      ...report,
      hasEnded: false,
      notes: [...Object.entries(codes), ["longest, computing", ms(longest)] as const]
    })),
  definitions: ({ seed }) =>
    Effect.map(attackFiles({ attempts: Number(values.definitions), seed }), ({ kinds, ...report }) => ({
      ...report,
      // They run in this process, which would not be here.
      hasEnded: false,
      notes: Object.entries(kinds).map(([kind, count]) => [`refused ${kind}`, count] as const)
    }))
}

/** Result of a part that failed: its counts are lost. */
const failed = (cause: Cause.Cause<never>): Result => ({
  attempts: 0,
  refused: 0,
  hasEnded: false,
  faults: [`the part was cut short: ${Cause.pretty(cause)}`]
})

const columns = [
  ...["part", "attempts", "refused", "ended"],
  ...["event loop, worst", "p99.9", "own work, worst", "p99.9", "innocent, worst", "faults"]
]

/** Milliseconds that the engine's own work may hold up the event loop; with other processes beside it, the delay itself says little. */
const maxOwnWork = 100

const slowness = ({ delay }: Result): ReadonlyArray<string> =>
  delay === undefined || delay.own.p999 <= maxOwnWork
    ? []
    : [`the engine's own work held up its event loop ${ms(delay.own.p999)} (p99.9), the limit is ${ms(maxOwnWork)}`]

const slowService = ({ wait }: Result): ReadonlyArray<string> => {
  if (wait === undefined || wait <= maxWait) return []
  const waited = Number.isFinite(wait) ? `waited ${ms(wait)} for its page` : "never got its page"
  return [`an innocent team ${waited}, the limit is ${ms(maxWait)}`]
}

const lineOf = (name: string, result: Result | undefined): ReadonlyArray<string> => {
  if (result === undefined) return [name, "not run: no Chromium"]
  const { attempts, delay, faults, hasEnded, refused, wait } = result
  const measured = (millis: number | undefined) => (millis === undefined ? "" : ms(millis))
  return [
    name,
    ...[attempts, refused, hasEnded ? 1 : 0].map(String),
    ...[delay?.worst, delay?.p999, delay?.own.worst, delay?.own.p999, wait].map(measured),
    String(faults.length)
  ]
}

/** One line for all: sums of counts, the worst of times. */
const wholeOf = (results: ReadonlyArray<Result>): ReadonlyArray<string> => {
  const worst = (of: (result: Result) => number | undefined) => ms(Math.max(0, ...results.map((each) => of(each) ?? 0)))
  return [
    "all",
    String(sum(results.map(({ attempts }) => attempts))),
    String(sum(results.map(({ refused }) => refused))),
    String(results.filter(({ hasEnded }) => hasEnded).length),
    worst(({ delay }) => delay?.worst),
    worst(({ delay }) => delay?.p999),
    worst(({ delay }) => delay?.own.worst),
    worst(({ delay }) => delay?.own.p999),
    worst(({ wait }) => wait),
    String(sum(results.map(({ faults }) => faults.length)))
  ]
}

const run = async () => {
  if (values.help) {
    console.log(`npm run fuzz -- [--only ${Object.keys(parts).join(",")}] [--seed N]`)
    console.log("All parts take about 10 minutes on two cores; --minutes is the time of `requests` alone.")
    return 0
  }
  const only = values.only?.split(",") ?? Object.keys(parts)
  const unknown = only.filter((name) => !Object.hasOwn(parts, name))
  if (unknown.length > 0) {
    const quoted = unknown.map((name) => JSON.stringify(name)).join(", ")
    console.error(`--only: no part is named ${quoted}. Parts: ${Object.keys(parts).join(", ")}`)
    return 78
  }
  const names = Object.keys(parts).filter((name) => only.includes(name))
  const seed = Number(values.seed ?? process.env.SEED ?? Math.floor(Math.random() * 1_000_000))
  told(`seed ${seed}`)
  const chromium = Either.getOrUndefined(Chromium.find(process.env.SLUICE_CHROMIUM, process.env.PATH))
  const results = await Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(build, (bin) =>
        Effect.forEach(names, (name) => {
          const begun = performance.now()
          const part = Effect.suspend(() => parts[name]?.({ bin, chromium, seed }) ?? Effect.succeed(undefined))
          return part.pipe(
            // The other parts run although this one failed.
            Effect.catchAllCause((cause) => Effect.succeed(failed(cause))),
            Effect.map((result) => ({
              name,
              result: result && { ...result, faults: [...result.faults, ...slowness(result), ...slowService(result)] }
            })),
            Effect.tap(() => Effect.sync(() => told(`${name}: ${Math.round((performance.now() - begun) / 1000)} s`)))
          )
        })
      )
    )
  )
  for (const { name, result } of results)
    for (const [what, value] of result?.notes ?? [])
      console.log(`${name.padEnd(12)} ${what.padEnd(40)} ${String(value).padStart(20)}`)
  const made = results.flatMap(({ result }) => (result === undefined ? [] : [result]))
  const table = [columns, ...results.map(({ name, result }) => lineOf(name, result)), wholeOf(made)]
  const widths = columns.map((_, at) => Math.max(...table.map((line) => line[at]?.length ?? 0)))
  console.log("")
  for (const line of table)
    console.log(
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd()
    )
  const faults = results.flatMap(({ name, result }) => result?.faults.map((fault) => `${name}: ${fault}`) ?? [])
  for (const fault of faults) console.log(`\n${fault}`)
  return faults.length === 0 && made.every(({ hasEnded }) => !hasEnded) ? 0 : 1
}

process.exit(await run())
