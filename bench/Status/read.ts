/** Reads a job to its end with our client, as a process: base URL, key and id in, seconds, documents and memory out. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { BatchScrape } from "../../src/Client/BatchScrape.ts"
import * as Connection from "../../src/Client/Connection.ts"

const [, , baseUrl = "", key = "", id = ""] = process.argv
const settled: Array<number> = []
let documents = 0

const program = Effect.gen(function* () {
  const batch = yield* BatchScrape
  yield* batch.stream(id, { limit: 1000 }).pipe(
    Stream.runForEachChunk((chunk) =>
      Effect.sync(() => {
        documents += Chunk.size(chunk)
        settled.push(process.memoryUsage.rss())
      })
    )
  )
})

const began = performance.now()
const connection = Connection.layer({ baseUrl, apiKey: Redacted.make(key) })
await Effect.runPromise(Effect.provide(program, Layer.provide(BatchScrape.Default, connection)))
const seconds = (performance.now() - began) / 1000
const most = (part: ReadonlyArray<number>) => Math.max(...part)
const half = settled.length >> 1
// Flat: the second half of the job takes no more than the first did.
console.log(JSON.stringify({ seconds, documents, growth: most(settled.slice(half)) / most(settled.slice(0, half)) }))
process.exit(0)
