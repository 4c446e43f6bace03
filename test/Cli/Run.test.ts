import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { command } from "../../src/Cli/Run.ts"
import { describe, expect, scoped } from "../It.ts"
import { engine, keys } from "../Local.ts"
import { skipsLong } from "../Long.ts"
import { makeTerminal, sluice } from "./Console.ts"
import { folderOf, list, readText } from "./Project.ts"
import { serve } from "./Site.ts"

const crawl = `version: 1
name: pages
inputs: { site: { type: url } }
steps:
  - crawl: { url: "\${{ inputs.site }}", limit: 10, scrapeOptions: { formats: [markdown] } }
  - select: { url: metadata.sourceURL, title: metadata.title }
  - write: { jsonl: pages.jsonl }
`

const rejecting = `version: 1
name: rejecting
steps:
  - urls: [http://127.0.0.1:1/a, http://127.0.0.1:1/b, http://127.0.0.1:1/c]
  - scrape: { formats: [markdown] }
    onError: { reject: true, stopAfter: 1 }
  - write: { jsonl: never.jsonl }
`

const open = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }

describe("sluice run", () => {
  scoped("runs the pipeline of init on its own site with the engine inside", function* () {
    const root = yield* folderOf()
    yield* sluice(["init", root])
    const { code, err, out } = yield* sluice([
      ...["run", `${root}/pipelines/first.yaml`],
      ...["--out", `${root}/out`, "--data", `${root}/data`]
    ])
    expect([code, out]).toEqual([0, ""])
    expect(err).toMatch(/^first: 3 rows, \d+ credits in [\d.]+ s\n {2}\S+first\.csv +3 rows +\d+ B\n$/)
    const [header, ...rows] = (yield* readText(`${root}/out/first.csv`)).trimEnd().split(/\r?\n/)
    expect(header).toBe("page,title,words")
    expect(rows.map((row) => row.split(",")[0]).sort()).toEqual(["/", "/gates.html", "/paddles.html"])
  })

  scoped("says how many rows are new, changed, unchanged and gone, also those that it does not write", function* () {
    const files = yield* FileSystem.FileSystem
    const root = yield* folderOf({
      "p.yaml":
        "version: 1\nname: p\nsteps:\n  - read: in.csv\n  - dedupe: { key: id, across: runs, changedWhen: n }\n  - write: { jsonl: new.jsonl }\n"
    })
    const run = (rows: string, ...words: ReadonlyArray<string>) =>
      Effect.zipRight(
        files.writeFileString(`${root}/in.csv`, `id,n\n${rows}`),
        sluice(["run", `${root}/p.yaml`, "--out", root, "--data", `${root}/data`, ...words])
      )
    expect((yield* run("a,1\nb,1\nc,1\n")).err).toMatch(/^p: 3 rows, 3 new in /)
    expect((yield* run("a,1\nb,2\nc,1\n")).err).toMatch(/^p: 1 row, 1 changed, 2 unchanged in /)
    const { out } = yield* run("a,1\nb,2\nc,3\nd,1\n", "--json")
    expect(JSON.parse(out)).toMatchObject({ rows: 2, changes: { new: 1, changed: 1, unchanged: 2 } })
    const last = ["show", "--data", `${root}/data`]
    expect((yield* sluice(last)).out).toContain("\n  changes     1 new, 1 changed, 2 unchanged\n")
    expect(JSON.parse((yield* sluice([...last, "--json"])).out)).toMatchObject({ changes: { new: 1, unchanged: 2 } })
    yield* files.writeFileString(
      `${root}/p.yaml`,
      (yield* readText(`${root}/p.yaml`)).replace("changedWhen: n", "emit: [gone]")
    )
    expect((yield* run("d,1\n")).err).toMatch(/^p: 3 rows, 1 unchanged, 3 gone in /)
    yield* files.writeFileString(
      `${root}/p.yaml`,
      "version: 1\nname: two\nsteps:\n  - read: in.csv\n  - dedupe: { key: id, across: runs, as: first }\n  - dedupe: { key: n, across: runs }\n"
    )
    expect((yield* run("a,1\nb,2\n")).err).toMatch(/^two: 2 rows, 2 new in /)
  })

  scoped("reports a crawl that fails once, without the address of its own engine, and without a price", function* () {
    const root = yield* folderOf({ "p.yaml": crawl })
    const words = ["run", `${root}/p.yaml`, "-i", "site=http://127.0.0.1:9", "--out", root, "--data", `${root}/data`]
    const { code, err } = yield* sluice(words)
    expect([code, err.split("is not on the public internet").length - 1]).toEqual([3, 1])
    expect(err).not.toMatch(/\/v2\/|127\.0\.0\.1:(?!9\/)|unknown price|warning/)
  })

  scoped.skipIf(skipsLong)("prints one object for scripts, also when it is quiet", function* () {
    const { url } = yield* serve
    const root = yield* folderOf({ "p.yaml": crawl })
    const words = ["run", `${root}/p.yaml`, "-i", `site=${url}`, "--out", root, "--data", `${root}/data`, "--json"]
    const { code, err, out } = yield* sluice([...words, "--quiet"], { env: open })
    expect([code, err]).toEqual([0, ""])
    const text = yield* readText(`${root}/pages.jsonl`)
    expect(JSON.parse(out)).toEqual({
      runId: expect.stringMatching(/^\w+-\w+$/),
      status: "completed",
      rows: 3,
      written: [{ step: "write", name: "pages.jsonl", rows: 3 }],
      rejects: 0,
      credits: expect.any(Number),
      unpricedCalls: 0,
      durationMs: expect.any(Number),
      resumable: false,
      outputs: [{ path: `${root}/pages.jsonl`, format: "jsonl", rows: 3, bytes: Buffer.byteLength(text) }]
    })
    expect(text.trimEnd().split("\n").length).toBe(3)
    // A trial has a folder of its own, says so, and leaves the real output as it is.
    const own = [...["run", `${root}/p.yaml`, "-i", `site=${url}`], ...["--data", `${root}/data`, "--limit", "1"]]
    const limited = yield* sluice([...own, "--json"], { env: open })
    const { outputs, runId } = JSON.parse(limited.out)
    expect(outputs).toMatchObject([{ path: `${root}/data/trial/pages/${runId}/pages.jsonl`, rows: 1 }])
    expect(limited.err).toContain(`data/trial/pages/${runId}/pages.jsonl`)
    expect(limited.err).toContain("Trial run (--limit 1): did not change the state or outputs of real runs.\n")
    expect(yield* readText(`${root}/pages.jsonl`)).toBe(text)
    const refused = yield* sluice([...words, "--limit", "1"], { env: open })
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining("already exists, and a trial")])
    expect(yield* readText(`${root}/pages.jsonl`)).toBe(text)
    const planned = yield* sluice(["plan", ...own.slice(1)], { env: open })
    expect(planned.out).toContain("data/trial/pages/{runId}/pages.jsonl (replace, new)")
    // The folder goes with its run; that of a real run stays.
    yield* sluice(["runs", "prune", "0s", "--keep", "0", "--data", `${root}/data`])
    expect(yield* list(`${root}/data/trial/pages`)).toEqual([])
    expect(yield* readText(`${root}/pages.jsonl`)).toBe(text)
  })

  scoped("draws its progress on a terminal, and takes it away at the end", function* () {
    const { url } = yield* serve
    const root = yield* folderOf({ "p.yaml": crawl })
    const { code, err } = yield* sluice(
      ["run", `${root}/p.yaml`, "-i", `site=${url}`, "--out", root, "--data", `${root}/data`],
      { env: { ...open, NO_COLOR: "1" }, tty: true }
    )
    expect(code).toBe(0)
    expect(err).toMatch(/⠋ {2}pages {2}━+ {2}0 pages {2}0 rows/)
    expect(err.slice(err.lastIndexOf("\r\u001b[2K"))).toContain("\u001b[2K✔ pages: 3 rows")
  })

  scoped("ends with 3 when a step rejects too many rows, and says where they are", function* () {
    const root = yield* folderOf({ "p.yaml": rejecting })
    const { code, err, out } = yield* sluice(
      ["run", `${root}/p.yaml`, "--out", root, "--data", `${root}/data`, "--json"],
      { env: open }
    )
    expect(code).toBe(3)
    expect(err).toMatch(
      /^rejecting failed after .* 1 reject; no output was written\n {2}\S+rejects\.jsonl +1 reject\n {2}Progress is saved\. Raise stopAfter, then: sluice resume \S+ --with-current\n/
    )
    expect(err).toMatch(/\nerror: \S+p\.yaml:5:5 {2}scrape: rejected 1 row, and stopAfter: 1 ends the run there/)
    const report = JSON.parse(out)
    expect(report).toMatchObject({ status: "failed", outputs: [], error: { code: "TooManyRejects" } })
    expect((yield* readText(report.rejectFile)).trimEnd().split("\n").length).toBe(report.rejects)
    expect(yield* list(root)).not.toContain("never.jsonl")
  })

  scoped("stops in order: no half-written file, its state told, the code of the signal", function* () {
    const { asked, url } = yield* serve
    const root = yield* folderOf({ "p.yaml": crawl })
    const stop = new AbortController()
    yield* Effect.forkScoped(Effect.tap(asked, () => stop.abort("SIGINT")))
    const { code, err, out } = yield* sluice(
      ["run", `${root}/p.yaml`, "-i", `site=${url}/silent`, "--out", `${root}/out`, "--data", `${root}/data`, "--json"],
      { env: open, stop: stop.signal }
    )
    expect(code).toBe(130)
    const { runId, ...report } = JSON.parse(out)
    // A job was begun, which may cost something: the run can go on with it.
    expect(report).toMatchObject({ status: "stopped", resumable: true, outputs: [] })
    expect(err).toMatch(/^pages was stopped after [\d.]+ s: 0 rows\nProgress is saved: sluice resume \S+\n$/)
    expect(yield* list(`${root}/out`)).toEqual([`pages.jsonl.${runId}.partial`])
  })

  scoped.skipIf(skipsLong)(
    "names the jobs that go on at a service when it is stopped, and none where it has started none",
    function* () {
      const service = yield* engine()
      const scraping = crawl.replace(
        /- crawl: .*/,
        '- urls: ["${{ inputs.site }}/silent"]\n  - scrape: { formats: [markdown] }'
      )
      for (const [definition, said] of [
        [crawl, new RegExp(`\\nJob [\\da-f-]{36} keeps running at ${service.baseUrl}\\.\\n$`)],
        [scraping, /\n(?:Nothing was done, and no files are left\.|Progress is saved: sluice resume \S+)\n$/]
      ] as const) {
        const { asked, url } = yield* serve
        const root = yield* folderOf({ "p.yaml": definition })
        const stop = new AbortController()
        yield* Effect.forkScoped(Effect.tap(asked, () => stop.abort("SIGINT")))
        const { code, err } = yield* sluice(
          [
            "run",
            `${root}/p.yaml`,
            ...["-i", `site=${definition === crawl ? `${url}/silent` : url}`],
            ...["--out", `${root}/out`, "--data", `${root}/data`]
          ],
          { env: { ...open, SLUICE_BASE_URL: service.baseUrl, SLUICE_API_KEY: keys.first }, stop: stop.signal }
        )
        expect(code, err).toBe(130)
        expect(err).toMatch(said)
      }
    }
  )

  scoped("ends before the first request when something is wrong, with one object all the same", function* () {
    const root = yield* folderOf({ "p.yaml": crawl, "wrong.yaml": "version: 1\nsteps: []\n", file: "" })
    const run = (file: string, ...words: ReadonlyArray<string>) => ["run", `${root}/${file}`, "--json", ...words]
    const site = ["-i", "site=https://example.com/"]
    const cases: ReadonlyArray<
      readonly [words: ReadonlyArray<string>, env: Record<string, string>, code: number, said: string]
    > = [
      [run("gone.yaml"), {}, 78, "gone.yaml: there is no such file; its folder has p.yaml, wrong.yaml"],
      [run("wrnog.yaml"), {}, 78, `wrnog.yaml: there is no such file, did you mean "${root}/wrong.yaml"?`],
      [run("wrong.yaml"), {}, 78, '"name" is missing'],
      [run("p.yaml"), {}, 78, "give it as --input site=…"],
      [run("p.yaml", ...site, "-i", "sit=1"), {}, 78, 'there is no input "sit", did you mean "site"?'],
      [
        run("p.yaml", ...site),
        { SLUICE_BASE_URL: "example.com", SLUICE_API_KEY: "k" },
        78,
        "the setting SLUICE_BASE_URL cannot be used: it is not an absolute address. Expected an address like https://"
      ],
      [run("p.yaml", ...site), { SLUICE_ALLOW_NETWORKS: "10.0.0.0/99" }, 78, "the setting SLUICE_ALLOW_NETWORKS"],
      [run("p.yaml", ...site), { SLUICE_ENGINE_KEYS: "abc" }, 78, "the setting SLUICE_ENGINE_KEYS cannot be used"],
      [run("p.yaml", ...site, "--data", `${root}/file/x`), {}, 1, "Choose another with --data or SLUICE_DATA"],
      [run("p.yaml", ...site, "--data", `${root}/d`, "--out", `${root}/file/x`), {}, 1, "may write to with --out"],
      [run("p.yaml", ...site, "--out", `${root}/file`), {}, 1, "it is a file. Name a folder"],
      [run("p.yaml", ...site), { SLUICE_BASE_URL: "https://x.example/v2", SLUICE_API_KEY: "k" }, 78, "it ends in /v2"]
    ]
    for (const [words, env, code, said] of cases) {
      const got = yield* sluice(words, { env: { SLUICE_DATA: `${root}/d`, ...env } })
      expect(got.code, got.err).toBe(code)
      expect(got.err).toContain(said)
      expect(
        got.err
          .trimEnd()
          .split("\n")
          .filter((line) => line.startsWith("error:")).length
      ).toBe(1)
      expect(JSON.parse(got.out)).toMatchObject({
        status: "failed",
        outputs: [],
        error: { message: expect.any(String) }
      })
    }
  })

  scoped("gives scripts one object, also when it is stopped before it began", function* () {
    const root = yield* folderOf({ "p.yaml": crawl })
    const stop = new AbortController()
    stop.abort("SIGINT")
    const words = ["run", `${root}/p.yaml`, "-i", "site=https://example.com/", "--json", "--data", `${root}/data`]
    const { code, err, out } = yield* sluice(words, { stop: stop.signal })
    expect([code, err]).toEqual([130, ""])
    expect(JSON.parse(out)).toMatchObject({ runId: null, status: "stopped", rows: 0, outputs: [] })
  })

  scoped("gives scripts one object, also when the fault is its own", function* () {
    const prepared = command.prepare({ file: ["p.yaml"], json: [""] })
    if ("fault" in prepared) throw new Error(prepared.fault)
    const { terminal, written } = makeTerminal()
    const fault = () => {
      throw new TypeError("x is not a function")
    }
    const broken = Layer.map(Path.layer, (context) =>
      Context.make(Path.Path, { ...Context.get(context, Path.Path), basename: fault, dirname: fault, resolve: fault })
    )
    const exit = yield* Effect.exit(
      Effect.provide(prepared.value.program(terminal, []), Layer.merge(FileSystem.layerNoop({}), broken))
    )
    expect(exit._tag).toBe("Failure")
    expect(JSON.parse(written.out)).toMatchObject({
      status: "failed",
      outputs: [],
      error: { code: "UnexpectedError", message: "x is not a function" }
    })
  })

  scoped("does not send a pipeline with its own site to a service that cannot reach it", function* () {
    const root = yield* folderOf()
    yield* sluice(["init", root])
    const { code, err } = yield* sluice(["run", `${root}/pipelines/first.yaml`], {
      env: { SLUICE_BASE_URL: "https://api.example.com", SLUICE_API_KEY: "k" }
    })
    expect(code).toBe(78)
    expect(err).toContain("the service cannot reach it (api.example.com): use the local engine: SLUICE_ENGINE=local")
  })

  scoped("says when the key is wrong, against a real service", function* () {
    const root = yield* folderOf({ "p.yaml": crawl })
    const Engine = yield* Effect.promise(() => import("../../src/Engine.ts"))
    const { baseUrl } = yield* Engine.start({ dataDir: `${root}/service` })
    const { code, err } = yield* sluice(
      ["run", `${root}/p.yaml`, "-i", "site=https://example.com/", "--out", root, "--data", `${root}/data`],
      { env: { SLUICE_BASE_URL: baseUrl, SLUICE_API_KEY: "fc-wrong" } }
    )
    expect(code).toBe(1)
    expect(err).toMatch(/error: \S+p\.yaml:5:5 {2}crawl: The key was refused/)
    expect(err).toContain("SLUICE_API_KEY")
    expect(err).not.toContain("fc-wrong")
  })
})
