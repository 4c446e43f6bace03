/** The same by the job stream of the client. */
import { openSync, writeSync } from "node:fs"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { BatchScrape } from "../../src/Client/BatchScrape.ts"
import * as Connection from "../../src/Client/Connection.ts"

const [, , baseUrl = "", id = "", path = ""] = process.argv
const out = openSync(path, "w")

const program = Effect.gen(function* () {
  const batch = yield* BatchScrape
  yield* batch.stream(id).pipe(
    Stream.runForEachChunk((chunk) =>
      Effect.sync(() => {
        let lines = ""
        for (const document of Chunk.toReadonlyArray(chunk)) lines += `${JSON.stringify(document)}\n`
        writeSync(out, lines)
      })
    )
  )
})

await Effect.runPromise(Effect.provide(program, Layer.provide(BatchScrape.Default, Connection.layer({ baseUrl }))))
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
console.log(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, rss: maxRSS / 1024 }))
process.exit(0)
