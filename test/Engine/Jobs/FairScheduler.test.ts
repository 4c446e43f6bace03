import { describe, expect, it } from "@effect/vitest"
import * as Hosts from "../../../src/Engine/Fetch/FairScheduler.ts"
import { FairScheduler, type StartedPage, type Task } from "../../../src/Engine/Fetch/FairScheduler.ts"

const free = { team: "t", maxConcurrency: 100, delay: 0 }
let ids = 0
const task = (jobId: string, url: string): Task => ({ id: ++ids, jobId, url, depth: 0, queued_at: 0 })

/** Takes all pages that may start at this time. */
const takeAll = (
  scheduler: FairScheduler,
  now: number
): { readonly tasks: Array<StartedPage>; readonly until: number } => {
  const tasks: Array<StartedPage> = []
  for (;;) {
    const next = scheduler.take(now)
    if ("until" in next) return { tasks, until: next.until }
    tasks.push(next)
  }
}

describe("the scheduler", () => {
  it("serves jobs in turn, also with a job of many pages", () => {
    const scheduler = new FairScheduler(100, Hosts.makeHosts())
    scheduler.join("big", free)
    scheduler.join("small", free)
    scheduler.add(Array.from({ length: 10 }, (_, n) => task("big", `http://a.example/${n}`)))
    scheduler.add([task("small", "http://b.example/"), task("small", "http://c.example/")])
    expect(
      takeAll(scheduler, 0)
        .tasks.slice(0, 4)
        .map(({ jobId }) => jobId)
    ).toEqual(["big", "small", "big", "small"])
  })

  it("names the slow hosts at which a job has enough waiting pages", () => {
    const scheduler = new FairScheduler(8, Hosts.makeHosts())
    const pages = (jobId: string, host: string, count: number) =>
      scheduler.add(Array.from({ length: count }, (_, n) => task(jobId, `http://${host}.example/${n}`)))
    scheduler.join("job", free)
    scheduler.join("slow", { ...free, delay: 1_000 })
    for (const host of ["a", "b", "c"]) pages("job", host, 20)
    pages("job", "d", 15)
    pages("slow", "c", 16)
    expect(scheduler.crowded("job", 0).size).toBe(0)
    expect([...scheduler.crowded("slow", 0)]).toEqual(["c.example"])
    for (const host of ["a", "d"]) scheduler.slowDown(`http://${host}.example/`, 60_000, 0)
    scheduler.pause("http://b.example/", 5_000, 0)
    const crowded = scheduler.crowded("job", 0)
    expect([...crowded]).toEqual(["a.example", "b.example"])
    expect([scheduler.waiting("job"), scheduler.waiting("job", crowded)]).toEqual([75, 35])
  })

  it("serves teams in turn, also with a team of many jobs and pages", () => {
    const scheduler = new FairScheduler(100, Hosts.makeHosts())
    for (let n = 0; n < 50; n++) {
      scheduler.join(`big${n}`, { ...free, team: "big" })
      scheduler.add(Array.from({ length: 200 }, (_, page) => task(`big${n}`, `http://a${n}.example/${page}`)))
    }
    scheduler.join("small", { ...free, team: "small" })
    scheduler.add([task("small", "http://b.example/1"), task("small", "http://b.example/2")])
    const first = Array.from({ length: 6 }, () => scheduler.take(0)).map((one) => ("jobId" in one ? one.jobId : "none"))
    expect(first).toEqual(["big0", "small", "big1", "small", "big2", "big3"])
    scheduler.leave("small")
    expect("jobId" in scheduler.take(0)).toBe(true)
  })

  it("keeps workers free for the minimums of other teams", () => {
    const scheduler = new FairScheduler(100, Hosts.makeHosts(), { workers: 32, teams: 2 })
    scheduler.join("flood", { ...free, team: "a" })
    scheduler.add(Array.from({ length: 500 }, (_, n) => task("flood", `http://a${n}.example/`)))
    expect(takeAll(scheduler, 0).tasks).toHaveLength(24)
    scheduler.join("single", { ...free, team: "b" })
    scheduler.add([task("single", "http://b.example/")])
    expect(takeAll(scheduler, 0).tasks.map(({ jobId }) => jobId)).toEqual(["single"])
  })

  it("lends all workers to the only team of an engine", () => {
    const scheduler = new FairScheduler(100, Hosts.makeHosts(), { workers: 32, teams: 1 })
    scheduler.join("job", free)
    scheduler.add(Array.from({ length: 500 }, (_, n) => task("job", `http://a${n}.example/`)))
    expect(takeAll(scheduler, 0).tasks).toHaveLength(32)
  })

  it("keeps requests to a host free for other teams, also for those whose job runs in another pool", () => {
    const hosts = Hosts.makeHosts()
    const [kept, unkept] = [1, 2].map(() => new FairScheduler(8, hosts, { workers: 32, teams: 2 }))
    const page = (n: number) => `http://shared.example/${n}`
    kept?.join("flood", { ...free, team: "a" })
    kept?.add(Array.from({ length: 50 }, (_, n) => task("flood", page(n))))
    expect(kept === undefined ? [] : takeAll(kept, 0).tasks).toHaveLength(6)
    unkept?.join("single", { ...free, team: "b" })
    unkept?.add([task("single", page(51))])
    expect(unkept?.take(0)).toMatchObject({ jobId: "single" })
  })

  it("gives a host that takes one request at a time to the team that it served least recently, also if that team is busy elsewhere", () => {
    const scheduler = new FairScheduler(8, Hosts.makeHosts(), { workers: 32, teams: 2 })
    scheduler.slowDown("http://slow.example/", 1_000, 0)
    scheduler.join("here", { ...free, team: "a" })
    scheduler.join("everywhere", { ...free, team: "b" })
    const slow = (jobId: string) =>
      Array.from({ length: 10 }, (_, n) => task(jobId, `http://slow.example/${jobId}${n}`))
    scheduler.add([...slow("here"), ...slow("everywhere")])
    scheduler.add(Array.from({ length: 10 }, (_, n) => task("everywhere", `http://b${n}.example/`)))
    const served: Array<string> = []
    for (let now = 0; served.length < 6; now += 1_000) {
      const asked = takeAll(scheduler, now).tasks.filter(({ url }) => url.startsWith("http://slow."))
      expect(asked).toHaveLength(1)
      for (const one of asked) scheduler.release(one, now)
      served.push(...asked.map(({ jobId }) => jobId))
    }
    expect(served).toEqual(["here", "everywhere", "here", "everywhere", "here", "everywhere"])
  })

  it("does not give a slow host to the same team again while another pool has a page of another team for it", () => {
    const hosts = Hosts.makeHosts()
    const schedulers = [1, 2].map(() => new FairScheduler(8, hosts, { workers: 32, teams: 2 }))
    const [kept, unkept] = schedulers
    if (kept === undefined || unkept === undefined) throw new Error("two were made")
    for (const scheduler of schedulers) hosts.listen({ wake: () => undefined, mayStart: scheduler.mayStart })
    kept.slowDown("http://slow.example/", 1_000, 0)
    kept.join("a", { ...free, team: "a" })
    unkept.join("b", { ...free, team: "b" })
    for (const [scheduler, id] of [
      [kept, "a"],
      [unkept, "b"]
    ] as const) {
      scheduler.add([1, 2, 3].map((n) => task(id, `http://slow.example/${id}${n}`)))
    }
    const served: Array<string> = []
    for (let now = 0; now < 4_000; now += 1_000) {
      // The pool that was served last looks first, because it is woken first.
      for (const scheduler of schedulers) {
        for (const one of takeAll(scheduler, now).tasks) {
          served.push(one.jobId)
          scheduler.release(one, now)
        }
      }
    }
    expect(served).toEqual(["a", "b", "a", "b"])
  })

  it("limits the concurrent requests to a host, and sends requests to others meanwhile", () => {
    const scheduler = new FairScheduler(2, Hosts.makeHosts())
    scheduler.join("job", free)
    scheduler.add(["a", "a", "a", "b"].map((host, n) => task("job", `http://${host}.example/${n}`)))
    const { tasks, until } = takeAll(scheduler, 0)
    expect(tasks.map(({ url }) => new URL(url).hostname).sort()).toEqual(["a.example", "a.example", "b.example"])
    expect(until).toBe(Number.POSITIVE_INFINITY)
    expect(scheduler.waiting("job")).toBe(1)
    for (const done of tasks) scheduler.release(done, 1)
    expect(takeAll(scheduler, 1).tasks).toHaveLength(1)
  })

  it("shares the limits and the crawl delays of hosts with other schedulers", () => {
    const hosts = Hosts.makeHosts()
    const [one, other] = [new FairScheduler(1, hosts), new FairScheduler(1, hosts)]
    for (const scheduler of [one, other]) {
      scheduler.join("job", free)
      scheduler.add([task("job", "http://a.example/1"), task("job", "http://a.example/2")])
    }
    const [first] = takeAll(one, 0).tasks
    expect(takeAll(other, 0).tasks).toEqual([])
    if (first !== undefined) one.release(first, 0)
    expect(takeAll(other, 0).tasks).toHaveLength(1)
    one.slowDown("http://b.example/", 1000, 0)
    other.add([task("job", "http://b.example/1"), task("job", "http://b.example/2")])
    expect(takeAll(other, 0).tasks).toHaveLength(1)
    one.add([task("job", "http://b.example/3")])
    expect(takeAll(one, 0).tasks).toEqual([])
  })

  it("forgets the crawl delay of a site after an hour without a request", () => {
    const scheduler = new FairScheduler(2, Hosts.makeHosts())
    scheduler.join("job", free)
    const pages = () => scheduler.add([task("job", "http://a.example/1"), task("job", "http://a.example/2")])
    pages()
    scheduler.slowDown("http://a.example/", 60_000, 0)
    const { tasks, until } = takeAll(scheduler, 0)
    expect([tasks.length, until]).toEqual([1, Number.POSITIVE_INFINITY])
    for (const done of tasks) scheduler.release(done, 1_000)
    expect(takeAll(scheduler, 2_000)).toEqual({ tasks: [], until: 61_000 })
    for (const done of takeAll(scheduler, 61_000).tasks) scheduler.release(done, 62_000)
    pages()
    expect(takeAll(scheduler, 62_000 + 3 * 3_600_000).tasks).toHaveLength(2)
  })

  it("applies the concurrency limit of a job", () => {
    const scheduler = new FairScheduler(8, Hosts.makeHosts())
    scheduler.join("job", { team: "t", maxConcurrency: 1, delay: 0 })
    scheduler.add([task("job", "http://a.example/"), task("job", "http://b.example/")])
    expect(takeAll(scheduler, 0).tasks).toHaveLength(1)
  })

  it("applies the delay of a job to that job only", () => {
    const scheduler = new FairScheduler(8, Hosts.makeHosts())
    scheduler.join("slow", { team: "t", maxConcurrency: 8, delay: 3_600_000 })
    scheduler.join("fast", free)
    scheduler.add([1, 2].map((n) => task("slow", `http://a.example/${n}`)))
    scheduler.add([3, 4, 5].map((n) => task("fast", `http://a.example/${n}`)))
    const { tasks, until } = takeAll(scheduler, 0)
    expect(tasks.map(({ jobId }) => jobId).sort()).toEqual(["fast", "fast", "fast", "slow"])
    expect(until).toBe(Number.POSITIVE_INFINITY)
    for (const done of tasks) scheduler.release(done, 10)
    expect(scheduler.take(10)).toEqual({ until: 3_600_010 })
    scheduler.add([task("fast", "http://a.example/6")])
    expect(takeAll(scheduler, 10).tasks.map(({ jobId }) => jobId)).toEqual(["fast"])
  })

  it("waits for the delay between an answer of a host and the next request, and returns until when", () => {
    const scheduler = new FairScheduler(8, Hosts.makeHosts())
    scheduler.join("job", { team: "t", maxConcurrency: 8, delay: 500 })
    scheduler.add([task("job", "http://a.example/1"), task("job", "http://a.example/2")])
    const first = takeAll(scheduler, 1000)
    expect(first.tasks).toHaveLength(1)
    for (const done of first.tasks) scheduler.release(done, 1100)
    expect(scheduler.take(1100)).toEqual({ until: 1600 })
    expect(takeAll(scheduler, 1600).tasks).toHaveLength(1)
  })

  it("begins no delay after a page that needed no request", () => {
    const scheduler = new FairScheduler(8, Hosts.makeHosts())
    scheduler.join("job", { team: "t", maxConcurrency: 8, delay: 500 })
    scheduler.slowDown("http://a.example/", 2000, 0)
    scheduler.add([1, 2, 3].map((page) => task("job", `http://a.example/${page}`)))
    const next = (now: number) => {
      const { tasks, until } = takeAll(scheduler, now)
      const [page] = tasks
      expect(tasks.length).toBeLessThanOrEqual(1)
      return page ?? until
    }
    const first = next(0)
    if (typeof first === "object") scheduler.release(first, 10, true)
    const second = next(10)
    if (typeof second === "object") scheduler.release(second, 20)
    expect([first, second].map((page) => typeof page)).toEqual(["object", "object"])
    expect(next(20)).toBe(2020)
  })

  it("holds a page whose redirect leads to a paused host until the pause ends, and then gives it a turn at its own host", () => {
    const scheduler = new FairScheduler(8, Hosts.makeHosts())
    scheduler.join("job", free)
    const page = (n: number) => `http://a.example/${n}`
    const leadsTo = "http://b.example/x"
    scheduler.pause(leadsTo, 1_000, 0)
    expect([400, 2_000].map((now) => scheduler.pauseOf("http://b.example/", now))).toEqual([600, 0])
    scheduler.slowDown(page(1), 200, 0)
    const held = [1, 2].map((n) => ({ ...task("job", page(n)), leadsTo, notBefore: 1_000 }))
    scheduler.add([...held, task("job", page(3))])
    expect([scheduler.waiting("job"), scheduler.waiting("job", [])]).toEqual([3, 1])
    const begun = takeAll(scheduler, 900)
    expect([begun.tasks.map(({ url }) => url), begun.until]).toEqual([[page(3)], 1_000])
    expect(scheduler.mayStart("a.example", 900, () => true)).toBe(false)
    for (const one of begun.tasks) scheduler.release(one, 950)
    expect(scheduler.take(1_000)).toEqual({ until: 1_150 })
    const next = takeAll(scheduler, 1_150).tasks
    expect(next.map(({ url }) => url)).toEqual([page(1)])
    for (const one of next) scheduler.release(one, 1_160)
    expect(scheduler.take(1_160)).toEqual({ until: 1_360 })
    expect(scheduler.take(1_360)).toMatchObject({ url: page(2) })
    expect(scheduler.waiting("job")).toBe(0)
  })

  it("remembers the crawl delay of a host", () => {
    const scheduler = new FairScheduler(8, Hosts.makeHosts())
    scheduler.join("job", free)
    scheduler.slowDown("http://a.example/", 2000, 0)
    scheduler.add([task("job", "http://a.example/1"), task("job", "http://a.example/2")])
    const { tasks } = takeAll(scheduler, 0)
    expect(tasks).toHaveLength(1)
    for (const done of tasks) scheduler.release(done, 10)
    expect(scheduler.take(10)).toEqual({ until: 2010 })
  })

  it("reports the time that a page waited for a concurrency limit, not for a crawl delay", () => {
    const scheduler = new FairScheduler(2, Hosts.makeHosts(), { workers: 3 })
    const at = (url: string, queued_at: number) => ({ ...task("job", url), queued_at })
    scheduler.join("job", free)
    scheduler.add(["a", "a", "a", "b"].map((host, n) => at(`http://${host}.example/${n}`, 100)))
    const begun = takeAll(scheduler, 150).tasks
    expect(begun.map(({ limited }) => limited)).toEqual([undefined, undefined, undefined])
    for (const one of begun) scheduler.release(one, 400)
    expect(scheduler.take(400)).toMatchObject({ url: "http://a.example/2", limited: 300 })
    scheduler.add(["d", "e", "c"].map((host) => at(`http://${host}.example/`, 500)))
    const all = takeAll(scheduler, 600).tasks
    expect(all.map(({ limited }) => limited)).toEqual([undefined, undefined])
    for (const one of all) scheduler.release(one, 700)
    expect(scheduler.take(700)).toMatchObject({ limited: 200 })
    scheduler.slowDown("http://slow.example/", 1000, 800)
    scheduler.add([at("http://slow.example/1", 800), at("http://slow.example/2", 800)])
    const slow = scheduler.take(800)
    if ("id" in slow) scheduler.release(slow, 900)
    expect(scheduler.take(1000)).toEqual({ until: 1900 })
    expect(scheduler.take(1900)).not.toHaveProperty("limited")
  })

  it("does not report a wait when another team was only served first", () => {
    const scheduler = new FairScheduler(8, Hosts.makeHosts(), { workers: 32, teams: 2 })
    const at = (jobId: string, url: string): Task => ({ ...task(jobId, url), queued_at: 100 })
    const page = (jobId: string, n: number) => at(jobId, `http://shared.example/${jobId}${n}`)
    scheduler.join("one", { ...free, team: "a" })
    scheduler.join("two", { ...free, team: "b" })
    scheduler.add([page("one", 1), at("two", "http://b.example/"), at("two", "http://c.example/")])
    const begun = takeAll(scheduler, 200).tasks
    scheduler.add([page("one", 2), page("two", 1)])
    begun.push(...takeAll(scheduler, 300).tasks)
    expect(begun.slice(3).map(({ jobId }) => jobId)).toEqual(["two", "one"])
    expect(begun.map(({ limited }) => limited)).toEqual(begun.map(() => undefined))
  })

  it("releases every worker and host slot when the id of a row is reused", () => {
    const hosts = Hosts.makeHosts()
    const scheduler = new FairScheduler(4, hosts, { workers: 4 })
    const begun: Array<StartedPage> = []
    for (const jobId of ["first", "second", "third"]) {
      scheduler.join(jobId, free)
      scheduler.add([{ ...task(jobId, "http://a.example/"), id: 1 }])
      begun.push(...takeAll(scheduler, 0).tasks)
      scheduler.leave(jobId)
    }
    expect(scheduler.active()).toBe(3)
    expect(new Set(begun.map(({ sequence }) => sequence)).size).toBe(3)
    for (const one of begun) scheduler.release(one, 0)
    expect([scheduler.active(), hosts.known.size]).toEqual([0, 0])
  })

  it("forgets a job that has left, with its waiting pages", () => {
    const scheduler = new FairScheduler(8, Hosts.makeHosts())
    scheduler.join("job", free)
    scheduler.add([task("job", "http://a.example/1"), task("job", "http://a.example/2")])
    const one = scheduler.take(0)
    expect(scheduler.isBusy("job")).toBe(true)
    scheduler.leave("job")
    scheduler.add([task("job", "http://a.example/3")])
    expect(takeAll(scheduler, 0).tasks).toEqual([])
    if ("id" in one) scheduler.release(one, 0)
    expect(scheduler.active()).toBe(0)
    expect(scheduler.isBusy("job")).toBe(false)
    expect(scheduler.waiting("job")).toBe(0)
  })

  it("keeps the crawl delay of a host while thousands of others come and go", () => {
    const scheduler = new FairScheduler(1, Hosts.makeHosts())
    scheduler.join("job", free)
    scheduler.slowDown("http://slow.example/", 60_000, 0)
    scheduler.add([task("job", "http://slow.example/1"), task("job", "http://slow.example/2")])
    for (const one of takeAll(scheduler, 0).tasks) scheduler.release(one, 0)
    for (let n = 0; n < 12_000; n++) {
      scheduler.slowDown(`http://h${n}.example/`, 1, 1000)
    }
    expect(scheduler.take(1000)).toEqual({ until: 60_000 })
    expect("id" in scheduler.take(60_000)).toBe(true)
  })
})
