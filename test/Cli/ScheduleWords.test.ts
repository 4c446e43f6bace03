import { describe, expect, it } from "@effect/vitest"
import { healthOf } from "../../src/Cli/Schedule/HealthServer.ts"
import { type Known, line, object } from "../../src/Cli/Schedule/News.ts"
import * as Time from "../../src/Cli/Schedule/Time.ts"
import type { Occurrence } from "../../src/Schedule/Model.ts"
import type { SchedulerStatus } from "../../src/Schedule.ts"
import { makeTerminal } from "./Console.ts"

const at = (text: string) => Date.parse(text)

describe("a time as users write it", () => {
  it("is in the zone of the pipeline, unless it says otherwise", () => {
    for (const [text, scheduledTime] of [
      ["2026-07-01T06:15", "2026-07-01T04:15:00Z"],
      ["2026-01-01 06:15:30", "2026-01-01T05:15:30Z"],
      ["2026-07-01", "2026-06-30T22:00:00Z"],
      ["2026-07-01T06:15Z", "2026-07-01T06:15:00Z"],
      ["2026-07-01T06:15:00.500+05:30", "2026-07-01T00:45:00.500Z"]
    ] as const) {
      expect(Time.parse(text, "Europe/Berlin"), text).toBe(at(scheduledTime))
    }
  })

  it("is the first of two where clocks are put back, and behind the gap where they are put forward", () => {
    expect(Time.parse("2026-10-25T02:30", "Europe/Berlin")).toBe(at("2026-10-25T00:30:00Z"))
    expect(Time.parse("2026-03-29T02:30", "Europe/Berlin")).toBe(at("2026-03-29T01:30:00Z"))
  })

  it("is refused where it is none", () => {
    for (const text of [
      "",
      "now",
      "2026-02-30",
      "2026-13-01T00:00",
      "2026-07-01T25:00Z",
      "06:15",
      "2026-07-01T06:15X"
    ]) {
      expect(Time.parse(text, "UTC"), text).toBeUndefined()
    }
  })

  it("may be a time from now, for pauses", () => {
    expect(Time.parseUntil("12h", "UTC", 1_000)).toBe(43_201_000)
    expect(Time.parseUntil("2026-07-01T00:00", "UTC", 0)).toBe(at("2026-07-01T00:00:00Z"))
    expect(Time.parseUntil("12", "UTC", 0)).toBeUndefined()
  })

  it("is shown in its zone, with how far away it is", () => {
    expect(Time.show(at("2026-07-01T04:15:00Z"), "Europe/Berlin")).toBe("2026-07-01 06:15")
    expect(Time.show(at("2026-07-01T04:15:07Z"), "Europe/Berlin")).toBe("2026-07-01 06:15:07")
    const schedule = { cron: "*/40 * * * * *", timezone: "Europe/Berlin" }
    expect(Time.showIn(at("2026-07-01T04:15:00Z"), schedule)).toBe("2026-07-01 06:15:00 Europe/Berlin")
    const distances = [0, 12_000, 600_000, -10_800_000, 172_800_000].map((millis) => Time.distance(millis, 0))
    expect(distances).toEqual(["in 0 s", "in 12 s", "in 10 min", "3 h ago", "in 2 d"])
  })
})

const status: SchedulerStatus = {
  owner: "me",
  startedAt: 0,
  tickedAt: 100_000,
  draining: false,
  next: 160_000,
  pipelines: [],
  broken: [],
  running: [],
  waiting: 0,
  trouble: undefined
}

describe("the health of a schedule", () => {
  it("is 503 before it has begun, while it stops, and when it does not look at the clock any more", () => {
    const codeOf = (given: SchedulerStatus | undefined, now: number) => {
      const { body, code } = healthOf(given, now)
      return [code, body.status]
    }
    expect(codeOf(undefined, 0)).toEqual([503, "starting"])
    expect(codeOf(status, 130_000)).toEqual([200, "ok"])
    expect(codeOf({ ...status, draining: true }, 130_000)).toEqual([503, "draining"])
    expect(codeOf(status, 190_001)).toEqual([503, "stalled"])
  })
})

const known: Known = { now: 0, definition: () => undefined, next: () => undefined, summary: () => undefined }

const record: Occurrence = {
  pipeline: "watch",
  scheduledTime: 0,
  due: 0,
  cause: "schedule",
  status: "failed",
  owner: undefined,
  runId: "r1",
  attempt: 3,
  reason: "the site\n  is down",
  replacedBy: undefined,
  claimedAt: 0,
  begunAt: 0,
  nextAt: undefined,
  endedAt: 10
}

describe("a line of the schedule", () => {
  const { err } = makeTerminal().terminal

  it("says of what went wrong why, on one line, and where to look; also to those who want quiet", () => {
    expect(line({ _tag: "Over", record }, known, err)).toEqual({
      text: "watch 1970-01-01 00:00 UTC failed at attempt 3: the site is down; sluice show r1",
      bad: true,
      level: "error"
    })
    const skipped = { ...record, status: "skipped", attempt: 0, runId: undefined, reason: "paused" } as const
    expect(line({ _tag: "Over", record: skipped }, known, err)).toEqual({
      text: "watch 1970-01-01 00:00 UTC skipped: paused",
      bad: false
    })
    const retrying = {
      _tag: "Retrying",
      pipeline: "watch",
      scheduledTime: 0,
      reason: "no answer",
      nextAt: 300_000
    } as const
    expect(line(retrying, known, err)).toEqual({
      text: "watch 1970-01-01 00:00 UTC failed: no answer; next attempt in 5 min",
      bad: true,
      level: "warning"
    })
  })

  it("has the mistakes of a broken definition, without the count of them", () => {
    const lines = ["a.yaml:1:1  name: is missing", "a.yaml:2:1  1 mistake in here"]
    const message = [...lines, "2 mistakes in a.yaml"].join("\n")
    expect(line({ _tag: "Broken", file: "a.yaml", message, lines }, known, err)).toEqual({
      text: lines.map((each) => `broken: ${each}`).join("\n"),
      bad: true
    })
  })

  it("is an object with times in ISO 8601 for scripts", () => {
    expect(object({ _tag: "Over", record }, known)).toMatchObject({
      event: "over",
      scheduledTime: "1970-01-01T00:00:00.000Z",
      instant: "1970-01-01T00:00:00.000Z",
      status: "failed",
      run: "r1",
      attempt: 3
    })
    expect(object({ _tag: "Trouble", message: "no" }, known)).toEqual({
      event: "trouble",
      at: "1970-01-01T00:00:00.000Z",
      message: "no"
    })
  })
})
