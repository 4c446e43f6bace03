/** `sluice run --shard` and `sluice merge`: what machines that share a folder and no database promise; rarer cases: Shards.faults.test.ts. */

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { describe, expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { contents, numbers, rowsTo } from "./Numbers.ts"
import { commands, project, report, setFolder } from "./Shards.ts"
import * as Site from "./Site.ts"

describe("sluice run --shard and sluice merge", () => {
  scoped.skipIf(skipsLong)(
    "the outputs are those of one machine, in its order, also with the state of an earlier run; a second merge changes nothing",
    function* () {
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
    }
  )

  scoped.skipIf(skipsLong)(
    "a missing shard is named, with where it was and what to do, and nothing is merged",
    function* () {
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
      for (const part of [2, 3, 4]) yield* shard(part, 4)
      expect(yield* merge()).toMatchObject({ code: 0 })
    }
  )

  scoped("shards of another definition, with other inputs, another count or --backfill are refused", function* () {
    const root = yield* project(`${numbers.replace("steps:", "inputs: { tag: { type: string, default: a } }\nsteps:")}`)
    const { shard, shared } = commands(root)
    yield* shard(1, 2)
    const because = (reason: string) =>
      ({ code: 78, err: expect.stringContaining(`${reason}. Merge them first (sluice merge ${shared})`) }) as const
    expect(yield* shard(2, 3)).toMatchObject(because("are 2, not 3"))
    expect(yield* shard(2, 2, "-i", "tag=b")).toMatchObject(because("began with other inputs"))
    expect(yield* shard(2, 2, "--backfill")).toMatchObject(because("began without --backfill"))
    writeFileSync(`${root}/pipeline.yaml`, readFileSync(`${root}/pipeline.yaml`, "utf8").replace("* 2", "* 3"))
    expect(yield* shard(2, 2)).toMatchObject(because("began with another version of the definition, or of its code"))
  })

  scoped("what the cluster does not split is refused with its reason, before anything is read", function* () {
    const root = yield* project(
      "version: 1\nname: all\nsteps:\n  - read: rows.jsonl\n  - sort: { by: [id] }\n  - write: { csv: a.csv }\n"
    )
    const { shard, shared } = commands(root)
    const { code, err } = yield* shard(1, 2)
    expect(code).toBe(78)
    expect(err).toContain('all cannot run in shards: "sort" needs all rows, and no step before it could run in shards')
    expect(existsSync(`${shared}/.sluice`)).toBe(false)
    writeFileSync(`${root}/pipeline.yaml`, numbers.replace("steps:", "budget: { credits: 5, per: day }\nsteps:"))
    expect((yield* shard(1, 2)).err).toContain("its budget counts the credits of a day")
  })

  scoped.skipIf(skipsLong)(
    "rejects of all shards are those of the run: stopAfter counts them together, show and replay have them",
    function* () {
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
    }
  )

  scoped(
    "held outputs stay with their shards until they are published or discarded; then the next run may begin",
    function* () {
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
      expect(yield* merge()).toMatchObject({ code: 0, err: expect.stringContaining("nothing was changed") })
      expect(yield* shard(1, 2)).toMatchObject({ code: 0 })
    }
  )

  scoped.skipIf(skipsLong)(
    "a source that calls a service is read once, by source/N, and its credits are those of the run",
    function* () {
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
    }
  )

  scoped("words that are no shard are refused, and so are flags of a whole run", function* () {
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
        err: expect.stringContaining("is for a whole run")
      })
    }
    expect(yield* sluice(["run", `${root}/pipeline.yaml`, "--shard", "1/2"])).toMatchObject({ code: 2 })
    expect(yield* sluice(["merge", root])).toMatchObject({ code: 78, err: expect.stringContaining("has no shards") })
    rmSync(`${root}/.sluice`, { recursive: true, force: true })
  })
})
