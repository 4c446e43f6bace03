import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/TestClock"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import * as Sqlite from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import * as Run from "../../src/Run.ts"

/** These pipelines ask no service; port 9 of loopback would refuse them. */
const Services = Layer.provideMerge(
  Layer.provide(Client.layer, Connection.layer({ baseUrl: "http://127.0.0.1:9" })),
  NodeContext.layer
)

const inFolder = <A, E, R>(use: (folder: string) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = yield* files.makeTempDirectoryScoped()
    yield* files.makeDirectory(`${folder}/in`)
    for (const [name, text] of [
      ["a.html", "<p>a"],
      ["b.html", "<p>bb"],
      ["c.txt", "ccc"]
    ] as const) {
      yield* files.writeFileString(`${folder}/in/${name}`, text)
    }
    return yield* use(folder)
  })

const run = (folder: string, steps: string, options: Partial<Run.RunOptions> = {}) =>
  Effect.gen(function* () {
    const source = yield* parseText("p.yaml", folder, `version: 1\nname: t\nsteps:\n${steps}`)
    const scope = { env: {}, secrets: () => undefined }
    const checked = yield* check(source, { ...scope, inputs: {}, complete: true })
    const dataDir = `${folder}/data`
    const made = yield* Run.make(checked, { ...scope, out: `${folder}/out`, dataDir, ...options })
    return yield* Effect.provide(made.execute, Sqlite.layer(dataDir))
  })

const linesOf = (path: string) =>
  Effect.gen(function* () {
    const text = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(path))
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  })

const namesIn = (folder: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) =>
    Effect.map(
      Effect.orElseSucceed(files.readDirectory(folder), () => []),
      (names) => [...names].sort()
    )
  )

describe("a run", () => {
  it.scoped("takes rows through branches into several files and counts them", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const summary = yield* run(
          folder,
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
        const files = yield* FileSystem.FileSystem
        expect(yield* files.readFileString(`${folder}/out/html.csv`)).toBe("file,size\nin/a.html,4\nin/b.html,5\n")
        expect((yield* linesOf(`${folder}/out/letters.jsonl`)).map(({ name }) => name)).toEqual([
          "a.htmlx",
          "b.htmlx",
          "c.txtx"
        ])
      })
    ).pipe(Effect.provide(Services))
  )

  it.scoped("rejects a row that fails, with its reason and its place, and goes on", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const summary = yield* run(
          folder,
          `  - files: { glob: "in/*" }
  - select: { n: "extension = '.txt' ? $number('x') : size" }
  - write: { jsonl: n.jsonl }
`
        )
        expect(summary).toMatchObject({ rows: 2, rejects: 1 })
        const [reject] = yield* linesOf(summary.rejectFile ?? "")
        expect(reject).toMatchObject({
          step: "select",
          definedAt: "p.yaml:5:5",
          error: "ExpressionFailed",
          row: { name: "c.txt" }
        })
      })
    ).pipe(Effect.provide(Services))
  )

  it.scoped("keeps, drops or fails as onError says, and stops after too many rejects", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const steps = (onError: string) => `  - files: { glob: "in/*" }
  - select: { n: "$number(name)" }
    onError: ${onError}
  - write: { jsonl: n.jsonl }
`
        expect(yield* run(folder, steps("keep"))).toMatchObject({ rows: 3, rejects: 0 })
        expect(yield* run(folder, steps("drop"))).toMatchObject({ rows: 0, rejects: 0 })
        const failed = yield* Effect.flip(run(folder, steps("fail")))
        expect(failed).toMatchObject({ _tag: "RunFailed", reason: { reason: "ExpressionFailed" } })
        const tooMany = yield* Effect.flip(run(folder, steps("{ reject: true, stopAfter: 1 }")))
        expect(tooMany).toMatchObject({ _tag: "RunFailed", reason: { reason: "TooManyRejects" } })
        expect(tooMany.message).toContain("rejected 1 row, and stopAfter: 1 ends the run there")
      })
    ).pipe(Effect.provide(Services))
  )

  it.scoped("leaves nothing behind under any name when it fails, and keeps an older output", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        yield* files.makeDirectory(`${folder}/out`)
        yield* files.writeFileString(`${folder}/out/all.jsonl`, "old\n")
        const error = yield* Effect.flip(
          run(
            folder,
            `  - files: { glob: "in/*" }
  - write: { jsonl: all.jsonl }
  - select: { n: "$number(name)" }
    onError: fail
`
          )
        )
        expect(error).toMatchObject({ _tag: "RunFailed", summary: { status: "failed", outputs: [] } })
        expect(yield* namesIn(`${folder}/out`)).toEqual(["all.jsonl"])
        expect(yield* files.readFileString(`${folder}/out/all.jsonl`)).toBe("old\n")
      })
    ).pipe(Effect.provide(Services))
  )

  it.scoped("ends before the first row when an output cannot be written", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          run(folder, `  - files: { glob: "in/*" }\n  - write: { jsonl: in/a.html/x.jsonl }\n`, { out: folder })
        )
        expect(error).toMatchObject({ _tag: "RunFailed", summary: { rows: 0 } })
        expect(error.message).toContain("in/a.html")
      })
    ).pipe(Effect.provide(Services))
  )

  it.scoped("takes only the wanted rows of each source, and skips a step whose when is false", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const summary = yield* run(
          folder,
          `  - files: { glob: "in/*" }
  - where: "false"
    when: false
  - write: { jsonl: some.jsonl }
`,
          { wanted: 2 }
        )
        expect(summary.rows).toBe(2)
      })
    ).pipe(Effect.provide(Services))
  )

  it.scoped("limit passes the first rows without stopping other branches", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const summary = yield* run(
          folder,
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
    ).pipe(Effect.provide(Services))
  )

  it.scoped("reads on for the other branches when a step that would read has been switched off", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const summary = yield* run(
          folder,
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
    ).pipe(Effect.provide(Services))
  )

  it.scoped("rejects the row, and not the run, when a source that runs for each row fails", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const summary = yield* run(
          folder,
          `  - id: all
    files: { glob: "in/*" }
  - each: true
    search: { query: { expr: nothing } }
  - from: all
    write: { jsonl: all.jsonl }
`
        )
        expect(summary).toMatchObject({ rows: 3, rejects: 3 })
        expect((yield* linesOf(summary.rejectFile ?? ""))[0]).toMatchObject({
          step: "search",
          error: "ExpressionFailed"
        })
      })
    ).pipe(Effect.provide(Services))
  )

  it.scoped("refuses two writes to the same file before the first row", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          run(
            folder,
            `  - files: { glob: "in/*" }
  - write: { jsonl: same.jsonl }
  - write: { jsonl: ${folder}/out/same.jsonl }
`
          )
        )
        // An absolute path and one below the output folder: only the run knows that folder.
        expect(error.message).toContain("p.yaml:6:5  write-2: ")
        expect(error.message).toContain("is written by two steps of this pipeline at once")
        expect(yield* namesIn(`${folder}/out`)).toEqual([])
      })
    ).pipe(Effect.provide(Services))
  )

  it.scoped("publishes nothing when one of several outputs cannot be finished", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          run(
            folder,
            `  - files: { glob: "in/*" }
  - write: { jsonl: good.jsonl }
  - select: { big: "'x'" }
  - write: { jsonl: /dev/full/../full/x.jsonl }
`
          )
        )
        expect(error).toMatchObject({ summary: { outputs: [] } })
        expect(yield* namesIn(`${folder}/out`)).toEqual([])
      })
    ).pipe(Effect.provide(Services))
  )

  it.scoped("replaces no older output when every row was rejected", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        yield* files.makeDirectory(`${folder}/out`)
        yield* files.writeFileString(`${folder}/out/n.jsonl`, "old\n")
        const error = yield* Effect.flip(
          run(
            folder,
            `  - files: { glob: "in/*" }
  - select: { n: "$number(name)" }
  - write: { jsonl: n.jsonl }
`
          )
        )
        expect(error).toMatchObject({ reason: { reason: "TooManyRejects" }, summary: { rows: 0, rejects: 3 } })
        expect(yield* files.readFileString(`${folder}/out/n.jsonl`)).toBe("old\n")
      })
    ).pipe(Effect.provide(Services))
  )

  it.scoped("passes on what onError: keep makes of a row that cannot be written", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const summary = yield* run(
          folder,
          `  - files: { glob: "in/*" }
  - write: { csv: a.csv, columns: { name: string }, onNewField: error }
    onError: keep
  - write: { jsonl: b.jsonl }
`
        )
        expect(summary.outputs.map(({ rows }) => rows)).toEqual([0, 3])
        expect((yield* linesOf(`${folder}/out/b.jsonl`))[0]).toMatchObject({ error: { reason: "NewField" } })
      })
    ).pipe(Effect.provide(Services))
  )

  it.scoped("comes to its stop although a function of the project never comes to its end", () =>
    inFolder((folder) =>
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const begun = `${folder}/begun`
        const code = `import { writeFileSync } from "node:fs"
export default () => { writeFileSync(${JSON.stringify(begun)}, ""); return new Promise(() => {}) }`
        yield* files.writeFileString(`${folder}/code.mjs`, code)
        const steps = `  - urls: ["http://x.example/"]
  - use: { module: ./code.mjs }
  - write: { jsonl: a.jsonl }
`
        const running = yield* Effect.fork(run(folder, steps, { allowCode: true }))
        yield* Effect.repeat(files.exists(begun), { until: (there) => there })
        yield* Fiber.interruptFork(running)
        // What is under way has its grace.
        const seconds = yield* Effect.iterate(0, {
          while: (seconds) => seconds < 20 && running.unsafePoll() === null,
          body: (seconds) =>
            TestClock.adjust("1 second").pipe(
              Effect.zipRight(Effect.repeatN(files.exists(begun), 20)),
              Effect.as(seconds + 1)
            )
        })
        expect(seconds).toBeGreaterThanOrEqual(5)
        expect(seconds).toBeLessThan(20)
        expect(yield* namesIn(`${folder}/out`)).toEqual([])
      })
    ).pipe(Effect.provide(Services))
  )
})
