/**
 * How many ordinary runs are held, and how many breakages are. `SLUICE_LIFE=a,b` simulates with these seeds and prints the figures,
 * `SLUICE_IGNORE=number,encoding` switches verdicts off.
 */
import { describe, expect, it } from "@effect/vitest"
import { Profile, type RunMetrics, type SinkMetrics } from "../../src/Health/Profile.ts"
import { describeVerdict, type Good, judgeRun, judgeSink, nameOf, type Verdict } from "../../src/Health/Verdict.ts"
import { skipsLong } from "../Long.ts"
import { began, type LifePipeline, type LifeRun, lifeBreakages, lifePipelines } from "./Life.ts"
import { each, whole } from "./Random.ts"

const seeds = process.env.SLUICE_LIFE?.split(",") ?? ["linden"]
const ignore = process.env.SLUICE_IGNORE?.split(",") ?? []
const runs = 60
/** Runs before the first breakage. */
const learned = 8

interface History {
  readonly sink: ReadonlyArray<Good<SinkMetrics>>
  readonly run: ReadonlyArray<Good<RunMetrics>>
}

const judge = (
  { hasChanges }: LifePipeline,
  { blocked, failed, pages, rejected, rows }: LifeRun,
  past: History,
  at: number
) => {
  const profile = new Profile()
  for (const row of rows) profile.add(row)
  const given = rows.length + rejected
  const metrics = profile.metrics()
  const share = (count: number) => (pages === 0 ? 0 : count / pages)
  const statuses = { "2xx": share(pages - failed - blocked), "4xx": share(failed), blocked: share(blocked) }
  const run: RunMetrics = { steps: { read: given }, rejected: rejected / Math.max(1, given), pages, statuses }
  const verdicts = [
    ...judgeSink("write", metrics, past.sink, { at, rules: { hasChanges, ignore } }),
    ...judgeRun(run, past.run, { at, rules: { ignore } })
  ]
  const broken = new Set(verdicts.filter(({ level }) => level === "broken").map(nameOf))
  const next: History = {
    sink: [{ at, metrics, broken, runId: "" }, ...past.sink].slice(0, 400),
    run: [{ at, metrics: run, broken, runId: "" }, ...past.run].slice(0, 400)
  }
  return { verdicts, next }
}

const isHeld = (verdicts: ReadonlyArray<Verdict>) => verdicts.some(({ level }) => level === "broken")
const sentences = (verdicts: ReadonlyArray<Verdict>) => verdicts.map(describeVerdict).join("; ")

const live = (pipeline: LifePipeline, seed: string) => {
  const held: Array<string> = []
  const missed: Array<string> = []
  let unusual = 0
  let history: History = { sink: [], run: [] }
  const own = lifeBreakages.filter((each) => each.pipeline === pipeline.name)
  for (let n = 0; n < runs; n++) {
    const at = began + n * pipeline.every * 60 * 60_000
    const run = pipeline.run(seed, at)
    for (const { broken, what } of own) {
      if (n !== whole(pipeline.every < 24 ? 40 : learned, runs - 1, seed, pipeline.name, what)) continue
      const { verdicts } = judge(pipeline, broken(run), history, at)
      if (!isHeld(verdicts)) missed.push(`${pipeline.name}, run ${n}: ${what}: ${sentences(verdicts)}`)
    }
    const { next, verdicts } = judge(pipeline, run, history, at)
    if (isHeld(verdicts)) held.push(`${pipeline.name}, run ${n}: ${sentences(verdicts)}`)
    else if (verdicts.length > 0) unusual++
    // A good run that is held is discarded: it is no measure for others.
    if (!isHeld(verdicts)) history = next
  }
  return { held, missed, unusual }
}

describe("ordinary life", () => {
  it("has twelve pipelines, and forty breakages", () => {
    expect([lifePipelines.length, lifeBreakages.length]).toEqual([12, 40])
  })

  it.skipIf(skipsLong)("holds at most one of 1,000 runs, and at least 37 of 40 breakages", async () => {
    const all = await each(seeds, lifePipelines, live)
    const [held, missed] = [all.flatMap((one) => one.held), all.flatMap((one) => one.missed)]
    const [count, breakages] = [seeds.length * lifePipelines.length * runs, seeds.length * lifeBreakages.length]
    const unusual = all.reduce((sum, one) => sum + one.unusual, 0)
    const report = [
      `${held.length} of ${count} ordinary runs held, ${unusual} unusual:`,
      ...held,
      `${breakages - missed.length} of ${breakages} breakages held, missed:`,
      ...missed
    ].join("\n")
    if (process.env.SLUICE_LIFE !== undefined) console.log(report)
    expect(held.length, report).toBeLessThanOrEqual(count / 1_000)
    expect(missed.length, report).toBeLessThanOrEqual((breakages * 3) / 40)
  })
})
