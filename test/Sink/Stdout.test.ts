import { spawn } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { csv } from "../../src/Sink/Csv.ts"
import { jsonl } from "../../src/Sink/Jsonl.ts"
import { sluice } from "../Cli/Console.ts"
import { assert, describe, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { program } from "../Programs.ts"
import { folder, list, open, reread } from "./Folder.ts"

/** A standard output that keeps what it is given, or refuses it like a pipe whose reader has gone. */
const outOf = () => {
  const out = { text: "", closed: false }
  const stdout = (bytes: Uint8Array) =>
    Effect.suspend((): Effect.Effect<void, Error> => {
      if (out.closed) return Effect.fail(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }))
      out.text += Buffer.from(bytes).toString()
      return Effect.void
    })
  return { out, stdout }
}

const rowsFile = (root: string, count: number) =>
  writeFileSync(join(root, "rows.jsonl"), Array.from({ length: count }, (_, n) => `{"n":${n}}\n`).join(""))

const definition = (steps: string, more = "") =>
  `version: 1\nname: piped\n${more}steps:\n  - read: rows.jsonl\n${steps}`

describe("rows on standard output", () => {
  scoped("are written as they come, as JSON lines or as CSV with one header, and are counted", function* () {
    const root = yield* folder
    const { out, stdout } = outOf()
    const lines = yield* open(jsonl, { jsonl: "-" }, { folder: root, stdout })
    yield* lines.write([{ a: 1 }, { a: "ä" }])
    assert.strictEqual(out.text, '{"a":1}\n{"a":"ä"}\n')
    yield* lines.write([{ a: 3 }])
    const { files } = yield* lines.finish
    assert.deepStrictEqual(files, [{ path: "-", format: "jsonl", rows: 3, bytes: Buffer.byteLength(out.text) }])
    yield* lines.discard
    const table = outOf()
    const columns = { a: "integer", b: "string" } as const
    yield* Effect.gen(function* () {
      const writer = yield* open(csv, { csv: "-", columns }, { folder: root, stdout: table.stdout })
      yield* writer.write([{ a: 1, b: "=x" }])
      const error = yield* Effect.flip(writer.write([{ a: 2 }, { a: "no number" }]))
      assert.strictEqual(error._tag, "ColumnMismatch")
      yield* writer.write([{ a: 2 }])
      yield* writer.finish
    }).pipe(Effect.scoped)
    assert.strictEqual(table.out.text, "a,b\n1,'=x\n2,\n")
    const empty = outOf()
    const none = yield* open(csv, { csv: "-", columns }, { folder: root, stdout: empty.stdout })
    yield* none.finish
    assert.strictEqual(empty.out.text, "a,b\n")
    assert.deepStrictEqual(yield* list(root), [])
  })

  scoped("are written again after the last commit when the run is resumed, without the header", function* () {
    const root = yield* folder
    const { out, stdout } = outOf()
    const commit = yield* Effect.gen(function* () {
      const writer = yield* open(csv, { csv: "-", columns: { a: "integer" } }, { folder: root, stdout })
      yield* writer.write([{ a: 1 }])
      const commit = yield* writer.commit
      yield* writer.write([{ a: 2 }])
      return reread(commit)
    }).pipe(Effect.scoped)
    const again = yield* open(csv, { csv: "-", columns: { a: "integer" } }, { folder: root, stdout, resume: commit })
    yield* again.write([{ a: 2 }])
    const { files } = yield* again.finish
    assert.strictEqual(out.text, "a\n1\n2\n2\n")
    assert.deepInclude(files[0], { path: "-", rows: 2, bytes: 6 })
  })

  scoped("count as written only while they are read", function* () {
    const root = yield* folder
    const { out, stdout } = outOf()
    const writer = yield* open(jsonl, { jsonl: "-" }, { folder: root, stdout })
    yield* writer.write([{ a: 1 }])
    yield* writer.commit
    out.closed = true
    yield* writer.write([{ a: 2 }])
    yield* writer.write([{ a: 3 }])
    assert.strictEqual((yield* Effect.flip(writer.commit))._tag, "StdoutClosed")
    assert.strictEqual((yield* Effect.flip(writer.seal))._tag, "StdoutClosed")
  })

  scoped("need a standard output, a single step, and fields that have an effect there", function* () {
    const root = yield* folder
    const { stdout } = outOf()
    assert.strictEqual((yield* Effect.flip(open(jsonl, { jsonl: "-" }, { folder: root })))._tag, "NoStdout")
    yield* open(jsonl, { jsonl: "-" }, { folder: root, stdout })
    const twice = yield* Effect.flip(open(csv, { csv: "-" }, { folder: root, stdout }))
    assert.strictEqual(twice._tag, "StdoutTaken")
    const messages = (config: object) =>
      Either.match(Schema.decodeUnknownEither(Schema.Union(jsonl.config, csv.config))(config), {
        onLeft: String,
        onRight: () => "fine"
      })
    for (const [field, value] of Object.entries({
      mode: "append",
      partitionBy: { a: "a" },
      roll: { rows: 1 },
      gzip: true
    })) {
      assert.include(messages({ jsonl: "-", [field]: value }), `which has no ${field}`)
    }
    assert.include(messages({ csv: "-", onNewField: "widen" }), "columns cannot be added to standard output")
  })
})

describe("sluice run with rows on standard output", () => {
  scoped("logs to stderr, refuses --json and a cluster, and names stdout in plan and summary", function* () {
    const root = yield* folder
    const files = yield* FileSystem.FileSystem
    yield* files.writeFileString(join(root, "p.yaml"), definition('  - write: { jsonl: "-" }\n'))
    rowsFile(root, 3)
    const words = ["run", join(root, "p.yaml"), "--data", join(root, "data"), "--out", root]
    const { code, err, out } = yield* sluice(words)
    assert.deepStrictEqual([code, out], [0, '{"n":0}\n{"n":1}\n{"n":2}\n'])
    assert.match(err, /^piped: 3 rows in .*\n {2}standard output +3 rows +24 B\n$/)
    const json = yield* sluice([...words, "--json"])
    assert.strictEqual(json.code, 2)
    assert.include(json.err, "omit --json, or give that step the path of a file")
    assert.strictEqual(JSON.parse(json.out).status, "failed")
    const trial = yield* sluice(["run", join(root, "p.yaml"), "--data", join(root, "data"), "--limit", "1"])
    assert.strictEqual(trial.out, '{"n":0}\n')
    const planned = yield* sluice(["plan", join(root, "p.yaml"), "--data", join(root, "data")])
    assert.include(planned.out, "standard output (stream")
    const cluster = yield* sluice([...words, "--on", "cluster"], {
      env: { SLUICE_DATABASE_URL: "postgres://127.0.0.1:9/x" }
    })
    assert.deepStrictEqual([cluster.code, cluster.out], [2, ""])
    assert.include(cluster.err, "which workers do not have")
  })

  scoped("depends on inputs and `when`, for --json, clusters and schedules alike", function* () {
    const root = yield* folder
    rowsFile(root, 2)
    const inputs = "inputs:\n  out: { type: string, default: x.jsonl }\n  loud: { type: boolean, default: true }\n"
    const file = join(root, "p.yaml")
    const step = (when: string) => `  - write: { jsonl: "\${{ inputs.out }}" }\n    when: ${when}\n`
    writeFileSync(file, definition(step("${{ inputs.loud }}"), inputs))
    const words = ["run", file, "--data", join(root, "data"), "--out", root, "--json"]
    const postgres = { env: { SLUICE_DATABASE_URL: "postgres://127.0.0.1:9/x" } }
    const refused = yield* sluice([...words, "-i", "out=-"])
    assert.strictEqual(refused.code, 2, refused.err)
    assert.include(refused.err, "omit --json, or give that step the path of a file")
    const cluster = yield* sluice(["run", file, "--out", root, "--on", "cluster", "-i", "out=-"], postgres)
    assert.strictEqual(cluster.code, 2, cluster.err)
    assert.include(cluster.err, "which workers do not have")
    // A step that does not run writes nothing.
    const quiet = yield* sluice([...words, "-i", "out=-", "-i", "loud=false"])
    assert.strictEqual(quiet.code, 0, quiet.err)
    assert.strictEqual(JSON.parse(quiet.out).status, "completed")
    const away = ["run", file, "--out", root, "--on", "cluster", "-i", "out=-", "-i", "loud=false"]
    // It gets as far as the database.
    const far = yield* sluice(away, postgres)
    assert.notInclude(far.err, "standard output")
    assert.include(far.err, "127.0.0.1:9")
    const schedule = 'schedule: { cron: "0 3 * * *", inputs: { out: "-" } }\n'
    const places = ["--folder", root, "--data", join(root, "data"), "--out", root]
    writeFileSync(file, definition(step("${{ inputs.loud }}"), `${schedule}${inputs}`))
    for (const verb of [["run", file], ["list"]]) {
      const { code, err, out } = yield* sluice(["schedule", ...verb, ...places])
      assert.strictEqual(code, verb[0] === "list" ? 0 : 78)
      assert.include(
        `${err}${out}`,
        'a scheduled run cannot write rows to standard output ("-"): give the path of a file'
      )
    }
    writeFileSync(file, definition(step("false"), `${schedule}${inputs}`))
    const idle = yield* sluice(["schedule", "run", "piped", ...places])
    assert.strictEqual(idle.code, 0, idle.err)
  })

  it.scopedLive.skipIf(skipsLong)("ends with success when its reader has had enough", NodeContext.layer, function* () {
    const root = yield* folder
    writeFileSync(join(root, "p.yaml"), definition('  - write: { jsonl: "-" }\n'))
    rowsFile(root, 60_000)
    const words = [program("bin"), "run", join(root, "p.yaml"), "--data", join(root, "data"), "--allow-path", root]
    const ended = yield* Effect.promise(
      () =>
        new Promise<{ readonly code: number | null; readonly err: string; readonly first: string }>((done) => {
          const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "pipe"] })
          let err = ""
          let first = ""
          child.stderr.on("data", (chunk) => (err += String(chunk)))
          child.stdout.once("data", (chunk) => {
            first = String(chunk).slice(0, 8)
            child.stdout.destroy()
          })
          child.on("close", (code) => done({ code, err, first }))
        })
    )
    assert.deepStrictEqual([ended.first, ended.code], ['{"n":0}\n', 0], ended.err)
    assert.notInclude(ended.err, "error:")
  })
})
