/** Shards and merges that are killed at any moment: nothing is lost or doubled, and no half-written file has a final name. */
import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Chance from "../faults/Chance.ts"
import { expect, live } from "../It.ts"
import { kill, start } from "./Launched.ts"
import { contents, numbers, rowsTo } from "./Numbers.ts"
import { folderOf } from "./Project.ts"

const rounds = 5
const shards = 3
const rowsOfRound = 3000

const linesOf = (folder: string, begin: string): ReadonlyArray<{ readonly id: number }> =>
  contents(folder, begin)
    .split("\n")
    .filter((line) => line !== "")
    // A line that was cut off is no JSON.
    .map((line) => JSON.parse(line))

/** Exit code after SIGTERM. */
const stopped = 143

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

/** Runs it, and kills it after a while as often as `kills` says, until it has ended by itself. Gives the number of kills, and what it said. */
const untilDone = (
  root: string,
  { after, env = {}, kills, mayStop = false, note }: Kills,
  ...words: ReadonlyArray<string>
): Effect.Effect<{ readonly killed: number; readonly err: string; readonly out: string }> =>
  Effect.gen(function* () {
    let [err, out] = ["", ""]
    for (let killed = 0; ; killed++) {
      const code = yield* Effect.scoped(
        Effect.gen(function* () {
          const { child, ended, written } = yield* start(root, env, ...words)
          if (killed < kills) {
            yield* Effect.raceFirst(Effect.promise(after), ended)
            if (mayStop && killed % 2 === 1) child.kill("SIGTERM")
            else kill(child)
          }
          const code = yield* ended
          err += written.err
          out += written.out
          if (code !== null && code !== 0 && code !== stopped)
            throw new Error(`${words.join(" ")} (${note}): ${written.err}`)
          return code
        })
      )
      if (code === 0) return { killed, err, out }
    }
  })

interface Kills {
  readonly kills: number
  /** From a start to its kill. */
  readonly after: () => Promise<unknown>
  readonly env?: Readonly<Record<string, string>>
  /** Every other time it is stopped (SIGTERM) in place of killed. */
  readonly mayStop?: boolean
  /** For messages. */
  readonly note: string
}

/** A site whose first page leads to `count` others, each after 60 ms; and how often each was asked for. */
const site = (count: number) =>
  Effect.acquireRelease(
    Effect.async<{ readonly server: Server; readonly url: string; readonly asked: Map<string, number> }>((resume) => {
      const asked = new Map<string, number>()
      const links = upTo(count).map((index) => `<a href="/${index}">${index}</a>`)
      const server = createServer(({ url = "" }, response) => {
        if (url === "/robots.txt" || url === "/sitemap.xml") return void response.writeHead(404).end()
        asked.set(url, (asked.get(url) ?? 0) + 1)
        const title = url === "/" ? 0 : url.slice(1)
        const text = `<html><title>${title}</title><body><main><p>Page ${url} of a site with many pages.</p>${url === "/" ? links.join(" ") : ""}</main></body></html>`
        setTimeout(() => response.writeHead(200, { "content-type": "text/html" }).end(text), 60)
      })
      server.listen(0, "127.0.0.1", () =>
        resume(Effect.succeed({ server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }))
      )
    }),
    ({ server }) =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )

const seed = Number(process.env.SLUICE_SEED ?? Date.now() % 100_000)
const note = `seed ${seed}`

live(
  "each row is in the outputs once after any kills of shards and of merge, in every run that shares the state",
  function* () {
    const { below } = Chance.make(seed)
    const root = yield* folderOf({ "pipeline.yaml": numbers })
    const shared = `${root}/shared`
    // Merges and shards of this size take about a second.
    const after = () => sleep(200 + below(1200))
    let killed = 0
    for (let round = 1; round <= rounds; round++) {
      const last = round * rowsOfRound
      writeFileSync(`${root}/rows.jsonl`, rowsTo(last))
      const parts = upTo(shards).flatMap((part) => (part === 1 ? [part, part] : [part]))
      const all = yield* Effect.forEach(
        parts.entries(),
        ([index, part]) => {
          const words = ["--shard", `${part}/${shards}`, "--out", shared, "--data", `node-${index}`]
          return untilDone(root, { after, kills: 2, note }, "run", "pipeline.yaml", ...words)
        },
        { concurrency: 2 }
      )
      // Before the merge there is nothing of this run, and all of the last one.
      if (existsSync(`${shared}/all.jsonl`)) {
        expect(linesOf(shared, "pages").map(({ id }) => id)).toEqual(upTo(last - rowsOfRound))
      }
      const merged = yield* untilDone(root, { after, kills: 4, note }, "merge", shared)
      killed += [merged, ...all].reduce((sum, each) => sum + each.killed, 0)
      for (const name of ["pages", "all"]) {
        expect(
          linesOf(shared, name).map(({ id }) => id),
          `${note}, round ${round}`
        ).toEqual(upTo(last))
      }
      // A merge once more does nothing.
      yield* untilDone(root, { after, kills: 0, note }, "merge", shared)
      expect(linesOf(shared, "all")).toHaveLength(last)
      expect(readdirSync(`${shared}/.sluice/shards`)).toHaveLength(1)
    }
    expect(killed).toBeGreaterThan(rounds * 3)
  },
  600_000
)

live(
  "a killed or stopped shard goes on at its last checkpoint: what it has paid for is not asked for again, also by the source",
  function* () {
    const { below } = Chance.make(seed)
    const pages = 60
    const { asked, url } = yield* site(pages)
    const root = yield* folderOf({
      "crawl.yaml": `version: 1\nname: crawl\nsteps:\n  - crawl: { url: "${url}/", limit: 100 }\n  - select: { id: "$number(metadata.title)" }\n  - write: { jsonl: pages.jsonl }\n`,
      "scrape.yaml": `version: 1\nname: scrape\nsteps:\n  - read: rows.jsonl\n  - select: { id: id, url: "'${url}/' & $string(id)" }\n  - scrape: { formats: [markdown] }\n    concurrency: 2\n  - select: { id: "$number(metadata.title)" }\n  - write: { jsonl: pages.jsonl }\n`,
      "rows.jsonl": rowsTo(pages)
    })
    const env = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
    const sum = () => [...asked.values()].reduce((sum, count) => sum + count, 0)
    /** Until some more pages were asked for. */
    const after = async () => {
      for (const last = sum() + 1 + below(20); sum() < last; ) await sleep(5)
      await sleep(below(100))
    }
    const options = { after, env, kills: 3, mayStop: true, note }
    for (const name of ["scrape", "crawl"]) {
      asked.clear()
      const shared = `${root}/${name}`
      let killed = 0
      let err = ""
      for (const part of name === "crawl" ? ["source", 1, 2] : [1, 2]) {
        const words = ["--shard", `${part}/2`, "--out", shared, "--data", `${name}-${part}`]
        const done = yield* untilDone(root, options, "run", `${name}.yaml`, ...words)
        killed += done.killed
        err += done.err
      }
      const merged = yield* untilDone(root, { ...options, kills: 0 }, "merge", shared, "--json")
      const found = linesOf(shared, "pages").map(({ id }) => id)
      expect(
        found.filter((id) => id > 0).toSorted((one, other) => one - other),
        note
      ).toEqual(upTo(pages))
      expect(err, note).toContain("continues from its last checkpoint")
      expect(JSON.parse(merged.out).credits, note).toBe(asked.size)
      // Only pages that were under way at a kill are asked for again. The engine of a crawl was killed, too, and has lost what it had not saved.
      if (name === "scrape") expect(sum() - asked.size, `${note}, ${killed} kills`).toBeLessThanOrEqual(2 * killed)
    }
  },
  600_000
)
