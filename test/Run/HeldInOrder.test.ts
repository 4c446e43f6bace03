/** Held runs and what comes after them: nothing is lost, and nothing comes twice. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { skipsLong } from "../Long.ts"
import { jsonLines, project, rowsIn } from "../Project.ts"
import { manifestIn, wrongEntries } from "./Published.ts"

const articles = (from: number, count: number) => jsonLines(Array.from({ length: count }, (_, n) => ({ id: from + n })))

const idsIn = (file: string) => rowsIn(file).map(({ id }) => Number(id))
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

const frame = "health: { rows: { min: 10 } }\n"

type Project = Effect.Effect.Success<ReturnType<typeof project>>

const publishAll = ({ ledger, resume }: Project, steps: string, more = { frame }) =>
  Effect.gen(function* () {
    for (const id of yield* ledger.held.list("t")) {
      yield* ledger.held.release(id)
      expect((yield* resume(id, steps, more)).summary.status).toBe("completed")
    }
  })

describe("held runs of one pipeline", () => {
  it.live.skipIf(skipsLong)(
    "are published oldest first, also after runs that were published before them: each row once, with a manifest and without",
    () =>
      Effect.gen(function* () {
        const pipeline = yield* project()
        const { folder, run } = pipeline
        const steps =
          "  - read: in.jsonl\n  - dedupe: { key: id, across: runs }\n  - write: { jsonl: all.jsonl, mode: append }\n  - write: { jsonl: listed/all.jsonl, mode: append, manifest: true }\n"
        const go = (from: number, count: number) => {
          pipeline.write("in.jsonl", articles(from, count))
          return Effect.map(run(steps, { frame }), ({ summary }) => summary.status)
        }
        const again = (from: number, count: number) => {
          pipeline.write("in.jsonl", articles(from, count))
          return Effect.map(run(steps, { frame }), ({ emitted }) => emitted("dedupe").map(({ data }) => data.id))
        }
        expect(yield* go(0, 20)).toBe("completed")
        expect(yield* go(18, 7)).toBe("held")
        expect(yield* go(22, 8)).toBe("held")
        // It has seen the rows of the held ones.
        expect(yield* go(20, 25)).toBe("completed")
        expect(yield* go(43, 7)).toBe("held")
        yield* publishAll(pipeline, steps)
        const listed = join(folder, "listed")
        for (const file of [join(folder, "all.jsonl"), join(listed, "all.jsonl")])
          expect(idsIn(file).toSorted((a, b) => a - b)).toEqual(upTo(50))
        expect(yield* pipeline.ledger.held.list("t")).toEqual([])
        expect(wrongEntries(listed)).toEqual([])
        expect(manifestIn(listed)?.files).toMatchObject([{ path: "all.jsonl", rows: 50 }])
        // The keys of all of them are in the state, and no others.
        expect(yield* again(0, 53)).toEqual([50, 51, 52])
      }).pipe(Effect.scoped)
  )

  it.live("come again when one of them is discarded, and the rows of the others do not", () =>
    Effect.gen(function* () {
      const pipeline = yield* project()
      const { folder, ledger, run } = pipeline
      const steps =
        "  - read: in.jsonl\n  - dedupe: { key: id, across: runs }\n  - write: { jsonl: all.jsonl, mode: append }\n"
      const go = (from: number, count: number) => {
        pipeline.write("in.jsonl", articles(from, count))
        return run(steps, { frame })
      }
      yield* go(0, 20)
      const first = yield* go(15, 10)
      const second = yield* go(15, 15)
      expect([first.summary.status, second.summary.status]).toEqual(["held", "held"])
      expect([first.summary.rows, second.summary.rows]).toEqual([5, 5])
      yield* ledger.held.discard(first.runId, () => Effect.succeed(true), "user")
      yield* ledger.held.forget(first.runId)
      yield* publishAll(pipeline, steps)
      expect((yield* go(0, 40)).summary).toMatchObject({ status: "completed", rows: 15 })
      expect(idsIn(join(folder, "all.jsonl")).toSorted((a, b) => a - b)).toEqual(upTo(40))
    }).pipe(Effect.scoped)
  )

  it.live("do not take back what a later run has seen of the same row", () =>
    Effect.gen(function* () {
      const pipeline = yield* project()
      const { ledger, run, write } = pipeline
      const steps =
        "  - read: in.jsonl\n  - dedupe: { key: id, across: runs, changedWhen: price }\n  - write: { jsonl: all.jsonl, mode: append }\n"
      const go = (price: number, count: number) => {
        write("in.jsonl", jsonLines(upTo(count).map((id) => ({ id, price }))))
        return Effect.map(run(steps, { frame }), ({ summary }) => [summary.status, summary.rows])
      }
      expect(yield* go(1, 20)).toEqual(["completed", 20])
      expect(yield* go(2, 5)).toEqual(["held", 5])
      expect(yield* go(3, 20)).toEqual(["completed", 20])
      yield* publishAll(pipeline, steps)
      expect(yield* go(3, 20)).toEqual(["held", 0])
      expect(yield* ledger.held.list("t")).toHaveLength(1)
    }).pipe(Effect.scoped)
  )

  for (const [decision, after] of [
    ["discarded", ["new 30"]],
    [
      "published",
      [...upTo(5).map((id) => `changed ${id}`), ...upTo(20).flatMap((id) => (id < 5 || id === 7 ? [] : [`new ${id}`]))]
    ]
  ] as const) {
    it.live(`are not what later runs are compared with; ${decision} in the end, the next run puts the rows right`, () =>
      Effect.gen(function* () {
        const pipeline = yield* project()
        const { ledger, run, write } = pipeline
        const steps =
          "  - read: in.jsonl\n  - write: { jsonl: rows.jsonl, health: { rows: { min: 10 } } }\n  - dedupe: { key: id, across: runs, changedWhen: price, previous: [price], emit: [new, changed, gone] }\n  - write: { jsonl: all.jsonl, mode: append }\n"
        const go = (rows: ReadonlyArray<readonly [id: number, price: number | null]>) => {
          write("in.jsonl", jsonLines(rows.map(([id, price]) => ({ id, price }))))
          return Effect.map(run(steps), ({ emitted, runId, summary }) => ({
            id: runId,
            status: summary.status,
            found: emitted("dedupe").map(({ data }) => `${data.change} ${data.id ?? data.key}`),
            before: emitted("dedupe").map(({ data }) => data.previous)
          }))
        }
        const drop = (id: string) =>
          Effect.zipRight(
            ledger.held.discard(id, () => Effect.succeed(true), "user"),
            ledger.held.forget(id)
          )
        const good = upTo(20).map((id) => [id, 1] as const)
        yield* go(good)
        const first = yield* go([...upTo(5).map((id) => [id, null] as const), [30, 7]])
        expect([first.status, first.found.length]).toEqual(["held", 5 + 1 + 15])
        const second = yield* go(upTo(4).map((id) => [id, null] as const))
        // What waits in the first one does not come again, and a row that was never published is not gone.
        expect([second.status, second.found]).toEqual(["held", ["gone 4"]])
        yield* drop(second.id)
        const now = [...good.filter(([id]) => id !== 7), [7, 2] as const, [30, 7] as const]
        expect(yield* go(now)).toMatchObject({ status: "completed", found: ["changed 7"], before: [{ price: 1 }] })
        if (decision === "discarded") yield* drop(first.id)
        else yield* publishAll(pipeline, steps, { frame: "" })
        const last = yield* go(now)
        expect([last.status, last.found.toSorted()]).toEqual(["completed", [...after].toSorted()])
        expect((yield* go(now)).found).toEqual([])
      }).pipe(Effect.scoped)
    )
  }

  it.live("are published beside a file that a later run has replaced, and warn of it", () =>
    Effect.gen(function* () {
      const pipeline = yield* project()
      const { folder, ledger, resume, run, write } = pipeline
      const steps = "  - read: in.jsonl\n  - write: { jsonl: rows.jsonl }\n"
      write("in.jsonl", articles(0, 5))
      const held = yield* run(steps, { frame })
      write("in.jsonl", articles(5, 20))
      yield* run(steps, { frame })
      yield* ledger.held.release(held.runId)
      const { summary, warnings } = yield* resume(held.runId, steps, { frame })
      expect(summary.status).toBe("completed")
      const beside = join(folder, `rows-${held.runId}.jsonl`)
      expect(warnings).toContain(
        `a later run has written ${join(folder, "rows.jsonl")}: the rows of this run are published beside it, in ${beside}`
      )
      expect([idsIn(beside).length, idsIn(join(folder, "rows.jsonl")).length]).toEqual([5, 20])
    }).pipe(Effect.scoped)
  )

  it.live("append behind the header of a table, and beside one that has other columns", () =>
    Effect.gen(function* () {
      const pipeline = yield* project()
      const { folder, ledger, resume, run, write } = pipeline
      const read = (name: string) => readFileSync(join(folder, name), "utf8")
      const steps = (columns: string) =>
        `  - read: in.jsonl\n  - write: { csv: rows.csv, mode: append, columns: { ${columns} } }\n`
      write("in.jsonl", articles(0, 2))
      const first = yield* run(steps("id: integer"), { frame })
      const second = yield* run(steps("other: string, id: integer"), { frame })
      write("in.jsonl", articles(2, 10))
      yield* run(steps("id: integer"), { frame })
      for (const [{ runId }, columns] of [
        [first, "id: integer"],
        [second, "other: string, id: integer"]
      ] as const) {
        yield* ledger.held.release(runId)
        expect((yield* resume(runId, steps(columns), { frame })).summary.status).toBe("completed")
      }
      expect(read("rows.csv").split("\n")).toEqual(["id", ...upTo(12).slice(2).map(String), "0", "1", ""])
      expect(read(`rows-${second.runId}.csv`)).toBe("other,id\n,0\n,1\n")
      expect(wrongEntries(folder)).toEqual([])
    }).pipe(Effect.scoped)
  )
})
