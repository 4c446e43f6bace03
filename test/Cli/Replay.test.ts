import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { serve as serveHtml } from "../Engine/Scrape/Site.ts"
import { describe, expect, live, scoped } from "../It.ts"
import { withLedger } from "../Ledger/Ledgers.ts"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"
import { sluice } from "./Console.ts"
import { writeText } from "./Project.ts"
import { open, project, type Report } from "./Replayed.ts"
import { serve } from "./Site.ts"

const sources = fileURLToPath(new URL("../../", import.meta.url))

describe("sluice replay", () => {
  for (const how of ["reads", "has read by the HTML"])
    live.skipIf(skipsLong)(`reads only the rejected rows of a page again, as the engine ${how}`, function* () {
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
    })

  scoped("sends rows through the mended step again, adds them to the JSONL, and has nothing to do then", function* () {
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
  })

  scoped(
    "runs the whole pipeline again after a run that has published nothing, so that no row comes twice",
    function* () {
      const steps = (expression: string) => `steps:
  - urls: [https://a.example/1, https://a.example/2]
  - select: { url: url, n: "${expression}" }
  - write: { jsonl: n.jsonl }
`
      const right = "$number($substringAfter(url, 'example/'))"
      const { define, lines, replay, root, run } = yield* project(steps(right))
      yield* run()
      const good = yield* lines("n.jsonl")
      yield* define(steps("$number(url)"))
      const { report: failed } = yield* run()
      expect(failed).toMatchObject({ status: "failed", rejects: 2 })
      yield* define(steps(right))
      const again = yield* replay(failed.runId)
      expect(again.err).toContain(
        `run ${failed.runId} is discarded: ${root}/p.yaml runs again as a whole; stored pages need no request\n`
      )
      expect(again.report, again.err).toMatchObject({ status: "completed", rows: 2, rejects: 0 })
      expect(yield* lines("n.jsonl")).toEqual(good)
      expect((yield* replay(failed.runId)).err).toBe(
        `error: nothing of run ${failed.runId} can be replayed: its outputs were discarded\n`
      )
    }
  )

  scoped(
    "sends all rejects of the first run again after a replay that has failed, and refuses runs that a later one replaces",
    function* () {
      const steps = (rule: string, more = "") => `steps:
  - urls: [https://a.example/1, https://a.example/2, https://a.example/3, https://a.example/4]
  - select: { n: "$substringAfter(url, 'example/')" }
  - check: [{ rule: "${rule}", onFail: reject }]
${more}  - write: { jsonl: n.jsonl, mode: append }
`
      const { define, lines, replay, run } = yield* project(steps("n = '4'"))
      const { report: first } = yield* run()
      expect(first).toMatchObject({ status: "completed", rows: 1, rejects: 3 })
      yield* define(steps("n = '1'", "    onError: { reject: true, stopAfter: 2 }\n"))
      const { report: failed } = yield* replay()
      expect(failed.status).toBe("failed")
      yield* define(steps("true"))
      const again = yield* replay()
      expect(again.err).toContain(
        `replay ${failed.runId} is discarded: the rejects of run ${first.runId} are sent again\n`
      )
      const all = yield* lines("n.jsonl")
      expect(all.toSorted()).toEqual(["1", "2", "3", "4"].map((n) => JSON.stringify({ n })))
      // It fails without a reject; a later run publishes the rows.
      yield* define(steps("false").replace("onFail: reject", "onFail: fail"))
      const { report: broken } = yield* run()
      expect(broken).toMatchObject({ status: "failed", rejects: 0 })
      yield* define(steps("true"))
      const whole = yield* replay(broken.runId)
      expect(whole.report, whole.err).toMatchObject({ status: "completed", rows: 4 })
      yield* define(steps("false").replace("onFail: reject", "onFail: fail"))
      const { report: last } = yield* run()
      yield* define(steps("true"))
      const { report: later } = yield* run()
      const refused = yield* replay(last.runId)
      expect(refused.err).toBe(
        `error: nothing of run ${last.runId} can be replayed: run ${later.runId} has published its rows since then. sluice discard ${last.runId} drops this run\n`
      )
    }
  )

  scoped(
    "runs a failed trial again although a later run has published its rows: a trial writes elsewhere",
    function* () {
      const steps = (expression: string) => `steps:
  - urls: [https://a.example/1, https://a.example/2]
  - select: { n: "${expression}" }
  - write: { jsonl: n.jsonl }
`
      const { define, replay, root, run } = yield* project(steps("$number(url)"))
      const words = [
        "run",
        `${root}/p.yaml`,
        "--out",
        `${root}/trial`,
        "--limit",
        "1",
        "--data",
        `${root}/data`,
        "--json"
      ]
      const trial = JSON.parse((yield* sluice(words)).out) as Report
      expect(trial.status).toBe("failed")
      yield* define(steps("$length(url)"))
      expect((yield* run()).report.status).toBe("completed")
      const again = yield* replay(trial.runId)
      expect(again.report, again.err).toMatchObject({ status: "completed", rows: 1 })
    }
  )

  scoped("accepts the definition of a run of an earlier version, although a newer check refuses it", function* () {
    const steps = (least: string) => `inputs: { least: { type: integer, default: 2 } }
steps:
  - urls: [https://a.example/1, https://a.example/x]
  - select: { n: "$number($substringAfter(url, 'example/')) + ${least}" }
  - write: { jsonl: n.jsonl }
`
    const { define, replay, root, run } = yield* project(steps("$inputs.least"))
    const { runId } = (yield* run()).report
    yield* define(steps("${{ inputs.least }}"))
    expect((yield* sluice(["contract", "init", `${root}/p.yaml`, "--data", `${root}/data`])).code).toBe(78)
    yield* withLedger(
      `${root}/data`,
      ({ connection: { sql } }) =>
        sql`UPDATE run_texts SET definition = replace(definition, '$inputs.least', ${"${{ inputs.least }}"}) WHERE run_id = ${runId}`
    )
    const again = yield* replay(runId)
    expect(again.report, again.err).toMatchObject({ rows: 0, rejects: 1 })
    const learned = yield* sluice(["contract", "init", `${root}/p.yaml`, "--data", `${root}/data`])
    expect(learned.code, learned.err).toBe(0)
  })

  scoped.skipIf(skipsLong)(
    "says that the definition, or the code of its extensions, is not that of the run",
    function* () {
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
      const { runId } = first.report
      yield* writeText(`${root}/number.mjs`, numberOf("2"))
      // The replay has failed, so the rejects of its run are sent again.
      const { err, report } = yield* replay(unchanged.report.runId)
      expect(report).toMatchObject({ status: "completed", rows: 1, rejects: 0 })
      expect(err).toContain(
        `the code of its extensions (./steps.mts) has changed since run ${runId} began: the replay uses it as it is now\n`
      )
    }
  )

  for (const [step, config] of [
    ["scrape", "scrape: { formats: [markdown] }"],
    ["batchScrape", "batchScrape: { formats: [markdown] }"]
  ] as const) {
    scoped.skipIf(skipsLong)(
      `asks again for pages that ${step} could not have, with the row that they were asked for`,
      function* () {
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
      }
    )
  }

  scoped(
    "offers a rejected row again in the next run, and takes nothing for gone that it has not looked for",
    function* () {
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
    }
  )

  scoped.skipIf(skipsLong)(
    "that is stopped goes on by resume, and has the rows for itself",
    function* () {
      const { asked, url } = yield* serve
      // The first output has rows, so the first run publishes, and its rejects alone are replayed.
      const steps = (path: string) => `steps:
  - read: in.jsonl
    id: in
  - write: { jsonl: in-again.jsonl }
  - scrape: { url: { expr: "'${url}${path}' & id" }, formats: [markdown] }
    from: in
    retry: { times: 0 }
    concurrency: 1
  - select: { id: $source.id }
  - write: { jsonl: ids.jsonl }
`
      const { define, lines, replay, rejects, root, run } = yield* project(steps("/"), {
        "in.jsonl": '{"id":"a"}\n{"id":"b"}\n'
      })
      const { report: first } = yield* run()
      expect(first).toMatchObject({ status: "completed", rows: 2, rejects: 2 })
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
    },
    180_000
  )

  scoped(
    "says what it cannot take: unknown runs, runs that are not over, rejects of steps that take no rows",
    function* () {
      const steps = `steps:
  - read: { file: in.csv, columns: { n: integer } }
  - write: { jsonl: n.jsonl }
`
      const { define, replay, root, run } = yield* project(steps, { "in.csv": "n\n1\none\ntwo\n3\n" })
      const nothing = yield* replay("20260101T000000-aaaa")
      expect([nothing.code, nothing.err]).toEqual([
        1,
        `error: there is no ledger in ${root}/data: no pipeline has run with this data folder. Name another folder with --data.\n`
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
        "2 rejects of read cannot be replayed: the step makes its own rows, or is no longer in the definition; run the pipeline again"
      )
      expect(source.err).toContain(
        `nothing of run ${runId} can be replayed: no step of the definition can process its rejects again`
      )
      yield* define("steps: []\n")
      expect((yield* replay(runId)).code).toBe(78)
    }
  )
})
