/** A sink whose files end with a footer: it is in every published file, and in no commit. */
import { appendFileSync, readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Data } from "../../src/Row.ts"
import { publish } from "../../src/Sink/Publish.ts"
import * as Sink from "../../src/Sink.ts"
import { assert, describe, it, scoped } from "../It.ts"
import { folder, list, open, reread, tree } from "./Folder.ts"
import { json } from "./JsonArray.ts"

const files = NodeFileSystem.layer

const rows = (from: number, to: number): ReadonlyArray<Data> =>
  Array.from({ length: to - from }, (_, at) => ({ id: from + at, kind: "ab".charAt((from + at) % 2) }))

const parsed = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"))

/** A process that is killed at the n-th change of the disk. */
const dying = (fs: FileSystem.FileSystem, at: number): FileSystem.FileSystem => {
  let done = 0
  const change = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.suspend(() => (done++ >= at ? Effect.die("killed") : effect))
  return {
    ...fs,
    rename: (from, to) => change(fs.rename(from, to)),
    open: (path, options) =>
      Effect.map(
        fs.open(path, options),
        (file) =>
          new Proxy(file, {
            get: (target, name) => {
              if (name === "writeAll") {
                return (bytes: Uint8Array) =>
                  // The last write before the kill is done by half.
                  done === at - 1
                    ? Effect.zipRight(
                        change(target.writeAll(bytes.subarray(0, bytes.length / 2))),
                        Effect.die("killed")
                      )
                    : change(target.writeAll(bytes))
              }
              const value: unknown = Reflect.get(target, name, target)
              return typeof value === "function" ? value.bind(target) : value
            }
          })
      )
  }
}

describe("a sink with a footer", () => {
  scoped("writes it behind the last row, and one file without rows has header and footer", function* () {
    const out = yield* folder
    const writer = yield* open(json, { json: "x.json", indent: 2 }, { folder: out })
    yield* writer.write(rows(0, 2))
    yield* writer.commit
    assert.deepStrictEqual(yield* list(out), ["x.json.r1.partial"])
    const { files: published } = yield* writer.finish
    const text = readFileSync(`${out}/x.json`, "utf8")
    assert.deepStrictEqual(JSON.parse(text), rows(0, 2))
    assert.include(text, '\n  "id": 1,\n')
    assert.deepStrictEqual(published, [{ path: `${out}/x.json`, format: "json", rows: 2, bytes: text.length }])
    const empty = yield* open(json, { json: "empty.json.gz" }, { folder: out })
    yield* empty.finish
    assert.strictEqual(gunzipSync(readFileSync(`${out}/empty.json.gz`)).toString(), "[\n]\n")
  })

  scoped("writes it to every part of every partition", function* () {
    const out = yield* folder
    const config = {
      json: "{k}/p-{seq}.json",
      partitionBy: { k: "kind" },
      roll: { rows: 2 },
      mode: "append" as const
    }
    const writer = yield* open(json, config, { folder: out })
    yield* writer.write(rows(0, 5))
    yield* writer.finish
    const names = ["a/p-00001.json", "a/p-00002.json", "b/p-00001.json"]
    assert.deepStrictEqual(Object.keys(tree(out)), names)
    assert.deepStrictEqual(
      names.map((name) => parsed(`${out}/${name}`)),
      [rows(0, 3), rows(4, 5), rows(1, 4)].map((each, at) => each.filter(({ kind }) => kind === (at < 2 ? "a" : "b")))
    )
  })

  scoped("cuts it off when a run is resumed that was killed before its files were published", function* () {
    const out = yield* folder
    const first = yield* Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* open(json, { json: "x.json" }, { folder: out })
        yield* writer.write(rows(0, 3))
        const commit = yield* writer.commit
        yield* writer.seal
        return commit
      })
    )
    assert.deepStrictEqual(parsed(`${out}/x.json.r1.partial`), rows(0, 3))
    assert.strictEqual(first.files[0]?.rows, 3)
    const again = yield* open(json, { json: "x.json" }, { folder: out, resume: reread(first) })
    assert.notInclude(readFileSync(`${out}/x.json.r1.partial`, "utf8"), "]")
    yield* again.write(rows(3, 5))
    yield* again.finish
    assert.deepStrictEqual(parsed(`${out}/x.json`), rows(0, 5))
  })

  scoped("is never under the final name without it, wherever the process is killed", function* () {
    const fs = yield* FileSystem.FileSystem
    const kinds: Array<string> = []
    for (let at = 0; ; at++) {
      const out = yield* folder
      const config = { json: "p-{seq}.json", roll: { rows: 2 } }
      yield* fs.writeFileString(`${out}/p-00001.json`, "[]")
      let commit: Sink.Commit | undefined
      const exit = yield* Effect.gen(function* () {
        const writer = yield* open(json, config, { folder: out })
        yield* writer.write(rows(0, 2))
        commit = yield* writer.commit
        yield* writer.write(rows(2, 5))
        yield* publish([yield* writer.seal])
      }).pipe(Effect.scoped, Effect.provideService(FileSystem.FileSystem, dying(fs, at)), Effect.exit)
      for (const name of yield* list(out)) {
        if (name.endsWith(".json")) assert.isArray(parsed(`${out}/${name}`), `${name} at ${at}`)
      }
      kinds.push(exit._tag)
      if (exit._tag === "Success") break
      // A power failure can leave any bytes behind the committed ones.
      for (const name of yield* list(out)) if (name.endsWith(".partial")) appendFileSync(`${out}/${name}`, "}]\n")
      // A run that had begun to publish is not resumed from a commit: it publishes what it has prepared.
      const renamed = (yield* list(out)).filter((name) => name.endsWith(".json") && name !== "p-00001.json")
      const isReplaced = readFileSync(`${out}/p-00001.json`, "utf8") !== "[]"
      if (renamed.length > 0 || isReplaced) continue
      const resume = commit === undefined ? {} : { resume: reread(commit) }
      const again = yield* open(json, config, { folder: out, ...resume })
      yield* again.write(rows(commit === undefined ? 0 : 2, 5))
      yield* again.finish
      assert.deepStrictEqual(
        (yield* list(out)).map((name) => [name, parsed(`${out}/${name}`)]),
        [
          ["p-00001.json", rows(0, 2)],
          ["p-00002.json", rows(2, 4)],
          ["p-00003.json", rows(4, 5)]
        ]
      )
    }
    assert.isAbove(kinds.length, 8)
  })

  it("refuses to append to one file, and lets append add further parts", () => {
    const decode = Schema.decodeUnknownEither(json.config)
    const refused = decode({ json: "x.json", mode: "append" })
    assert(refused._tag === "Left")
    assert.include(refused.left.message, "a json file ends with a footer, after which nothing can be appended")
    assert.strictEqual(decode({ json: "x-{seq}.json", mode: "append" })._tag, "Right")
  })

  scoped("rejects a row that its codec cannot encode, and writes the others", function* () {
    const out = yield* folder
    const writer = yield* open(json, { json: "x.json" }, { folder: out })
    const error = yield* Effect.flip(writer.write([{ id: 1 }, { id: 2n }]))
    assert(error._tag === "Unserializable")
    assert.deepStrictEqual([error.index, error.format], [1, "json"])
    yield* writer.write([{ id: 1 }])
    yield* writer.finish
    assert.deepStrictEqual(parsed(`${out}/x.json`), [{ id: 1 }])
  })

  scoped("ends standard output with it, also when the run was resumed", function* () {
    const out = yield* folder
    const written: Array<string> = []
    const stdout = (bytes: Uint8Array) => Effect.sync(() => void written.push(Buffer.from(bytes).toString()))
    const commit = yield* Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* open(json, { json: "-" }, { folder: out, stdout })
        yield* writer.write(rows(0, 2))
        return yield* writer.commit
      })
    )
    const again = yield* open(json, { json: "-" }, { folder: out, stdout, resume: reread(commit) })
    yield* again.write(rows(2, 3))
    const { streams = [] } = yield* again.seal
    assert.deepStrictEqual(JSON.parse(written.join("")), rows(0, 3))
    assert.deepStrictEqual(streams[0]?.bytes, written.join("").length)
  })

  scoped("refuses to resume with a state that its schema does not know", function* () {
    const out = yield* folder
    const commit = yield* Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* open(json, { json: "x.json" }, { folder: out })
        yield* writer.write(rows(0, 1))
        return yield* writer.commit
      })
    )
    const changed = Sink.make({
      key: "json",
      summary: json.summary,
      example: json.example,
      state: Schema.Number,
      codec: () => ({
        begin: 0,
        encode: (_row, count) => count + 1,
        finish: String
      })
    })
    const error = yield* Effect.flip(open(changed, { json: "x.json" }, { folder: out, resume: reread(commit) }))
    assert.strictEqual(error._tag, "CommitUnreadable")
    assert.include(error.message, "does not fit this version of the sink")
  })

  it("measures no fewer bytes than it writes, with headers and footers", () =>
    Effect.gen(function* () {
      const out = yield* folder
      const config = yield* Schema.decode(json.config)({
        json: "{k}-{seq}.json",
        partitionBy: { k: "kind" },
        roll: { rows: 2 }
      })
      const context = { folder: out, names: { runId: "r1" }, bindings: () => ({ names: {} }) }
      const all = rows(0, 9).map((data) => ({ data }))
      const sizes = yield* json.sizes(config, context)(all)
      const writer = yield* json.open(config, context)
      yield* writer.write(all)
      const { files: sealed } = yield* writer.seal
      const bytes = sealed.reduce((sum, each) => sum + each.bytes, 0)
      assert.strictEqual(
        sizes.reduce((sum, each) => sum + each, 0),
        bytes
      )
    }).pipe(Effect.scoped, Effect.provide(files), Effect.runPromise))
})
