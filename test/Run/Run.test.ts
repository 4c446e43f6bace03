import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import type * as Run from "../../src/Run.ts"
import { describe, expect, scoped } from "../It.ts"
import { project, rowsIn } from "../Project.ts"
import { breath, until } from "./Lives.ts"

/** A project with three files in the folder `in`, whose outputs are in `out`. */
const threeFiles = Effect.map(
  project({ files: { "in/a.html": "<p>a", "in/b.html": "<p>bb", "in/c.txt": "ccc" }, onTestClock: true }),
  ({ folder, run }) => {
    const out = `${folder}/out`
    return {
      folder,
      /** Gives the summary of a run that completes. */
      run: (steps: string, options: Partial<Run.RunOptions> = {}) =>
        Effect.flatMap(run(steps, { out, ...options }), ({ outcome }) => outcome),
      linesOf: (name: string) => rowsIn(`${out}/${name}`),
      namesIn: () => (existsSync(out) ? readdirSync(out).sort() : [])
    }
  }
)

describe("a run", () => {
  scoped("sends rows through branches into several files, and counts them", function* () {
    const { folder, linesOf, run } = yield* threeFiles
    const summary = yield* run(
      `  - id: all
    files: { glob: "in/*" }
  - write: { jsonl: all.jsonl }
  - from: all
    where: extension = ".html"
  - select: { file: $source.path, size: size, key: $key }
  - write: { csv: html.csv, columns: { file: string, size: integer } }
  - from: all
    explode: { list: "['x', 'y']", as: letter }
  - select: { name: "name & letter" }
  - dedupe: { key: "$substring(name, 0, 1)" }
  - write: { jsonl: letters.jsonl }
`
    )
    expect(summary).toMatchObject({ status: "completed", rows: 8, rejects: 0, credits: 0 })
    expect(summary.outputs.map(({ format, path, rows }) => [path.split("/").pop(), format, rows])).toEqual([
      ["all.jsonl", "jsonl", 3],
      ["html.csv", "csv", 2],
      ["letters.jsonl", "jsonl", 3]
    ])
    expect(readFileSync(`${folder}/out/html.csv`, "utf8")).toBe("file,size\nin/a.html,4\nin/b.html,5\n")
    expect(linesOf("letters.jsonl").map(({ name }) => name)).toEqual(["a.htmlx", "b.htmlx", "c.txtx"])
  })

  scoped("rejects a row that fails, with its reason and its place in the definition, and continues", function* () {
    const { run } = yield* threeFiles
    const summary = yield* run(
      `  - files: { glob: "in/*" }
  - select: { n: "extension = '.txt' ? $number('x') : size" }
  - write: { jsonl: n.jsonl }
`
    )
    expect(summary).toMatchObject({ rows: 2, rejects: 1 })
    const [reject] = rowsIn(summary.rejectFile ?? "")
    expect(reject).toMatchObject({
      step: "select",
      definedAt: "p.yaml:5:5",
      error: "ExpressionFailed",
      row: { name: "c.txt" }
    })
  })

  scoped("keeps a failed row, drops it or fails, as onError says, and ends after too many rejects", function* () {
    const { run } = yield* threeFiles
    const steps = (onError: string) => `  - files: { glob: "in/*" }
  - select: { n: "$number(name)" }
    onError: ${onError}
  - write: { jsonl: n.jsonl }
`
    expect(yield* run(steps("keep"))).toMatchObject({ rows: 3, rejects: 0 })
    expect(yield* run(steps("drop"))).toMatchObject({ rows: 0, rejects: 0 })
    const failed = yield* Effect.flip(run(steps("fail")))
    expect(failed).toMatchObject({ _tag: "RunFailed", reason: { reason: "ExpressionFailed" } })
    const tooMany = yield* Effect.flip(run(steps("{ reject: true, stopAfter: 1 }")))
    expect(tooMany).toMatchObject({ _tag: "RunFailed", reason: { reason: "TooManyRejects" } })
    expect(tooMany.message).toContain("rejected 1 row, and stopAfter: 1 ends the run there")
  })

  scoped("leaves no file behind when it fails, and keeps the older output", function* () {
    const { folder, namesIn, run } = yield* threeFiles
    mkdirSync(`${folder}/out`)
    writeFileSync(`${folder}/out/all.jsonl`, "old\n")
    const error = yield* Effect.flip(
      run(
        `  - files: { glob: "in/*" }
  - write: { jsonl: all.jsonl }
  - select: { n: "$number(name)" }
    onError: fail
`
      )
    )
    expect(error).toMatchObject({ _tag: "RunFailed", summary: { status: "failed", outputs: [] } })
    expect(namesIn()).toEqual(["all.jsonl"])
    expect(readFileSync(`${folder}/out/all.jsonl`, "utf8")).toBe("old\n")
  })

  scoped("ends before the first row when an output cannot be written", function* () {
    const { folder, run } = yield* threeFiles
    const error = yield* Effect.flip(
      run(`  - files: { glob: "in/*" }\n  - write: { jsonl: in/a.html/x.jsonl }\n`, { out: folder })
    )
    expect(error).toMatchObject({ _tag: "RunFailed", summary: { rows: 0 } })
    expect(error.message).toContain("in/a.html")
  })

  scoped("reads only the wanted rows of each source, and skips a step whose `when` is false", function* () {
    const { run } = yield* threeFiles
    const summary = yield* run(
      `  - files: { glob: "in/*" }
  - where: "false"
    when: false
  - write: { jsonl: some.jsonl }
`,
      { wanted: 2 }
    )
    expect(summary.rows).toBe(2)
  })

  scoped("limit passes the first rows without stopping other branches", function* () {
    const { run } = yield* threeFiles
    const summary = yield* run(
      `  - id: all
    files: { glob: "in/*" }
  - limit: 1
  - write: { jsonl: one.jsonl }
  - from: all
    write: { jsonl: all.jsonl }
`
    )
    expect(summary.outputs.map(({ rows }) => rows)).toEqual([1, 3])
  })

  scoped("continues for the other branches when a source is switched off", function* () {
    const { run } = yield* threeFiles
    const summary = yield* run(
      `  - id: all
    files: { glob: "in/*" }
  - each: true
    when: false
    urls: [http://127.0.0.1:9/]
  - from: all
    write: { jsonl: all.jsonl }
  - after: all
    urls: [http://127.0.0.1:9/]
  - write: { jsonl: after.jsonl }
`
    )
    expect(summary.outputs.map(({ rows }) => rows)).toEqual([3, 1])
  })

  scoped("rejects the row, and does not fail, when a source that runs for each row fails", function* () {
    const { run } = yield* threeFiles
    const summary = yield* run(
      `  - id: all
    files: { glob: "in/*" }
  - each: true
    search: { query: { expr: nothing } }
  - from: all
    write: { jsonl: all.jsonl }
`
    )
    expect(summary).toMatchObject({ rows: 3, rejects: 3 })
    expect(rowsIn(summary.rejectFile ?? "")[0]).toMatchObject({
      step: "search",
      error: "ExpressionFailed"
    })
  })

  scoped("refuses two writes to the same file before the first row", function* () {
    const { folder, namesIn, run } = yield* threeFiles
    const error = yield* Effect.flip(
      run(
        `  - files: { glob: "in/*" }
  - write: { jsonl: same.jsonl }
  - write: { jsonl: ${folder}/out/same.jsonl }
`
      )
    )
    // An absolute path and one below the output folder: only the run knows that folder.
    expect(error.message).toContain("p.yaml:6:5  write-2: ")
    expect(error.message).toContain("is written by two steps of this pipeline at once")
    expect(namesIn()).toEqual([])
  })

  scoped("publishes nothing when one of several outputs cannot be finished", function* () {
    const { namesIn, run } = yield* threeFiles
    const error = yield* Effect.flip(
      run(
        `  - files: { glob: "in/*" }
  - write: { jsonl: good.jsonl }
  - select: { big: "'x'" }
  - write: { jsonl: /dev/full/../full/x.jsonl }
`
      )
    )
    expect(error).toMatchObject({ summary: { outputs: [] } })
    expect(namesIn()).toEqual([])
  })

  scoped("keeps the older output when every row was rejected", function* () {
    const { folder, run } = yield* threeFiles
    mkdirSync(`${folder}/out`)
    writeFileSync(`${folder}/out/n.jsonl`, "old\n")
    const error = yield* Effect.flip(
      run(
        `  - files: { glob: "in/*" }
  - select: { n: "$number(name)" }
  - write: { jsonl: n.jsonl }
`
      )
    )
    expect(error).toMatchObject({ reason: { reason: "TooManyRejects" }, summary: { rows: 0, rejects: 3 } })
    expect(readFileSync(`${folder}/out/n.jsonl`, "utf8")).toBe("old\n")
  })

  scoped("passes a row that cannot be written to the next step with onError: keep", function* () {
    const { linesOf, run } = yield* threeFiles
    const summary = yield* run(
      `  - files: { glob: "in/*" }
  - write: { csv: a.csv, columns: { name: string }, onNewField: error }
    onError: keep
  - write: { jsonl: b.jsonl }
`
    )
    expect(summary.outputs.map(({ rows }) => rows)).toEqual([0, 3])
    expect(linesOf("b.jsonl")[0]).toMatchObject({ error: { reason: "NewField" } })
  })

  scoped("stops although a function of the project never returns", function* () {
    const { folder, namesIn, run } = yield* threeFiles
    const begun = `${folder}/begun`
    const code = `import { writeFileSync } from "node:fs"
export default () => { writeFileSync(${JSON.stringify(begun)}, ""); return new Promise(() => {}) }`
    writeFileSync(`${folder}/code.mjs`, code)
    const steps = `  - urls: ["http://x.example/"]
  - use: { module: ./code.mjs }
  - write: { jsonl: a.jsonl }
`
    const running = yield* Effect.fork(run(steps, { allowCode: true }))
    yield* until(() => existsSync(begun))
    yield* Fiber.interruptFork(running)
    // Calls in flight of `use` have three of the five seconds of grace, so that the other rows can be kept.
    const seconds = yield* Effect.iterate(0, {
      while: (seconds) => seconds < 20 && running.unsafePoll() === null,
      body: (seconds) => TestClock.adjust("1 second").pipe(Effect.zipRight(breath), Effect.as(seconds + 1))
    })
    expect(seconds).toBeGreaterThanOrEqual(3)
    expect(seconds).toBeLessThan(20)
    expect(namesIn()).toEqual([])
  })
})
