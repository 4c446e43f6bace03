/** `sluice run --backfill --from`: a run for each window. */

import { readdirSync, readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { windowsOf } from "../../src/Pipeline/Windows.ts"
import { serve } from "../Client/Server.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, writeText } from "./Project.ts"

const now = Date.parse("2024-06-15T10:00:00Z")
const boundsOf = (from: string, to: string | undefined, by?: string) =>
  Either.match(windowsOf({ from, to, by }, now), {
    onLeft: (reason) => reason,
    onRight: (windows) => [...windows.map((window) => window.from), windows.at(-1)?.to]
  })

it("windows follow the calendar, and the last one ends with the time", () => {
  expect(boundsOf("2023-12", "2024-03")).toEqual(["2023-12-01", "2024-01-01", "2024-02-01", "2024-03-01"])
  expect(boundsOf("2024-01-31", "2024-05-01")).toEqual([
    "2024-01-31",
    "2024-02-29",
    "2024-03-31",
    "2024-04-30",
    "2024-05-01"
  ])
  expect(boundsOf("2024-02-27", "2024-03-02", "day")).toHaveLength(5)
  expect(boundsOf("2024-06-01", undefined, "week")).toEqual(["2024-06-01", "2024-06-08", "2024-06-15"])
  expect(boundsOf("2020-02-29", "2023-01-01", "year")).toEqual(["2020-02-29", "2021-02-28", "2022-02-28", "2023-01-01"])
  expect(boundsOf("2024-01-01T00:00Z", "2024-01-01T13:00Z", "6h")).toEqual([
    "2024-01-01T00:00:00Z",
    "2024-01-01T06:00:00Z",
    "2024-01-01T12:00:00Z",
    "2024-01-01T13:00:00Z"
  ])
  expect(boundsOf("2024-02-30", "2024-03-02")).toContain("--from takes a day like 2024-01-31")
  expect(boundsOf("2024-03", "2024-02")).toBe("--to 2024-02 is not after --from 2024-03")
  expect(boundsOf("2024-01", "2024-02", "fortnight")).toContain("--by takes day, week, month, year")
  expect(boundsOf("2000-01", "2024-02", "1s")).toContain("more than 10,000 windows")
})

/** An API whose rows are those of a window; the window that begins with `broken` fails. */
const project = Effect.gen(function* () {
  const asked: Array<string> = []
  const state = { broken: "" }
  const server = yield* serve(({ path }) => {
    const query = new URL(path, "http://x").searchParams
    asked.push(`${query.get("from")}…${query.get("to")}`)
    return query.get("from") === state.broken ? { status: 404, body: {} } : { body: [{ from: query.get("from") }] }
  })
  const definition = (path: string) => `version: 1
name: p
inputs: { from: { type: string }, to: { type: string } }
steps:
  - request:
      url: "${server.url}/items"
      query: { from: "\${{ inputs.from }}", to: "\${{ inputs.to }}" }
      since: { param: since, field: from }
  - write: { jsonl: "${path}" }
`
  const root = yield* folderOf({
    "p.yaml": definition("items-${{ inputs.from }}.jsonl"),
    "one.yaml": definition("items.jsonl")
  })
  const run = (file: string, ...words: ReadonlyArray<string>) =>
    sluice(["run", `${root}/${file}`, "--out", root, "--data", `${root}/data`, ...words], {
      env: { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
    })
  const backfill = (...words: ReadonlyArray<string>) =>
    run("p.yaml", "--backfill", "--from", "2024-01", "--to", "2024-04", ...words)
  return { root, asked, state, run, backfill }
})

describe("sluice run --backfill --from", () => {
  scoped("runs each window once, in order, and leaves the state as it is", function* () {
    const { asked, backfill, root } = yield* project
    const { code, err } = yield* backfill()
    expect([code, err]).toEqual([0, expect.stringContaining("2024-03-01 to 2024-04-01, window 3 of 3")])
    expect(asked).toEqual(["2024-01-01…2024-02-01", "2024-02-01…2024-03-01", "2024-03-01…2024-04-01"])
    expect(readdirSync(root).filter((name) => name.endsWith(".jsonl"))).toHaveLength(3)
    expect(readFileSync(`${root}/items-2024-03-01.jsonl`, "utf8")).toBe('{"from":"2024-03-01"}\n')
    const state = yield* sluice(["state", "list", "--data", `${root}/data`])
    expect(state.err).toBe("no pipeline has stored any state yet\n")
    const again = yield* backfill()
    expect([again.code, again.err, asked.length]).toEqual([0, "skipped all 3 windows, completed by earlier runs\n", 3])
  })

  scoped("continues with the window that failed, and with those behind it", function* () {
    const { asked, backfill, state } = yield* project
    state.broken = "2024-02-01"
    const failed = yield* backfill("--quiet", "--json")
    expect(failed.code).toBe(1)
    expect(
      failed.out
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).status)
    ).toEqual(["completed", "failed"])
    state.broken = ""
    const rest = yield* backfill()
    expect([rest.code, rest.err]).toEqual([
      0,
      expect.stringContaining("skipped 1 window, completed by earlier runs\n2024-02-01 to")
    ])
    expect(asked.slice(2)).toEqual(["2024-02-01…2024-03-01", "2024-03-01…2024-04-01"])
  })

  scoped("runs a window again that was only tried with --limit", function* () {
    const { asked, backfill, run } = yield* project
    const words = ["--input", "from=2024-01-01", "--input", "to=2024-02-01"]
    expect((yield* run("p.yaml", "--backfill", "--limit", "1", ...words)).code).toBe(0)
    expect((yield* backfill()).code).toBe(0)
    expect(asked).toHaveLength(4)
  })

  scoped("refuses a path that all windows would write to, and windows without --backfill", function* () {
    const { asked, run } = yield* project
    const one = yield* run("one.yaml", "--backfill", "--from", "2024-01", "--to", "2024-05")
    expect([one.code, one.err]).toEqual([
      2,
      expect.stringContaining(
        "each window would overwrite items.jsonl of the previous one: name the window in the path, like items-${{ inputs.from }}.jsonl"
      )
    ])
    const normal = yield* run("p.yaml", "--from", "2024-01")
    expect([normal.code, normal.err]).toEqual([2, expect.stringContaining("--from is for --backfill")])
    expect(asked).toEqual([])
  })
})

describe("schedule.backfill", () => {
  const at = (date: number) => `2025-06-0${date}T03:00`

  /** The project with a schedule of three windows, and its scheduled times. */
  const scheduled = Effect.gen(function* () {
    const { root, ...rest } = yield* project
    const text = readFileSync(`${root}/p.yaml`, "utf8")
    const backfill = 'schedule: { cron: "0 3 * * *", backfill: { from: 2024-01, to: 2024-04 } }\n'
    yield* writeText(`${root}/p.yaml`, text.replace("steps:", `${backfill}steps:`))
    const schedule = (date: number, ...words: ReadonlyArray<string>) =>
      sluice(
        ["schedule", "run", "p", "--at", at(date), "--folder", root, "--data", `${root}/data`, "--out", root, ...words],
        { env: { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" } }
      )
    return { ...rest, root, schedule }
  })

  scoped.skipIf(skipsLong)(
    "runs the next window at each scheduled time, resumes one that failed, and each once",
    function* () {
      const { asked, root, schedule: run, state } = yield* scheduled
      expect((yield* run(1)).code).toBe(0)
      state.broken = "2024-02-01"
      expect((yield* run(2)).code).not.toBe(0)
      state.broken = ""
      for (const date of [3, 4]) {
        const ended = yield* run(date)
        expect(ended.code, ended.err).toBe(0)
      }
      const over = yield* run(5)
      expect(over.err + over.out).toContain("all 3 windows of schedule.backfill are completed")
      const windows = [
        "2024-01-01…2024-02-01",
        "2024-02-01…2024-03-01",
        "2024-02-01…2024-03-01",
        "2024-03-01…2024-04-01"
      ]
      expect(asked).toEqual(windows)
      expect(readdirSync(root).filter((name) => name.endsWith(".jsonl") && name.startsWith("items"))).toEqual([
        "items-2024-01-01.jsonl",
        "items-2024-02-01.jsonl",
        "items-2024-03-01.jsonl"
      ])
      const runs = JSON.parse((yield* sluice(["runs", "--json", "--data", `${root}/data`])).out)
      expect(runs).toHaveLength(3)
    }
  )

  scoped("runs a window again that was only tried with --limit", function* () {
    const { asked, run, schedule } = yield* scheduled
    const words = ["--input", "from=2024-01-01", "--input", "to=2024-02-01"]
    expect((yield* run("p.yaml", "--backfill", "--limit", "1", ...words)).code).toBe(0)
    expect((yield* schedule(1)).code).toBe(0)
    expect(asked).toEqual(["2024-01-01…2024-02-01", "2024-01-01…2024-02-01"])
  })

  scoped("a window whose scheduled time is run again stays a backfill, which is not measured", function* () {
    const { root, schedule, state } = yield* scheduled
    state.broken = "2024-01-01"
    expect((yield* schedule(1)).code).not.toBe(0)
    state.broken = ""
    expect((yield* schedule(1)).code).toBe(0)
    const runs = JSON.parse((yield* sluice(["runs", "--json", "--data", `${root}/data`])).out)
    expect(runs).toMatchObject([{ status: "completed" }])
    const health = yield* sluice(["show", runs[0].id ?? runs[0].runId, "--health", "--data", `${root}/data`])
    expect(health.err + health.out).toContain("was not measured")
  })

  scoped("is refused where windows overwrite each other, overlap, or are none", function* () {
    const { root } = yield* project
    const text = readFileSync(`${root}/one.yaml`, "utf8")
    const said = (schedule: string) =>
      Effect.gen(function* () {
        yield* writeText(
          `${root}/s.yaml`,
          text.replace("steps:", `schedule: { cron: "0 3 * * *", ${schedule} }\nsteps:`)
        )
        return (yield* sluice(["check", `${root}/s.yaml`])).out
      })
    expect(yield* said("backfill: { from: 2024-01, to: 2024-04 }")).toContain(
      "each window would overwrite items.jsonl of the previous one"
    )
    expect(yield* said("backfill: { from: 2024-04, to: 2024-01 }")).toContain("to 2024-01 is not after from 2024-04")
    expect(yield* said("overlap: allow, backfill: { from: 2024-01, to: 2024-04 }")).toContain("leave overlap out")
  })
})
