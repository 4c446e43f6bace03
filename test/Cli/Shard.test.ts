/** `sluice run --shard` and `sluice merge`: what machines that share a folder and no database promise. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ShardAttempt from "../../src/Cluster/ShardAttempt.ts"
import * as ShardSet from "../../src/Cluster/ShardSet.ts"
import { checked, client } from "../Cluster/Ground.ts"
import { run } from "../Ledger/Ledgers.ts"
import { sluice } from "./Console.ts"
import { contents, numbers, rowsTo } from "./Numbers.ts"
import { folderOf, platform } from "./Project.ts"
import * as Site from "./Site.ts"

const project = (definition = numbers, rows = rowsTo(25)) =>
  folderOf({ "pipeline.yaml": definition, "rows.jsonl": rows })

/** The commands of a project. Shards have a data folder each, as on machines of their own. */
const commands = (root: string, shared = `${root}/shared`) => ({
  shared,
  shard: (part: number | string, of: number, ...more: ReadonlyArray<string>) =>
    sluice(
      [
        "run",
        `${root}/pipeline.yaml`,
        "--shard",
        `${part}/${of}`,
        "--out",
        shared,
        "--data",
        `${root}/node-${part}`,
        ...more
      ],
      // Sites of tests are on this machine.
      { cwd: root, env: { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" } }
    ),
  merge: (...more: ReadonlyArray<string>) => sluice(["merge", shared, ...more], { cwd: root }),
  alone: (...more: ReadonlyArray<string>) =>
    sluice(["run", `${root}/pipeline.yaml`, "--out", `${root}/alone`, "--data", `${root}/alone-data`, ...more], {
      cwd: root
    })
})

const setFolder = (shared: string, number = 1) => `${shared}/.sluice/shards/${String(number).padStart(4, "0")}`

const report = ({ out }: { readonly out: string }) => JSON.parse(out)

describe("sluice run --shard and sluice merge", () => {
  it.scoped(
    "the outputs are those of one machine, in its order, also with the state of an earlier run; a second merge changes nothing",
    () =>
      Effect.gen(function* () {
        const root = yield* project()
        const { alone, merge, shard, shared } = commands(root)
        for (const last of [25, 40]) {
          writeFileSync(`${root}/rows.jsonl`, rowsTo(last))
          // The order does not matter: the first shard reads the source.
          for (const part of [2, 1]) expect(yield* shard(part, 2)).toMatchObject({ code: 0 })
          const first = report(yield* merge("--json"))
          expect(yield* alone()).toMatchObject({ code: 0 })
          expect(contents(shared, "pages")).toBe(contents(`${root}/alone`, "pages"))
          expect(contents(shared, "all")).toBe(contents(`${root}/alone`, "all"))
          if (last === 40) continue
          expect(first.written).toEqual([
            { step: "write", name: "pages.jsonl", rows: 25 },
            { step: "write-2", name: "all.jsonl", rows: 25 }
          ])
          const { outputs, rows, runId } = first
          expect(report(yield* merge("--json"))).toMatchObject({ runId, status: "completed", rows, outputs })
          expect(contents(shared, "pages")).toBe(contents(`${root}/alone`, "pages"))
        }
        expect(contents(shared, "all").trim().split("\n")).toHaveLength(40)
        // No files of the shards are left.
        expect(readdirSync(setFolder(shared, 2))).toEqual(["merged.json"])
        expect(readdirSync(`${root}/node-1/shards`)).toEqual([])
      }).pipe(Effect.provide(platform))
  )

  it.scoped("a missing shard is named, with where it was and what to do, and nothing is merged", () =>
    Effect.gen(function* () {
      const root = yield* project()
      const { merge, shard, shared } = commands(root)
      yield* shard(1, 4)
      // Killed: its attempt is there and has no result.
      mkdirSync(`${setFolder(shared)}/shard.0003.0123abcd`)
      writeFileSync(
        `${setFolder(shared)}/shard.0003.0123abcd/attempt.json`,
        JSON.stringify({ host: "node7", begunAt: "2026-11-29T03:00:00.000Z" })
      )
      const { code, err } = yield* merge()
      expect(code).toBe(1)
      expect(err).toContain("nothing was merged, because 3 of 4 shards")
      expect(err).toContain("2/4 was never started")
      expect(err).toContain("3/4 was started on node7 at 2026-11-29T03:00:00.000Z, and has not ended")
      expect(err).toContain(`sluice run FILE --shard 2/4 --out ${shared}`)
      expect(existsSync(`${shared}/pages.0000.jsonl`)).toBe(false)
    }).pipe(Effect.provide(platform))
  )

  it.scoped("a shard that failed says why in merge, and leaves none of its files", () =>
    Effect.gen(function* () {
      const root = yield* project(
        numbers
          .replace("key: twice", "key: id")
          .replace(
            "select: { id: id, twice: id * 2 }",
            "select: { id: id, n: '$number(word)' }\n    onError: { reject: true, stopAfter: 2 }"
          ),
        `${rowsTo(4).replaceAll("}", ',"word":"1"}')}${rowsTo(8, 5).replaceAll("}", ',"word":"no"}')}`
      )
      const { merge, shard, shared } = commands(root)
      yield* shard(1, 2)
      expect((yield* shard(2, 2)).code).toBe(3)
      expect((yield* merge()).err).toMatch(/2\/2 failed on \S+ at \S+: .*stopAfter/)
      const [left = ""] = readdirSync(setFolder(shared)).filter((name) => /^shard\.0002\.\w{8}$/.test(name))
      expect(readdirSync(`${setFolder(shared)}/${left}`)).toEqual(["attempt.json"])
    }).pipe(Effect.provide(platform))
  )

  it.scoped(
    "a repeated shard takes the place of its own result, with the same rows, although the source has changed",
    () =>
      Effect.gen(function* () {
        const root = yield* project()
        const { merge, shard, shared } = commands(root)
        for (const part of [1, 2]) yield* shard(part, 2)
        writeFileSync(`${root}/rows.jsonl`, rowsTo(90, 50))
        expect(yield* shard(1, 2)).toMatchObject({ code: 0 })
        yield* merge()
        expect(contents(shared, "pages").trim().split("\n")).toHaveLength(25)
        expect(JSON.parse(contents(shared, "pages.0000").split("\n")[0] ?? "")).toEqual({ id: 1, twice: 2 })
      }).pipe(Effect.provide(platform))
  )

  it.scoped("shards of another definition, with other inputs, another count or --backfill are refused", () =>
    Effect.gen(function* () {
      const root = yield* project(
        `${numbers.replace("steps:", "inputs: { tag: { type: string, default: a } }\nsteps:")}`
      )
      const { shard, shared } = commands(root)
      yield* shard(1, 2)
      const because = (reason: string) =>
        ({ code: 78, err: expect.stringContaining(`${reason}. Merge them first (sluice merge ${shared})`) }) as const
      expect(yield* shard(2, 3)).toMatchObject(because("are 2, not 3"))
      expect(yield* shard(2, 2, "-i", "tag=b")).toMatchObject(because("began with other inputs"))
      expect(yield* shard(2, 2, "--backfill")).toMatchObject(because("began without --backfill"))
      writeFileSync(`${root}/pipeline.yaml`, readFileSync(`${root}/pipeline.yaml`, "utf8").replace("* 2", "* 3"))
      expect(yield* shard(2, 2)).toMatchObject(because("began with another version of the definition, or of its code"))
    }).pipe(Effect.provide(platform))
  )

  it.scoped("once merge has taken the results, a late shard changes nothing", () =>
    Effect.gen(function* () {
      const root = yield* project()
      const { merge, shard, shared } = commands(root)
      for (const part of [1, 2]) yield* shard(part, 2)
      // As after a merge that was killed when it had taken them.
      const results = [1, 2].map((part) =>
        JSON.parse(readFileSync(`${setFolder(shared)}/shard.000${part}.json`, "utf8"))
      )
      writeFileSync(`${setFolder(shared)}/merge.json`, JSON.stringify({ results }))
      expect(yield* shard(1, 2)).toMatchObject({ code: 78, err: expect.stringContaining("merge has taken the shards") })
      expect(yield* merge()).toMatchObject({ code: 0 })
      expect(contents(shared, "pages").trim().split("\n")).toHaveLength(25)
    }).pipe(Effect.provide(platform))
  )

  it.scoped("what the cluster does not split is refused with its reason, before anything is read", () =>
    Effect.gen(function* () {
      const root = yield* project(
        "version: 1\nname: all\nsteps:\n  - read: rows.jsonl\n  - sort: { by: [id] }\n  - write: { csv: a.csv }\n"
      )
      const { shard, shared } = commands(root)
      const { code, err } = yield* shard(1, 2)
      expect(code).toBe(78)
      expect(err).toContain('all cannot run in shards: "sort" sees all rows, right behind the source')
      expect(existsSync(`${shared}/.sluice`)).toBe(false)
      writeFileSync(`${root}/pipeline.yaml`, numbers.replace("steps:", "budget: { credits: 5, per: day }\nsteps:"))
      expect((yield* shard(1, 2)).err).toContain("its budget counts the credits of a day")
    }).pipe(Effect.provide(platform))
  )

  it.scoped("more shards than rows: the others are empty, and succeed", () =>
    Effect.gen(function* () {
      const root = yield* project(numbers, rowsTo(1))
      const { merge, shard, shared } = commands(root)
      for (const part of [1, 2]) expect(yield* shard(part, 2)).toMatchObject({ code: 0 })
      expect(yield* merge()).toMatchObject({ code: 0 })
      expect(contents(shared, "pages")).toBe('{"id":1,"twice":2}\n')
    }).pipe(Effect.provide(platform))
  )

  it.scoped("without a shared folder: the source is read first, and folders are copied into one", () =>
    Effect.gen(function* () {
      const root = yield* project()
      const { shard, shared } = commands(root)
      expect((yield* shard("source", 2)).err).toContain("has 25 rows")
      const machines = [1, 2].map((part) => `${root}/machine-${part}`)
      for (const [index, machine] of machines.entries()) {
        cpSync(shared, machine, { recursive: true })
        expect(yield* commands(root, machine).shard(index + 1, 2)).toMatchObject({ code: 0 })
      }
      const { merge, shared: merged } = commands(root, `${root}/merged`)
      for (const machine of machines) cpSync(machine, merged, { recursive: true })
      expect(yield* merge()).toMatchObject({ code: 0 })
      expect(contents(merged, "pages").trim().split("\n")).toHaveLength(25)
    }).pipe(Effect.provide(platform))
  )

  it.scoped("shards that each read the source in a folder of their own are no run", () =>
    Effect.gen(function* () {
      const root = yield* project()
      const { merge, shared } = commands(root)
      for (const part of [1, 2]) {
        yield* commands(root, `${root}/machine-${part}`).shard(part, 2)
        cpSync(`${root}/machine-${part}`, shared, { recursive: true })
      }
      expect(yield* merge()).toMatchObject({
        code: 78,
        err: expect.stringMatching(
          /shard 1\/2 is of run \S+, and \S+ has run \S+: .*read the source first \(--shard source\/2\)/
        )
      })
    }).pipe(Effect.provide(platform))
  )

  it.scoped(
    "rejects of all shards are those of the run: stopAfter counts them together, show and replay have them",
    () =>
      Effect.gen(function* () {
        const words = Array.from(
          { length: 20 },
          (_, index) => `${JSON.stringify({ id: index, word: index % 5 ? "1" : "no" })}\n`
        )
        const definition = (share: string) =>
          `version: 1\nname: words\nsteps:\n  - read: rows.jsonl\n  - select: { id: id, n: '$number(word)' }\n    onError: { reject: true, stopAfter: ${share} }\n  - write: { jsonl: pages.jsonl }\n`
        const root = yield* project(definition("50%"), words.join(""))
        const { merge, shard, shared } = commands(root)
        for (const part of [1, 2]) expect(yield* shard(part, 2)).toMatchObject({ code: 0 })
        expect(report(yield* merge("--json"))).toMatchObject({ rows: 16, rejects: 4 })
        const runs = report(yield* sluice(["runs", "--data", `${shared}/.sluice`, "--json"]))
        expect(runs).toHaveLength(1)
        const shown = yield* sluice(["show", "--rejects", "--data", `${shared}/.sluice`])
        expect(shown.out.match(/select/g)?.length).toBeGreaterThanOrEqual(4)
        writeFileSync(`${root}/pipeline.yaml`, definition("10%"))
        for (const part of [1, 2]) yield* shard(part, 2)
        expect(yield* merge()).toMatchObject({ code: 3, err: expect.stringContaining("rejected 4 rows of all shards") })
        expect(report(yield* sluice(["runs", "--data", `${shared}/.sluice`, "--json"]))[0]).toMatchObject({
          status: "failed"
        })
        // A second try says the same.
        expect((yield* merge()).code).toBe(3)
      }).pipe(Effect.provide(platform))
  )

  it.scoped("a merge that failed is continued by resume, too, and reads nothing again", () =>
    Effect.gen(function* () {
      const root = yield* project()
      const { merge, shard, shared } = commands(root)
      for (const part of [1, 2]) yield* shard(part, 2)
      // A folder stands where an output goes.
      mkdirSync(`${shared}/all.jsonl/held`, { recursive: true })
      const failed = yield* merge("--json")
      expect(failed.code).toBe(1)
      rmSync(`${shared}/all.jsonl`, { recursive: true })
      const resumed = yield* sluice(["resume", "--data", `${shared}/.sluice`, "--json"], { cwd: root })
      expect(report(resumed)).toMatchObject({ status: "completed", runId: report(failed).runId })
      expect(contents(shared, "all").trim().split("\n")).toHaveLength(25)
      expect(readdirSync(setFolder(shared))).toEqual(["merged.json"])
    }).pipe(Effect.provide(platform))
  )

  it.scoped(
    "held outputs stay with their shards until they are published or discarded; then the next run may begin",
    () =>
      Effect.gen(function* () {
        const root = yield* project(numbers.replace("steps:", "health: { rows: { min: 100 } }\nsteps:"))
        const { merge, shard, shared } = commands(root)
        for (const part of [1, 2]) yield* shard(part, 2)
        const { runId } = report(yield* merge("--json"))
        expect(yield* merge()).toMatchObject({ code: 6, err: expect.stringContaining(`sluice publish ${runId}`) })
        expect(yield* shard(1, 2)).toMatchObject({ code: 78 })
        expect(yield* sluice(["publish", runId, "--data", `${shared}/.sluice`], { cwd: root })).toMatchObject({
          code: 0
        })
        expect(contents(shared, "pages").trim().split("\n")).toHaveLength(25)
        expect(yield* shard(1, 2)).toMatchObject({ code: 0 })
      }).pipe(Effect.provide(platform))
  )

  it.scoped("a source that calls a service is read once, by source/N, and its credits are those of the run", () =>
    Effect.gen(function* () {
      const { url } = yield* Site.serve
      const root = yield* project(
        `version: 1\nname: site\nsteps:\n  - crawl: { url: ${url}, limit: 5 }\n  - select: { url: metadata.sourceURL }\n  - write: { jsonl: pages.jsonl }\n`
      )
      const { merge, shard, shared } = commands(root)
      expect(yield* shard(1, 2)).toMatchObject({
        code: 78,
        err: expect.stringContaining(`sluice run FILE --shard source/2 --out ${shared}`)
      })
      for (const part of ["source", 1, 2]) expect(yield* shard(part, 2)).toMatchObject({ code: 0 })
      const { credits, rows } = report(yield* merge("--json"))
      expect(rows).toBe(3)
      // One for each page.
      expect(credits).toBe(3)
    }).pipe(Effect.provide(platform))
  )

  it.scoped("calls, pages and credits of all shards are those of the run", () =>
    Effect.gen(function* () {
      const { url } = yield* Site.serve
      const root = yield* project(
        `version: 1\nname: site\nsteps:\n  - read: rows.jsonl\n  - scrape: { formats: [markdown] }\n    rate: 5/s\n  - select: { url: metadata.sourceURL }\n  - write: { jsonl: pages.jsonl }\n`,
        ["", "a", "b"].map((name) => `${JSON.stringify({ url: `${url.replace(/\/$/, "")}/${name}` })}\n`).join("")
      )
      const { merge, shard, shared } = commands(root)
      for (const part of [1, 2]) expect(yield* shard(part, 2)).toMatchObject({ code: 0 })
      expect(report(yield* merge("--json"))).toMatchObject({ rows: 3, credits: 3 })
      const { out } = yield* sluice(["show", "--data", `${shared}/.sluice`])
      expect(out).toMatch(/scrape +3 +3 +3 /)
    }).pipe(Effect.provide(platform))
  )

  it.scoped(
    "a process that continues an attempt which another one has ended meanwhile leaves its result as it is",
    () =>
      Effect.gen(function* () {
        const root = yield* project()
        const { merge, shard, shared } = commands(root)
        for (const part of [1, 2]) yield* shard(part, 2)
        const set = yield* ShardSet.current(shared)
        const result = yield* ShardSet.resultOf(set, 2)
        const record = {
          ...run("found"),
          progress: null,
          bytes: 0,
          credits: 0,
          unpriced: 0,
          rows: 0,
          rejects: 0,
          outputs: undefined,
          updatedAt: 0
        }
        const folder = `${setFolder(shared)}/${result?.attempt}`
        const files = () =>
          ["ledger.jsonl", "attempt.json"].map((name) => [name, readFileSync(`${folder}/${name}`, "utf8")])
        const before = files()
        const definition = yield* checked(root, numbers)
        for (const status of ["completed", "stopped"] as const) {
          const left = {
            name: String(result?.attempt),
            run: String(result?.run),
            record: { ...record, status },
            figures: {}
          }
          const failed = yield* Effect.flip(
            ShardAttempt.execute(
              set,
              2,
              left,
              0,
              () => definition,
              (ended) => ShardSet.put(set, 2, ended),
              {
                shared,
                share: { shard: 2, of: 2 },
                dataDir: `${root}/node-2`,
                backfill: false,
                allowCode: false,
                place: { env: { env: {}, secrets: () => undefined }, serve: () => Effect.succeed({ client }) },
                began: () => Effect.void
              }
            )
          )
          expect(failed.message).toContain("another process has ended")
          expect(yield* ShardSet.resultOf(set, 2)).toEqual(result)
          expect(files()).toEqual(before)
          expect(readdirSync(`${root}/node-2/shards`)).toEqual([])
        }
        expect(yield* merge()).toMatchObject({ code: 0 })
        expect(contents(shared, "pages").trim().split("\n")).toHaveLength(25)
      }).pipe(Effect.provide(platform))
  )

  it.scoped("each shard has its part of the budget", () =>
    Effect.gen(function* () {
      const root = yield* project(numbers.replace("steps:", "budget: { rows: 20, onReached: publish }\nsteps:"))
      const { merge, shard, shared } = commands(root)
      for (const part of [1, 2]) expect(yield* shard(part, 2)).toMatchObject({ code: 0 })
      expect((yield* merge()).code).toBe(4)
      const rows = `${contents(shared, "pages")}${contents(shared, "all")}`.trim().split("\n").length
      expect(rows).toBeLessThanOrEqual(20)
      expect(readdirSync(setFolder(shared))).toEqual(["merged.json"])
    }).pipe(Effect.provide(platform))
  )

  it.scoped("words that are no shard are refused, and so are flags of a whole run", () =>
    Effect.gen(function* () {
      const root = yield* project()
      const { shard } = commands(root)
      for (const part of ["0", "11", "x", "-1"]) {
        expect(yield* shard(part, 10)).toMatchObject({
          code: 2,
          err: expect.stringContaining("from 1 to the number of shards")
        })
      }
      for (const flags of [
        ["--limit", "3"],
        ["--on", "cluster"],
        ["--budget", "3"],
        ["--from", "2024-01"]
      ]) {
        expect(yield* shard(1, 2, ...flags)).toMatchObject({
          code: 2,
          err: expect.stringContaining("is for a run as a whole")
        })
      }
      expect(yield* sluice(["run", `${root}/pipeline.yaml`, "--shard", "1/2"])).toMatchObject({ code: 2 })
      expect(yield* sluice(["merge", root])).toMatchObject({ code: 78, err: expect.stringContaining("has no shards") })
      rmSync(`${root}/.sluice`, { recursive: true, force: true })
    }).pipe(Effect.provide(platform))
  )
})
