/**
 * Memory of a partitioned gzip sink: 1,000,000 rows, 2 GB, into 200 partitions, in a process of its own. Run with
 * `--child` it is that process: rows come in chunks of 1,000, and one line of JSON tells what it took.
 */
import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { jsonl } from "../src/Sink/Jsonl.ts"
import { publish } from "../src/Sink/Publish.ts"
import { atMost, type Bench, noted } from "./Measure/Figures.ts"
import { folderFor, remove } from "./Measure/Programs.ts"

const chunks = 1000
const perChunk = 1000
/** A run takes a checkpoint every 250 ms: about so many chunks. */
const perCommit = 4
const partitions = 200

/** Texts that compress as pages do, to a quarter or so. */
const texts = Array.from({ length: 97 }, () =>
  Array.from(
    { length: 29 },
    () => `${randomBytes(9).toString("base64")} lorem ipsum dolor sit amet, consectetur `
  ).join("")
)

/** About 2,000 bytes each. */
const rowsOf = (chunk: number) =>
  Array.from({ length: perChunk }, (_, index) => {
    const id = chunk * perChunk + index
    return {
      data: {
        url: `https://host-${(id * 7919) % partitions}.example/page/${id}`,
        host: `host-${(id * 7919) % partitions}.example`,
        markdown: texts[id % texts.length]
      }
    }
  })

/** Writes everything into `folder`; resident megabytes are sampled after every chunk. */
const work = (folder: string) =>
  Effect.gen(function* () {
    const config = yield* Schema.decode(jsonl.config)({
      jsonl: "data/{host}/part-{seq}.jsonl.gz",
      partitionBy: { host: "host" },
      roll: { rows: 4000 }
    })
    const writer = yield* jsonl.open(config, { folder, names: { runId: "bench" }, bindings: () => ({ names: {} }) })
    const samples: Array<number> = []
    const started = performance.now()
    for (let chunk = 0; chunk < chunks; chunk++) {
      yield* writer.write(rowsOf(chunk))
      if (chunk % perCommit === perCommit - 1) yield* writer.commit
      samples.push(process.memoryUsage.rss() / 1e6)
    }
    const files = yield* publish([yield* writer.seal])
    const mean = (values: ReadonlyArray<number>) => values.reduce((sum, each) => sum + each, 0) / values.length
    return {
      seconds: (performance.now() - started) / 1000,
      peak: Math.max(...samples),
      second: mean(samples.slice(chunks * 0.2, chunks * 0.4)),
      last: mean(samples.slice(chunks * 0.8)),
      files: files.length,
      rows: files.reduce((sum, { rows }) => sum + rows, 0),
      bytes: files.reduce((sum, { bytes }) => sum + bytes, 0)
    }
  }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer), Effect.runPromise)

type Report = Awaited<ReturnType<typeof work>>

const self = fileURLToPath(import.meta.url)

if (process.argv[1] === self && process.argv[2] === "--child") {
  console.log(JSON.stringify(await work(process.argv[3] ?? ".")))
}

export const bench: Bench = {
  name: "partitions",
  run: async () => {
    const folder = folderFor("memory")
    const child = await promisify(execFile)(process.execPath, ["--import", "tsx", self, "--child", folder])
    remove(folder)
    const { files, last, peak, rows, second, seconds }: Report = JSON.parse(child.stdout)
    if (rows !== chunks * perChunk || files <= partitions) throw new Error(`${rows} rows are in ${files} files`)
    return [
      atMost("1,000,000 rows of 2 kB into 200 gzip partitions, peak memory", peak, "MB", 400),
      atMost("the same, last fifth / second fifth", last / second, "×", 1.15),
      noted("the same, speed", rows / seconds, "rows/s")
    ]
  }
}
