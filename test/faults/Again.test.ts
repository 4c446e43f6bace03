/** An engine that is started and stopped again and again: nothing of it stays in the process, on the disk, or beside it. */
import { readdirSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Effect from "effect/Effect"
import { expect, live } from "../It.ts"
import { caller, engine, keys, page, site, tempDir, temporaryFolder } from "../Local.ts"
import { childrenOf, handlesOf } from "../soak/Proc.ts"

const times = 50

setFlagsFromString("--expose_gc")
/** The driver lets go of a closed file once the statements over it are collected. */
const collect = runInNewContext("gc") as () => void

/** Timers, sockets, servers, children and threads that keep a process alive, by their kind. */
const kept = () => process.getActiveResourcesInfo().filter((kind) => kind !== "Timeout" && kind !== "Immediate").length

live(`An engine leaves nothing behind, though it is started and stopped ${times} times`, function* () {
  const temporary = yield* temporaryFolder
  const dataDir = yield* tempDir
  const { url } = yield* site(() => page("Again", ["/b"]))
  const once = (time: number) =>
    Effect.scoped(
      Effect.gen(function* () {
        const call = caller((yield* engine({ dataDir, browserSessions: 0 })).baseUrl, keys.first)
        expect((yield* call.post("/v2/scrape", { url })).status).toBe(200)
        yield* call.post("/v2/crawl", { url, delay: 60 })
        if (time % 10 !== 0) return
        const form = new FormData()
        form.append("file", new Blob([page("Parsed")]), "a.html")
        expect((yield* call.send("/v2/parse", { method: "POST", body: form })).status).toBe(200)
      })
    )
  // Whatever a process creates once and keeps exists from the first run on.
  yield* once(0)
  const held = () => {
    collect()
    return [handlesOf(process.pid), kept(), childrenOf(process.pid)]
  }
  const settled = Effect.delay(Effect.sync(held), 200)
  yield* Effect.sleep("6 seconds")
  const before = yield* settled
  const memory = process.memoryUsage().heapUsed
  for (let time = 1; time <= times; time++) yield* once(time)
  const isBack = (now: ReadonlyArray<number>) => now.every((count, index) => count <= (before[index] ?? 0) + 1)
  const after = yield* Effect.repeat(settled, { until: isBack, times: 50 })
  expect(isBack(after), `${before} before, ${after} after`).toBe(true)
  expect((process.memoryUsage().heapUsed - memory) / 2 ** 20).toBeLessThan(10)
  expect(readdirSync(temporary).filter((name) => !dataDir.endsWith(name) && name.startsWith("sluice-"))).toEqual([])
})
