/** The examples of docs/embedding.md for streams, schedules and clusters. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { describe, expect, live } from "../It.ts"
import * as Postgres from "../Postgres.ts"
import { run } from "./Examples.ts"

describe("docs/embedding.md", () => {
  live("has a program that takes rows as a stream and stops early", function* () {
    const { code, err, out } = yield* run("stream.ts")
    expect(code, err).toBe(0)
    expect(out).toBe("4 pages are stored\n")
  })

  live("has a program that runs a folder of pipelines on time, over a ledger that machines may share", function* () {
    const tick = `version: 1
name: tick
schedule: { cron: "* * * * * *", timezone: UTC, overlap: queue }
steps:
  - urls: ["https://a.example/"]
  - select: { url: url, at: $run.scheduledTime }
  - write: { jsonl: "{runId}.jsonl" }
`
    const { code, cwd, err, out } = yield* run("schedule.ts", { "tick.yaml": tick })
    expect(code, err).toBe(0)
    expect(out).toBe("tick is completed\n")
    const [first = ""] = readdirSync(`${cwd}/out`).filter((name) => name.endsWith(".jsonl"))
    expect(readFileSync(`${cwd}/out/${first}`, "utf8")).toMatch(/^\{"url":"https:\/\/a.example\/","at":"20.*:\d\d/)
    expect(existsSync(`${cwd}/.sluice/ledger.db`)).toBe(!Postgres.isHere)
  })

  live.skipIf(!Postgres.isHere)("has a program that works for a cluster, and runs a pipeline on it", function* () {
    const { code, err, lines, out } = yield* run("cluster.ts")
    expect(code, err).toBe(0)
    expect(out).toBe("4 titles in 2 files\n")
    expect(lines("titles.0000.jsonl").map((line) => JSON.parse(line).title)).toContain("Home")
  })
})
