import * as Path from "@effect/platform/Path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { check, stateKey } from "../../src/Pipeline/Check.ts"
import { open } from "../../src/Pipeline/Interpolate.ts"
import type { DefinitionInvalid } from "../../src/Pipeline/Issue.ts"
import { nextScheduledTimes, scheduledValues } from "../../src/Pipeline/Schedule.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { describe, expect, it, scoped } from "../It.ts"

/** Stands for every secret of a user; it must turn up nowhere. */
const sentinel = "5e17ae15-a-secret"

const options = {
  inputs: {},
  env: { HOME: "/home/ada", GH_TOKEN: sentinel, LIMIT: "40" },
  secrets: (name: string) => (name === "TOKEN" ? Redacted.make(sentinel) : undefined),
  complete: true
}

const steps = "steps:\n  - urls: [https://example.com/]\n"

const checkText = (text: string, given: Partial<typeof options> = {}) =>
  Effect.flatMap(parseText("p.yaml", "/tmp", `version: 1\nname: t\n${text}`), (source) =>
    Effect.provide(check(source, { ...options, ...given }), Path.layer)
  )

const issuesIn = (text: string, given: Partial<typeof options> = {}) =>
  checkText(text, given).pipe(
    Effect.flip,
    Effect.map((error: DefinitionInvalid) =>
      error.issues.map(({ column, line, message }) => `${line}:${column} ${message}`).join("\n")
    )
  )

const scope = (run: Readonly<Record<string, unknown>>) => ({ env: options.env, secrets: options.secrets, run })

describe("budget", () => {
  scoped("accepts numbers, sizes and durations, literal or from inputs", function* () {
    const { frame } = yield* checkText(
      `inputs: { most: { type: integer, default: 200 } }\nbudget: { credits: "\${{ inputs.most }}", pages: "\${{ env.LIMIT }}", bytes: 64MB, duration: 15m }\n${steps}`,
      { inputs: { most: "300" } }
    )
    expect(frame.budget).toEqual({
      credits: 300,
      pages: 40,
      bytes: 64_000_000,
      duration: Duration.minutes(15),
      per: "run",
      onReached: "stop"
    })
  })

  scoped("is refused when it limits nothing or is contradictory", function* () {
    expect(yield* issuesIn(`budget: {}\n${steps}`)).toBe(
      "3:9 sets no limit: set at least one of credits, pages, calls, rows, bytes, duration"
    )
    expect(yield* issuesIn(`budget: { credits: 0, pages: 1.5, rows: many, byts: 1MB }\n${steps}`)).toContain(
      'unknown key "byts", did you mean "bytes"?'
    )
    expect(yield* issuesIn(`budget: { bytes: 64 parsecs, duration: soon }\n${steps}`)).toMatch(
      /^3:18 .*64MB[\s\S]*^3:40 .*15m/m
    )
    expect(yield* issuesIn(`budget: { pages: 5, per: day }\n${steps}`)).toContain(
      "a budget per day counts only credits"
    )
    for (const other of ["pages: 5", "rows: 5", "bytes: 1MB", "duration: 5m"]) {
      expect(yield* issuesIn(`budget: { credits: 5, ${other}, per: day }\n${steps}`)).toMatch(
        /^3:\d+ a budget per day counts only credits, not (\w+): leave \1 or per out$/
      )
    }
    expect(yield* issuesIn(`budget: { credits: "\${{ run.date }}" }\n${steps}`)).toContain(
      "can only be used in steps and in the key of the state"
    )
    expect(yield* issuesIn(`budget: { credits: "\${{ url }}" }\n${steps}`)).toContain(
      "fields of rows can be used only in steps"
    )
  })

  scoped("is checked as far as possible when an input has no value yet", function* () {
    const inputs = "inputs: { most: { type: integer } }\n"
    const { frame } = yield* checkText(`${inputs}budget: { credits: "\${{ inputs.most }}" }\n${steps}`, {
      complete: false
    })
    expect(frame.budget).toBeUndefined()
    expect(
      yield* issuesIn(`${inputs}budget: { credits: "\${{ inputs.most }}", pages: 0 }\n${steps}`, {
        complete: false
      })
    ).toContain("a whole number of 1 or more")
  })
})

describe("state", () => {
  const site = 'inputs: { site: { type: url, default: "https://example.com" } }\n'

  scoped("uses the given key, resolved with the run, or else the name of the pipeline", function* () {
    const said = yield* checkText(`${site}state: { key: "docs/\${{ inputs.site }}/\${{ run.date }}" }\n${steps}`)
    expect(yield* stateKey(said, scope({ date: "2026-03-01" }))).toBe("docs/https://example.com/2026-03-01")
    expect(yield* stateKey(said, scope({ date: open }))).toBe(open)
    const forgets = yield* checkText(`state: { forgetAfter: 30d }\n${steps}`)
    expect(yield* stateKey(forgets, scope({}))).toBe("t")
    expect(yield* stateKey(yield* checkText(steps), scope({}))).toBeUndefined()
    expect(yield* stateKey(yield* checkText(`${steps}  - dedupe: { across: run }\n`), scope({}))).toBeUndefined()
    expect(yield* stateKey(yield* checkText(`${steps}  - dedupe: { across: runs }\n`), scope({}))).toBe("t")
    expect(yield* stateKey(yield* checkText("steps:\n  - files: { glob: x, skipSeen: content }\n"), scope({}))).toBe(
      "t"
    )
  })

  scoped("knows the stateful steps, also when an input decides", function* () {
    const text = `inputs: { across: { type: string, default: runs } }\n${steps}  - id: fresh\n    dedupe: { across: "\${{ inputs.across }}" }\n`
    expect((yield* checkText(text)).remembering).toEqual(["fresh"])
    expect((yield* checkText(text, { inputs: { across: "run" } })).remembering).toEqual([])
  })

  scoped("refuses keys that could not be typed again", function* () {
    for (const key of ['""', '" a"', '"a\\nb"', `"${"a".repeat(501)}"`]) {
      expect(yield* issuesIn(`state: { key: ${key} }\n${steps}`), key).toContain(
        "expected one line of 1 to 500 characters"
      )
    }
    expect(yield* issuesIn(`state: { key: { expr: url } }\n${steps}`)).toContain("got an object")
  })
})

describe("schedule", () => {
  scoped("accepts cron expressions of five or six fields in a time zone", function* () {
    const { frame } = yield* checkText(
      `schedule: { cron: "15 */6 * * *", timezone: Europe/Berlin, jitter: 5m, overlap: queue, catchUp: latest, catchUpWindow: 24h }\n${steps}`
    )
    expect(frame.schedule).toEqual({
      cron: "15 */6 * * *",
      timezone: "Europe/Berlin",
      jitter: Duration.minutes(5),
      overlap: "queue",
      catchUp: "latest",
      catchUpWindow: Duration.hours(24)
    })
    const seconds = yield* checkText(`schedule: { cron: "*/10 * * * * *" }\n${steps}`)
    expect(seconds.frame.schedule).toMatchObject({ timezone: "UTC", overlap: "skip", catchUp: "none" })
  })

  scoped("refuses invalid cron expressions, times that never occur, and unknown time zones", function* () {
    const said = (fields: string) => issuesIn(`schedule: { ${fields} }\n${steps}`)
    expect(yield* said('cron: "* * *"')).toContain("write 5 fields")
    expect(yield* said('cron: "61 * * * *"')).toContain("expected a value between 0 and 59")
    expect(yield* said('cron: "0 0 30 2 *"')).toContain('"0 0 30 2 *" never happens')
    expect(yield* said('cron: "0 0 * * *", timezone: Europe/Atlantis')).toContain(
      'expected a time zone like UTC or Europe/Berlin, got "Europe/Atlantis"'
    )
    expect(yield* said('cron: "0 0 * * *", catchUpWindow: 1h')).toContain("has no effect while catchUp is none")
    expect(yield* said('cron: "0 0 * * *", overlap: wait')).toContain('got "wait"')
  })

  it("finds the next scheduled times in the time zone", () => {
    const schedule = { cron: "0 3 * * *", timezone: "Europe/Berlin", overlap: "skip", catchUp: "none" } as const
    const next = nextScheduledTimes(schedule, Date.UTC(2026, 2, 28, 0), 3).map((each) => new Date(each).toISOString())
    expect(next).toEqual(["2026-03-28T02:00:00.000Z", "2026-03-29T01:00:00.000Z", "2026-03-30T01:00:00.000Z"])
  })

  it("formats a scheduled time in its time zone", () => {
    const scheduledTime = Date.UTC(2026, 2, 1, 23, 30)
    const text = "2026-03-01T23:30:00.000Z"
    expect(scheduledValues(scheduledTime, "UTC").scheduledFor).toMatchObject({ date: "2026-03-01", time: "23:30:00" })
    expect(scheduledValues(scheduledTime, "Europe/Berlin")).toEqual({
      scheduledTime: text,
      scheduledFor: { date: "2026-03-02", time: "00:30:00", instant: text }
    })
  })
})

describe("pin", () => {
  const preview = 'crawlPreview: { url: "https://example.com", prompt: docs }'

  scoped("is allowed for crawlPreview, once per lock file", function* () {
    yield* checkText(`steps:\n  - ${preview}\n    pin: a.lock.json\n  - urls: [https://example.com/]\n`)
    expect(yield* issuesIn(`${steps}    pin: a.lock.json\n`)).toContain('"pin" has no effect on urls: remove it')
    expect(yield* issuesIn(`steps:\n  - ${preview}\n    pin: a.json\n`)).toContain(
      "a file name that ends in .lock.json"
    )
    expect(
      yield* issuesIn(`steps:\n  - ${preview}\n    pin: a.lock.json\n  - ${preview}\n    pin: a.lock.json\n`)
    ).toContain('is already the lock file of "crawlPreview": name another file')
  })
})

describe("the graph of the steps", () => {
  scoped("must be literal, so that the graph is the same in every run", function* () {
    const inputs = "inputs: { x: { type: string, default: a } }\n"
    for (const key of ["id", "from", "after", "each"]) {
      const text = `${inputs}steps:\n  - urls: [https://example.com/]\n  - ${key}: "\${{ inputs.x }}"\n    search: { query: x }\n`
      expect(yield* issuesIn(text), key).toContain(`"${key}" defines how steps are connected`)
    }
  })
})

describe("secrets", () => {
  const rows = "steps:\n  - urls: [https://example.com/]\n"

  scoped("are refused wherever they could be stored or shown, and never printed", function* () {
    for (const name of ["secrets.TOKEN", "env.GH_TOKEN", "$uppercase(env.GH_TOKEN)"]) {
      const secret = `"\${{ ${name} }}"`
      for (const text of [
        `state: { key: ${secret} }\n${rows}`,
        `site: ${secret}\n${rows}`,
        `budget: { credits: ${secret} }\n${rows}`,
        `schedule: { cron: ${secret} }\n${rows}`,
        `${rows}  - write: { jsonl: ${secret} }\n`,
        `${rows}  - select: { a: ${secret} }\n`,
        `${rows}  - id: ${secret}\n    where: url\n`,
        `${rows}  - dedupe: { key: ${secret} }\n`,
        `steps:\n  - crawlPreview: { url: https://example.com, prompt: ${secret} }\n    pin: a.lock.json\n`,
        `steps:\n  - crawlPreview: { url: https://example.com, prompt: docs }\n    pin: ${secret}\n`,
        `steps:\n  - files: { glob: ${secret} }\n`
      ]) {
        const issues = yield* issuesIn(text)
        expect(issues, text).toMatch(/secret/)
        expect(issues, text).not.toContain(sentinel)
      }
    }
  })

  scoped("cannot be read through the whole environment", function* () {
    for (const text of [
      "env",
      "$string(env)",
      "env.*",
      "$lookup(env, 'GH_TOKEN')",
      "$$.*",
      "**",
      "$map([1], function($x) { $$.env })"
    ]) {
      const result = yield* Effect.either(checkText(`${rows}  - write: { jsonl: "a\${{ ${text} }}" }\n`))
      expect(JSON.stringify(result), text).not.toContain(sentinel)
    }
    expect(yield* issuesIn(`${rows}  - write: { jsonl: "\${{ env }}" }\n`)).toContain(
      "env needs the name of one variable"
    )
  })
})

describe("limit and after", () => {
  scoped("a limit after a stateful step is refused, because the other rows would never be emitted", function* () {
    const remembering = `${steps}  - dedupe: { across: runs }\n  - where: "true"\n`
    expect(yield* issuesIn(`${remembering}  - limit: 3\n`)).toContain(
      'rows cut by this limit would be lost: "dedupe" above it has already marked them as seen. Move the limit above "dedupe"'
    )
    const before = `${steps}  - limit: 3\n  - dedupe: { across: runs }\n`
    expect((yield* checkText(before)).remembering).toEqual(["dedupe"])
  })

  scoped("no step can wait for the end of a value", function* () {
    const value = "steps:\n  - id: plan\n    crawlPreview: { url: https://example.com, prompt: all }\n"
    const waiting = `${value}  - urls: [https://example.com/]\n  - after: plan\n    urls: [https://example.com/]\n`
    expect(yield* issuesIn(waiting)).toContain('"plan" gives a value and no rows')
  })
})
