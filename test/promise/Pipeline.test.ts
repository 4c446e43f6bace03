import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import {
  createPipeline,
  DefinitionInvalid,
  LedgerError,
  Locked,
  RunDiffers,
  type RunEvent,
  RunFailed,
  RunUnknown,
  StepError,
  Unable,
  Unauthorized
} from "../../src/promise.ts"
import { describe, expect, it, live, vi } from "../It.ts"
import { ledgerIn } from "../Ledger/Ledgers.ts"
import { engine, page, site, tempDir } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { place } from "../Postgres.ts"
import { program } from "../Programs.ts"
import { describeWithPostgres } from "../WithPostgres.ts"

const numbers = (count: number) => Array.from({ length: count }, (_, n) => `{"n":${n}}\n`).join("")

/** A pipeline over a file of numbers, which asks no service. */
const counting = (count: number) =>
  Effect.map(tempDir, (folder) => {
    writeFileSync(`${folder}/in.jsonl`, numbers(count))
    writeFileSync(
      `${folder}/p.yaml`,
      "version: 1\nname: count\nsteps:\n  - read: in.jsonl\n  - write: { jsonl: out.jsonl }\n"
    )
    const options = { out: `${folder}/out`, dataDir: `${folder}/data`, baseUrl: "http://127.0.0.1:9" }
    return { folder, options, pipeline: createPipeline(`${folder}/p.yaml`, options) }
  })

/** Files of an engine that was started for a run, in the data folder. */
const engineFiles = (folder: string) => readdirSync(`${folder}/data`).filter((name) => name.startsWith("engine"))

const linesOf = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n")

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => Promise.reject(new Error(`it did not fail: ${JSON.stringify(value)}`)),
    (error: unknown) => error
  )

/**
 * A site that answers `/slow` and the pages behind it only when `answer` is called, and an engine that may
 * visit it. A request for `/slow` aborts `control`.
 */
const slow = Effect.gen(function* () {
  const control = new AbortController()
  let answer = () => {}
  let mend = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const mended = new Promise<void>((resolve) => {
    mend = resolve
  })
  const { requests, url } = yield* site((path) => {
    if (path === "/robots.txt") return undefined
    if (path === "/slow") setImmediate(() => control.abort(new Error("enough")))
    return { body: page(path), ...(path === "/a" ? {} : { behind: path === "/slow" ? answered : mended }) }
  })
  const { baseUrl, key } = yield* engine()
  const folder = yield* tempDir
  const options = { out: `${folder}/out`, dataDir: `${folder}/data`, baseUrl, apiKey: Redacted.value(key) }
  const pipeline = createPipeline(
    {
      version: 1,
      name: "slow",
      steps: [
        { urls: [`${url}/a`, `${url}/slow`, `${url}/later`] },
        { scrape: { formats: ["markdown"] }, concurrency: 1 },
        { select: { page: "metadata.sourceURL" } },
        { write: { jsonl: "pages.jsonl" } }
      ]
    },
    options
  )
  return { pipeline, folder, options, requests, url, signal: control.signal, answer, mend }
})

describe("a pipeline by Promises", () => {
  it("refuses options that do not exist, and names the nearest one", async () => {
    const options = { limits: 3 }
    expect(() => createPipeline("p.yaml", options as object)).toThrow(
      'createPipeline has no option "limits", did you mean "limit"?'
    )
    expect(() => createPipeline("p.yaml", { format: "x" } as object)).toThrow(
      'createPipeline has no option "format": its options are inputs, env, secrets, baseUrl, apiKey, allowNetworks, out, '
    )
    const error = await rejection(createPipeline("p.yaml").run({ resum: "x" } as object))
    expect(String(error)).toContain('run() has no option "resum", did you mean "resume"?')
    expect(() => createPipeline("p.yaml").rows({ resum: "x" } as object)).toThrow("rows() has no option")
  })

  live("runs to its end and says what it has made", function* () {
    const { folder, pipeline } = yield* counting(2500)
    const summary = yield* Effect.promise(() => pipeline.run())
    expect(summary).toMatchObject({ status: "completed", rows: 2500, rejects: 0, resumable: false })
    expect(summary.outputs).toMatchObject([{ path: `${folder}/out/out.jsonl`, rows: 2500 }])
    expect(linesOf(`${folder}/out/out.jsonl`)).toHaveLength(2500)
  })

  live("leaves the standard output to the program: what it logs goes to standard error", function* () {
    const folder = yield* tempDir
    const steps = [{ urls: ["https://a.example/"] }, { where: "urls = 1" }, { write: { jsonl: "n.jsonl" } }]
    const [out, err] = [vi.spyOn(console, "log"), vi.spyOn(console, "error").mockReturnValue()]
    yield* Effect.addFinalizer(() => Effect.sync(() => vi.restoreAllMocks()))
    const pipeline = createPipeline({ version: 1, name: "logs", steps }, { out: folder, dataDir: `${folder}/data` })
    yield* Effect.promise(() => pipeline.run())
    expect(err.mock.calls.join("\n")).toContain("urls")
    expect(out.mock.calls).toEqual([])
  })

  live("starts no engine where no step asks for anything, and one where a step does", function* () {
    const { folder, options } = yield* counting(3)
    const local = { out: options.out, dataDir: options.dataDir }
    const summary = yield* Effect.promise(() => createPipeline(`${folder}/p.yaml`, local).run())
    expect(summary.rows).toBe(3)
    expect(engineFiles(folder)).toEqual([])
    const steps = [{ activeCrawls: {} }, { write: { jsonl: "crawls.jsonl" } }]
    yield* Effect.promise(() => createPipeline({ version: 1, name: "asks", steps }, local).run())
    expect(engineFiles(folder)).not.toEqual([])
  })

  live("gives every row in its order, and its events: the id first, the summary last", function* () {
    const { pipeline } = yield* counting(2500)
    const seen: Array<unknown> = []
    yield* Effect.promise(async () => {
      for await (const { n } of pipeline.rows()) seen.push(n)
    })
    expect(seen).toEqual(Array.from({ length: 2500 }, (_, n) => n))
    const events: Array<RunEvent> = []
    yield* Effect.promise(async () => {
      for await (const event of pipeline.events()) events.push(event)
    })
    const [first, last] = [events[0], events.at(-1)]
    expect(first?.type).toBe("started")
    expect(last).toMatchObject({ type: "completed", summary: { rows: 2500, status: "completed" } })
    expect(first?.type === "started" && last?.type === "completed" && first.runId === last.summary.runId).toBe(true)
    expect(events.filter(({ type }) => type === "row")).toHaveLength(2500)
    expect(events.filter(({ type }) => type === "started")).toHaveLength(1)
  })

  live("stops in order when its signal says so, and goes on at once where it was", function* () {
    const { answer, folder, mend, pipeline, requests, signal, url } = yield* slow
    // Stopping waits for pages in flight.
    signal.addEventListener("abort", () => setTimeout(answer, 50))
    let runId = ""
    const rows: Array<unknown> = []
    const error = yield* Effect.promise(() =>
      rejection(
        (async () => {
          for await (const event of pipeline.events({ signal })) {
            if (event.type === "started") runId = event.runId
            if (event.type === "row") rows.push(event.row)
          }
        })()
      )
    )
    expect(error).toMatchObject({ message: "enough" })
    expect(rows[0]).toEqual({ page: `${url}/a` })
    mend()
    // The run has let go of its lock before the loop is left.
    const summary = yield* Effect.promise(() => pipeline.run({ resume: runId }))
    expect(summary).toMatchObject({ runId, status: "completed", rows: 3 })
    expect(linesOf(`${folder}/out/pages.jsonl`).map((line) => JSON.parse(line).page)).toEqual(
      ["a", "slow", "later"].map((name) => `${url}/${name}`)
    )
    for (const path of ["/a", "/slow"]) expect(requests.filter((each) => each === path)).toHaveLength(1)
    const again = yield* Effect.promise(() => rejection(pipeline.run({ resume: runId })))
    expect(again).toBeInstanceOf(RunFailed)
    expect(again).toMatchObject({ message: expect.stringContaining("it is complete") })
  })

  live(
    "stops when the loop is left, also when it waits for its reader, and a resume continues with the unread rows",
    function* () {
      const { folder, pipeline } = yield* counting(20_000)
      let runId = ""
      let seen = 0
      yield* Effect.promise(async () => {
        for await (const event of pipeline.events()) {
          if (event.type === "started") runId = event.runId
          if (event.type === "row" && ++seen === 10) break
        }
      })
      const summary = yield* Effect.promise(() => pipeline.run({ resume: runId }))
      expect(summary).toMatchObject({ runId, status: "completed", rows: 20_000 })
      expect(linesOf(`${folder}/out/out.jsonl`)).toEqual(numbers(20_000).trimEnd().split("\n"))
    }
  )

  live("runs beside another one in the same process, with the same folder of data", function* () {
    const { folder, options, pipeline } = yield* counting(5000)
    const other = createPipeline(`${folder}/p.yaml`, { ...options, out: `${folder}/other` })
    const [one, two] = yield* Effect.promise(() => Promise.all([pipeline.run(), other.run()]))
    expect([one.rows, two.rows]).toEqual([5000, 5000])
    expect(linesOf(`${folder}/out/out.jsonl`)).toEqual(linesOf(`${folder}/other/out.jsonl`))
  })

  live("rejects with classes that say what failed, and carry what caused it", function* () {
    const { folder, options, pipeline } = yield* counting(1)
    const fails = (promise: Promise<unknown>) => Effect.promise(() => rejection(promise))
    const invalid = yield* fails(createPipeline(`${folder}/gone.yaml`, options).run())
    expect(invalid).toBeInstanceOf(DefinitionInvalid)
    // A value in a program has no file: messages name the line that hands it over.
    for (const [name, title, place] of [
      ["r", 'pipeline "r"', "steps[0]"],
      ["r/s", "the definition", "name"]
    ] as const) {
      const definition = { version: 1, name, steps: [{ urls: ["no address"] }] } as const
      const wrong = yield* fails(createPipeline(definition, options).run())
      expect(wrong).toBeInstanceOf(DefinitionInvalid)
      const [line = ""] = String(wrong).split("\n")
      expect(line).toContain(`${title} (test/promise/Pipeline.test.ts:`)
      expect(line.replace(/:\d+:\d+\)/, "")).toContain(`Pipeline.test.ts  ${place}`)
    }
    const unable = yield* fails(
      createPipeline(
        {
          version: 1,
          name: "heard",
          steps: [{ urls: ["https://example.com/"] }, { scrape: { formats: ["audio"] } }]
        },
        { dataDir: `${folder}/data` }
      ).run()
    )
    expect(unable).toBeInstanceOf(Unable)
    expect(unable).toMatchObject({ who: "the local engine", unmet: [{ path: ["steps", 1, "scrape", "formats", 0] }] })
    expect(yield* fails(pipeline.run({ resume: "20260101T000000-aaaa" }))).toBeInstanceOf(RunUnknown)
    const { runId } = yield* Effect.promise(() => pipeline.run())
    writeFileSync(
      `${folder}/p.yaml`,
      "version: 1\nname: count\ninputs: { a: { type: string, default: x } }\nsteps:\n  - read: in.jsonl\n"
    )
    const differs = yield* fails(pipeline.run({ resume: runId }))
    expect(differs).toBeInstanceOf(RunDiffers)
    expect(differs).toMatchObject({ what: "definition", message: expect.stringContaining("withCurrent") })
    const inputs = yield* fails(pipeline.run({ resume: runId, withCurrent: true }))
    expect(inputs).toMatchObject({ _tag: "RunDiffers", what: "inputs" })
    const folderless = yield* fails(
      createPipeline(`${folder}/p.yaml`, { ...options, dataDir: `${folder}/in.jsonl` }).run()
    )
    expect(folderless).toBeInstanceOf(LedgerError)

    const { baseUrl } = yield* engine()
    const definition = (name: string) => ({
      version: 1 as const,
      name,
      state: { key: "one" },
      steps: [{ search: { query: "anything" }, retry: { times: 0 } }] as const
    })
    const refused = yield* fails(createPipeline(definition("p"), { ...options, baseUrl, apiKey: "fc-wrong" }).run())
    expect(refused).toBeInstanceOf(RunFailed)
    const { reason } = refused as RunFailed
    expect(reason).toBeInstanceOf(StepError)
    expect(reason).toMatchObject({ reason: "Unauthorized", step: "search" })
    expect((reason as StepError).cause).toBeInstanceOf(Unauthorized)
    expect(String((refused as RunFailed).stack)).not.toContain("fc-wrong")
  })

  live("lets only one run at a time work on a state", function* () {
    const { answer, options, signal, url } = yield* slow
    const pipeline = createPipeline(
      {
        version: 1,
        name: "state",
        state: { key: "one" },
        steps: [{ urls: [`${url}/slow`] }, { scrape: {}, concurrency: 1 }, { dedupe: { across: "runs" } }]
      },
      options
    )
    const first = rejection(pipeline.run({ signal }))
    yield* Effect.promise(() => new Promise((resolve) => signal.addEventListener("abort", resolve)))
    const second = (yield* Effect.promise(() => rejection(pipeline.run()))) as RunFailed
    expect(second.reason).toMatchObject({ reason: "Locked" })
    expect((second.reason as StepError).cause).toBeInstanceOf(Locked)
    answer()
    expect(yield* Effect.promise(() => first)).toMatchObject({ message: "enough" })
  })

  live.skipIf(skipsLong)("leaves nothing open: a program that has used it ends by itself", function* () {
    const { folder } = yield* counting(100)
    writeFileSync(
      `${folder}/program.mjs`,
      `import { createPipeline } from ${JSON.stringify(program("promise"))}
const options = { out: ${JSON.stringify(folder)}, dataDir: ${JSON.stringify(`${folder}/data`)} }
const pipeline = createPipeline(${JSON.stringify(`${folder}/p.yaml`)}, options)
await pipeline.run()
for await (const row of pipeline.rows()) if (row.n === 5) break
const stop = new AbortController()
stop.abort("enough")
await pipeline.run({ signal: stop.signal }).catch((error) => console.log(error))
`
    )
    const { code, out } = yield* Effect.async<{ readonly code: number | null; readonly out: string }>((resume) => {
      const child = spawn(process.execPath, [`${folder}/program.mjs`], { timeout: 25_000 })
      let out = ""
      child.stdout.on("data", (text) => (out += text))
      child.stderr.on("data", (text) => (out += text))
      child.on("close", (code) => resume(Effect.succeed({ code, out })))
    })
    expect([code, out]).toEqual([0, "enough\n"])
  })
})

describeWithPostgres("a pipeline whose ledger machines share", () => {
  live("keeps its runs in the database, and none in its folder", function* () {
    const { folder, options } = yield* counting(3)
    const databaseUrl = yield* place
    const pipeline = createPipeline(`${folder}/p.yaml`, { ...options, databaseUrl })
    const { rows, runId } = yield* Effect.promise(() => pipeline.run())
    expect(rows).toBe(3)
    expect(yield* (yield* ledgerIn(databaseUrl)).find(runId)).toMatchObject({ status: "completed", rows: 3 })
    expect(existsSync(`${folder}/data/ledger.db`)).toBe(false)
    const away = createPipeline(`${folder}/p.yaml`, { ...options, databaseUrl: "postgres://nobody@127.0.0.1:9/none" })
    expect(yield* Effect.promise(() => rejection(away.run()))).toBeInstanceOf(LedgerError)
  })
})
