/** The API of the dashboard: access, responses, events, and runs that it starts. */
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Queries from "../../src/Dashboard/Queries.ts"
import { Ledger } from "../../src/Ledger.ts"
import { Permissions } from "../../src/Permissions.ts"
import { sha256 } from "../../src/Row/Hash.ts"
import * as Store from "../../src/Schedule/Store.ts"
import { idempotencyHeader, paths, tokenHeader } from "../../src/Web/Dashboard/Protocol.ts"
import { describe, expect, it, live } from "../It.ts"
import { describeLedgers } from "../Ledger/Both.ts"
import * as Ledgers from "../Ledger/Ledgers.ts"
import { tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { statusOfTwoHosts } from "../Web/TwoHosts.ts"
import * as Site from "./Site.ts"

const opened = Effect.gen(function* () {
  const folder = yield* tempDir
  mkdirSync(join(folder, "pipelines"))
  // Definitions may not read the data folder.
  const files = yield* tempDir
  return { folder, files, ...(yield* Site.open(folder, folder, ["--allow-path", files])) }
})

const page = (key: string, more: object = {}) => ({
  step: "scrape",
  page: { key, status: 200, price: "known" as const, credits: 1, ...more }
})

describe("The dashboard's server", () => {
  live.skipIf(skipsLong)(
    "requires the token in its header, and ignores credentials that a browser sends by itself",
    function* () {
      const { ask, baseUrl, get, ledger, token, url } = yield* opened
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/)
      yield* Store.of(ledger).register([{ pipeline: "watch", file: "/w.yaml", schedule: "{}", times: "* * * * * UTC" }])
      const otherHeaders = [
        {},
        { [tokenHeader]: "guess" },
        { cookie: `${tokenHeader}=${token}; sluice-ui=${token}` },
        { authorization: `Bearer ${token}` }
      ]
      for (const headers of otherHeaders) {
        for (const path of [...Object.values(paths), `/api/about?token=${token}`, "/api/nothing"]) {
          const answer = yield* ask(path, { headers })
          expect([path, answer.status, answer.headers["set-cookie"]]).toEqual([path, 401, undefined])
        }
        const post = { origin: baseUrl, "content-type": "application/json", ...headers }
        expect((yield* ask("/api/schedules/watch/pause", { method: "POST", headers: post, body: {} })).status).toBe(401)
      }
      expect(yield* Store.of(ledger).paused).toEqual(new Map())
      expect((yield* get("/api/about")).status).toBe(200)
      expect((yield* get("/api/nothing")).status).toBe(404)
    }
  )

  live("refuses bodies that are nested too deep, and survives property names like __proto__", function* () {
    const { ask, baseUrl, token } = yield* opened
    const headers = { [tokenHeader]: token, origin: baseUrl, "content-type": "application/json" }
    for (const levels of [1_000, 100_000, 500_000]) {
      const text = `${"[".repeat(levels)}${"]".repeat(levels)}`
      const answer = yield* Site.ask(baseUrl, "/api/schedules/watch/pause", { method: "POST", headers, text })
      expect([levels, answer.status, answer.text]).toEqual([
        levels,
        400,
        expect.stringContaining("nested more than 200 levels deep")
      ])
    }
    const odd = { method: "POST", headers, body: { inputs: { ["__proto__"]: { a: 1 } }, constructor: 1 } }
    expect((yield* ask("/api/schedules/watch/pause", odd)).status).toBeLessThan(500)
  })

  live("serves new clients while 600 connections are open and idle", function* () {
    const { baseUrl, get } = yield* opened
    const { port } = new URL(baseUrl)
    const open = Effect.acquireRelease(
      Effect.async<Socket>((resume) => {
        const socket = connect(Number(port), "127.0.0.1", () => resume(Effect.succeed(socket)))
        socket.on("error", () => undefined)
      }),
      (socket) => Effect.sync(() => socket.destroy())
    )
    yield* Effect.replicateEffect(open, 600)
    for (let visit = 0; visit < 5; visit++) expect((yield* get("/api/about")).status).toBe(200)
  })

  live("serves pages without data, and with a policy that allows only their own origin", function* () {
    const { ask, folder, token } = yield* opened
    for (const path of ["/", "/runs/20260101T000000-aaaa"]) {
      const { headers, status, text } = yield* ask(path)
      expect(status).toBe(200)
      expect(headers["content-security-policy"]).toMatch(
        /^default-src 'none'; script-src 'self'.*frame-ancestors 'none'/
      )
      expect(headers["content-security-policy"]).not.toContain("unsafe")
      expect(headers).toMatchObject({ "referrer-policy": "no-referrer", "x-content-type-options": "nosniff" })
      expect(headers["set-cookie"]).toBeUndefined()
      for (const secret of [token, folder]) expect(text).not.toContain(secret)
    }
    expect((yield* ask("/etc/passwd.txt")).status).toBe(404)
    expect((yield* ask("/", { method: "POST" })).status).toBe(403)
  })

  live("answers only to its own host names, and refuses changes from pages of other sites", function* () {
    const { ask, baseUrl, ledger, post, token } = yield* opened
    const known = { [tokenHeader]: token }
    for (const second of [undefined, "evil.example"]) {
      expect(yield* statusOfTwoHosts(baseUrl, "/api/about", second)).toBe(400)
    }
    const { port } = new URL(baseUrl)
    yield* Store.of(ledger).register([{ pipeline: "watch", file: "/w.yaml", schedule: "{}", times: "* * * * * UTC" }])
    for (const host of [
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil:${port}`,
      "localhost:1"
    ]) {
      const { status } = yield* ask("/api/about", { headers: { ...known, host } })
      expect([host, status]).toEqual([host, 403])
    }
    expect((yield* ask("/api/about", { headers: { ...known, host: `localhost:${port}` } })).status).toBe(200)
    const path = "/api/schedules/watch/pause"
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "http://localhost:1" },
      { "sec-fetch-site": "cross-site" }
    ]) {
      expect((yield* post(path, {}, headers)).status).toBe(403)
    }
    expect(
      (yield* ask(path, { method: "POST", headers: { ...known, "content-type": "application/json" } })).status
    ).toBe(403)
    expect((yield* post(path, {}, { "content-type": "text/plain" })).status).toBe(400)
    expect(yield* Store.of(ledger).paused).toEqual(new Map())
    expect((yield* post(path, { why: " holi\0\u001b[31m\n days\ud800 " })).json).toEqual({ done: true })
    expect((yield* Store.of(ledger).list)[0]).toMatchObject({ pausedWhy: "holi [31m days" })
    expect((yield* post("/api/schedules/watch/resume")).json).toEqual({ done: true })
    expect((yield* post("/api/schedules/nobody/pause")).status).toBe(404)
  })

  live("sees each change to the end of a pause, and keeps the end when it changes the reason", function* () {
    const { ledger, post } = yield* opened
    const schedules = Store.of(ledger)
    const { scheduleVersion } = yield* Effect.provideService(Queries.ofLedger, Ledger, ledger)
    const times = "* * * * * UTC"
    yield* schedules.register(["a", "b"].map((pipeline) => ({ pipeline, file: "/w.yaml", schedule: "{}", times })))
    const until = 4_000_000_000_000
    const versions = new Set<string>()
    for (const [pipeline, end] of [["a"], ["b"], ["a", until], ["b", until - 2], ["b", until - 1]] as const) {
      yield* schedules.pause(pipeline, undefined, end)
      versions.add(yield* scheduleVersion)
    }
    expect(versions.size).toBe(5)
    yield* post("/api/schedules/a/pause", { why: "holidays" })
    expect((yield* schedules.list)[0]).toMatchObject({ pausedWhy: "holidays", pausedUntil: until })
  })

  live("previews only outputs that the ledger names and that have not changed since the run", function* () {
    const { folder, get, ledger } = yield* opened
    const file = (name: string, content: string | Uint8Array) => {
      writeFileSync(join(folder, name), content)
      return {
        path: join(folder, name),
        format: name.split(".")[1] ?? "",
        rows: 2,
        bytes: statSync(join(folder, name)).size
      }
    }
    const outputs = [
      file("a.jsonl", '{"a":1,"b":"x"}\n{"b":{"c":null}}\n'),
      file("b.csv", 'a,b\n1,"two\nlines"\n'),
      file("c.jsonl.gz", gzipSync('{"a":1}\n{"a":2}\n')),
      { ...file("d.jsonl", '{"a":1}\n'), bytes: 7 },
      { path: join(folder, "gone.jsonl"), format: "jsonl", rows: 1, bytes: 1 },
      { path: "/dev/zero", format: "jsonl", rows: 1, bytes: 0 },
      file("e.csv", "a,a")
    ]
    const journal = yield* ledger.open(Ledgers.run("r1", { startedAt: Date.now() }))
    yield* journal.checkpoint(Ledgers.checkpoint({ rows: 2 }))
    yield* journal.complete(outputs)
    const look = (number: string) => Effect.map(get(`/api/runs/r1/outputs/${number}`), ({ json }) => json)
    expect(yield* look("0")).toMatchObject({
      columns: ["a", "b"],
      rows: [
        ["1", "x"],
        [null, '{"c":null}']
      ],
      isCut: false
    })
    expect(yield* look("1")).toMatchObject({ columns: ["a", "b"], rows: [["1", "two\nlines"]] })
    expect(yield* look("1/profile")).toMatchObject({
      rows: 1,
      columns: [{ name: "a", filled: 1, range: { least: 1 } }, {}]
    })
    expect(yield* look("3/profile")).toMatchObject({ rows: 0, columns: [], why: expect.any(String) })
    expect(yield* look("2")).toMatchObject({ rows: [["1"], ["2"]] })
    expect((yield* get("/api/runs/r1/outputs/2?rows=1")).json).toMatchObject({ rows: [["1"]], isCut: true })
    expect((yield* look("3")).why).toContain("has changed")
    expect((yield* look("4")).why).toContain("does not exist")
    expect((yield* look("5")).why).toContain("not a file")
    expect((yield* look("6")).error).toMatch(/e\.csv has two columns "a": rename one of them$/)
    for (const number of ["7", "-1", "0%2F..%2F..%2Fledger.db", "..%2f..%2fetc%2fpasswd"]) {
      expect((yield* get(`/api/runs/r1/outputs/${number}`)).status).toBe(404)
    }
  })

  live("compares two versions of a page with the contents in the outputs of their runs", function* () {
    const { folder, get, ledger } = yield* opened
    const key = "https://a.example/guide"
    const texts = ["# Guide\n\nFirst\n\nSame\n", "# Guide\n\nSecond\n\nSame\n"]
    for (const [index, markdown] of texts.entries()) {
      const path = join(folder, `run${index}.jsonl`)
      const row = JSON.stringify({ markdown, metadata: { sourceURL: `${key}#part` } })
      writeFileSync(path, `{"markdown":"another","metadata":{"sourceURL":"https://a.example/"}}\n${row}\n`)
      const journal = yield* ledger.open(Ledgers.run(`r${index}`, { startedAt: Date.now() }))
      const pages = [page("https://a.example/"), page(key, { hash: sha256(markdown), status: index === 0 ? 200 : 203 })]
      yield* journal.checkpoint(Ledgers.checkpoint({ rows: 2, pages }))
      yield* journal.complete([{ path, format: "jsonl", rows: 2, bytes: statSync(path).size }])
    }
    const { json } = yield* get(`/api/page?key=${encodeURIComponent(`${key}/#x`)}`)
    expect(json).toMatchObject({ key, attempts: 2, next: null })
    expect(json.versions.map(({ number, run }: { number: number; run: string }) => `${run}:${number}`).sort()).toEqual([
      "r0:2",
      "r1:2"
    ])
    const diff = yield* get(`/api/page/diff?key=${encodeURIComponent(key)}&from=r0:2&to=r1:2`)
    expect(diff.json).toMatchObject({
      isSame: false,
      of: "markdown",
      parts: [
        { kind: "same", lines: ["# Guide", ""] },
        { kind: "removed", lines: ["First"] },
        { kind: "added", lines: ["Second"] },
        { kind: "same", lines: ["", "Same"] }
      ]
    })
    expect(diff.json.fields).toContainEqual({ name: "status", from: "200", to: "203" })
    writeFileSync(join(folder, "run0.jsonl"), "{}\n")
    const gone = yield* get(`/api/page/diff?key=${encodeURIComponent(key)}&from=r0:2&to=r1:2`)
    expect(gone.json).toMatchObject({ isSame: false, parts: null, why: expect.stringContaining("has changed") })
    expect((yield* get(`/api/page/diff?key=other&from=r0:2&to=r1:2`)).status).toBe(404)
  })

  live(
    "compares the newest two contents over all attempts, and finds a content in any run that still has it",
    function* () {
      const { folder, get, ledger } = yield* opened
      const key = "https://a.example/guide"
      const [first, second] = ["# Guide\n\nFirst\n", "# Guide\n\nSecond\n"]
      // The newest three attempts are the same, and the outputs of two of them were emptied since.
      for (const [index, markdown] of [first, second, second, second].entries()) {
        const path = join(folder, `run${index}.jsonl`)
        writeFileSync(path, `${JSON.stringify({ markdown, metadata: { sourceURL: key } })}\n`)
        const journal = yield* ledger.open(Ledgers.run(`r${index}`, { startedAt: Date.now() }))
        yield* journal.checkpoint(Ledgers.checkpoint({ rows: 1, pages: [page(key, { hash: sha256(markdown) })] }))
        yield* journal.complete([{ path, format: "jsonl", rows: 1, bytes: statSync(path).size }])
        yield* Effect.sleep(5)
      }
      for (const index of [2, 3]) writeFileSync(join(folder, `run${index}.jsonl`), "")
      const { json } = yield* get(`/api/page?key=${encodeURIComponent(key)}`)
      expect(json.compare).toEqual({ from: "r0:1", to: "r1:1" })
      const diff = yield* get(`/api/page/diff?key=${encodeURIComponent(key)}&from=r0:1&to=r3:1`)
      expect(diff.json).toMatchObject({ isSame: false, of: "markdown" })
      expect(diff.json.parts).toContainEqual({ kind: "added", lines: ["Second"] })
    }
  )

  live("compares the earlier content with the later one when a page returned to an earlier content", function* () {
    const { folder, get, ledger } = yield* opened
    const key = "https://a.example/guide"
    for (const [index, markdown] of ["Old\n", "New\n", "Old\n"].entries()) {
      const path = join(folder, `back${index}.jsonl`)
      writeFileSync(path, `${JSON.stringify({ markdown, metadata: { sourceURL: key } })}\n`)
      const journal = yield* ledger.open(Ledgers.run(`r${index}`, { startedAt: Date.now() }))
      yield* journal.checkpoint(Ledgers.checkpoint({ rows: 1, pages: [page(key, { hash: sha256(markdown) })] }))
      yield* journal.complete([{ path, format: "jsonl", rows: 1, bytes: statSync(path).size }])
      yield* Effect.sleep(5)
    }
    // Only the first output of the content that returned is left.
    writeFileSync(join(folder, "back2.jsonl"), "")
    const { json } = yield* get(`/api/page?key=${encodeURIComponent(key)}`)
    expect(json.compare).toEqual({ from: "r0:1", to: "r1:1" })
  })

  live("sends events as they happen, and missed ones after a reconnect", function* () {
    const site = yield* opened
    const { ledger } = site
    const journal = yield* ledger.open(Ledgers.run("r1", { startedAt: Date.now() }))
    const first = yield* Site.until(site, "?run=r1", ({ event }) => event === "hello")
    expect(first[0]?.data).toMatchObject({ isGap: false })
    const progress = {
      expected: 9,
      given: { scrape: 4 },
      now: { loads: { scrape: [7, 16, 4, true] }, pages: 4, bytes: 10 }
    }
    yield* journal.checkpoint(Ledgers.checkpoint({ rows: 4, progress }))
    const isFour = ({ data, event }: Site.ReceivedEvent) =>
      event === "runs" && data.runs.some(({ rows }: { rows: number }) => rows === 4)
    const events = yield* Site.until(site, "?run=r1", isFour, first[0]?.id)
    expect(events.find(isFour)?.data.runs[0]).toMatchObject({ id: "r1", state: "running", rows: 4 })
    yield* journal.end("failed", "the site is gone")
    const isOver = ({ data, event }: Site.ReceivedEvent) => event === "progress" && data.news.at(-1).kind === "ended"
    const end = yield* Site.until(site, "?run=r1", isOver, events.at(-1)?.id)
    expect(end[0]).toMatchObject({ event: "hello", data: { isGap: false } })
    expect(end.flatMap(({ data, event }) => (event === "runs" ? data.runs : [])).at(-1)).toMatchObject({
      state: "failed"
    })
    const unknown = yield* Site.until(site, "", ({ event }) => event === "hello", "another-7")
    expect(unknown[0]?.data).toMatchObject({ isGap: true })
    const { json } = yield* site.get("/api/runs/r1")
    expect(json).toMatchObject({ state: "failed", why: "the site is gone", progress: { expected: 9, pages: 4 } })
    expect(json.progress.steps).toContainEqual(
      expect.objectContaining({ step: "scrape", out: 4, held: 7, room: 16, busy: 4, blocked: true })
    )
  })

  it.scopedLive("refuses inputs that lead an output out of its folder, and gives foreign definitions no access", () =>
    Effect.gen(function* () {
      const folder = yield* tempDir
      mkdirSync(join(folder, "pipelines"))
      const { post } = yield* Effect.provideService(Site.open(folder, folder), Permissions, {
        project: process.cwd(),
        isOwn: true,
        env: new Set<string>(),
        folders: [],
        code: false,
        dataFolders: [],
        out: folder,
        hosts: new Map()
      })
      const write = (name: string, text: string) =>
        writeFileSync(join(folder, "pipelines", name), `version: 1\nname: p\n${text}`)
      write(
        "out.yaml",
        'inputs: { name: { type: string } }\nsteps:\n  - urls: ["https://example.com"]\n  - write: { jsonl: "${{ inputs.name }}.jsonl" }\n'
      )
      write("env.yaml", 'steps:\n  - urls: ["https://example.com/${{ env.PATH }}"]\n')
      write("file.yaml", "steps:\n  - urls: { file: /proc/self/environ }\n")
      const launch = (file: string, inputs: object) => post("/api/launch", { file, inputs })
      for (const name of ["../../escaped", "/tmp/escaped", "a/../../escaped"]) {
        const { json, status } = yield* launch("out.yaml", { name })
        expect(status).toBe(422)
        expect(JSON.stringify(json)).toContain("leads this path out of")
      }
      expect(yield* launch("env.yaml", {})).toMatchObject({
        status: 422,
        text: expect.stringContaining("--allow-env PATH")
      })
      expect(yield* launch("file.yaml", {})).toMatchObject({
        status: 422,
        text: expect.stringContaining("cannot be read by any definition")
      })
    }).pipe(Effect.orDie)
  )

  live.skipIf(skipsLong)(
    "runs a pipeline with its inputs as its own process, replays rejects, and says why it refuses",
    function* () {
      const { files, folder, get, ledger, post } = yield* opened
      writeFileSync(
        join(folder, "pipelines", "greet.yaml"),
        `version: 1
name: greet
inputs:
  name: { type: string, maxLength: 40 }
  level: { type: integer, default: 1, maximum: 5 }
schedule: { cron: "0 3 * * *", inputs: { level: 3 } }
steps:
  - read: { file: "${files}/rows.jsonl" }
  - check: [{ rule: level > 1, message: too low }]
  - select: { level: level }
  - write: { jsonl: "greet.jsonl" }
`
      )
      writeFileSync(join(files, "rows.jsonl"), '{"level":1}\n{"level":2}\n')
      writeFileSync(join(folder, "pipelines", "code.ts"), "throw new Error('carried out')\n")
      const { json: known } = yield* Effect.repeat(get("/api/definitions"), {
        until: ({ json }) => json.checking === 0
      })
      expect(known.definitions).toMatchObject([
        {
          file: "greet.yaml",
          name: "greet",
          inputs: [
            { name: "name", type: "string" },
            { name: "level", default: 1, scheduled: 3 }
          ]
        }
      ])
      const start = (inputs: object, file = "greet.yaml") => post("/api/launch", { file, inputs })
      expect(yield* start({ name: "x", level: "9" })).toMatchObject({
        status: 422,
        json: { mistakes: [{ input: "level", message: expect.stringContaining("at most 5") }] }
      })
      // The dashboard does not read the standard output of a run.
      const piped = (loud: boolean) =>
        writeFileSync(
          join(folder, "pipelines", "piped.yaml"),
          `version: 1
name: piped
inputs: { out: { type: string, default: x.jsonl } }
steps:
  - read: ${files}/rows.jsonl
  - write: { jsonl: "\${{ inputs.out }}" }
    when: ${loud}
`
        )
      piped(true)
      const refused = yield* start({ out: "-" }, "piped.yaml")
      expect(refused).toMatchObject({ status: 422 })
      expect(JSON.stringify(refused.json)).toContain("writes to standard output")
      piped(false)
      expect(yield* start({ out: "-" }, "piped.yaml")).toMatchObject({ status: 200 })
      rmSync(join(folder, "pipelines", "piped.yaml"))
      for (const file of ["code.ts", "../greet.yaml", join(folder, "pipelines", "greet.yaml"), "--help"]) {
        expect((yield* start({ name: "x" }, file)).status).toBe(404)
      }
      const name = "$(touch pwned); --limit 'é"
      // A double click, and a retry after a lost response.
      const press = post("/api/launch", { file: "greet.yaml", inputs: { name } }, { [idempotencyHeader]: "form-0001" })
      const [{ json, status }, twin] = yield* Effect.all([press, press], { concurrency: 2 })
      expect([status, json]).toEqual([200, { run: expect.any(String) }])
      for (const again of [twin, yield* press]) expect(again.json).toEqual(json)
      const other = post("/api/launch", { file: "greet.yaml", inputs: { name } }, { [idempotencyHeader]: "no" })
      expect((yield* other).status).toBe(400)
      const ended = (run: string) =>
        Effect.repeat(
          Effect.delay(
            Effect.map(get(`/api/runs/${run}`), ({ json }) => json),
            50
          ),
          { until: ({ state }) => state !== "running" && state !== "publishing" }
        )
      const done = yield* ended(json.run)
      expect(done).toMatchObject({
        state: "completed",
        rows: 1,
        rejects: 1,
        inputs: { name, level: 1 },
        replay: "rejects",
        hasLog: true
      })
      // The process logs its end after the run has ended.
      const log = yield* Effect.repeat(Effect.delay(get(`/api/runs/${json.run}/log`), 20), {
        until: ({ json }): boolean => json.text.includes("1 row")
      })
      expect(log.json).toMatchObject({ isMore: false })
      const rejects = yield* get(`/api/runs/${json.run}/rejects?which=open&text=TOO`)
      expect(rejects.json).toMatchObject({
        rejects: [{ step: "check", message: expect.stringContaining("too low") }],
        next: null
      })
      const again = yield* post(`/api/runs/${json.run}/replay`)
      expect(again.status).toBe(200)
      expect(yield* ended(again.json.run)).toMatchObject({ replayOf: json.run, rejects: 1 })
      expect(yield* post(`/api/runs/${json.run}/replay`)).toMatchObject({
        status: 409,
        json: { error: expect.stringContaining("has no open rejects") }
      })
      expect(yield* post(`/api/runs/${json.run}/resume`)).toMatchObject({ status: 409 })
      expect((yield* ledger.history.runs({ limit: 9, pipeline: "greet" })).length).toBe(2)
    }
  )
})

describeLedgers("The trigger and the health of a run", (at) => {
  live.skipIf(skipsLong)("say what started it, and what is not as in the runs before", function* () {
    const { get, ledger } = yield* Site.open(yield* at, yield* tempDir)
    const scheduledFor = Date.now() - 60_000
    const journal = yield* ledger.open(Ledgers.run("r1", { startedAt: Date.now(), scheduledFor }))
    yield* journal.checkpoint(Ledgers.checkpoint())
    const verdict = { sink: "write", metric: "rows", expected: "90 to 110 rows", got: "3" } as const
    const whole = { steps: {}, rejected: 0, pages: 0, statuses: {} }
    const common = { runId: "r1", pipeline: "watch", steps: "s", series: "s", at: 1 }
    yield* journal.recordSealed([], {
      profiles: new Map(),
      records: [
        { ...common, sink: "", metrics: whole, verdicts: [{ ...verdict, sink: "", level: "unusual" }] },
        {
          ...common,
          sink: "write",
          metrics: { rows: 3, measured: 3, fields: {} },
          verdicts: [{ ...verdict, level: "broken" }]
        }
      ]
    })
    yield* journal.complete([])
    const { json } = yield* get("/api/runs/r1")
    expect(json.verdicts.map(({ level }: { level: string }) => level)).toEqual(["broken", "unusual"])
    expect(json.verdicts[0].text).toContain("90 to 110 rows")
    expect(json.trigger).toEqual({ kind: "schedule" })
    const direct = yield* ledger.open(Ledgers.run("r2", { startedAt: Date.now() }))
    yield* direct.end("failed")
    expect((yield* get("/api/runs/r2")).json).toMatchObject({ trigger: { kind: "direct" }, verdicts: [] })
  })
})

describeLedgers("The page of a pipeline", (at) => {
  live.skipIf(skipsLong)(
    "has its newest run, trends with their band, runs by time, and changes of its definition",
    function* () {
      const folder = yield* tempDir
      const { get, ledger } = yield* Site.open(yield* at, folder)
      const now = Date.now()
      const definition = (level: number) =>
        `version: 1\nname: watch\nsteps:\n  - read: in.jsonl\n  - where: level > ${level}\n  - write: { jsonl: out.jsonl }\n`
      for (let index = 0; index < 7; index++) {
        const level = index < 5 ? 1 : 2
        const journal = yield* ledger.open(
          Ledgers.run(`r${index}`, {
            startedAt: now - (7 - index) * 86_400_000,
            definition: definition(level),
            definitionHash: `hash ${level}`,
            file: join(folder, "pipelines", "watch.yaml")
          })
        )
        const rows = 100 + index
        const outputs = [{ step: "write", name: "out.jsonl", rows }]
        // An earlier version stored only the sum.
        const progress = { given: { read: 200, where: rows, write: rows }, now: index < 3 ? { rows } : { outputs } }
        yield* journal.checkpoint(Ledgers.checkpoint({ rows, progress }))
        yield* index === 6 ? journal.end("failed", "the disk is full") : journal.complete([])
      }
      // Of a process that has ended unexpectedly.
      yield* Effect.scoped(ledger.open(Ledgers.run("r9", { startedAt: now - 1_000, pipeline: "other" })))
      const { json } = yield* get("/api/pipelines/watch")
      expect(json.runs.map(({ id }: { id: string }) => id)).toEqual(["r6", "r5", "r4", "r3", "r2", "r1", "r0"])
      expect(json.runs[0]).toMatchObject({
        state: "failed",
        written: [{ step: "write", name: "out.jsonl", rows: 106 }],
        definition: "hash 2"
      })
      expect(json.has).toEqual({ changes: false, contract: false, state: false })
      expect(json.startable).toBe("watch.yaml")
      expect(json.graph.nodes).toHaveLength(3)
      expect(json.steps).toContainEqual(expect.objectContaining({ step: "where", in: 200, out: 106 }))
      expect(json.outputs).toMatchObject([{ step: "write", name: "out.jsonl", band: { median: 102.5 } }])
      expect(json.outputs[0].band.least).toBeLessThan(100)
      expect(json.calendar.map(({ runs, state }: { runs: number; state: string }) => `${runs} ${state}`)).toEqual([
        ...Array(6).fill("1 completed"),
        "1 failed"
      ])
      expect((yield* get("/api/pipelines/other")).json).toMatchObject({
        calendar: [{ state: "crashed", runs: 1 }],
        outputs: [{ step: "" }]
      })
      // The newest run has no checkpoint yet.
      yield* ledger.open(Ledgers.run("r8", { startedAt: now }))
      expect((yield* get("/api/pipelines/watch")).json.outputs).toEqual(json.outputs)
      const { json: changes } = yield* get("/api/definition/diff?from=r4&to=r5")
      expect(changes).toMatchObject({ from: { run: "r4" }, to: { run: "r5" } })
      expect(changes.parts).toContainEqual({ kind: "added", lines: ["  - where: level > 2"] })
      expect((yield* get("/api/definition/diff?from=r4&to=none")).status).toBe(404)
      expect((yield* get("/api/pipelines/none")).status).toBe(404)
    }
  )
})

describeLedgers("Rows of runs in the dashboard", (at) => {
  live.skipIf(skipsLong)(
    "counts rows written apart from rows that left the last step, in every state of a run",
    function* () {
      const folder = yield* tempDir
      const { get, ledger } = yield* Site.open(yield* at, folder)
      const journal = yield* ledger.open(Ledgers.run("r1", { startedAt: Date.now() }))
      yield* journal.checkpoint(Ledgers.checkpoint({ rows: 0 }))
      const partition = (name: string, rows: number) => ({
        path: join(folder, name, "rows.jsonl"),
        format: "jsonl",
        rows,
        bytes: 3_100_000
      })
      yield* journal.complete([partition("a", 700), partition("b", 500)])
      expect((yield* get("/api/runs")).json.runs).toMatchObject([{ id: "r1", rows: 0, written: [{ rows: 1_200 }] }])
      expect((yield* get("/api/runs/r1")).json).toMatchObject({ rows: 0, written: [{ rows: 1_200 }] })
      const options = { budget: { rows: 100, calls: 50 } }
      const other = yield* ledger.open(Ledgers.run("r2", { startedAt: Date.now() + 1, options }))
      yield* other.checkpoint(Ledgers.checkpoint({ rows: 3, progress: { outputRows: 6, now: { rows: 7 } } }))
      expect((yield* get("/api/runs/r2")).json).toMatchObject({
        state: "running",
        rows: 3,
        written: [{ rows: 7 }],
        budget: [
          { name: "calls", used: 0, limit: 50 },
          { name: "rows", used: 6, limit: 100 }
        ]
      })
      yield* other.complete([])
      expect((yield* get("/api/runs/r2")).json).toMatchObject({ state: "completed", rows: 3, written: [{ rows: 7 }] })
      // Without a step that writes.
      const silent = yield* ledger.open(Ledgers.run("r3", { startedAt: Date.now() + 2 }))
      yield* silent.checkpoint(Ledgers.checkpoint({ rows: 5 }))
      yield* silent.complete([])
      const { json } = yield* get("/api/runs/r3")
      expect([json.rows, json.written]).toEqual([5, undefined])
    }
  )
})

describeLedgers("Searches of the dashboard", (at) => {
  live.skipIf(skipsLong)("find runs by page, state and text, and pages by parts of their URLs", function* () {
    const folder = yield* tempDir
    const { get, ledger } = yield* Site.open(yield* at, folder)
    const names = [
      "https://a.example/Guide/one",
      "https://a.example/guide/two",
      "https://b.example/100%_sure",
      "https://c.example/other"
    ]
    for (let index = 0; index < 5; index++) {
      yield* Effect.scoped(
        Effect.gen(function* () {
          const journal = yield* ledger.open(Ledgers.run(`r${index}`, { startedAt: 1_000, pipeline: `p${index % 2}` }))
          yield* journal.checkpoint(
            Ledgers.checkpoint({ rows: index, pages: names.slice(0, index).map((key) => page(key)) })
          )
          if (index < 3) yield* journal.end("failed", `boom ${index}`)
        })
      )
    }
    const list = (query: string) =>
      Effect.map(get(`/api/runs?${query}`), ({ json }) => ({
        ids: json.runs.map(({ id }: { id: string }) => id),
        next: json.next
      }))
    const first = yield* list("limit=2")
    expect(first.ids).toEqual(["r4", "r3"])
    const second = yield* list(`limit=2&after=${first.next}`)
    expect(second.ids).toEqual(["r2", "r1"])
    expect(yield* list(`limit=2&after=${second.next}`)).toEqual({ ids: ["r0"], next: null })
    expect((yield* list("state=crashed")).ids).toEqual(["r4", "r3"])
    expect((yield* list("state=failed&pipeline=p0")).ids).toEqual(["r2", "r0"])
    expect((yield* list("text=BOOM 1")).ids).toEqual(["r1"])
    expect((yield* get("/api/runs?state=asleep")).status).toBe(400)
    expect((yield* get("/api/runs?after=x")).status).toBe(400)

    const pages = (query: string) =>
      Effect.map(get(`/api/pages?${query}`), ({ json }) => ({
        keys: json.pages.map(({ key }: { key: string }) => key),
        next: json.next
      }))
    // From the ledger first, then from the index in memory.
    for (let round = 0; round < 3; round++) {
      expect((yield* pages("text=guide")).keys).toEqual(names.slice(0, 2))
      expect((yield* pages("text=EXAMPLE+o")).keys).toHaveLength(3)
      expect((yield* pages(`text=${encodeURIComponent("0%_s")}`)).keys).toEqual([names[2]])
      expect((yield* pages("text=zebra")).keys).toEqual([])
      const some = yield* pages("text=example&limit=3")
      expect(some.keys).toEqual(names.slice(0, 3))
      expect(yield* pages(`text=example&limit=3&after=${encodeURIComponent(some.next)}`)).toEqual({
        keys: [names[3]],
        next: null
      })
    }
    const journal = yield* ledger.open(Ledgers.run("r9", { startedAt: 2_000 }))
    yield* journal.checkpoint(Ledgers.checkpoint({ pages: [page("https://a.example/a-guide")] }))
    expect((yield* pages("text=guide")).keys).toEqual([names[0], "https://a.example/a-guide", names[1]])
    const { json } = yield* get("/api/pages?text=two")
    expect(json.pages[0]).toMatchObject({ attempts: 3, last: { status: 200, credits: 1 } })
    expect((yield* get("/api/usage")).json.keys).toBeNull()
  })
})
