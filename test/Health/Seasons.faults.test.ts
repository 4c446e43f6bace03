/**
 * A second, independent measure of held runs: pipelines and breakages made up without knowing the rules.
 * `SLUICE_SEASONS=a,b` uses these seeds,
 * `SLUICE_IGNORE=number,encoding` switches verdicts off.
 */
import { describe, expect, it } from "@effect/vitest"
import { Profile, type RunMetrics, type SinkMetrics } from "../../src/Health/Profile.ts"
import { describeVerdict, type Good, judgeRun, judgeSink, nameOf, type Verdict } from "../../src/Health/Verdict.ts"
import { chance, each, fraction } from "./Random.ts"
import { type SeasonBreakage, seasonBreakages } from "./SeasonBreakages.ts"
import { type Season, type SeasonRun, seasonRun, seasons } from "./Seasons.ts"
import { tradeSeasons } from "./SeasonTrade.ts"

const seeds = process.env.SLUICE_SEASONS?.split(",") ?? ["one", "two", "three"]
const ignore = process.env.SLUICE_IGNORE?.split(",") ?? []
const hour = 3_600_000
const day = 24 * hour
const all = [...seasons, ...tradeSeasons]
/** Sixty runs, and three weeks of what runs more than once a day: an hour has its place in a day, and a day in a week. */
const countOf = ({ every }: Season) => Math.max(60, Math.ceil((21 * 24) / every))

/**
 * The time of a breakage, after the first quarter of the runs and a day before the last one: four of five are made by a person, on a
 * weekday from 8 to 18 o'clock, the others come at any hour.
 */
const breaksAt = (season: Season, key: string): number => {
  const [start, length] = [Date.parse(season.start), countOf(season) * season.every * hour]
  const isMade = chance(0.8, key, "made")
  for (let attempt = 0; ; attempt++) {
    const at = start + length / 4 + fraction(key, attempt, "at") * (length * 0.75 - Math.max(day, season.every * hour))
    const time = new Date(at)
    const isWork = ![0, 6].includes(time.getUTCDay()) && time.getUTCHours() >= 8 && time.getUTCHours() < 18
    if (!isMade || isWork) return at
  }
}

interface History {
  readonly sink: ReadonlyArray<Good<SinkMetrics>>
  readonly run: ReadonlyArray<Good<RunMetrics>>
  /** The same rows, as if an `extract` had found each filled value. */
  readonly extract: ReadonlyArray<Good<SinkMetrics>>
}

const noHistory: History = { sink: [], run: [], extract: [] }

/** An `extract` with the fields that the output has or had: an empty value is one that its selector did not find. */
const extractOf = ({ fields, rows }: SinkMetrics, past: ReadonlyArray<Good<SinkMetrics>>): SinkMetrics => {
  const names = new Set([...Object.keys(fields), ...Object.keys(past[0]?.metrics.matches ?? {})])
  const matches = Array.from(names, (name) => {
    const matched = Math.round((fields[name]?.fill ?? 0) * rows)
    return [name, { asked: rows, matched }] as const
  })
  return { rows: 0, measured: 0, fields: {}, matches: Object.fromEntries(matches) }
}

const judge = (
  { hasChanges = false }: Season,
  { blocked, failed, pages, rejected, rows }: SeasonRun,
  past: History,
  at: number
) => {
  const profile = new Profile()
  for (const row of rows) profile.add(row)
  const metrics = profile.metrics()
  const given = rows.length + rejected
  const statuses = { "2xx": (pages - failed - blocked) / pages, "4xx": failed / pages, blocked: blocked / pages }
  const run: RunMetrics = { steps: { read: given }, rejected: rejected / Math.max(1, given), pages, statuses }
  const extract = extractOf(metrics, past.extract)
  const verdicts = [
    ...judgeSink("write", metrics, past.sink, { at, rules: { hasChanges, ignore } }),
    ...judgeSink("extract", extract, past.extract, { at, rules: { ignore } }),
    ...judgeRun(run, past.run, { at, rules: { ignore } })
  ]
  const broken = new Set(verdicts.filter(isBroken).map(nameOf))
  const next: History = {
    sink: [{ at, metrics, broken, runId: "" }, ...past.sink],
    run: [{ at, metrics: run, broken, runId: "" }, ...past.run],
    extract: [{ at, metrics: extract, broken, runId: "" }, ...past.extract]
  }
  return { verdicts, next }
}

const isBroken = ({ level }: Verdict) => level === "broken"
const isHeld = (verdicts: ReadonlyArray<Verdict>) => verdicts.some(isBroken)
const sentences = (verdicts: ReadonlyArray<Verdict>) => verdicts.map(describeVerdict).join("; ") || "no verdict"

/**
 * Judges the runs of the day after a breakage, at least the next one. The page stays broken. Returns the first run that is held, counted
 * from zero, or what was said of each: what is not held is published, and is a measure for the runs after it.
 */
const afterBreakage = (
  season: Season,
  { broken, what }: SeasonBreakage,
  seed: string,
  history: History,
  from: number
) => {
  const key = `${seed}/${season.name}/${what}`
  const count = Math.max(1, Math.floor(24 / season.every))
  const said: Array<string> = []
  let past = history
  for (let published = 0; published < count; published++) {
    const run = seasonRun(season, seed, from + published)
    const { next, verdicts: all } = judge(season, broken(run, `${key}/${published}`), past, run.at)
    // Not every pipeline has an `extract`: breakages must be found without it.
    const verdicts = all.filter(({ metric }) => metric !== "matched")
    if (isHeld(verdicts)) return { published, said }
    said.push(sentences(verdicts))
    past = next
  }
  return { published: undefined, said }
}

/** All runs of a pipeline in order. Nobody releases what is held: it is discarded, and the next run has the same past. */
const live = (season: Season, seed: string) => {
  const held: Array<string> = []
  const missed: Array<string> = []
  const late: Array<string> = []
  let unusual = 0
  let past = noHistory
  const runs = countOf(season)
  const own = seasonBreakages
    .filter((each) => each.season === season.name)
    .map((breakage) => ({ breakage, at: breaksAt(season, `${seed}/${season.name}/${breakage.what}`) }))
  for (let n = 0; n < runs; n++) {
    const run = seasonRun(season, seed, n)
    for (const { at, breakage } of own) {
      if (at > run.at || at <= run.at - season.every * hour) continue
      const { published, said } = afterBreakage(season, breakage, seed, past, n)
      const report = `  ${season.name}, ${new Date(at).toISOString().slice(0, 16)}: ${breakage.what}`
      if (published === undefined) missed.push(`${report}: ${[...new Set(said)].join(" | ")}`)
      else if (published > 0) late.push(`${report}: after ${published} runs: ${[...new Set(said)].join(" | ")}`)
    }
    const { next, verdicts } = judge(season, run, past, run.at)
    if (isHeld(verdicts)) held.push(`  ${season.name}, run ${n}: ${sentences(verdicts.filter(isBroken))}`)
    else {
      if (verdicts.length > 0) unusual++
      past = next
    }
  }
  return { name: season.name, runs, held, missed, late, unusual }
}

describe("seasons", () => {
  it("have at least 12 pipelines, and at least 40 breakages, each of a pipeline that exists", () => {
    expect(all.length).toBeGreaterThanOrEqual(12)
    expect(seasonBreakages.length).toBeGreaterThanOrEqual(40)
    const names = new Set(all.map(({ name }) => name))
    expect(seasonBreakages.filter(({ season }) => !names.has(season))).toEqual([])
  })

  it("hold at most one of 1,000 ordinary runs, and at least 37 of 40 breakages within the runs of a day", async () => {
    const lives = await each(seeds, all, live)
    const [held, missed, late] = [
      lives.flatMap((one) => one.held),
      lives.flatMap((one) => one.missed),
      lives.flatMap((one) => one.late)
    ]
    const ordinary = lives.reduce((sum, one) => sum + one.runs, 0)
    const breakages = seeds.length * seasonBreakages.length
    const report = [
      `${held.length} of ${ordinary} ordinary runs held:`,
      ...held,
      `of each pipeline, held/unusual/runs: ${lives.map((one) => `${one.name} ${one.held.length}/${one.unusual}/${one.runs}`).join(", ")}`,
      `${breakages - missed.length} of ${breakages} breakages held within a day, ${breakages - missed.length - late.length} of them in the first run; held later:`,
      ...late,
      "not held:",
      ...missed
    ].join("\n")
    console.log(report)
    expect.soft(held.length, report).toBeLessThanOrEqual(ordinary / 1_000)
    expect.soft(missed.length, report).toBeLessThanOrEqual((breakages * 3) / 40)
  })
})
