/** Behaviour of the server over many requests: connections, proxies, logs, links, calendars, processes. */

import { spawn } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import * as Launch from "../../src/Dashboard/Launch.ts"
import { Setup } from "../../src/Dashboard/Setup.ts"
import * as Store from "../../src/Schedule/Store.ts"
import { ListenError } from "../../src/Web/ListenError.ts"
import { sluice } from "../Cli/Console.ts"
import { serve } from "../Engine/Scrape/Site.ts"
import { describe, expect, it, live } from "../It.ts"
import { describeLedgers } from "../Ledger/Both.ts"
import * as Ledgers from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import * as Server from "../Postgres.ts"
import { program } from "../Programs.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import * as Site from "./Site.ts"

/** Options whose command is plain Node. */
const nodeOptions: Setup["Type"] = {
  dataDir: "/",
  definitions: undefined,
  out: "/",
  scope: { env: {}, secrets: () => undefined },
  service: undefined,
  command: [process.execPath],
  arguments: [],
  env: {}
}

describe("The dashboard", () => {
  live.skipIf(skipsLong)("accepts new listeners after others have disconnected", function* () {
    const folder = yield* tempDir
    const site = yield* Site.open(folder, folder)
    for (let visit = 0; visit < 70; visit++) {
      const [hello] = yield* Site.until(site, "", () => true)
      expect(hello?.event).toBe("hello")
    }
  })

  live(
    "accepts changes through a proxy with another name if the browser sends `sec-fetch-site: same-origin`",
    function* () {
      const folder = yield* tempDir
      const { ledger, post } = yield* Site.open(folder, folder)
      yield* Store.of(ledger).register([{ pipeline: "watch", file: "/w.yaml", schedule: "{}", times: "* * * * * UTC" }])
      const pause = (site: string) =>
        Effect.map(
          post("/api/schedules/watch/pause", {}, { origin: "https://runs.example", "sec-fetch-site": site }),
          ({ status }) => status
        )
      expect([yield* pause("same-site"), yield* pause("none"), yield* pause("same-origin")]).toEqual([403, 403, 200])
    }
  )

  live("returns the log of a run of any machine in parts, and its end without a position", function* () {
    const folder = yield* tempDir
    const { get, ledger } = yield* Site.open(folder, folder)
    yield* Effect.scoped(
      Effect.flatMap(ledger.open(Ledgers.run("r1", { folder: "/home/elsewhere" })), (journal) => journal.end("stopped"))
    )
    expect(yield* get("/api/runs/r1/log")).toMatchObject({ status: 404, json: { error: "run r1 has no stored log" } })
    expect((yield* get("/api/runs/r1")).json.hasLog).toBe(false)
    const lines = Array.from({ length: 7_000 }, (_, n) => `row ${n} of a river: 10 €, 水\n`)
    yield* ledger.logs.append("r1", lines, "the end\n")
    let [said, next, isMore] = ["", 0, true]
    while (isMore) {
      const { json } = yield* get(`/api/runs/r1/log?after=${next}`)
      expect(json.next).toBeGreaterThan(next)
      expect(json.text.length).toBeLessThan(70_000)
      said += json.text
      ;({ next, isMore } = json)
    }
    expect(said).toBe(`${lines.join("")}the end\n`)
    const { json } = yield* get("/api/runs/r1/log")
    expect([json.next, json.isMore, json.text.endsWith("the end\n")]).toEqual([next, false, true])
    expect(json.text).toMatch(/^row \d+ of a river/)
    expect((yield* get("/api/runs/r1")).json.hasLog).toBe(true)
  })

  live("does not run definitions behind links out of the folder", function* () {
    const folder = yield* tempDir
    const text = "version: 1\nname: greet\nsteps:\n  - read: { file: rows.jsonl }\n  - write: { jsonl: out.jsonl }\n"
    for (const name of ["pipelines", "pipelines/inner", "elsewhere"]) mkdirSync(join(folder, name))
    for (const name of ["pipelines/inner/own.yaml", "elsewhere/other.yaml"]) writeFileSync(join(folder, name), text)
    symlinkSync(join(folder, "elsewhere"), join(folder, "pipelines", "link"))
    symlinkSync(join(folder, "elsewhere", "other.yaml"), join(folder, "pipelines", "linked.yaml"))
    symlinkSync(join(folder, "pipelines", "inner", "own.yaml"), join(folder, "pipelines", "same.yaml"))
    const { get, post } = yield* Site.open(folder, folder)
    const { json } = yield* Effect.repeat(get("/api/definitions"), { until: ({ json }) => json.checking === 0 })
    expect(json.definitions.map(({ file }: { file: string }) => file)).toEqual(["inner/own.yaml", "same.yaml"])
    for (const file of ["link/other.yaml", "linked.yaml"]) {
      expect((yield* post("/api/launch", { file, inputs: {} })).status).toBe(404)
    }
  })

  live(
    "offers to resume or discard a run that was stopped before its first row, as the command line does",
    function* () {
      const folder = yield* tempDir
      const { get, ledger, post } = yield* Site.open(folder, folder)
      for (const status of ["stopped", "failed"] as const) {
        yield* Effect.scoped(Effect.flatMap(ledger.open(Ledgers.run(status)), (journal) => journal.end(status)))
      }
      expect((yield* get("/api/runs/stopped")).json).toMatchObject({
        state: "stopped",
        canResume: true,
        canDiscard: true
      })
      expect((yield* get("/api/runs/failed")).json).toMatchObject({
        state: "failed",
        canResume: false,
        canDiscard: true
      })
      for (const id of ["stopped", "failed"]) {
        expect((yield* post(`/api/runs/${id}/discard`)).json).toEqual({ done: true })
        expect((yield* get(`/api/runs/${id}`)).json).toMatchObject({
          state: "discarded",
          canResume: false,
          canDiscard: false
        })
      }
    }
  )

  live(
    "does not offer to discard a run whose publication has begun: it is refused once a file has its name",
    function* () {
      const folder = yield* tempDir
      const { get, ledger, post } = yield* Site.open(folder, folder)
      const published = {
        path: join(folder, "out.jsonl"),
        partial: join(folder, "out.jsonl.begun.partial"),
        format: "jsonl",
        rows: 1,
        bytes: 2
      }
      const begun = Effect.flatMap(ledger.open(Ledgers.run("begun")), (journal) =>
        journal.recordSealed([{ files: [published], stale: [], scraps: [], warnings: [] }])
      )
      yield* Effect.scoped(begun)
      expect((yield* get("/api/runs/begun")).json).toMatchObject({ state: "crashed", canDiscard: false })
      const refused = yield* post("/api/runs/begun/discard")
      expect(refused).toMatchObject({ status: 409, json: { error: expect.stringContaining("sluice resume begun") } })
    }
  )

  live("answers for times beyond the calendar", function* () {
    const folder = yield* tempDir
    const { get, ledger } = yield* Site.open(folder, folder)
    const schedule = JSON.stringify({ cron: "* * * * *", timezone: "UTC" })
    yield* Store.of(ledger).register([{ pipeline: "watch", file: "/w.yaml", schedule, times: "* * * * * UTC" }])
    for (const from of [253_402_300_000_000, 8_640_000_000_000_000, Number.MAX_SAFE_INTEGER - 10]) {
      expect((yield* get(`/api/schedules/calendar?from=${from}&to=${from + 10}`)).status).toBe(200)
    }
  })

  live("lists the next occurrences of several minutely schedules, and estimates the later ones", function* () {
    const folder = yield* tempDir
    const { get, ledger } = yield* Site.open(folder, folder)
    const schedule = JSON.stringify({ cron: "* * * * *", timezone: "UTC" })
    const names = ["one", "two", "three", "four", "five"]
    yield* Store.of(ledger).register(
      names.map((pipeline) => ({ pipeline, file: "/w.yaml", schedule, times: "* * * * * UTC" }))
    )
    const from = Math.ceil(Date.now() / 86_400_000) * 86_400_000
    const ask = (more: string) => get(`/api/schedules/calendar?from=${from}&to=${from + 7 * 86_400_000}${more}`)
    for (const more of ["", "&pipeline=one"]) {
      const { json } = yield* ask(more)
      expect([json.isCut, json.occurrences[0].scheduledTime]).toEqual([true, from])
    }
    // The next ones of all schedules, not all of one.
    const { occurrences } = (yield* ask("")).json
    expect([occurrences.length, occurrences.at(-1).scheduledTime]).toEqual([2_000, from + 399 * 60_000])
    // Later days have an estimate.
    const { later } = (yield* ask("&pipeline=one")).json
    expect(later.slice(1)).toEqual(
      [1, 2, 3, 4, 5, 6].map((day) => ({ pipeline: "one", day: from + day * 86_400_000, count: 1_440 }))
    )
    expect(later[0]).toEqual({ pipeline: "one", day: from, count: 440 })
  })

  live.skipIf(skipsLong)(
    "publishes and discards held outputs, and says beside what they were compared with",
    function* () {
      const folder = yield* tempDir
      mkdirSync(join(folder, "pipelines"))
      // Definitions may not read the data folder.
      const files = yield* tempDir
      const rows = (count: number) => writeFileSync(join(files, "in.jsonl"), '{"a":1}\n'.repeat(count))
      writeFileSync(
        join(folder, "pipelines", "few.yaml"),
        `version: 1
name: few
health: { rows: { min: 10 } }
steps:
  - read: { file: ${join(files, "in.jsonl")} }
  - write: { jsonl: out.jsonl }
`
      )
      const { ask, get, ledger, post } = yield* Site.open(folder, folder, ["--allow-path", files])
      const launch = Effect.gen(function* () {
        const { json } = yield* post("/api/launch", { file: "few.yaml", inputs: {} })
        expect(json).toEqual({ run: expect.any(String) })
        return json.run as string
      })
      const ended = (id: string, state: string) =>
        get(`/api/runs/${id}`).pipe(
          Effect.delay("200 millis"),
          Effect.map(({ json }) => json),
          Effect.repeat({ until: (json) => json.state === state })
        )
      // Its process holds the run a little longer than the ledger says that it goes on.
      const decide = (id: string, action: "discard" | "publish") =>
        Effect.repeat(post(`/api/runs/${id}/${action}`), {
          while: ({ json }) => String(json.error).includes("is in use by")
        })
      rows(20)
      const paths = ["--data", folder, "--out", folder, "--allow-path", files]
      for (let run = 0; run < 3; run++)
        expect(yield* sluice(["run", join(folder, "pipelines", "few.yaml"), ...paths])).toMatchObject({ code: 0 })
      rows(2)
      const first = yield* launch
      expect(yield* ended(first, "held")).toMatchObject({ isHeld: true, canResume: false, canStop: false })
      const health = (yield* get(`/api/runs/${first}/health`)).json
      expect(health.verdicts[0]).toMatchObject({
        level: "broken",
        metric: "rows",
        step: "write",
        isRule: true,
        text: expect.stringContaining("at least 10 (health.rows.min)"),
        comparison: { kind: "history", unit: "rows", least: 20, greatest: 20, got: 2 }
      })
      expect(health.verdicts[0].comparison.good).toHaveLength(3)
      // As every other change: with the token, from a page of the dashboard.
      for (const action of ["publish", "discard"]) {
        expect((yield* ask(`/api/runs/${first}/${action}`, { method: "POST", body: {} })).status).toBe(403)
        const elsewhere = { origin: "https://evil.example" }
        expect((yield* post(`/api/runs/${first}/${action}`, {}, elsewhere)).status).toBe(403)
      }
      expect((yield* decide(first, "discard")).json).toEqual({ done: true })
      expect((yield* get(`/api/runs/${first}`)).json).toMatchObject({ state: "discarded", isHeld: false })
      expect(readFileSync(join(folder, "out.jsonl"), "utf8").trim().split("\n")).toHaveLength(20)
      const second = yield* launch
      yield* ended(second, "held")
      expect((yield* decide(second, "publish")).json).toEqual({ run: second })
      yield* ended(second, "completed")
      expect(readFileSync(join(folder, "out.jsonl"), "utf8").trim().split("\n")).toHaveLength(2)
      for (const [id, action] of [
        [first, "publish"],
        [second, "discard"],
        [second, "publish"]
      ] as const) {
        const { json, status } = yield* post(`/api/runs/${id}/${action}`)
        expect([status, json.error]).toEqual([409, expect.stringContaining(`run ${id} is `)])
      }
      expect((yield* post("/api/runs/nothing/discard")).status).toBe(404)
      // The process that released it has died.
      rows(1)
      const third = yield* launch
      yield* ended(third, "held")
      yield* ledger.held.release(third)
      const released = (yield* get(`/api/runs/${third}`)).json
      expect(released).toMatchObject({ state: "crashed", isHeld: true, canResume: false })
      expect((yield* decide(third, "publish")).json).toEqual({ run: third })
      yield* ended(third, "completed")
      const trends = (yield* get("/api/pipelines/few/fields")).json
      expect(trends.sinks[0]).toMatchObject({ sink: "write", count: 1, fields: [{ name: "a" }] })
    }
  )

  live.skipIf(skipsLong)(
    "stops a run that another process executes, and shows its log and what its steps were doing",
    function* () {
      const folder = yield* tempDir
      const service = yield* serve((_, response) => {
        const body = { success: true, data: { markdown: "x", metadata: { statusCode: 200 } } }
        setTimeout(() => response.setHeader("content-type", "application/json").end(JSON.stringify(body)), 300)
      })
      const file = join(folder, "slow.yaml")
      const urls = Array.from({ length: 500 }, (_, index) => `"http://x.example/${index}"`)
      writeFileSync(
        file,
        `version: 1\nname: slow\nsteps:\n  - urls: [${urls.join(", ")}]\n  - scrape: {}\n    concurrency: 1\n  - write: { jsonl: out.jsonl }\n`
      )
      const { get, post } = yield* Site.open(folder, folder)
      const other = yield* Effect.acquireRelease(
        Effect.sync(() => {
          const words = ["run", file, "--data", folder, "--out", folder]
          const env = { PATH: process.env.PATH, HOME: folder, SLUICE_BASE_URL: service, SLUICE_API_KEY: "key" }
          return spawn(process.execPath, [program("bin"), ...words], { env, stdio: "ignore" })
        }),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      const exit = yield* Effect.fork(
        Effect.async<number | null>((resume) => void other.once("exit", (code) => resume(Effect.succeed(code))))
      )
      const asked = Effect.delay(get("/api/runs?state=running"), "300 millis")
      const { id } = yield* Effect.map(asked, ({ json }) =>
        json.runs.find(({ rows }: { rows: number }) => rows > 0)
      ).pipe(Effect.repeat({ until: (line) => line !== undefined }))
      const run = Effect.map(Effect.delay(get(`/api/runs/${id}`), "200 millis"), ({ json }) => json)
      expect(yield* run).toMatchObject({ state: "running", canStop: true, canResume: false })
      expect((yield* post(`/api/runs/${id}/stop`)).json).toEqual({ done: true })
      // The process holds its lock a little longer than the ledger says that the run goes on.
      const stopped = yield* run.pipe(
        Effect.repeat({ until: ({ canResume, state }) => state === "stopped" && canResume === true })
      )
      expect(stopped).toMatchObject({ canStop: false, canResume: true })
      expect(stopped.why).toBeUndefined()
      expect(stopped.progress.timeline.steps.scrape).toContain("w")
      expect(yield* Fiber.join(exit)).toBe(1)
      expect((yield* get(`/api/runs/${id}/log`)).json.text).toContain("was stopped from another process")
      expect((yield* post(`/api/runs/${id}/stop`)).json).toEqual({ error: `no process executes run ${id}` })
    }
  )

  it("gives advice that fits the error when it cannot listen", () => {
    const said = (code: string) =>
      new ListenError({
        what: "the dashboard",
        host: "192.0.2.1",
        port: 4712,
        cause: Object.assign(new Error(code), { code })
      }).message
    expect(said("EADDRINUSE")).toContain("Stop the program that uses it")
    expect(said("EADDRNOTAVAIL")).toContain("this machine does not have that address")
    expect(said("EPERM")).toBe("the dashboard cannot listen on 192.0.2.1:4712: EPERM")
  })

  it.scopedLive(
    "keeps the end of stderr as the reason of a failed start, and stores none of it",
    Layer.provide(Launch.layer, Layer.succeed(Setup, nodeOptions)),
    function* () {
      const folder = yield* tempDir
      const [program, done] = [join(folder, "run.mjs"), join(folder, "done")]
      writeFileSync(
        program,
        `import { writeFileSync } from "node:fs"
process.stderr.on("error", () => {})
process.stderr.write("x".repeat(300_000) + "\\nAuthorization: Bearer abcdefghijklmnop\\nerror: the last line\\n")
if (process.argv[2] === "fails") process.exitCode = 3
else process.send({ began: "r1" }, () => setTimeout(() => {
  // Nothing reads it any more: the run goes on.
  for (let n = 0; n < 100; n++) process.stderr.write("y".repeat(10_000))
  writeFileSync(process.argv[2], "done")
  process.exit()
}, 200))
`
      )
      const children = yield* Launch.RunProcesses
      const failed = yield* children.start([program, "fails"])
      expect(failed).toMatchObject({ code: 3, reason: expect.stringContaining("error: the last line") })
      expect("reason" in failed && failed.reason?.length).toBeLessThan(16_500)
      expect("reason" in failed && failed.reason).not.toContain("abcdefghijklmnop")
      expect(yield* children.start([program, done])).toEqual({ run: "r1" })
      yield* Effect.repeat(Effect.sleep(10), { until: () => !children.has("r1") })
      expect(readFileSync(done, "utf8")).toBe("done")
      expect(readdirSync(folder).sort()).toEqual(["done", "run.mjs"])
    }
  )

  it.scoped(
    "says that a run did not begin only when its process has ended, and not when it began late",
    Layer.provide(Launch.layer, Layer.succeed(Setup, nodeOptions)),
    function* () {
      const folder = yield* tempDir
      const program = join(folder, "run.mjs")
      writeFileSync(
        program,
        `import { writeFileSync } from "node:fs"
process.on("SIGINT", () => {
  writeFileSync(process.argv[2] + ".asked", "")
  if (process.argv[3] === "late") process.send({ began: "late" }, () => process.exit())
})
setInterval(() => {}, 60_000)
writeFileSync(process.argv[2], "")
`
      )
      const children = yield* Launch.RunProcesses
      const exists = (path: string) =>
        Effect.promise(async () => {
          while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 10))
        })
      const start = (how: string) =>
        Effect.gen(function* () {
          const mark = join(folder, how)
          const started = yield* Effect.fork(Effect.uninterruptible(children.start([program, mark, how])))
          yield* exists(mark)
          yield* TestClock.adjust("60 seconds")
          yield* exists(`${mark}.asked`)
          return started
        })
      expect(yield* Fiber.join(yield* start("late"))).toEqual({ run: "late" })
      const never = yield* start("never")
      expect(yield* Fiber.poll(never)).toEqual(Option.none())
      yield* TestClock.adjust("10 seconds")
      expect(yield* Fiber.join(never)).toMatchObject({ code: null, reason: expect.stringContaining("did not start") })
    }
  )

  it.scopedLive(
    "sends one signal however often stop is pressed, because a second one ends the run at once",
    Layer.provide(Launch.layer, Layer.succeed(Setup, nodeOptions)),
    function* () {
      const folder = yield* tempDir
      const [program, log] = [join(folder, "run.mjs"), join(folder, "log")]
      writeFileSync(
        program,
        `import { appendFileSync } from "node:fs"
process.on("SIGINT", () => {
  appendFileSync(process.argv[2], "asked\\n")
  setTimeout(process.exit, 300)
})
setInterval(() => {}, 60_000)
process.send({ began: "r1" })
`
      )
      const said = Effect.delay(
        Effect.sync(() => readFileSync(log, "utf8")),
        10
      )
      const children = yield* Launch.RunProcesses
      writeFileSync(log, "")
      yield* children.start([program, log])
      expect(children.stop("r1")).toBe(true)
      yield* Effect.repeat(said, { until: (text) => text !== "" })
      expect(children.stop("r1")).toBe(true)
      yield* Effect.repeat(said, { until: () => !children.has("r1") })
      expect(readFileSync(log, "utf8")).toBe("asked\n")
      expect(children.stop("r1")).toBe(false)
    }
  )
})

describeLedgers("Rejects in the dashboard", (at) => {
  live.skipIf(skipsLong)("are complete when they are short, and cut when they are long", function* () {
    const folder = yield* tempDir
    const { get, ledger } = yield* Site.open(yield* at, folder)
    const journal = yield* ledger.open(Ledgers.run("r1"))
    const rows = [{ text: "short", n: [1] }, { text: "é".repeat(30_000) }, { text: "x".repeat(900_000) }]
    const rejects = rows.map((row, index) => Ledgers.reject(`row:${index}`, { row, message: `wrong ${index}` }))
    yield* journal.checkpoint(Ledgers.checkpoint({ rejects, rejectCount: rejects.length }))
    const { json } = yield* get("/api/runs/r1/rejects?text=wrong")
    expect(json.rejects.map(({ isCut }: { isCut: boolean }) => isCut)).toEqual([false, true, true])
    expect(JSON.parse(json.rejects[0].row)).toEqual(rows[0])
    for (const { row } of json.rejects.slice(1)) expect(row).toHaveLength(20_000)
    const news = (yield* get("/api/runs/r1")).json.news.filter(({ kind }: { kind: string }) => kind === "reject")
    expect(news.map(({ text }: { text: string }) => text)).toEqual(["wrong 0", "wrong 1", "wrong 2"])
  })
})

describeWithPostgres("Runs of other machines in the dashboard", () => {
  live.skipIf(skipsLong)("are stopped, and show their log", function* () {
    const [at, folder] = [yield* Server.place, yield* tempDir]
    const { get, ledger, post } = yield* Site.open(at, folder)
    // The other machine: it has a connection of its own, and a folder that is not here.
    const other = yield* Ledgers.ledgerIn(at)
    const journal = yield* other.open(Ledgers.run("r1", { folder: "/home/elsewhere/runs/r1" }))
    const elsewhere = Ledgers.behind(at, (sql) => sql`UPDATE locks SET host = 'elsewhere/boot/4026', pid = 7`)
    yield* elsewhere
    yield* other.logs.append("r1", ["2026-01-01T00:00:00.000Z warn: slow site\n"])
    expect((yield* get("/api/runs/r1")).json).toMatchObject({ state: "running", canStop: true, hasLog: true })
    expect((yield* get("/api/runs/r1/log")).json.text).toContain("warn: slow site")
    expect((yield* post("/api/runs/r1/stop")).json).toEqual({ done: true })
    yield* journal.stopRequested
    yield* journal.end("stopped")
    expect(yield* ledger.find("r1")).toMatchObject({ status: "stopped" })
  })
})

describeLedgers("Pages in the dashboard", (at) => {
  live("are listed in the order of their addresses, each once, also long ones that begin alike", function* () {
    const folder = yield* tempDir
    const { get, ledger } = yield* Site.open(yield* at, folder)
    const journal = yield* ledger.open(Ledgers.run("r1"))
    const long = `https://a.example/${"x".repeat(182)}`
    const keys = [
      "https://b.example/",
      "https://a.example/é",
      `${long}2`,
      long,
      `${long}1`,
      "https://a.example/",
      `${long}é`
    ]
    const pages = [...keys, ...keys].map((key) => ({
      step: "scrape",
      page: { key, price: "known" as const, credits: 1 }
    }))
    yield* journal.checkpoint(Ledgers.checkpoint({ pages }))
    const seen: Array<string> = []
    for (let after: string | null = ""; after !== null; ) {
      const { json }: { json: { pages: ReadonlyArray<{ key: string; attempts: number }>; next: string | null } } =
        yield* get(`/api/pages?limit=2&after=${encodeURIComponent(after)}`)
      expect(json.pages.map(({ attempts }) => attempts)).toEqual(json.pages.map(() => 2))
      seen.push(...json.pages.map(({ key }) => key))
      after = json.next
    }
    expect(long).toHaveLength(200)
    expect(seen).toEqual([...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
  })
})
