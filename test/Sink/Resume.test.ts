import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import type { Data, Json } from "../../src/Row.ts"
import { csv } from "../../src/Sink/Csv.ts"
import { jsonl } from "../../src/Sink/Jsonl.ts"
import { commitOf, makeChanges } from "../../src/Sink/Write.ts"
import type * as Sink from "../../src/Sink.ts"
import { skipsLong } from "../Long.ts"
import { repetitions } from "../Repetitions.ts"
import { faulty, open } from "./Folder.ts"
import { json } from "./JsonArray.ts"

type Writer = Effect.Effect.Success<ReturnType<typeof openAs>>

interface Setting {
  readonly kind: "jsonl" | "csv" | "json"
  readonly mode: "replace" | "append" | "perRun"
  readonly partitioned: boolean
  readonly roll: { readonly rows?: number; readonly size?: string } | undefined
  readonly gzip: boolean
  readonly declared: boolean
  readonly onNewField: "drop" | "widen"
  readonly crlf: boolean
  /** Rows before the drawn ones, so that the header is decided among these. */
  readonly before: number
}

const drawn: fc.Arbitrary<Setting> = fc.record({
  kind: fc.constantFrom("jsonl", "csv", "json"),
  mode: fc.constantFrom("replace", "append", "perRun"),
  partitioned: fc.boolean(),
  roll: fc.constantFrom(undefined, { rows: 3 }, { size: "60B" }, { rows: 5, size: "90B" }),
  gzip: fc.boolean(),
  declared: fc.boolean(),
  onNewField: fc.constantFrom("drop", "widen"),
  crlf: fc.boolean(),
  before: fc.constantFrom(0, 0, 0, 985, 1000)
})
/** A thousand rows in files of three would be hundreds of files, each synced: there files are longer. */
const setting = drawn.map((given) =>
  given.before > 0 && given.roll !== undefined ? { ...given, roll: { rows: 300, size: "9kB" } } : given
)

const text = fc.oneof(
  fc.constantFrom("", "x", "=1", "-", 'q"u', "l\nf", "ü😀", "a,b"),
  fc.string({ unit: "binary", maxLength: 40 })
)
const value = fc.oneof(text, fc.integer(), fc.constant(null), fc.boolean(), fc.constant([1, { a: "b" }]))
const part = fc.constantFrom<unknown>("a", "A", "b", "../../x", "", null, 7, "a\0", { a: 1 })
const row: fc.Arbitrary<Data> = fc
  .tuple(fc.dictionary(fc.constantFrom("a", "b", "c", "toString"), value, { maxKeys: 3 }), part)
  .map(([data, p]) => ({ ...data, p }))

/** Events: chunks of rows, commits, and power failures. */
const script = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 9 }) },
    { weight: 2, arbitrary: fc.constantFrom("commit" as const) },
    { weight: 2, arbitrary: fc.constantFrom("crash" as const) },
    // The run has prepared its files for publishing, and the ledger has no word of it yet.
    { weight: 1, arbitrary: fc.constantFrom("seal" as const) },
    // The disk is full after so many more writes and syncs.
    { weight: 1, arbitrary: fc.record({ full: fc.integer({ min: 0, max: 12 }) }) }
  ),
  { minLength: 3, maxLength: 25, size: "max" }
)
type Step = number | "commit" | "crash" | "seal" | { readonly full: number }

const openAs = (
  { crlf, declared, gzip, kind, mode, onNewField, partitioned, roll }: Setting,
  folder: string,
  runId: string,
  resume?: Sink.Commit
) => {
  const seq = roll === undefined ? "" : "-{seq}"
  const path = `out/${partitioned ? "{p}/" : ""}x${seq}.${kind}${gzip ? ".gz" : ""}`
  const shared = { mode, roll, ...(partitioned ? { partitionBy: { p: "p" } } : {}) }
  const place = { folder, names: { runId, date: "2026-01-31" }, resume }
  if (kind === "jsonl") return open(jsonl, { jsonl: path, ...shared }, place)
  const toOne = mode === "append" && roll === undefined
  // Nothing can be appended behind a footer.
  if (kind === "json")
    return open(json, { json: path, ...shared, ...(toOne ? { mode: "perRun" as const } : {}) }, place)
  return open(
    csv,
    {
      csv: path,
      ...shared,
      ...(declared || toOne ? { columns: { a: "string", p: "json" } as const } : {}),
      onNewField: toOne ? "drop" : onNewField,
      lineEnd: crlf ? "crlf" : "lf"
    },
    place
  )
}

/** All files below a folder, decompressed. */
const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => {
        const bytes = readFileSync(path)
        return [path.slice(folder.length), (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("latin1")]
      })
  )

/** In memory where the system offers that: thousands of files are synced here. */
const ground = existsSync("/dev/shm") ? "/dev/shm" : tmpdir()

const partials = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".partial"))

/** A run that goes on after every crash, from what its last commit says. */
const disturbed = (setting: Setting, folder: string, rows: ReadonlyArray<Data>, steps: ReadonlyArray<Step>) =>
  Effect.gen(function* () {
    const entries = new Map<string, Json>()
    let kept: Json | undefined
    let safe = 0
    let rest = [...steps]
    let ended = false
    while (!ended) {
      const gauge = { left: Number.POSITIVE_INFINITY }
      const disk = faulty(yield* FileSystem.FileSystem, gauge)
      const error = yield* Effect.gen(function* () {
        const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : 1))
        const resume = yield* commitOf(JSON.parse(JSON.stringify({ value: kept, entries: sorted })))
        const writer: Writer = yield* openAs(setting, folder, "r1", resume)
        const changes = makeChanges(resume)
        let sent = safe
        while (rest.length > 0) {
          const [step, ...later] = rest
          rest = later
          if (step === "crash") return
          if (step === "seal") return yield* writer.seal
          if (step === "commit") {
            const { entries: changed = [], value } = changes(yield* writer.commit)
            kept = value
            for (const [key, json] of changed) json === undefined ? entries.delete(key) : entries.set(key, json)
            safe = sent
          } else if (typeof step === "object") gauge.left = step.full
          else {
            // The first chunk brings what comes before the drawn rows.
            const size = (step ?? 0) + (sent === 0 ? setting.before : 0)
            yield* writer.write(rows.slice(sent, sent + size))
            sent = Math.min(rows.length, sent + size)
          }
        }
        yield* writer.write(rows.slice(sent))
        yield* writer.finish
        ended = true
      }).pipe(
        Effect.scoped,
        Effect.provideService(FileSystem.FileSystem, disk),
        Effect.catchTag("DiskFull", () => Effect.succeed("full" as const))
      )
      if (error === "full") assert.isBelow(gauge.left, 0)
      // A power failure can leave any bytes behind the committed ones.
      if (!ended) for (const name of partials(folder)) appendFileSync(join(folder, name), "\u0000garbage\n")
    }
  })

describe("resuming a sink", () => {
  it.effect.skipIf(skipsLong)("gives the same files, byte for byte, wherever chunks, commits and crashes fall", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          setting,
          fc.array(row, { minLength: 1, maxLength: 40, size: "max" }),
          fc.array(row, { maxLength: 4 }),
          script,
          async (setting, drawn, older, steps) => {
            const base = mkdtempSync(join(ground, "sluice-resume-"))
            const rows = [...Array.from({ length: setting.before }, (_, a) => ({ a, p: a % 3 })), ...drawn]
            const [once, often] = [join(base, "once"), join(base, "often")]
            await Effect.gen(function* () {
              for (const folder of [once, often]) {
                // An earlier run, whose files are replaced, appended to or left alone.
                const earlier = yield* Effect.scoped(
                  Effect.gen(function* () {
                    const writer = yield* openAs(setting, folder, "r0")
                    yield* writer.write([...older, ...older])
                    return yield* writer.finish
                  })
                )
                assert.strictEqual(earlier.files.length > 0 || older.length === 0, true)
              }
              yield* Effect.scoped(
                Effect.gen(function* () {
                  const writer = yield* openAs(setting, once, "r1")
                  yield* writer.write(rows)
                  yield* writer.finish
                })
              )
              yield* disturbed(setting, often, rows, steps)
            }).pipe(Effect.provide(NodeFileSystem.layer), Effect.runPromise)
            assert.deepStrictEqual(contents(often), contents(once))
            if (setting.kind === "json") {
              for (const text of Object.values(contents(often))) assert.isArray(JSON.parse(text))
            }
            rmSync(base, { recursive: true })
          }
        ),
        { numRuns: repetitions(40, 12) }
      )
    )
  )
})
