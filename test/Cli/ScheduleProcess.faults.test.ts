import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { describe, expect, scoped } from "../It.ts"
import { receive } from "../Schedule/Receiver.ts"
import { sluice } from "./Console.ts"
import * as Launched from "./Launched.ts"
import { everySecond, list, pipelinesOf } from "./Project.ts"

/** Once a second, and each run waits much longer than anybody has patience for. */
const slow = `version: 1
name: slow
schedule: { cron: "* * * * * *", timezone: UTC }
steps:
  - read: rows.csv
  - use: { module: ./wait.mjs }
  - write: { csv: "slow/{runId}.csv" }
`

/** It says beside the folder of definitions that it has begun. */
const wait = `import { writeFileSync } from "node:fs"
export default (rows) => {
  writeFileSync(new URL("../began", import.meta.url), "")
  return new Promise((done) => setTimeout(() => done(rows), 600000))
}
`

const project = (definition: string) => pipelinesOf({ "p.yaml": definition, "wait.mjs": wait })

const launch = (root: string, ...words: ReadonlyArray<string>) =>
  Launched.launch(root, {}, "schedule", "--json", ...words)

const history = (root: string, name = "tick") =>
  Effect.map(
    sluice(["schedule", "history", name, "--data", `${root}/.sluice`, "--limit", "1000", "--json"]),
    ({ out }) =>
      JSON.parse(out) as ReadonlyArray<{
        readonly scheduledTime: string
        readonly status: string
        readonly run: string
      }>
  )

const health = (url: unknown) =>
  Effect.promise(() =>
    fetch(String(url)).then((answer) =>
      answer.json().then((body) => ({ status: answer.status, body: body as Readonly<Record<string, string>> }))
    )
  )

// Processes of their own, which wait for the next second and for each other: they wait side by side.
describe("sluice schedule as a process", { concurrent: true }, () => {
  scoped("runs each second for itself, answers for its health, and stops in order on SIGTERM", function* () {
    const root = yield* project(everySecond("csv"))
    const daemon = yield* launch(root, "--health", "0")
    const [listening] = yield* daemon.until("listening")
    const over = yield* daemon.until("over", 2)
    expect(over[0]).toMatchObject({ pipeline: "tick", status: "completed", rows: 1, run: expect.any(String) })
    const { body, status } = yield* health(listening?.url)
    expect([status, body]).toMatchObject([200, { status: "ok", schedules: 1, broken: [], trouble: null }])
    expect(Date.parse(String(body.next))).toBeGreaterThan(Date.parse(String(body.startedAt)))
    daemon.child.kill("SIGTERM")
    expect(yield* daemon.ended).toBe(143)
    expect(daemon.written.err).toMatch(/^tick \d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)? UTC completed: 1 row in /m)
    expect(daemon.written.err).toContain("stopping")
    // One that was claimed and had not begun is left to the next start.
    const begun = (yield* history(root)).filter(({ status }) => status !== "waiting")
    expect(new Set(begun.map(({ status }) => status))).toEqual(new Set(["completed"]))
    expect(yield* list(`${root}/out`)).toHaveLength(begun.length)
  })

  scoped("continues after a kill: no scheduled time is lost and none is run twice", function* () {
    const root = yield* project(everySecond("csv"))
    const first = yield* launch(root)
    yield* first.until("over")
    yield* first.until("began", 2)
    first.child.kill("SIGKILL")
    yield* first.ended
    const second = yield* launch(root)
    yield* second.until("over", 3)
    second.child.kill("SIGTERM")
    expect(yield* second.ended).toBe(143)
    const scheduledTimes = (yield* history(root)).filter(({ status }) => status === "completed")
    const seconds = scheduledTimes.map(({ scheduledTime }) => Date.parse(scheduledTime) / 1000).sort((a, b) => a - b)
    expect(seconds.length).toBeGreaterThanOrEqual(3)
    expect(seconds).toEqual(seconds.map((_, index) => (seconds[0] ?? 0) + index))
    const outputs = (yield* list(`${root}/out`)).filter((name) => name.endsWith(".csv"))
    expect(outputs.sort()).toEqual(scheduledTimes.map(({ run }) => `${run}.csv`).sort())
  })

  scoped(
    "gives runs their grace period, reports that it is draining, and stops at once at the second signal",
    function* () {
      const root = yield* project(slow)
      const daemon = yield* launch(root, "--health", "0", "--allow-code", "--grace", "10m")
      const [listening] = yield* daemon.until("listening")
      yield* daemon.until("began")
      daemon.child.kill("SIGTERM")
      const draining = yield* Effect.repeat(health(listening?.url), { until: ({ status }) => status === 503 })
      expect(draining.body).toMatchObject({ status: "draining", running: [{ pipeline: "slow" }] })
      daemon.child.kill("SIGTERM")
      expect(yield* daemon.ended).toBe(143)
    }
  )

  scoped("leaves a run that outlives its grace to the next start", function* () {
    const root = yield* project(slow)
    const daemon = yield* launch(root, "--allow-code", "--grace", "0s")
    const [began] = yield* daemon.until("began")
    daemon.child.kill("SIGTERM")
    expect(yield* daemon.ended, daemon.written.err).toBe(143)
    expect(daemon.written.err).toContain("stopping: 1 run may still finish (slow)")
    expect((yield* list(root)).includes("slow") ? yield* list(`${root}/slow`) : []).toEqual([])
    const next = yield* launch(root, "--allow-code", "--grace", "0s")
    expect((yield* next.until("began"))[0]).toMatchObject({ pipeline: "slow", scheduledTime: began?.scheduledTime })
  })

  scoped("resumes a stopped run of one scheduled time when that is run again", function* () {
    const files = yield* FileSystem.FileSystem
    const root = yield* project(slow)
    const words = ["run", "slow", "--at", "2026-11-01T03:00", "--allow-code"]
    const first = yield* launch(root, ...words)
    yield* Effect.repeat(files.exists(`${root}/began`), { until: (there) => there })
    first.child.kill("SIGTERM")
    expect(yield* first.ended, first.written.err).toBe(143)
    yield* files.writeFileString(`${root}/pipelines/wait.mjs`, "export default (rows) => rows")
    const second = yield* launch(root, ...words)
    expect(yield* second.ended, second.written.err).toBe(0)
    const [only, ...others] = yield* history(root, "slow")
    expect([only?.status, others]).toEqual(["completed", []])
    expect(yield* list(`${root}/slow`)).toEqual([`${only?.run}.csv`])
  })

  scoped("tells a webhook what has failed, also after it was killed and started again", function* () {
    let awake = false
    const { next, received, url } = yield* receive(() => ({ status: awake ? 204 : 503 }))
    const root = yield* project(`version: 1
name: missing
schedule: { cron: "* * * * * *", timezone: UTC }
notify: [{ on: [failed], webhook: "${url}/hook" }]
steps:
  - read: there-is-none.csv
  - write: { csv: never.csv }
`)
    const first = yield* launch(root)
    const letter = yield* next
    expect(JSON.parse(letter.body)).toMatchObject({ event: "failed", pipeline: "missing", status: "failed" })
    first.child.kill("SIGKILL")
    yield* first.ended
    awake = true
    const id = letter.headers["x-sluice-notice"]
    yield* launch(root)
    // The one that was refused has to wait; those that were not tried yet come first.
    yield* next
    expect(received.some(({ headers }) => headers["x-sluice-notice"] !== id)).toBe(true)
  })
})
