import { fileURLToPath } from "node:url"
import * as FileSystem from "@effect/platform/FileSystem"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { serve as serveHtml } from "../Engine/Scrape/Site.ts"
import { program } from "../Programs.ts"
import { sluice } from "./Console.ts"
import { folderOf, list, platform, readText, writeText } from "./Project.ts"
import { serve } from "./Site.ts"

const sources = fileURLToPath(new URL("../../", import.meta.url))

const open = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }

interface Report {
  readonly runId: string
  readonly status: string
  readonly rows: number
  readonly rejects: number
  readonly resumable: boolean
  readonly error?: { readonly code: string; readonly message: string }
}

/** A folder with a pipeline in it, and the verbs on it; what they print on stdout is read as JSON. */
const project = (steps: string, files: Readonly<Record<string, string>> = {}, flags: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const system = yield* FileSystem.FileSystem
    const root = yield* folderOf(files)
    const define = (steps: string) => system.writeFileString(`${root}/p.yaml`, `version: 1\nname: p\n${steps}`)
    yield* define(steps)
    const data = ["--data", `${root}/data`, "--json", ...flags]
    const act = (words: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
      Effect.map(sluice([...words, ...data], { env }), ({ code, err, out }) => ({
        code,
        err,
        report: JSON.parse(out) as Report
      }))
    return {
      root,
      define,
      run: (env?: Readonly<Record<string, string>>) => act(["run", `${root}/p.yaml`, "--out", `${root}/out`], env),
      replay: (id?: string, env?: Readonly<Record<string, string>>) =>
        act(["replay", ...(id === undefined ? [] : [id])], env),
      rejects: (id: string) =>
        Effect.map(sluice(["show", id, "--rejects", "--data", `${root}/data`]), ({ out }) =>
          out
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => JSON.parse(line) as Record<string, unknown>)
        ),
      lines: (name: string) => Effect.map(readText(`${root}/out/${name}`), (text) => text.trimEnd().split("\n"))
    }
  })

describe("sluice replay", () => {
  for (const how of ["reads", "has read by the HTML"])
    it.scopedLive(`reads only the rejected rows of a page again, as the engine ${how}`, () =>
      Effect.gen(function* () {
        const prices = ["$1.00", "Call us", "$3.00", "Ask"]
        const items = prices.map((price, at) => `<article><h2>Lamp ${at}</h2><b>${price}</b></article>`).join("")
        let asked = 0
        const url = yield* serveHtml((_, response) => {
          asked++
          response.writeHead(200, { "content-type": "text/html" }).end(`<html lang="en"><main>${items}</main>`)
        })
        const steps = (price: string) => `steps:
  - urls: ["${url}/list"]
  - scrape: { formats: [rawHtml] }
  - extract:
      rows: article
      fields: { title: h2, price: ${price} }
${how === "reads" ? "" : "      html: rawHtml\n"}  - write: { jsonl: shop.jsonl }
`
        const { define, lines, rejects, replay, run } = yield* project(steps("{ css: b, as: price }"))
        const first = yield* run(open)
        expect(first.report, first.err).toMatchObject({ status: "completed", rows: 2, rejects: 2 })
        const before = yield* lines("shop.jsonl")
        yield* define(steps("{ css: b, as: price, default: 0 }"))
        const pages = asked
        const again = yield* replay(undefined, open)
        expect(again.report, again.err).toMatchObject({ status: "completed", rows: 2, rejects: 0 })
        const rows = (yield* lines("shop.jsonl")).slice(before.length).map((line) => JSON.parse(line) as unknown)
        expect(rows).toEqual([
          { url: `${url}/list`, title: "Lamp 1", price: 0 },
          { url: `${url}/list`, title: "Lamp 3", price: 0 }
        ])
        expect(asked).toBe(pages)
        expect(yield* rejects(first.report.runId)).toEqual([])
      }).pipe(Effect.provide(platform))
    )

  it.scopedLive("keeps a row of a page that is not stored as a reject, and says how to get it", () =>
    Effect.gen(function* () {
      const url = yield* serveHtml((_, response) => {
        const html = `<html lang="en"><article><b>$1</b></article><article><b>Ask</b></article>`
        response.writeHead(200, { "content-type": "text/html" }).end(html)
      })
      const steps = (price: string) => `steps:
  - urls: ["${url}/list"]
  - scrape: { storeInCache: false }
  - extract: { rows: article, fields: { price: ${price} } }
  - write: { jsonl: shop.jsonl }
`
      const { define, lines, rejects, replay, run } = yield* project(steps("{ css: b, as: price }"))
      expect((yield* run(open)).report).toMatchObject({ rows: 1, rejects: 1 })
      yield* define(steps("{ css: b, as: price, default: 0 }"))
      const again = yield* replay(undefined, open)
      expect(again.err).toContain("its page is not stored: run the pipeline again")
      expect(yield* lines("shop.jsonl")).toHaveLength(1)
      expect(yield* rejects(again.report.runId)).toMatchObject([{ row: { url: `${url}/list` }, error: "NoHtml" }])
      const third = yield* replay(again.report.runId, open)
      expect(third.err).toContain("its page is not stored: run the pipeline again")
    }).pipe(Effect.provide(platform))
  )

  it.scoped("sends rows through the mended step again, adds them to the JSONL, and has nothing to do then", () =>
    Effect.gen(function* () {
      const steps = (expression: string) => `steps:
  - urls: [https://a.example/1, https://a.example/x, https://a.example/3]
  - select: { url: url, n: "${expression}" }
  - write: { jsonl: n.jsonl }
`
      const { define, lines, rejects, replay, root, run } = yield* project(
        steps("$number($substringAfter(url, 'example/'))")
      )
      const first = yield* run()
      expect(first.report).toMatchObject({ status: "completed", rows: 2, rejects: 1 })
      const { runId } = first.report
      const before = yield* lines("n.jsonl")
      yield* define(steps("$substringAfter(url, 'example/')"))
      // Without an id the newest run is meant.
      const again = yield* replay()
      expect(again.err).toContain(
        `${root}/p.yaml has changed since run ${runId} began: the replay uses it as it is now\n`
      )
      expect(again.report, again.err).toMatchObject({ status: "completed", rows: 1, rejects: 0 })
      expect(yield* lines("n.jsonl")).toEqual([...before, '{"url":"https://a.example/x","n":"x"}'])
      expect(yield* rejects(runId)).toEqual([])
      const third = yield* replay(runId)
      expect(third.code).toBe(1)
      expect(third.err).toBe(`error: nothing of run ${runId} can be replayed: it has no open rejects\n`)
      expect((yield* lines("n.jsonl")).length).toBe(3)
    }).pipe(Effect.provide(platform))
  )

  it.scoped("says that the definition, or the code of its extensions, is not that of the run", () =>
    Effect.gen(function* () {
      const steps = `import * as Effect from "${sources}node_modules/effect/dist/esm/Effect.js"
import * as Schema from "${sources}node_modules/effect/dist/esm/Schema.js"
import { Step } from "${program("index")}"
import { number } from "./number.mjs"
export const even = Step.make({
  key: "even",
  summary: "Passes even numbers.",
  example: "even: {}",
  config: Schema.Struct({}),
  behaviour: {
    kind: "item",
    apply: (_, row) => (number(row) % 2 === 0 ? Effect.succeed(row) : new Step.StepError({ reason: "Odd", message: "odd" }))
  }
})
`
      const numberOf = (expression: string) => `export const number = ({ data }) => ${expression}\n`
      const { replay, root, run } = yield* project(
        "extensions: ./steps.mts\nsteps:\n  - urls: [https://a.example/, https://a.example/1]\n  - even: {}\n  - write: { jsonl: n.jsonl }\n",
        { "steps.mts": steps, "number.mjs": numberOf("data.url.length") },
        ["--allow-code"]
      )
      const first = yield* run()
      expect(first.report).toMatchObject({ status: "completed", rows: 1, rejects: 1 })
      const unchanged = yield* replay(first.report.runId)
      expect(unchanged.err).not.toContain("has changed")
      const { runId } = unchanged.report
      yield* writeText(`${root}/number.mjs`, numberOf("2"))
      const { err, report } = yield* replay(runId)
      expect(report).toMatchObject({ status: "completed", rows: 1, rejects: 0 })
      expect(err).toContain(
        `the code of its extensions (./steps.mts) has changed since run ${runId} began: the replay uses it as it is now\n`
      )
    }).pipe(Effect.provide(platform))
  )

  it.scoped("makes what is rejected once more the new run's own, which is replayed by its own id", () =>
    Effect.gen(function* () {
      const steps = (bad: string) => `steps:
  - urls: [https://a.example/1, https://a.example/2, https://a.example/3]
  - where: "$contains('${bad}', $substringAfter(url, 'example/')) ? $number('x') : true"
  - write: { jsonl: n.jsonl }
`
      const { define, lines, rejects, replay, run } = yield* project(steps("23"))
      const { report: first } = yield* run()
      yield* define(steps("3"))
      const { report: second } = yield* replay(first.runId)
      expect(second).toMatchObject({ status: "completed", rows: 1, rejects: 1 })
      expect(yield* rejects(first.runId)).toEqual([])
      expect(yield* rejects(second.runId)).toMatchObject([{ step: "where", row: { url: "https://a.example/3" } }])
      // A run of which nothing is left fails, and has taken the row up all the same.
      const { code, report: third } = yield* replay(second.runId)
      expect([code, third.status, third.rejects]).toEqual([3, "failed", 1])
      expect(yield* rejects(second.runId)).toEqual([])
      yield* define(steps(""))
      expect((yield* replay(third.runId)).report).toMatchObject({ status: "completed", rows: 1 })
      expect((yield* lines("n.jsonl")).map((line) => JSON.parse(line).url.at(-1))).toEqual(["1", "2", "3"])
    }).pipe(Effect.provide(platform))
  )

  it.scoped(
    "of a run that failed before it published says that its other rows are missing; show does not offer it",
    () =>
      Effect.gen(function* () {
        const steps = (bad: string) => `steps:
  - urls: [https://a.example/1, https://a.example/2]
  - where: "$contains(url, '${bad}') ? $number('x') : true"
    onError: { reject: true, stopAfter: 1 }
  - write: { jsonl: n.jsonl }
`
        const { define, lines, replay, root, run } = yield* project(steps("2"))
        const { code, report: first } = yield* run()
        expect([code, first.rows]).toEqual([3, 1])
        const shown = yield* sluice(["show", first.runId, "--data", `${root}/data`])
        expect(shown.out).toContain(`sluice resume ${first.runId}`)
        expect(shown.out).not.toContain("sluice replay")
        yield* define(steps("none"))
        const again = yield* replay(first.runId)
        expect(again.err).toContain(
          `run ${first.runId} failed before it published its other rows (1): this replay writes only what was rejected.`
        )
        expect(yield* lines("n.jsonl")).toEqual(['{"url":"https://a.example/2"}'])
      }).pipe(Effect.provide(platform))
  )

  for (const [step, config] of [
    ["scrape", "scrape: { formats: [markdown] }"],
    ["batchScrape", "batchScrape: { formats: [markdown] }"]
  ] as const) {
    it.scoped(`asks again for pages that ${step} could not have, with the row that they were asked for`, () =>
      Effect.gen(function* () {
        const { url } = yield* serve
        const { lines, rejects, replay, run } = yield* project(`steps:
  - urls: ["${url}/a", "${url}/b"]
  - ${config}
  - select: { page: metadata.sourceURL, asked: $source.url }
  - write: { jsonl: pages.jsonl }
`)
        const first = yield* run()
        expect(first.report.rejects, first.err).toBe(2)
        expect((yield* rejects(first.report.runId)).map((reject) => reject.step)).toEqual([step, step])
        const again = yield* replay(first.report.runId, open)
        expect(again.report, again.err).toMatchObject({ status: "completed", rows: 2, rejects: 0 })
        const rows = (yield* lines("pages.jsonl")).map((line) => JSON.parse(line))
        expect(rows.map(({ asked }) => asked).sort()).toEqual([`${url}/a`, `${url}/b`])
        expect(rows.every(({ asked, page }) => asked === page)).toBe(true)
      }).pipe(Effect.provide(platform))
    )
  }

  it.scoped("uploads a file again that parse could not read, and remembers it from then on", () =>
    Effect.gen(function* () {
      const system = yield* FileSystem.FileSystem
      const { lines, replay, root, run } = yield* project(
        `state: { key: p }
steps:
  - files: { glob: "*.{html,pdf}", skipSeen: path }
  - parse: { formats: [markdown] }
  - select: { file: $source.path, size: $length(markdown) > 0 }
  - write: { csv: files.csv, columns: { file: string, size: boolean }, mode: append }
`,
        { "a.html": "<p>one", "b.pdf": "%PDF-1.4 nothing" }
      )
      const first = yield* run()
      expect(first.report, first.err).toMatchObject({ rows: 1, rejects: 1 })
      yield* system.copyFile(`${root}/a.html`, `${root}/b.pdf`)
      const again = yield* replay(first.report.runId)
      expect(again.report, again.err).toMatchObject({ status: "completed", rows: 1, rejects: 0 })
      expect(yield* lines("files.csv")).toEqual(["file,size", "a.html,true", "b.pdf,true"])
      expect((yield* run()).report).toMatchObject({ status: "completed", rows: 0, rejects: 0 })
    }).pipe(Effect.provide(platform))
  )

  it.scoped("offers a rejected row again in the next run, and takes nothing for gone that it has not looked for", () =>
    Effect.gen(function* () {
      const steps = (bad: string) => `state: { key: p }
steps:
  - read: in.jsonl
  - dedupe: { key: id, across: runs, emit: [new, gone] }
  - where: "id = '${bad}' ? $number('x') : true"
  - write: { jsonl: ids.jsonl, mode: append }
`
      const { define, lines, replay, run } = yield* project(steps("b"), { "in.jsonl": '{"id":"a"}\n{"id":"b"}\n' })
      const ids = Effect.map(lines("ids.jsonl"), (found) => found.map((line) => JSON.parse(line)))
      const { report: first } = yield* run()
      expect(first).toMatchObject({ rows: 1, rejects: 1 })
      const { report: second } = yield* run()
      // The other row is known: a quiet run with one reject is a good one.
      expect(second).toMatchObject({ status: "completed", rows: 0, rejects: 1, resumable: false })
      yield* define(steps("none"))
      expect((yield* replay(second.runId)).report).toMatchObject({ status: "completed", rows: 1 })
      // The replay is complete: its rows are known now, and rows that it did not see are not `gone`.
      const { report: last } = yield* run()
      expect((yield* ids).map(({ change, id }) => [id, change])).toEqual([
        ["a", "new"],
        ["b", "new"]
      ])
      expect(last).toMatchObject({ status: "completed", rows: 0, rejects: 0 })
    }).pipe(Effect.provide(platform))
  )

  it.scoped("does not report a row as new once more that a later run has reported", () =>
    Effect.gen(function* () {
      const steps = (bad: string) => `state: { key: p }
steps:
  - read: in.jsonl
  - dedupe: { key: id, across: runs }
  - where: "id = '${bad}' ? $number('x') : true"
  - write: { jsonl: ids.jsonl, mode: append }
`
      const { define, lines, rejects, replay, run } = yield* project(steps("b"), {
        "in.jsonl": '{"id":"a"}\n{"id":"b"}\n'
      })
      const { report: first } = yield* run()
      yield* define(steps("none"))
      expect((yield* run()).report).toMatchObject({ status: "completed", rows: 1 })
      expect(yield* rejects(first.runId)).toEqual([])
      const late = yield* replay(first.runId)
      expect(late.err).toBe(`error: nothing of run ${first.runId} can be replayed: it has no open rejects\n`)
      expect((yield* lines("ids.jsonl")).map((line) => JSON.parse(line))).toEqual([
        { id: "a", change: "new" },
        { id: "b", change: "new" }
      ])
    }).pipe(Effect.provide(platform))
  )

  it.scoped("writes rows that did not fit a CSV behind it where its columns are declared, else beside it", () =>
    Effect.gen(function* () {
      const system = yield* FileSystem.FileSystem
      const steps = (onNewField: string) => `steps:
  - read: in.jsonl
  - write: { csv: a.csv, columns: { id: integer }, onNewField: ${onNewField} }
    onError: reject
`
      const declared = yield* project(steps("error"), { "in.jsonl": '{"id":1}\n{"id":2,"more":"x"}\n{"id":3}\n' })
      const first = yield* declared.run()
      expect(first.report, first.err).toMatchObject({ rows: 2, rejects: 1 })
      yield* declared.define(steps("drop"))
      expect((yield* declared.replay(first.report.runId)).report).toMatchObject({ status: "completed", rows: 1 })
      expect(yield* declared.lines("a.csv")).toEqual(["id", "1", "3", "2"])

      const free = (expression: string) => `steps:
  - read: in.jsonl
  - select: { id: "${expression}" }
  - write: { csv: b.csv }
`
      const other = yield* project(free("id = 2 ? $number('x') : id"), { "in.jsonl": '{"id":1}\n{"id":2}\n' })
      const { report } = yield* other.run()
      yield* other.define(free("id"))
      const again = yield* other.replay(report.runId)
      expect(again.report, again.err).toMatchObject({ status: "completed", rows: 1 })
      const names = yield* list(`${other.root}/out`)
      expect(names).toHaveLength(2)
      const beside = names.find((name) => name !== "b.csv") ?? ""
      expect(beside).toContain(again.report.runId)
      expect(yield* other.lines("b.csv")).toEqual(["id", "1"])
      expect(yield* other.lines(beside)).toEqual(["id", "2"])
      expect(yield* system.exists(`${other.root}/out/b.csv`)).toBe(true)
    }).pipe(Effect.provide(platform))
  )

  it.scoped("runs a source for the row again that it could not be run for", () =>
    Effect.gen(function* () {
      const { url } = yield* serve
      const steps = (address: string) => `steps:
  - read: in.jsonl
  - each: true
    crawl: { url: { expr: "${address}" }, limit: 1, scrapeOptions: { formats: [markdown] } }
  - select: { page: metadata.sourceURL }
  - write: { jsonl: pages.jsonl }
`
      const { define, lines, rejects, replay, run } = yield* project(steps("id = 2 ? $number('x') : url"), {
        "in.jsonl": `{"id":1,"url":"${url}/a"}\n{"id":2,"url":"${url}/b"}\n`
      })
      const first = yield* run(open)
      expect(first.report, first.err).toMatchObject({ rows: 1, rejects: 1 })
      expect(yield* rejects(first.report.runId)).toMatchObject([{ step: "crawl", row: { id: 2 } }])
      yield* define(steps("url"))
      expect((yield* replay(first.report.runId, open)).report).toMatchObject({ status: "completed", rows: 1 })
      expect((yield* lines("pages.jsonl")).map((line) => JSON.parse(line).page)).toEqual([`${url}/a`, `${url}/b`])
    }).pipe(Effect.provide(platform))
  )

  it.scoped(
    "that is stopped goes on by resume, and has the rows for itself",
    () =>
      Effect.gen(function* () {
        const { asked, url } = yield* serve
        const steps = (path: string) => `steps:
  - read: in.jsonl
  - scrape: { url: { expr: "'${url}${path}' & id" }, formats: [markdown] }
    retry: { times: 0 }
    concurrency: 1
  - select: { id: $source.id }
  - write: { jsonl: ids.jsonl }
`
        const { define, lines, replay, rejects, root, run } = yield* project(steps("/"), {
          "in.jsonl": '{"id":"a"}\n{"id":"b"}\n'
        })
        const { report: first } = yield* run()
        expect(first).toMatchObject({ rows: 0, rejects: 2 })
        yield* define(steps("/late/"))
        const stop = new AbortController()
        yield* Effect.forkScoped(Effect.tap(asked, () => stop.abort("SIGINT")))
        const words = ["replay", first.runId, "--data", `${root}/data`, "--json"]
        const stopped = yield* sluice(words, { env: open, stop: stop.signal })
        const report = JSON.parse(stopped.out) as Report
        expect([stopped.code, report.status, report.resumable]).toEqual([130, "stopped", true])
        expect(stopped.err).toContain(`Progress is saved: sluice resume ${report.runId}\n`)
        expect(yield* rejects(first.runId)).toEqual([])
        const second = yield* replay(first.runId, open)
        expect(second.err).toContain("it has no open rejects")
        yield* define(steps("/"))
        const resumed = yield* sluice(["resume", report.runId, "--with-current", "--data", `${root}/data`], {
          env: open
        })
        expect(resumed.code, resumed.err).toBe(0)
        expect((yield* lines("ids.jsonl")).map((line) => JSON.parse(line).id).sort()).toEqual(["a", "b"])
      }).pipe(Effect.provide(platform)),
    180_000
  )

  it.scoped("says what it cannot take: unknown runs, runs that are not over, rejects of steps that take no rows", () =>
    Effect.gen(function* () {
      const steps = `steps:
  - read: { file: in.csv, columns: { n: integer } }
  - write: { jsonl: n.jsonl }
`
      const { define, replay, root, run } = yield* project(steps, { "in.csv": "n\n1\none\ntwo\n3\n" })
      const nothing = yield* replay("20260101T000000-aaaa")
      expect([nothing.code, nothing.err]).toEqual([
        1,
        `error: there is no ledger in ${root}/data: no pipeline has run with it. Name another folder with --data.\n`
      ])
      const first = yield* run()
      expect(first.report, first.err).toMatchObject({ rows: 2, rejects: 2 })
      const { runId } = first.report
      const unknown = yield* replay("20260101T000000-aaaa")
      expect([unknown.code, unknown.err]).toEqual([
        1,
        `error: the ledger has no run 20260101T000000-aaaa: the newest is ${runId}; sluice runs lists them\n`
      ])
      const source = yield* replay(runId)
      expect(source.code).toBe(1)
      expect(source.err).toContain(
        "2 rejects of read: it makes its own rows, or is no longer in the definition; run the pipeline again"
      )
      expect(source.err).toContain(
        `nothing of run ${runId} can be replayed: no step of the definition takes its rejects`
      )
      yield* define("steps: []\n")
      expect((yield* replay(runId)).code).toBe(78)
    }).pipe(Effect.provide(platform))
  )
})
