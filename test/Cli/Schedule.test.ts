import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as ServiceChecks from "../../src/Cli/Doctor/ServiceChecks.ts"
import * as Store from "../../src/Schedule/Store.ts"
import { describe, expect, scoped } from "../It.ts"
import { ledgerIn } from "../Ledger/Ledgers.ts"
import { skipsLong } from "../Long.ts"
import { receive } from "../Schedule/Receiver.ts"
import { makeTerminal, sluice } from "./Console.ts"
import { list, pipelinesOf, readText } from "./Project.ts"

const daily = `version: 1
name: daily
schedule: { cron: "30 6 * * *", timezone: Europe/Berlin }
steps:
  - read: rows.csv
  - select: { n: n, day: $run.scheduledFor.date }
  - write: { jsonl: "out/{runId}.jsonl" }
`

/** Fails with the first row. */
const failing = (webhook: string) => `version: 1
name: failing
schedule: { cron: "0 3 * * *", timezone: UTC }
notify:
  - { on: [failed, quality], webhook: "${webhook}", secret: hush }
steps:
  - read: rows.csv
  - check: [{ rule: n = "2", message: "n is not two", onFail: fail }]
  - write: { jsonl: never.jsonl }
`

/** Whose outputs are held: one row is too few. */
const few = (webhook: string) => `version: 1
name: few
schedule: { cron: "0 3 * * *", timezone: UTC, retry: { times: 3, after: 1h } }
notify:
  - { on: [health], webhook: "${webhook}" }
  - { on: [failed], webhook: "${webhook}" }
health: { rows: { min: 2 } }
steps:
  - read: rows.csv
  - write: { jsonl: few.jsonl }
`

const broken = `version: 1
name: broken
schedule: { cron: "0 25 * * *" }
steps:
  - read: rows.csv
`

const unscheduled = "version: 1\nname: by-hand\ninputs: { site: { type: url } }\nsteps:\n  - urls: [x]\n"

/** A project, and the command line in it. */
const project = (definitions: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const root = yield* pipelinesOf({ "by-hand.yaml": unscheduled, ...definitions })
    const places = ["--folder", `${root}/pipelines`, "--data", `${root}/data`]
    const schedule = (...words: ReadonlyArray<string>) => sluice(["schedule", ...words, ...places, "--out", root])
    return { root, schedule }
  })

const json = (text: string) => JSON.parse(text)

describe("sluice schedule list", () => {
  scoped(
    "shows the next three times of each pipeline in its time zone, and the errors of invalid definitions",
    function* () {
      const { schedule } = yield* project({ "daily.yaml": daily, "broken.yaml": broken })
      const { code, err, out } = yield* schedule("list")
      expect(code).toBe(0)
      expect(out).toMatch(/^daily {4,}30 6 \* \* \* Europe\/Berlin {3}\d{4}-\d\d-\d\d 06:30, \d{4}-\d\d-\d\d 06:30, /m)
      expect(out).not.toContain("by-hand")
      expect(err).toMatch(/^broken: .*broken.yaml:3:19 {2}schedule.cron: "0 25 \* \* \*" is not a cron expression/)
    }
  )

  scoped("makes no ledger, and says so in JSON what is not known", function* () {
    const { root, schedule } = yield* project({ "daily.yaml": daily, "broken.yaml": broken })
    const [first, second] = json((yield* schedule("list", "--json")).out)
    expect(first).toMatchObject({ pipeline: "daily", paused: false, last: null, failuresInARow: 0, running: null })
    expect(first.next).toHaveLength(3)
    expect(second).toMatchObject({ broken: [{ line: 3, message: expect.stringContaining("cron expression") }] })
    expect(yield* list(root)).not.toContain("data")
  })

  scoped("says what goes wrong since when, and where to look", function* () {
    const { schedule } = yield* project({ "failing.yaml": failing("http://127.0.0.1:1/") })
    for (const day of ["01", "02", "03"]) yield* schedule("run", "failing", "--at", `2026-11-${day}T03:00`)
    const { out } = yield* schedule("list")
    expect(out).toContain(
      "✖ failing failed for 2026-11-03 03:00 UTC, 3 scheduled times in a row; none completed before"
    )
    expect(out).toContain("n is not two")
    expect(out).toMatch(/history: sluice schedule history failing; run: sluice show \d{8}T\d{6}-\w{4}/)
  })

  scoped("takes two definitions of one name for a mistake of the second", function* () {
    const { schedule } = yield* project({ "a.yaml": daily, "b.yaml": daily })
    const { err, out } = yield* schedule("list", "--json")
    expect(json(out)).toMatchObject([{ file: expect.stringMatching(/a\.yaml$/) }, { broken: [{ line: 2 }] }])
    expect(err).toBe("")
    expect((yield* schedule("list")).err).toMatch(/b\.yaml:2:\d+ {2}name: .*a\.yaml is also named daily/)
  })
})

describe("what doctor says of schedules", () => {
  scoped.skipIf(skipsLong)("shows the problem: no scheduler, an invalid definition, or a failed run", function* () {
    const files = yield* FileSystem.FileSystem
    const { root, schedule } = yield* project({ "failing.yaml": failing("http://127.0.0.1:1/") })
    const options = { data: `${root}/data` }
    const look = ServiceChecks.checkSchedules(options, makeTerminal().terminal, `${root}/pipelines`)
    expect(yield* ServiceChecks.checkSchedules(options, makeTerminal().terminal, `${root}/none`)).toEqual([])
    expect(yield* look).toMatchObject([{ state: "missing", found: expect.stringContaining("no scheduler is running") }])
    expect((yield* schedule("list")).err).toContain("no scheduler is running: start sluice schedule")
    yield* schedule("run", "failing", "--at", "2026-11-01T03:00")
    expect(yield* look).toMatchObject([
      { state: "broken", found: expect.stringContaining("the last scheduled run did not complete: failing (failed)") }
    ])
    expect((yield* schedule("list")).err).toBe("")
    yield* files.writeFileString(`${root}/pipelines/rows.csv`, "n\n2\n")
    yield* schedule("run", "failing", "--at", "2026-11-02T03:00")
    expect(yield* look).toMatchObject([{ state: "ok", found: expect.stringContaining("1 pipeline of ") }])
    yield* files.writeFileString(`${root}/pipelines/broken.yaml`, broken)
    expect(yield* look).toMatchObject([
      { state: "broken", essential: false, todo: expect.stringMatching(/broken.yaml$/) }
    ])
  })
})

describe("sluice schedule run", () => {
  scoped("runs a pipeline for a time of its time zone, once", function* () {
    const { root, schedule } = yield* project({ "daily.yaml": daily })
    const first = yield* schedule("run", "daily", "--at", "2026-03-29T06:30", "--json")
    expect(first.code, first.err).toBe(0)
    const report = json(first.out)
    expect(report).toMatchObject({ status: "completed", rows: 1 })
    expect(json(yield* readText(`${root}/out/${report.runId}.jsonl`))).toMatchObject({ day: "2026-03-29" })
    // The clocks of Berlin are put forward that night.
    const [last] = json((yield* schedule("history", "daily", "--json")).out)
    expect(last).toMatchObject({ scheduledTime: "2026-03-29T04:30:00.000Z", status: "completed", run: report.runId })
    const second = yield* schedule("run", "daily", "--at", "2026-03-29T04:30:00Z")
    expect([second.code, second.out]).toEqual([2, ""])
    expect(second.err).toContain(
      `daily has already completed for 2026-03-29 06:30 Europe/Berlin by run ${report.runId}: --again runs it once more`
    )
    const again = yield* schedule("run", "daily", "--at", "2026-03-29T06:30", "--again", "--json")
    expect(json(again.out)).toMatchObject({ status: "completed" })
    expect(yield* list(`${root}/out`)).toHaveLength(2)
  })

  scoped("takes the last scheduled time by default, and succeeds when that has completed", function* () {
    const { root, schedule } = yield* project({ "daily.yaml": daily })
    expect((yield* schedule("run", "daily")).code).toBe(0)
    const { code, err } = yield* schedule("run", "daily")
    expect(code).toBe(0)
    expect(err).toMatch(/^daily has already completed for \d{4}-\d\d-\d\d 06:30 Europe\/Berlin by run /)
    expect(yield* list(`${root}/out`)).toHaveLength(1)
  })

  scoped("says why a time is invalid, and which pipelines there are", function* () {
    const { root, schedule } = yield* project({ "daily.yaml": daily })
    for (const [words, said] of [
      [["run"], "NAME is missing"],
      [["run", "dayly"], 'did you mean "daily"?'],
      [["run", "daily", "--at", "tomorrow"], '--at takes a time, got "tomorrow"'],
      [["run", "daily", "--at", "2026-02-30T06:30"], "--at takes a time"],
      [
        ["run", "daily", "--at", "2999-01-01T06:30"],
        "--at 2999-01-01T06:30 is in the future (2999-01-01 06:30 Europe/Berlin, in "
      ],
      [["run", "daily", "--at", "2999-01-01T06:30", "--again"], "or omit --at for the last one"],
      [["run", `${root}/pipelines/by-hand.yaml`], "has no schedule"],
      [["history", "dayly"], "there is no ledger"],
      [["lst"], 'there is no folder lst, did you mean "list"?'],
      [[`${root}/pipelines/daily.yaml`], "is a file: name its folder"]
    ] as const) {
      const { code, err } = yield* schedule(...words)
      expect(code, err).toBeGreaterThan(0)
      expect(err).toContain(said)
    }
    const odd = yield* schedule("run", "daily", "--at", "2026-11-01T07:00")
    expect(odd.err).toContain(
      "--at 2026-11-01T07:00 is not a scheduled time of daily (30 6 * * * Europe/Berlin). The nearest: 2026-11-01 06:30 (2026-11-01T05:30:00.000Z), 2026-11-02 06:30 (2026-11-02T05:30:00.000Z)"
    )
  })

  scoped(
    "tells the webhook of its definition what went wrong, and ends with the exit code of the failure",
    function* () {
      const { received, url } = yield* receive()
      const { schedule } = yield* project({ "failing.yaml": failing(`${url}/swordfish`) })
      const { code, err, out } = yield* schedule("run", "failing", "--at", "2026-11-01T03:00")
      expect(code).toBe(6)
      expect(err).toContain("n is not two")
      expect(received).toHaveLength(1)
      expect(json(received[0]?.body ?? "")).toMatchObject({
        event: "quality",
        pipeline: "failing",
        scheduledTime: "2026-11-01T03:00:00.000Z",
        status: "failed",
        reason: expect.stringContaining("n is not two")
      })
      const history = yield* schedule("history", "failing")
      expect(history.out).toMatch(/2026-11-01 03:00 +failed, by hand .*quality: delivered .*n is not two/)
      expect([err, out, history.out].join()).not.toContain("swordfish")
    }
  )

  scoped("calls a run whose outputs are held `held`: in the history, the list and notifications", function* () {
    const { received, url } = yield* receive()
    const { schedule } = yield* project({ "few.yaml": few(url) })
    const { code, err } = yield* schedule("run", "few", "--at", "2026-11-01T03:00")
    expect(code, err).toBe(6)
    const bodies = received.map(({ body }) => json(body))
    expect(bodies.map(({ event, status }) => `${event} ${status}`).sort()).toEqual(["failed held", "health held"])
    expect((yield* schedule("history", "few")).out).toMatch(/2026-11-01 03:00 +held, by hand .*the outputs are held: /)
    const [only, ...others] = json((yield* schedule("history", "few", "--json")).out)
    expect([only.status, others]).toEqual(["held", []])
    const { out } = yield* schedule("list")
    expect(out).toContain("✖ few held for 2026-11-01 03:00 UTC; none completed before")
    expect(json((yield* schedule("list", "--json")).out)[0]).toMatchObject({ failuresInARow: 1 })
  })

  scoped("runs a scheduled time again that has failed", function* () {
    const { root, schedule } = yield* project({ "failing.yaml": failing("http://127.0.0.1:1/") })
    const files = yield* FileSystem.FileSystem
    yield* schedule("run", "failing", "--at", "2026-11-01T03:00")
    yield* files.writeFileString(`${root}/pipelines/rows.csv`, "n\n2\n")
    expect((yield* schedule("run", "failing", "--at", "2026-11-01T03:00")).code).toBe(0)
    const [only, ...others] = json((yield* schedule("history", "failing", "--json")).out)
    expect([only.status, others]).toEqual(["completed", []])
  })
})

describe("sluice schedule pause and resume", () => {
  scoped("skip scheduled times until they are ended, also before the first run", function* () {
    const { root, schedule } = yield* project({ "daily.yaml": daily })
    const paused = yield* schedule("pause", "daily")
    expect(paused.err).toBe(
      "daily is paused, and its scheduled times are skipped: sluice schedule resume daily ends the pause\n"
    )
    expect((yield* schedule("list")).out).toMatch(/^daily .* paused /m)
    const run = yield* schedule("run", "daily")
    expect([run.code, run.err]).toEqual([0, "daily is paused: sluice schedule resume daily ends the pause\n"])
    expect(yield* list(root)).not.toContain("out")
    expect((yield* schedule("resume", "daily")).err).toBe("daily runs again from its next scheduled time\n")
    expect((yield* schedule("resume", "daily")).err).toBe("daily was not paused\n")
    expect(json((yield* schedule("list", "--json")).out)[0].paused).toBe(false)
  })

  scoped("end at a time of the time zone, or after a duration", function* () {
    const { root, schedule } = yield* project({ "daily.yaml": daily })
    const { out } = yield* schedule("pause", "daily", "--until", "2999-07-01T12:00", "--json")
    expect(json(out)).toEqual({ pipeline: "daily", paused: true, until: "2999-07-01T10:00:00.000Z" })
    expect((yield* schedule("list")).out).toContain("paused until 2999-07-01 12:00")
    expect((yield* schedule("pause", "daily")).err).toContain("the pause ends at 2999-07-01 12:00 Europe/Berlin")
    expect((yield* schedule("pause", "daily", "--until", "1999-07-01T12:00")).err).toContain("is over already")
    expect((yield* schedule("pause", "daily", "--until", "soon")).err).toContain("a duration like 12h")
    const schedules = Store.of(yield* ledgerIn(`${root}/data`))
    yield* schedules.resume("daily")
    yield* schedules.pause("daily", "until 2020-01-01T00:00:00.000Z")
    expect(json((yield* schedule("list", "--json")).out)[0]).toMatchObject({ paused: true, pausedUntil: null })
    yield* schedules.pause("daily", undefined, Date.parse("2020-01-01T00:00:00.000Z"))
    expect(json((yield* schedule("list", "--json")).out)[0].paused).toBe(false)
    expect((yield* schedule("run", "daily")).code).toBe(0)
    expect((yield* schedules.paused).size).toBe(0)
  })
})

describe("sluice schedule", () => {
  scoped("suggests the action for a misspelt one", function* () {
    const { schedule } = yield* project({ "daily.yaml": daily })
    expect((yield* schedule("histroy", "daily")).err).toBe(
      'error: there is no action "histroy", did you mean "history"?\n'
    )
    expect((yield* schedule("folder", "daily")).err).toContain('"daily" is one argument too many')
  })
})

describe("sluice schedule --print", () => {
  scoped("names the settings of the environment that the commands need", function* () {
    const { root } = yield* project({ "daily.yaml": daily })
    const env = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8", SLUICE_DATA_DIR: `${root}/d`, OTHER: "1" }
    const print = (target: string) => sluice(["schedule", `${root}/pipelines`, "--print", target], { env })
    for (const target of ["cron", "systemd"]) {
      const { out } = yield* print(target)
      expect(out.match(/# Settings .*/g)).toEqual([
        "# Settings of this environment that the commands do not have: SLUICE_ALLOW_NETWORKS."
      ])
      expect(out).not.toContain("127.0.0.0/8")
    }
  })

  scoped("prints what another scheduler needs, and says what it leaves out", function* () {
    const often = daily.replace("name: daily", "name: often").replace("30 6 * * *", "*/10 * * * * *")
    const { root, schedule } = yield* project({ "daily.yaml": daily, "often.yaml": often })
    const { code, err, out } = yield* schedule("--print", "cron")
    expect(out).toContain("\nCRON_TZ=Europe/Berlin\n")
    expect(out).toMatch(new RegExp(`^30 6 \\* \\* \\* cd .* schedule run ${root}/pipelines/daily.yaml `, "m"))
    expect(err).toContain("not printed: often: it starts at seconds other than 0\n")
    expect(code).toBe(78)
  })

  scoped("writes files where they are wanted", function* () {
    const { root, schedule } = yield* project({ "daily.yaml": daily })
    const { code, out } = yield* schedule("--print", "systemd", "--into", `${root}/units`, "--on", "cluster")
    expect(code).toBe(0)
    expect(yield* readText(`${root}/units/sluice-daily.service`)).toContain(" --on cluster --quiet\n")
    expect(out.trim().split("\n")).toEqual([`${root}/units/sluice-daily.service`, `${root}/units/sluice-daily.timer`])
    expect(yield* readText(`${root}/units/sluice-daily.timer`)).toContain("OnCalendar=*-*-* 06:30:00 Europe/Berlin\n")
  })
})
