/** Shards that fail, come late or are copied, and merges that go wrong. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as ShardAttempt from "../../src/Cluster/ShardAttempt.ts"
import * as ShardSet from "../../src/Cluster/ShardSet.ts"
import { checked, client } from "../Cluster/Ground.ts"
import { describe, expect, scoped } from "../It.ts"
import { run } from "../Ledger/Ledgers.ts"
import { sluice } from "./Console.ts"
import { contents, numbers, rowsTo } from "./Numbers.ts"
import { commands, project, report, setFolder } from "./Shards.ts"
import * as Site from "./Site.ts"

describe("sluice run --shard and sluice merge", () => {
  scoped("a shard that failed says why in merge, and leaves none of its files", function* () {
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
  })

  scoped(
    "a repeated shard takes the place of its own result, with the same rows, although the source has changed",
    function* () {
      const root = yield* project()
      const { merge, shard, shared } = commands(root)
      for (const part of [1, 2]) yield* shard(part, 2)
      writeFileSync(`${root}/rows.jsonl`, rowsTo(90, 50))
      expect(yield* shard(1, 2)).toMatchObject({ code: 0 })
      yield* merge()
      expect(contents(shared, "pages").trim().split("\n")).toHaveLength(25)
      expect(JSON.parse(contents(shared, "pages.0000").split("\n")[0] ?? "")).toEqual({ id: 1, twice: 2 })
    }
  )

  scoped("once merge has taken the results, a late shard changes nothing", function* () {
    const root = yield* project()
    const { merge, shard, shared } = commands(root)
    for (const part of [1, 2]) yield* shard(part, 2)
    // As after a merge that was killed when it had taken them.
    const results = [1, 2].map((part) => JSON.parse(readFileSync(`${setFolder(shared)}/shard.000${part}.json`, "utf8")))
    writeFileSync(`${setFolder(shared)}/merge.json`, JSON.stringify({ results }))
    expect(yield* shard(1, 2)).toMatchObject({
      code: 78,
      err: expect.stringContaining("merge has already taken the shards")
    })
    expect(yield* merge()).toMatchObject({ code: 0 })
    expect(contents(shared, "pages").trim().split("\n")).toHaveLength(25)
  })

  scoped("more shards than rows: the others are empty, and succeed", function* () {
    const root = yield* project(numbers, rowsTo(1))
    const { merge, shard, shared } = commands(root)
    for (const part of [1, 2]) expect(yield* shard(part, 2)).toMatchObject({ code: 0 })
    expect(yield* merge()).toMatchObject({ code: 0 })
    expect(contents(shared, "pages")).toBe('{"id":1,"twice":2}\n')
  })

  scoped("without a shared folder: the source is read first, and folders are copied into one", function* () {
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
  })

  scoped("shards that each read the source in a folder of their own are no run", function* () {
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
  })

  scoped("a merge that failed is continued by resume, too, and reads nothing again", function* () {
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
  })

  scoped("calls, pages and credits of all shards are those of the run", function* () {
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
  })

  scoped(
    "a process that continues an attempt which another one has ended meanwhile leaves its result as it is",
    function* () {
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
        expect(failed.message).toContain("another process has already finished")
        expect(yield* ShardSet.resultOf(set, 2)).toEqual(result)
        expect(files()).toEqual(before)
        expect(readdirSync(`${root}/node-2/shards`)).toEqual([])
      }
      expect(yield* merge()).toMatchObject({ code: 0 })
      expect(contents(shared, "pages").trim().split("\n")).toHaveLength(25)
    }
  )

  scoped("each shard has its part of the budget", function* () {
    const root = yield* project(numbers.replace("steps:", "budget: { rows: 20, onReached: publish }\nsteps:"))
    const { merge, shard, shared } = commands(root)
    for (const part of [1, 2]) expect(yield* shard(part, 2)).toMatchObject({ code: 0 })
    expect((yield* merge()).code).toBe(4)
    const rows = `${contents(shared, "pages")}${contents(shared, "all")}`.trim().split("\n").length
    expect(rows).toBeLessThanOrEqual(20)
    expect(readdirSync(setFolder(shared))).toEqual(["merged.json"])
  })
})
