import * as Effect from "effect/Effect"
import { serve as serveSite } from "../Engine/Scrape/Site.ts"
import { describe, expect, scoped } from "../It.ts"
import { behind } from "../Ledger/Ledgers.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, writeText } from "./Project.ts"
import { serve } from "./Site.ts"

const env = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }

/** A crawl of three pages, of which one title does not suit. */
const project = Effect.gen(function* () {
  const { url } = yield* serve
  const root = yield* folderOf({
    "p.yaml": `version: 1
name: pages
steps:
  - crawl: { url: "${url}", limit: 10, scrapeOptions: { formats: [markdown] } }
  - select: { title: "metadata.title = '/b' ? $number('x') : metadata.title" }
  - write: { jsonl: pages.jsonl }
`,
    "none.yaml": `version: 1
name: none
steps:
  - urls: ["${url}/a"]
  - select: { n: $number(url) }
  - write: { jsonl: none.jsonl }
`
  })
  const act = (words: ReadonlyArray<string>, surroundings: Parameters<typeof sluice>[1] = {}) =>
    sluice([...words, "--data", `${root}/data`], { env, ...surroundings })
  const run = (name: string) =>
    Effect.map(
      act(["run", `${root}/${name}.yaml`, "--out", `${root}/out`, "--json", "--quiet"]),
      ({ out }) => JSON.parse(out).runId as string
    )
  return { url, root, act, run }
})

describe("sluice show", () => {
  scoped.skipIf(skipsLong)(
    "tells of the newest run, unless told, what each step did and cost and what to do next; gives rejects, pages, one page and the log",
    function* () {
      const { act, root, run, url } = yield* project
      const id = yield* run("p")
      const { code, err, out } = yield* act(["show"])
      expect([code, err]).toEqual([0, ""])
      const lines = out.split("\n")
      expect(lines[0]).toBe(`pages  ${id}  completed`)
      expect(lines.find((line) => line.startsWith("  rows"))).toBe("  rows        2 rows, 1 reject, 3 credits")
      const cells = (step: string) =>
        lines
          .find((line) => line.startsWith(`  ${step} `))
          ?.trim()
          .split(/ +/)
      expect(cells("step")).toEqual(["step", "calls", "credits", "pages", "failed", "rejects", "open"])
      expect(cells("crawl")).toEqual(["crawl", "1", "3", "3", "0", "0", "0"])
      expect(cells("select")).toEqual(["select", "0", "0", "0", "0", "1", "1"])
      expect(lines).toContain(`  ${root}/out/pages.jsonl   2 rows`)
      expect(out).toContain(`sluice show ${id} --rejects`)
      expect(out).toContain(`sluice replay ${id}`)
      expect(out).not.toContain("sluice resume")
      expect(out).not.toContain("\u001b")
      expect(JSON.parse((yield* act(["show", id, "--json"])).out)).toMatchObject({
        runId: id,
        status: "completed",
        steps: [
          { step: "crawl", pages: 3, credits: 3 },
          { step: "select", rejects: 1, openRejects: 1 }
        ]
      })
      // Rejects and pages are lines of JSON.
      const [reject] = (yield* act(["show", id, "--rejects"])).out.trimEnd().split("\n")
      expect(JSON.parse(reject ?? "")).toMatchObject({ step: "select", error: "ExpressionFailed", key: `${url}/b` })
      const pages = (yield* act(["show", id, "--pages"])).out.trimEnd().split("\n")
      expect(pages.map((line) => JSON.parse(line).status)).toEqual([200, 200, 200])
      expect((yield* act(["show", id, "--pages", "--limit", "1"])).out.trimEnd().split("\n")).toHaveLength(1)
      const page = yield* act(["show", "--page", `${url}/b#top`])
      expect(page.out).toContain(`${url}/b  1 attempt`)
      expect(JSON.parse((yield* act(["show", "--page", `${url}/b`, "--json"])).out)).toMatchObject({
        key: `${url}/b`,
        pages: [{ runId: id, status: 200 }]
      })
      const never = yield* act(["show", "--page", `${url}/never`])
      expect([never.code, never.out, never.err]).toEqual([0, "", `no run has read ${url}/never\n`])
      const log = yield* act(["show", id, "--log"])
      expect([log.code, log.err]).toEqual([0, ""])
      expect(log.out).toMatch(new RegExp(`^\\S+Z info: started: pages of ${root}/p.yaml\\n`))
      expect(log.out).toMatch(/Z info: completed: 2 rows, 1 reject, 3 credits; \S+pages.jsonl \(2 rows\)\n$/)
      yield* behind(`${root}/data`, (sql) => sql`DELETE FROM run_logs`)
      expect(yield* act(["show", id, "--log"])).toMatchObject({
        code: 0,
        out: "",
        err: `run ${id} has no stored log\n`
      })
      expect((yield* act(["show", "--log", "--pages"])).err).toContain("--pages and --log cannot be combined")
    }
  )

  scoped.skipIf(skipsLong)("tells which pages had not changed, and books nothing for them", function* () {
    const etag = '"one"'
    const url = yield* serveSite((request, response) => {
      if (request.headers["if-none-match"] === etag) response.writeHead(304, { etag }).end()
      else if (request.url !== "/" && request.url !== "/a") response.writeHead(404).end()
      else
        response
          .writeHead(200, { "content-type": "text/html", etag })
          .end('<p>Herons wait.</p><a href="/a">a</a><a href="https://elsewhere.example/">e</a>')
    })
    const root = yield* folderOf({
      "p.yaml": `version: 1
name: pages
steps:
  - crawl: { url: "${url}", scrapeOptions: { formats: [markdown], onlyMainContent: false } }
  - sort: { by: metadata.sourceURL }
  - scrape: { url: "${url}/a" }
  - write: { jsonl: pages.jsonl }
`
    })
    const act = (...words: ReadonlyArray<string>) => sluice([...words, "--data", `${root}/data`], { env })
    // In the first run the crawl fetches both pages. The sort waits for its end, so that the scrape finds them unchanged.
    for (const [credits, saved] of [
      [2, 2],
      [0, 4]
    ]) {
      const { err } = yield* act("run", `${root}/p.yaml`, "--out", `${root}/out`)
      expect(err).toContain("  1 link not followed: 1 on other sites\n")
      const { out } = yield* act("show")
      expect(out).toContain("  crawl       1 link not followed: 1 on other sites\n")
      expect(out).toContain(`  rows        2 rows, 0 rejects, ${credits} credits\n`)
      expect(out).toContain(`  saved       ${saved} of 4 pages had not changed and were not sent again (304)\n`)
    }
    const steps = JSON.parse((yield* act("show", "--json")).out).steps
    expect(steps.map(({ unchangedPages }: { unchangedPages: number }) => unchangedPages)).toEqual([2, 2])
    const [page] = (yield* act("show", "--pages")).out.trimEnd().split("\n")
    expect(JSON.parse(page ?? "")).toMatchObject({ status: 200, unchanged: "notModified" })
    expect((yield* act("show", "--page", `${url}/a`)).out).toMatch(/ [0-9a-f]{12} unchanged\n/)
  })

  scoped(
    "suggests no resume where nothing is left to go on with, and says which part of a run cannot be read, where, and what to do",
    function* () {
      const { act, root, run } = yield* project
      const id = yield* run("none")
      const { out } = yield* act(["show", id])
      expect(out).toContain("the only row was rejected")
      expect(out).toContain(`sluice replay ${id}`)
      expect(out).not.toContain("sluice resume")
      expect((yield* act(["resume"])).err).toBe(
        "error: no run can be resumed: each run is complete, still running, or had all its rows rejected\n"
      )
      const resumed = yield* act(["resume", id])
      expect([resumed.code, resumed.err]).toEqual([
        1,
        `error: run ${id} cannot be resumed: all of its rows were rejected, and nothing is left to do: sluice replay ${id} sends them through again\n`
      ])
      yield* behind(`${root}/data`, (sql) => sql`UPDATE run_texts SET options = '{"limit":"x"}' WHERE run_id = ${id}`)
      for (const words of [
        ["show", id],
        ["resume", id]
      ]) {
        const { code, err, out } = yield* act(words)
        expect([code, out]).toEqual([1, ""])
        expect(err).toContain(
          `error: the ledger ${root}/data/ledger.db failed while reading the options of run ${id}: limit: `
        )
        expect(err).toContain("read it with that version, or start the run again")
      }
    }
  )

  scoped.skipIf(skipsLong)(
    "--health shows what the outputs looked like, field by field, and what was not as expected",
    function* () {
      const rows = (count: number) => Array.from({ length: count }, (_, n) => `{"id":${n},"name":"n${n}"}\n`).join("")
      const root = yield* folderOf({
        "p.yaml": "version: 1\nname: shop\nsteps:\n  - read: rows.jsonl\n  - write: { jsonl: out.jsonl }\n",
        "off.yaml":
          "version: 1\nname: off\nhealth: off\nsteps:\n  - read: rows.jsonl\n  - write: { jsonl: off.jsonl }\n",
        "rows.jsonl": rows(50)
      })
      const act = (...words: ReadonlyArray<string>) => sluice([...words, "--data", `${root}/data`])
      const run = (name: string) => act("run", `${root}/${name}.yaml`, "--out", `${root}/out`, "--json")
      for (let n = 0; n < 5; n++) yield* run("p")
      yield* writeText(`${root}/rows.jsonl`, rows(9))
      const { err, out: report } = yield* run("p")
      const id = JSON.parse(report).runId
      expect(err.split("out.jsonl: rows: expected 50, got 9")).toHaveLength(2)
      const { code, out } = yield* act("show", "--health")
      expect(code).toBe(0)
      expect(out).toBe(`shop  ${id}  held
  rows      read 9, write 9
  rejected  0 %

write  out.jsonl  9 rows
  broken  out.jsonl: rows: expected 50, got 9
  field   filled   types    distinct   length (10 · 50 · 90 %)   number (10 · 50 · 90 %)
  id       100 %   number      100 %                                           1 · 4 · 7
  name     100 %   text        100 %                 2 · 2 · 2
`)
      const json = JSON.parse((yield* act("show", id, "--health", "--json")).out)
      expect(json).toMatchObject({
        runId: id,
        status: "held",
        verdicts: [{ sink: "write", metric: "rows", level: "broken", message: "out.jsonl: rows: expected 50, got 9" }],
        run: { steps: { read: 9, write: 9 }, pages: 0 },
        sinks: { write: { rows: 9, fields: { name: { fill: 1, types: { text: 1 } } } } }
      })
      yield* run("off")
      expect((yield* act("show", "--health")).err).toContain("was not measured: it is a trial")
    }
  )

  scoped("is coloured for people only, and says what it cannot show", function* () {
    const { act, root, run } = yield* project
    expect((yield* act(["show"])).err).toBe(
      `error: there is no ledger in ${root}/data: no pipeline has run with this data folder. Name another folder with --data.\n`
    )
    const id = yield* run("none")
    expect((yield* act(["show"], { tty: true })).out).toContain("\u001b[1mnone\u001b[22m")
    expect((yield* act(["show"], { tty: true, env: { ...env, NO_COLOR: "1" } })).out).not.toContain("\u001b")
    const cases: ReadonlyArray<readonly [words: ReadonlyArray<string>, code: number, said: string]> = [
      [["show", "x"], 1, `error: the ledger has no run x: the newest is ${id}; sluice runs lists them\n`],
      [["show", "--limit", "0"], 2, "--limit takes a whole number of 1 or more"],
      [["show", id, "--rejects", "--pages"], 2, "--rejects and --pages cannot be combined: leave one of them out"],
      [["show", id, "--health", "--rejects"], 2, "--rejects and --health cannot be combined: leave one of them out"],
      [["show", id, "--page", "https://a.example"], 2, "--page looks at every run: leave the run's id out"]
    ]
    for (const [words, code, said] of cases) {
      const got = yield* act(words)
      expect([got.code, got.out], got.err).toEqual([code, ""])
      expect(got.err).toContain(said)
    }
  })
})
