/** Cluster runs after their end, from the command line of any machine. */

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { expect, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { place } from "../Postgres.ts"
import { describeBeside } from "../WithPostgres.ts"
import { sluice } from "./Console.ts"
import { folderOf, list } from "./Project.ts"

const definition = `version: 1
name: shared
steps:
  - read: in.jsonl
  - select: { id: id, n: "$number(n)" }
    onError: { reject: true, stopAfter: 3 }
  - write: { jsonl: out.jsonl }
`

const rows = (values: ReadonlyArray<string>) => values.map((n, id) => `${JSON.stringify({ id, n })}\n`).join("")

const project = fileURLToPath(new URL("../../", import.meta.url))

/** Follows a run while workers that leave when nothing is left to take come again and again. */
const worked = <A, E, R, B, E2, R2>(run: Effect.Effect<A, E, R>, worker: Effect.Effect<B, E2, R2>) =>
  Effect.raceFirst(run, Effect.forever(Effect.delay(worker, 1000)))

/** Commands of machines that share a database, each with a folder of its own. */
const machines = (root: string) =>
  Effect.map(place, (url) => {
    const on = (...words: ReadonlyArray<string>) => sluice(words, { env: { SLUICE_DATABASE_URL: url }, cwd: tmpdir() })
    return {
      on,
      /** Hands a run in that a worker carries out, and gives what was said of it. */
      run: (file: string) =>
        Effect.map(
          worked(
            on("run", `${root}/${file}`, "--on", "cluster", "--shard-rows", "3", "--out", root, "--json"),
            on("worker", "--drain", "--data", `${root}/w`, "--quiet")
          ),
          (run) => ({ ...run, report: JSON.parse(run.out) })
        )
    }
  })

describeBeside("a run on many machines, looked at from any of them", () => {
  live.skipIf(skipsLong)(
    "gives a definition from outside the worker's project nothing, and names the flags of the worker",
    function* () {
      const root = yield* folderOf({
        "project/package.json": "{}",
        "worker/package.json": "{}",
        "project/in.jsonl": rows(["1", "2", "3", "4"]),
        "project/p.yaml": definition.replace("jsonl: out.jsonl", 'jsonl: "out-${{ env.GREETING }}.jsonl"')
      })
      const url = yield* place
      const env = { SLUICE_DATABASE_URL: url, GREETING: "hello" }
      const out = `${root}/out`
      const submit = ["run", `${root}/project/p.yaml`, "--on", "cluster", "--shard-rows", "3", "--out", out]
      const worker = ["worker", "--drain", "--data", `${root}/w`, "--quiet"]
      const { code, err } = yield* worked(
        sluice(submit, { env, cwd: `${root}/project` }),
        sluice(worker, { env, cwd: `${root}/worker` })
      )
      expect(code).not.toBe(0)
      expect(err).toContain("start the worker with --allow-env GREETING, or in the project")
      expect(err).not.toContain("allow it with")
      expect(yield* Effect.orElseSucceed(list(out), () => [])).not.toContain("out-hello.0000.jsonl")
    }
  )

  live.skipIf(skipsLong)(
    "has its rejects replayed by whichever machine, and its next run replaces all of its files",
    function* () {
      const root = yield* folderOf({ "shared.yaml": definition, "in.jsonl": rows(["1", "x", "3", "4", "5"]) })
      const { on, run } = yield* machines(root)
      writeFileSync(`${root}/out.jsonl`, "{}\n")
      const first = yield* run("shared.yaml")
      expect([first.code, first.report]).toMatchObject([0, { rows: 4, rejects: 1 }])
      // Its owner is unknown: it stays, and that is reported.
      expect(first.err).toContain(
        `${root}/out.jsonl has a name like the files of this run, but no run of this pipeline in the ledger has written it`
      )
      rmSync(`${root}/out.jsonl`)
      const mended = definition.replace("$number(n)", "n = 'x' ? 2 : $number(n)")
      writeFileSync(`${root}/shared.yaml`, mended)
      const replay = yield* on("replay", first.report.runId, "--data", `${root}/elsewhere`, "--json")
      expect([replay.code, JSON.parse(replay.out)], replay.err).toMatchObject([0, { rows: 1, rejects: 0 }])
      expect(readFileSync(`${root}/out.jsonl`, "utf8")).toBe('{"id":1,"n":2}\n')
      expect((yield* on("show", first.report.runId, "--rejects")).out).toBe("")
      const second = yield* run("shared.yaml")
      expect([second.code, second.report.rows, second.err]).toEqual([0, 5, expect.not.stringContaining("beside")])
      expect((yield* list(root)).filter((name) => name.startsWith("out")).toSorted()).toEqual([
        "out.0000.jsonl",
        "out.0001.jsonl"
      ])
    }
  )

  live.skipIf(skipsLong)(
    "writes a trial to a folder of its own, and replaces nothing of a real run in one that was given",
    function* () {
      const root = yield* folderOf({ "shared.yaml": definition, "in.jsonl": rows(["1", "2", "3", "4", "5"]) })
      const { on, run } = yield* machines(root)
      expect((yield* run("shared.yaml")).report).toMatchObject({ rows: 5 })
      const names = () => Effect.map(list(root), (all) => all.filter((name) => name.startsWith("out")).toSorted())
      const before = [yield* names(), readFileSync(`${root}/out.0000.jsonl`, "utf8")]
      const trial = (...words: ReadonlyArray<string>) =>
        Effect.map(
          worked(
            on("run", `${root}/shared.yaml`, "--on", "cluster", "--limit", "2", "--json", ...words),
            on("worker", "--drain", "--data", `${root}/w`, "--quiet")
          ),
          ({ code, out }) => ({ code, report: JSON.parse(out) })
        )
      const refused = yield* trial("--out", root)
      expect(refused.report.error?.message ?? "", JSON.stringify(refused)).toContain("a trial (--limit) replaces only")
      expect([yield* names(), readFileSync(`${root}/out.0000.jsonl`, "utf8")]).toEqual(before)
      const own = yield* trial("--out", `${root}/look`)
      expect([own.code, own.report]).toMatchObject([0, { rows: 2 }])
      // The same again: what a trial has written a trial replaces.
      expect((yield* trial("--out", `${root}/look`)).code).toBe(0)
      // A file that was written meanwhile stays.
      writeFileSync(`${root}/look/out.0000.jsonl`, "mine\n")
      expect((yield* trial("--out", `${root}/look`)).report.error?.message).toContain("a trial (--limit) replaces only")
      expect(readFileSync(`${root}/look/out.0000.jsonl`, "utf8")).toBe("mine\n")
      const free = yield* trial()
      const [output] = free.report.outputs
      expect(output.path).toContain(`/.sluice/trial/shared/${free.report.runId}/out.0000.jsonl`)
      rmSync(output.path.slice(0, output.path.lastIndexOf("/")), { recursive: true })
      expect([yield* names(), readFileSync(`${root}/out.0000.jsonl`, "utf8")]).toEqual(before)
    }
  )

  live.skipIf(skipsLong)("shows what its shards have rejected and done when it failed before its end", function* () {
    const root = yield* folderOf({ "shared.yaml": definition, "in.jsonl": rows(["1", "x", "3", "x", "x", "x"]) })
    const { on, run } = yield* machines(root)
    const { code, report } = yield* run("shared.yaml")
    expect([code, report.status]).toEqual([3, "failed"])
    const shown = yield* on("show", report.runId, "--rejects")
    const rejects = shown.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    // The shard that failed has committed what it rejected.
    expect(rejects).toMatchObject([
      { step: "select", of: `${report.runId}.s0000`, row: { id: 1 } },
      ...[3, 4, 5].map((id) => ({ step: "select", of: `${report.runId}.s0001`, row: { id } }))
    ])
    const facts = JSON.parse((yield* on("show", report.runId, "--json")).out)
    expect(facts).toMatchObject({
      status: "failed",
      rows: 2,
      rejects: 4,
      steps: [{ step: "select", openRejects: 4 }]
    })
    const replay = yield* on("replay", report.runId)
    expect([replay.code, replay.err]).toEqual([1, expect.stringContaining(`sluice resume ${report.runId}`)])
    expect(existsSync(`${root}/out.0000.jsonl`)).toBe(false)
    // Once fixed, it continues in its own folder: finished shards stay as they are.
    const resume = (...words: ReadonlyArray<string>) => on("resume", report.runId, "--json", ...words)
    writeFileSync(`${root}/shared.yaml`, definition.replace("stopAfter: 3", "stopAfter: 5"))
    expect(yield* resume()).toMatchObject({ code: 78, err: expect.stringContaining("--with-current") })
    const resumed = yield* worked(resume("--with-current"), on("worker", "--drain", "--data", `${root}/w`, "--quiet"))
    expect([resumed.code, JSON.parse(resumed.out)], resumed.err).toMatchObject([0, { rows: 2, rejects: 4 }])
  })

  live.skipIf(skipsLong)("does not go on with a definition that is another one", function* () {
    const root = yield* folderOf({ "shared.yaml": definition, "in.jsonl": rows(["1"]) })
    const { on } = yield* machines(root)
    const run = yield* on("run", `${root}/shared.yaml`, "--on", "cluster", "--detach", "--out", root, "--json")
    const { runId } = JSON.parse(run.out)
    yield* on("stop", runId)
    for (const [from, to, why] of [
      ["read: in.jsonl", "read: other.jsonl", "its source reads something else"],
      ["  - write", "  - where: id > 0\n  - write", "its steps have changed"]
    ] as const) {
      writeFileSync(`${root}/shared.yaml`, definition.replace(from, to))
      expect(yield* on("resume", runId, "--with-current")).toMatchObject({
        code: 78,
        err: expect.stringContaining(why)
      })
    }
  })

  live.skipIf(skipsLong)(
    "continues with the current code of its extensions, when nothing else has changed",
    function* () {
      const code = (mark: string) => `import * as Effect from "${project}node_modules/effect/dist/esm/Effect.js"
import * as Schema from "${project}node_modules/effect/dist/esm/Schema.js"
import * as Step from "${project}src/Step/Custom.ts"
export const mark = Step.make({
  key: "mark",
  summary: "Marks rows.",
  example: "mark: {}",
  config: Schema.Struct({}),
  behaviour: { kind: "item", apply: (_, row) => Effect.succeed({ ...row, data: { mark: "${mark}" } }) }
})
`
      const root = yield* folderOf({
        "package.json": "{}",
        "own.yaml": `version: 1
name: own
extensions: ./steps.mts
steps:
  - read: in.jsonl
  - mark: {}
  - write: { jsonl: out.jsonl }
`,
        "in.jsonl": rows(["1"]),
        "steps.mts": code("before")
      })
      const env = { SLUICE_DATABASE_URL: yield* place }
      const on = (...words: ReadonlyArray<string>) => sluice(words, { env, cwd: root })
      const submit = ["run", `${root}/own.yaml`, "--on", "cluster", "--detach", "--out", root, "--json", "--allow-code"]
      const { err, out } = yield* on(...submit)
      const { runId } = JSON.parse(out)
      expect(runId, err).toBeTypeOf("string")
      yield* on("stop", runId)
      writeFileSync(`${root}/steps.mts`, code("after"))
      const resume = ["resume", runId, "--json", "--allow-code"]
      expect(yield* on(...resume)).toMatchObject({ code: 78, err: expect.stringContaining("--with-current") })
      const worker = on("worker", "--drain", "--data", `${root}/w`, "--quiet")
      const resumed = yield* worked(on(...resume, "--with-current"), worker)
      expect(resumed.code, resumed.err).toBe(0)
      expect(readFileSync(`${root}/out.0000.jsonl`, "utf8")).toBe('{"mark":"after"}\n')
    }
  )

  live.skipIf(skipsLong)("serves the site that its pipeline brings, where it is carried out", function* () {
    const site = yield* folderOf({ "index.html": "<h1>Here</h1>" })
    const root = yield* folderOf({
      "site.yaml": `version: 1
name: site
site: ${site}
steps:
  - urls: ["\${{ run.site }}/"]
  - scrape: { formats: [markdown] }
  - select: { text: markdown }
  - write: { jsonl: site.jsonl }
`
    })
    const { run } = yield* machines(root)
    const { code, err, report } = yield* run("site.yaml")
    expect([code, report.rows], err).toEqual([0, 1])
    expect(err).toContain("it serves its own `site`")
    expect(readFileSync(`${root}/site.jsonl`, "utf8")).toContain("Here")
  })
})
