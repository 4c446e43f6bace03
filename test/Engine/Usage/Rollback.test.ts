/** A transaction that fails leaves no trace in the usage and the quota. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { ChangeSignal } from "../../../src/Engine/Jobs/ChangeSignal.ts"
import { Frontier } from "../../../src/Engine/Jobs/Frontier.ts"
import * as Jobs from "../../../src/Engine/Jobs/Jobs.ts"
import * as SearchIndex from "../../../src/Engine/Search/SearchIndex.ts"
import * as Leases from "../../../src/Engine/Store/Leases.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import * as Usage from "../../../src/Engine/Usage/Usage.ts"
import { expect, it } from "../../It.ts"
import { tempDir } from "../../Local.ts"
import { alone } from "../Alone.ts"
import { batch } from "../Jobs/Stage.ts"

const layer = Layer.unwrapScoped(
  Effect.map(tempDir, (folder) =>
    Layer.mergeAll(Jobs.layer(Duration.hours(1)), Frontier.Default).pipe(
      Layer.provideMerge(
        Layer.mergeAll(Usage.layerWith({ every: 10, teams: new Map() }), SearchIndex.layer, ChangeSignal.Default)
      ),
      Layer.provideMerge(Store.layer(folder)),
      Layer.provide([alone, NodeContext.layer])
    )
  )
)

it.scoped("a batch of pages that the store refuses, however often, is neither booked nor held", layer, function* () {
  const sql = yield* Sql
  const jobs = yield* Jobs.Jobs
  const frontier = yield* Frontier
  const { quota } = yield* Usage.Usage
  const owner = yield* Leases.make
  const now = yield* Clock.currentTimeMillis
  const urls = ["http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/4"]
  const { id: jobId } = yield* jobs.start(batch("team", urls))
  const [first] = yield* frontier.commit(owner, [{ jobId, finished: [], room: 2 }])
  expect(quota.left("team", now)).toBe(8)
  const finished = (first?.tasks ?? []).map((task) => ({
    task,
    url: task.url,
    body: Buffer.from("{}"),
    failure: undefined,
    blocked: false,
    isCharged: true,
    found: [],
    landed: undefined,
    indexed: undefined
  }))
  const settle = frontier.commit(owner, [{ jobId, finished, room: 2 }])
  yield* sql`CREATE TRIGGER refused BEFORE UPDATE ON jobs WHEN NEW.results > OLD.results
      BEGIN SELECT RAISE(ABORT, 'refused'); END`
  for (let attempt = 0; attempt < 4; attempt++) expect(Exit.isFailure(yield* Effect.exit(settle))).toBe(true)
  expect([quota.used("team", now), quota.left("team", now)]).toEqual([0, 8])
  yield* sql`DROP TRIGGER refused`
  yield* settle
  // Two pages are paid, and two more are leased.
  expect([quota.used("team", now), quota.left("team", now)]).toEqual([2, 6])
})

it.scoped(
  "a job that the store does not let end keeps what it holds, and gives it back once when it has ended",
  layer,
  function* () {
    const sql = yield* Sql
    const jobs = yield* Jobs.Jobs
    const frontier = yield* Frontier
    const { quota } = yield* Usage.Usage
    const owner = yield* Leases.make
    const now = yield* Clock.currentTimeMillis
    const urls = ["http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/4"]
    const [one, two] = [yield* jobs.start(batch("team", urls)), yield* jobs.start(batch("team", urls))]
    for (const { id: jobId } of [one, two]) yield* frontier.commit(owner, [{ jobId, finished: [], room: 2 }])
    expect(quota.left("team", now)).toBe(6)
    yield* sql`CREATE TRIGGER refused BEFORE UPDATE ON jobs WHEN NEW.status = 'cancelled'
      BEGIN SELECT RAISE(ABORT, 'refused'); END`
    const cancel = Effect.exit(jobs.cancel("team", "batch", one.id))
    for (let attempt = 0; attempt < 3; attempt++) expect(Exit.isFailure(yield* cancel)).toBe(true)
    // Its two pages are still being fetched and will be paid for.
    expect(quota.left("team", now)).toBe(6)
    yield* sql`DROP TRIGGER refused`
    expect(Exit.isSuccess(yield* cancel)).toBe(true)
    expect(quota.left("team", now)).toBe(8)
  }
)
