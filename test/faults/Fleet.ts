/** Runs on three workers of which one is killed every few seconds, while their Postgres is restarted once, and crashes once for 25 seconds: what is left is compared with what should be. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Schedule from "effect/Schedule"
import * as Cluster from "../../src/Cluster.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { ownServer } from "../Postgres.ts"
import { heldSite } from "./Ground.ts"
import { launch, type Running, serve } from "./Sluice.ts"

export interface Fleet {
  readonly bin: string
  /** Folder for all files of the campaign. */
  readonly folder: string
  readonly runs: number
  readonly workers: number
  /** Milliseconds between two kills, at least, and of work for each worker before it is killed. */
  readonly killEvery: number
  readonly told: (line: string) => void
}

const pages = 24
const shardRows = 8

const definition = (site: string): string => `
version: 1
name: fleet
steps:
  - urls: [${Array.from({ length: pages }, (_, index) => `"${site}/${index}"`).join(", ")}]
  - scrape: { formats: [markdown] }
    concurrency: 4
  - select: { title: metadata.title, url: metadata.sourceURL }
  - write: { jsonl: pages.jsonl }
  - dedupe: { key: title }
  - sort: { by: title }
  - write: { jsonl: sorted.jsonl }
`

const read = (file: string): ReadonlyArray<string> =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .toSorted()

/** Defects in the output folder of a run. */
const violations = (folder: string, site: string): ReadonlyArray<string> => {
  const row = (index: number) => JSON.stringify({ title: `Page ${index}`, url: `${site}/${index}` })
  const wanted = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => row(from + index)).toSorted()
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"))
  const shards = Math.ceil(pages / shardRows)
  const expected = new Map([
    ["sorted.jsonl", wanted(0, pages)],
    ...Array.from(
      { length: shards },
      (_, part) =>
        [`pages.000${part}.jsonl`, wanted(part * shardRows, Math.min(pages, (part + 1) * shardRows))] as const
    )
  ])
  return [
    ...names.filter((name) => !expected.has(name)).map((name) => `${name} should not be there`),
    ...[...expected].flatMap(([name, lines]) => {
      if (!names.includes(name)) return [`${name} is missing`]
      const found = read(`${folder}/${name}`)
      return JSON.stringify(found) === JSON.stringify(lines)
        ? []
        : [`${name} has ${found.length} rows, ${new Set(found).size} different, of ${lines.length}`]
    })
  ]
}

/** Runs them all, and says what became of each. */
export const fleet = ({ bin, folder, killEvery, runs, told, workers }: Fleet) =>
  Effect.gen(function* () {
    const postgres = yield* ownServer
    const url = `${postgres.url}&schema=fleet`
    const site = yield* heldSite({ delay: 60 })
    const data = `${folder}/service`
    mkdirSync(data)
    const service = yield* serve(bin, data)
    const place = (index: number) => {
      const cwd = `${folder}/worker-${index}`
      mkdirSync(cwd, { recursive: true })
      return cwd
    }
    /** Milliseconds that a worker has needed to start, at most. */
    let longestStart = 0
    const start = Effect.fnUntraced(function* (index: number) {
      const begun = performance.now()
      const worker = yield* launch({
        bin,
        words: ["worker", "--concurrency", "4", "--host", `w${index}`],
        cwd: place(index),
        env: { ...service.env, SLUICE_DATABASE_URL: url }
      })
      const measure = Effect.sync(() => {
        longestStart = Math.max(longestStart, performance.now() - begun)
      })
      yield* Effect.forkScoped(Effect.zipRight(worker.started, measure))
      return worker
    })
    const text = definition(site.url)
    const source = yield* parseText(`${folder}/fleet.yaml`, folder, text)
    writeFileSync(`${folder}/fleet.yaml`, text)
    const scope = { env: {}, secrets: () => undefined }
    const checked = yield* check(source, { ...scope, inputs: {}, complete: true })
    const layer = Cluster.layer(Redacted.make(url), 3)
    const kills = yield* Ref.make(0)
    return yield* Effect.gen(function* () {
      const begun = performance.now()
      const living: Array<Running> = []
      for (let index = 0; index < workers; index++) living.push(yield* start(index))
      const tasks = yield* Effect.forEach(Array.from({ length: runs }), (_, index) => {
        const out = `${folder}/out-${index}`
        mkdirSync(out)
        return Cluster.submit(checked, { out, shardRows, ...scope })
      })
      // A part that is begun five times without getting any further fails its run, as it should: on a busy machine, kills could do that.
      const worn = Effect.flatMap(
        PgClient.PgClient,
        (sql) => sql`SELECT part FROM parts WHERE status = 'open' AND beginnings >= 3`
      ).pipe(
        Effect.map((parts) => parts.length),
        Effect.orElseSucceed(() => 1)
      )
      const killing = Effect.gen(function* () {
        const index = (yield* Ref.getAndUpdate(kills, (count) => count + 1)) % workers
        const victim = living[index]
        if (victim === undefined) return
        // On a busy machine all takes longer. Killed before it has done anything each time, no worker would get any further.
        yield* victim.started
        yield* Effect.sleep(Math.max(killEvery, longestStart))
        yield* Effect.repeat(worn, { until: (parts) => parts === 0, schedule: Schedule.spaced("250 millis") })
        yield* victim.kill
        told(`killed worker ${index}`)
        living[index] = yield* start(index)
      }).pipe(Effect.forever)
      yield* Effect.forkScoped(killing)
      const over = Effect.gen(function* () {
        const open = yield* Cluster.RunStatus.open
        return runs - open.size
      })
      yield* Effect.repeat(Effect.delay(over, 250), { until: (count) => count >= runs / 3 })
      told("restarts Postgres")
      yield* postgres.restart("INT")
      yield* Effect.repeat(Effect.delay(over, 250), { until: (count) => count >= (2 * runs) / 3 })
      told("Postgres crashes, and is away for 25 seconds")
      yield* postgres.end("QUIT")
      yield* Effect.sleep("25 seconds")
      yield* postgres.start
      let last = -1
      yield* Effect.repeat(
        Effect.tap(Effect.delay(over, 250), (count) =>
          Effect.sync(() => {
            if (count !== last) told(`${count} of ${runs} runs are over`)
            last = count
          })
        ),
        { until: (count) => count >= runs }
      )
      const millis = performance.now() - begun
      const found = yield* Effect.forEach(tasks, ({ out, runId }) =>
        Effect.map(Cluster.RunStatus.standing(runId), (standing) => ({
          runId,
          violations:
            standing?.status === "completed" ? violations(out, site.url) : [`${standing?.status}: ${standing?.error}`]
        }))
      )
      return { found, millis, kills: yield* Ref.get(kills), asked: site.asked() }
    }).pipe(Effect.provide(layer))
  }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
