import { execFileSync, spawnSync } from "node:child_process"
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { csv } from "../../src/Sink/Csv.ts"
import { jsonl } from "../../src/Sink/Jsonl.ts"
import { assert, describe, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { folder, list, open, read, write } from "./Folder.ts"

const isRoot = process.getuid?.() === 0

/** Something that is no regular file, at a path; undefined where this user may not make it. */
const odd = {
  "a folder": (path: string) => {
    mkdirSync(path)
    return true
  },
  "a FIFO (named pipe)": (path: string) => spawnSync("mkfifo", [path]).status === 0,
  "a character device": (path: string) => spawnSync("mknod", [path, "c", "1", "3"]).status === 0,
  "a block device": (path: string) => spawnSync("mknod", [path, "b", "7", "250"]).status === 0
} satisfies Record<string, (path: string) => boolean>

describe("an existing file at the path of an output", () => {
  for (const [what, make] of Object.entries(odd)) {
    scoped(`is refused before the first row when it is ${what}, also through a link`, function* () {
      const out = yield* folder
      const path = join(out, "thing")
      if (!make(path)) return
      symlinkSync("thing", join(out, "link"))
      symlinkSync(join(out, "link"), join(out, "chain"))
      const before = lstatSync(path)
      for (const name of ["thing", "link", "chain"]) {
        for (const mode of ["replace", "append"] as const) {
          const error = yield* Effect.flip(open(jsonl, { jsonl: name, mode }, { folder: out }))
          assert.include(["NotRegularFile", "IsDirectory"], error._tag)
          assert.include(error.message, join(out, name))
          assert.include(error.message, `it is ${what}`)
          assert.include(error.message, "Give the path of a file")
          const columns = { a: "string" } as const
          assert.strictEqual(
            (yield* Effect.flip(open(csv, { csv: name, mode, columns }, { folder: out })))._tag,
            error._tag
          )
        }
      }
      assert.deepStrictEqual(yield* list(out), ["chain", "link", "thing"])
      assert.deepStrictEqual(
        [lstatSync(path).ino, lstatSync(path).mode, lstatSync(path).rdev],
        [before.ino, before.mode, before.rdev]
      )
    })
  }

  scoped("is refused when it is a socket", function* () {
    const out = yield* folder
    const server = createServer()
    yield* Effect.acquireRelease(
      Effect.async<void>((done) => void server.listen(join(out, "s"), () => done(Effect.void))),
      () => Effect.async<void>((done) => void server.close(() => done(Effect.void)))
    )
    const error = yield* Effect.flip(open(jsonl, { jsonl: "s" }, { folder: out }))
    assert.include(error.message, "it is a socket")
    assert.isTrue(lstatSync(join(out, "s")).isSocket())
  })

  scoped("is found where the system finds it, when a link leads up from a linked folder", function* () {
    const out = yield* folder
    mkdirSync(join(out, "releases/42"), { recursive: true })
    mkdirSync(join(out, "releases/common"))
    mkdirSync(join(out, "common"))
    symlinkSync("releases/42", join(out, "current"))
    symlinkSync("../common/out.jsonl", join(out, "releases/42/out.jsonl"))
    yield* write({ jsonl: "out.jsonl" }, join(out, "current"), [{ a: 1 }])
    assert.strictEqual(readFileSync(join(out, "releases/common/out.jsonl"), "utf8"), '{"a":1}\n')
    assert.isFalse(existsSync(join(out, "common/out.jsonl")))
  })

  scoped("is refused in a partition too, and when it appeared during the run", function* () {
    const out = yield* folder
    execFileSync("mkfifo", [join(out, "b.jsonl")])
    const writer = yield* open(jsonl, { jsonl: "{p}.jsonl", partitionBy: { p: "p" } }, { folder: out })
    yield* writer.write([{ p: "a" }])
    assert.strictEqual((yield* Effect.flip(writer.write([{ p: "b" }])))._tag, "NotRegularFile")
    const late = yield* open(jsonl, { jsonl: "late.jsonl" }, { folder: out })
    yield* late.write([{ n: 1 }])
    execFileSync("mkfifo", [join(out, "late.jsonl")])
    const error = yield* Effect.flip(late.finish)
    assert.strictEqual(error._tag, "NotRegularFile")
    assert.isTrue(lstatSync(join(out, "late.jsonl")).isFIFO())
    // The partial file stays for a resume.
    assert.strictEqual(yield* read(join(out, "late.jsonl.r1.partial")), '{"n":1}\n')
  })

  scoped("stays when it is a link: the target is replaced in its own folder", function* () {
    const out = yield* folder
    mkdirSync(join(out, "real"))
    mkdirSync(join(out, "links"))
    writeFileSync(join(out, "real/today.jsonl"), '{"old":1}\n')
    symlinkSync("../real/today.jsonl", join(out, "links/one"))
    symlinkSync("one", join(out, "links/latest"))
    const writer = yield* open(jsonl, { jsonl: "links/latest" }, { folder: out })
    yield* writer.write([{ n: 1 }])
    assert.deepStrictEqual(readdirSync(join(out, "real")), ["today.jsonl", "today.jsonl.r1.partial"])
    const { files: outputs } = yield* writer.finish
    assert.deepStrictEqual(outputs, [{ path: join(out, "links/latest"), format: "jsonl", rows: 1, bytes: 8 }])
    assert.strictEqual(readlinkSync(join(out, "links/latest")), "one")
    assert.strictEqual(readlinkSync(join(out, "links/one")), "../real/today.jsonl")
    assert.isTrue(lstatSync(join(out, "real/today.jsonl")).isFile())
    assert.strictEqual(yield* read(join(out, "real/today.jsonl")), '{"n":1}\n')
    assert.deepStrictEqual(readdirSync(join(out, "real")), ["today.jsonl"])
    // A link to a file that is not there yet makes that file, and appending goes behind it.
    symlinkSync("../real/new.jsonl", join(out, "links/dangling"))
    yield* write({ jsonl: "links/dangling", mode: "append" }, out, [{ n: 1 }])
    yield* write({ jsonl: "links/dangling", mode: "append" }, out, [{ n: 2 }], "r2")
    assert.strictEqual(yield* read(join(out, "real/new.jsonl")), '{"n":1}\n{"n":2}\n')
    assert.isTrue(lstatSync(join(out, "links/dangling")).isSymbolicLink())
    symlinkSync("circle", join(out, "links/circle"))
    const circle = yield* Effect.flip(open(jsonl, { jsonl: "links/circle" }, { folder: out }))
    assert.include(circle.message, "links lead in a circle")
  })

  scoped("is recognized as one file when two steps reach it by two names", function* () {
    const out = yield* folder
    writeFileSync(join(out, "a.jsonl"), "")
    symlinkSync("a.jsonl", join(out, "b.jsonl"))
    yield* open(jsonl, { jsonl: "a.jsonl" }, { folder: out })
    assert.strictEqual((yield* Effect.flip(open(jsonl, { jsonl: "b.jsonl" }, { folder: out })))._tag, "PathTaken")
  })

  scoped("is not replaced when a folder above it has become a link, also one to the same files", function* () {
    const out = yield* folder
    mkdirSync(join(out, "rows"))
    writeFileSync(join(out, "rows/a.jsonl"), "a")
    const writer = yield* open(jsonl, { jsonl: "rows/a.jsonl" }, { folder: out })
    yield* writer.write([{ n: 1 }])
    renameSync(join(out, "rows"), join(out, "elsewhere"))
    symlinkSync("elsewhere", join(out, "rows"))
    const error = yield* Effect.flip(writer.finish)
    assert.strictEqual(error._tag, "LinkChanged")
    assert.include(error.message, "elsewhere")
    assert.strictEqual(yield* read(join(out, "elsewhere/a.jsonl")), "a")
  })

  scoped("is not opened when the output folder has become a link since the first file", function* () {
    const out = join(yield* folder, "out")
    mkdirSync(out)
    const writer = yield* open(jsonl, { jsonl: "{n}.jsonl", partitionBy: { n: "n" } }, { folder: out })
    yield* writer.write([{ n: 1 }])
    renameSync(out, `${out}-before`)
    mkdirSync(`${out}-other`)
    symlinkSync(`${out}-other`, out)
    const error = yield* Effect.flip(writer.write([{ n: 2 }]))
    assert.include(error.message, "when the run began")
    assert.deepStrictEqual(yield* list(`${out}-other`), [])
  })

  scoped("is not replaced when its link leads elsewhere at the end", function* () {
    const out = yield* folder
    for (const name of ["a", "b"]) writeFileSync(join(out, name), name)
    symlinkSync("a", join(out, "link"))
    const writer = yield* open(jsonl, { jsonl: "link" }, { folder: out })
    yield* writer.write([{ n: 1 }])
    symlinkSync("b", join(out, "other"))
    renameSync(join(out, "other"), join(out, "link"))
    const error = yield* Effect.flip(writer.finish)
    assert.strictEqual(error._tag, "LinkChanged")
    assert.include(error.message, `led to ${join(out, "a")}`)
    assert.deepStrictEqual([yield* read(join(out, "a")), yield* read(join(out, "b"))], ["a", "b"])
    assert.isTrue(existsSync(join(out, "a.r1.partial")))
  })

  scoped("is continued through its link", function* () {
    const out = yield* folder
    mkdirSync(join(out, "real"))
    symlinkSync("real/x.jsonl", join(out, "x.jsonl"))
    const first = yield* Effect.scoped(
      Effect.gen(function* () {
        const writer = yield* open(jsonl, { jsonl: "x.jsonl" }, { folder: out })
        yield* writer.write([{ n: 1 }])
        const commit = yield* writer.commit
        yield* writer.write([{ n: 2 }])
        return commit
      })
    )
    const writer = yield* open(jsonl, { jsonl: "x.jsonl" }, { folder: out, resume: JSON.parse(JSON.stringify(first)) })
    yield* writer.write([{ n: 3 }])
    yield* writer.finish
    assert.strictEqual(yield* read(join(out, "real/x.jsonl")), '{"n":1}\n{"n":3}\n')
  })
})

describe("a file that is replaced", () => {
  scoped.skipIf(skipsLong)(
    "keeps its permissions in every write mode, and the new file is private until then",
    function* () {
      const out = yield* folder
      const modes = FastCheck.sample(FastCheck.integer({ min: 0, max: 0o777 }), { numRuns: 12, seed: 1 })
      for (const mode of [0o600, 0o640, 0o444, 0o664, ...modes]) {
        for (const how of ["replace", "append"] as const) {
          const path = join(out, "x.jsonl")
          writeFileSync(path, '{"n":0}\n')
          chmodSync(path, isRoot ? mode : mode | 0o600)
          const { mode: before } = statSync(path)
          yield* Effect.gen(function* () {
            const writer = yield* open(jsonl, { jsonl: "x.jsonl", mode: how }, { folder: out })
            yield* writer.write([{ n: 1 }])
            yield* writer.commit
            assert.strictEqual(statSync(`${path}.r1.partial`).mode & 0o177, before & 0o177)
            yield* writer.finish
          }).pipe(Effect.scoped)
          assert.strictEqual(statSync(path).mode, before)
          unlinkSync(path)
        }
      }
      // Columns that are found late make a second copy of the file.
      const path = join(out, "x.csv")
      writeFileSync(path, "")
      chmodSync(path, 0o600)
      const wide = yield* open(csv, { csv: "x.csv", columns: { a: "string" }, onNewField: "widen" }, { folder: out })
      yield* wide.write([{ a: "1" }, { a: "2", b: "3" }])
      yield* wide.finish
      assert.strictEqual(readFileSync(path, "utf8"), "a,b\n1,\n2,3\n")
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
    }
  )

  scoped.skipIf(!isRoot)("keeps its owner when the run may change owners", function* () {
    const out = yield* folder
    const path = join(out, "x.jsonl")
    for (const mode of ["replace", "append"] as const) {
      writeFileSync(path, "")
      chmodSync(path, 0o640)
      chownSync(path, 12345, 23456)
      yield* write({ jsonl: "x.jsonl", mode }, out, [{ n: 1 }])
      const { gid, mode: bits, uid } = statSync(path)
      assert.deepStrictEqual([uid, gid, bits & 0o7777], [12345, 23456, 0o640])
    }
  })

  scoped("gets the permissions of the umask when it is new", function* () {
    const out = yield* folder
    yield* write({ jsonl: "x.jsonl" }, out, [{ n: 1 }])
    assert.strictEqual(statSync(join(out, "x.jsonl")).mode & 0o777, 0o666 & ~process.umask())
  })
})
