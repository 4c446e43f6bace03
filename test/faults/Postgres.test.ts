/** Runs whose ledger is in Postgres: their machine dies or falls asleep, or the server goes away in the middle. */

import * as Effect from "effect/Effect"
import { expect, it } from "../It.ts"
import { behind, ledgerIn } from "../Ledger/Ledgers.ts"
import { ownServer, place } from "../Postgres.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import * as Ground from "./Ground.ts"
import { numbersIn, scene, told } from "./Ground.ts"
import { launch, sluice } from "./Sluice.ts"

const pages = 24

/** Scrapes them one by one, and writes them in order. */
const scraping = (url: string) => `version: 1
name: pages
state: { key: pages }
steps:
  - urls: [${Array.from({ length: pages }, (_, index) => `${url}/${index}`).join(", ")}]
  - dedupe: { across: runs }
  - scrape: { formats: [markdown] }
    concurrency: 2
    retry: { times: 20 }
  - select: { url: metadata.sourceURL, text: markdown }
  - write: { jsonl: pages.jsonl, order: input }
`

const inOrder = Ground.firstOf(pages)

/** A run with its ledger at an address. */
const at = (address: string, begin: ReturnType<Ground.Scene["run"]>) => ({
  ...begin,
  env: { ...begin.env, SLUICE_DATABASE_URL: address }
})

/** The newest run of a ledger. */
const newest = (address: string) =>
  Effect.gen(function* () {
    const { history } = yield* ledgerIn(address)
    const [run] = yield* history.runs({ limit: 1 })
    return run
  }).pipe(Effect.scoped)

/** Moves the locks to another host, so that no process can check whether their owners live. */
const moveAway = (address: string) => behind(address, (sql) => sql`UPDATE locks SET host = 'elsewhere/boot/4026'`)

/** Waits until no process holds the run; returns the milliseconds that took. */
const isFree = (address: string, id: string) =>
  Effect.gen(function* () {
    const begun = performance.now()
    const { history } = yield* ledgerIn(address)
    while ((yield* history.alive).has(id)) yield* Effect.sleep("50 millis")
    return performance.now() - begun
  }).pipe(Effect.scoped)

/** Expects the newest run to be complete, with every row once. */
const expectWhole = (address: string, { read }: Ground.Scene) =>
  Effect.gen(function* () {
    expect(numbersIn(read("pages.jsonl"))).toEqual(inOrder)
    const run = yield* newest(address)
    expect(run).toMatchObject({ status: "completed", rows: pages, credits: pages })
    const { history, states } = yield* ledgerIn(address)
    const met = yield* history.pagesOf(run?.id ?? "", { limit: 1000 })
    expect(met).toHaveLength(pages)
    expect(yield* states.list).toMatchObject([{ stateKey: "pages", entries: pages }])
  }).pipe(Effect.scoped)

/** A run with its ledger at an address, until so many pages have been asked for. */
const underWay = (address: string, asked: number) =>
  Effect.gen(function* () {
    const site = yield* Ground.heldSite({ delay: 120 })
    const ours = yield* scene(scraping(site.url))
    const running = yield* launch(at(address, ours.run()))
    yield* site.wasAsked(asked)
    return { site, ours, running }
  })

describeWithPostgres("a run with its ledger in Postgres", () => {
  it.scopedLive(
    "goes on elsewhere within ten seconds when its machine dies, and loses and doubles nothing",
    Ground.layer,
    function* () {
      const address = yield* place
      const { ours, running, site } = yield* underWay(address, 8)
      yield* moveAway(address)
      yield* running.kill
      const id = (yield* newest(address))?.id ?? ""
      expect(yield* isFree(address, id)).toBeLessThan(10_000)
      const resumed = yield* sluice(at(address, ours.resume(id)))
      expect([resumed.code, resumed.err]).toEqual([0, expect.anything()])
      // Only pages in flight are requested a second time.
      expect(site.asked()).toBeLessThanOrEqual(pages + 2)
      yield* expectWhole(address, ours)
    }
  )

  it.scopedLive(
    "writes nothing more when it wakes up and another machine has taken it over",
    Ground.layer,
    function* () {
      const address = yield* place
      const { ours, running } = yield* underWay(address, 8)
      yield* moveAway(address)
      running.child.kill("SIGSTOP")
      const id = (yield* newest(address))?.id ?? ""
      expect(yield* isFree(address, id)).toBeLessThan(10_000)
      const resumed = yield* sluice(at(address, ours.resume(id)))
      expect(resumed.code).toBe(0)
      yield* expectWhole(address, ours)
      running.child.kill("SIGCONT")
      const woken = yield* running.ended
      expect(woken.code).not.toBe(0)
      expect(woken.err).toContain("another process has taken this work over")
      yield* expectWhole(address, ours)
    }
  )

  it.scopedLive("goes on by itself when the server is restarted, and when it crashes", Ground.layer, function* () {
    const server = yield* ownServer
    const { ours, running, site } = yield* underWay(server.url, 6)
    yield* server.restart("INT")
    yield* site.wasAsked(14)
    yield* server.restart("QUIT")
    const ended = yield* running.ended
    expect([ended.code, told(ended).status]).toEqual([0, "completed"])
    yield* expectWhole(server.url, ours)
  })

  it.scopedLive(
    "ends with what to do when the server stays away, and goes on when it is back",
    Ground.layer,
    function* () {
      const server = yield* ownServer
      const { ours, running } = yield* underWay(server.url, 8)
      const id = (yield* newest(server.url))?.id ?? ""
      yield* server.end("INT")
      const gone = performance.now()
      const ended = yield* running.ended
      // It waits for twenty seconds, once.
      expect(performance.now() - gone).toBeLessThan(45_000)
      expect(ended.code).not.toBe(0)
      expect(ended.err).toMatch(/the server running|can be reached again/)
      expect(ended.err).toContain(`sluice resume ${id}`)
      yield* server.start
      const resumed = yield* sluice(at(server.url, ours.resume(id)))
      expect(resumed.code).toBe(0)
      yield* expectWhole(server.url, ours)
    }
  )
})
