import { describe, expect, it } from "@effect/vitest"
import * as Hosts from "../../../src/Engine/Jobs/FairScheduler.ts"
import { type FairScheduler, make, type StartedPage, type Task } from "../../../src/Engine/Jobs/FairScheduler.ts"

const free = { team: "t", maxConcurrency: 100, delay: 0 }
let ids = 0
const task = (jobId: string, url: string): Task => ({ id: ++ids, jobId, url, depth: 0, queued_at: 0 })

/** Takes all that may start at an instant. */
const takeAll = (rota: FairScheduler, now: number): { readonly tasks: Array<StartedPage>; readonly until: number } => {
  const tasks: Array<StartedPage> = []
  for (;;) {
    const next = rota.take(now)
    if ("until" in next) return { tasks, until: next.until }
    tasks.push(next)
  }
}

describe("the rota", () => {
  it("serves jobs in turn, however much one of them brings", () => {
    const rota = make(100, Hosts.makeHosts())
    rota.join("big", free)
    rota.join("small", free)
    rota.add(Array.from({ length: 10 }, (_, n) => task("big", `http://a.example/${n}`)))
    rota.add([task("small", "http://b.example/"), task("small", "http://c.example/")])
    expect(
      takeAll(rota, 0)
        .tasks.slice(0, 4)
        .map(({ jobId }) => jobId)
    ).toEqual(["big", "small", "big", "small"])
  })

  it("serves teams in turn, however many jobs one of them has, and however many pages wait in them", () => {
    const rota = make(100, Hosts.makeHosts())
    for (let n = 0; n < 50; n++) {
      rota.join(`big${n}`, { ...free, team: "big" })
      rota.add(Array.from({ length: 200 }, (_, page) => task(`big${n}`, `http://a${n}.example/${page}`)))
    }
    rota.join("small", { ...free, team: "small" })
    rota.add([task("small", "http://b.example/1"), task("small", "http://b.example/2")])
    const first = Array.from({ length: 6 }, () => rota.take(0)).map((one) => ("jobId" in one ? one.jobId : "none"))
    expect(first).toEqual(["big0", "small", "big1", "small", "big2", "big3"])
    rota.leave("small")
    expect("jobId" in rota.take(0)).toBe(true)
  })

  it("keeps workers free for the minimums of other teams, however many pages one team has", () => {
    const rota = make(100, Hosts.makeHosts(), { workers: 32, teams: 2 })
    rota.join("flood", { ...free, team: "a" })
    rota.add(Array.from({ length: 500 }, (_, n) => task("flood", `http://a${n}.example/`)))
    expect(takeAll(rota, 0).tasks).toHaveLength(24)
    rota.join("single", { ...free, team: "b" })
    rota.add([task("single", "http://b.example/")])
    expect(takeAll(rota, 0).tasks.map(({ jobId }) => jobId)).toEqual(["single"])
  })

  it("lends all workers to the only team of an engine", () => {
    const rota = make(100, Hosts.makeHosts(), { workers: 32, teams: 1 })
    rota.join("job", free)
    rota.add(Array.from({ length: 500 }, (_, n) => task("job", `http://a${n}.example/`)))
    expect(takeAll(rota, 0).tasks).toHaveLength(32)
  })

  it("keeps requests to a host free for other teams, also for those whose job another crew works on", () => {
    const hosts = Hosts.makeHosts()
    const [kept, unkept] = [1, 2].map(() => make(8, hosts, { workers: 32, teams: 2 }))
    const page = (n: number) => `http://shared.example/${n}`
    kept?.join("flood", { ...free, team: "a" })
    kept?.add(Array.from({ length: 50 }, (_, n) => task("flood", page(n))))
    expect(kept === undefined ? [] : takeAll(kept, 0).tasks).toHaveLength(6)
    unkept?.join("single", { ...free, team: "b" })
    unkept?.add([task("single", page(51))])
    expect(unkept?.take(0)).toMatchObject({ jobId: "single" })
  })

  it("gives a host that is asked by one at a time to the team that it served least recently, busy elsewhere or not", () => {
    const rota = make(8, Hosts.makeHosts(), { workers: 32, teams: 2 })
    rota.slowDown("http://slow.example/", 1_000, 0)
    rota.join("here", { ...free, team: "a" })
    rota.join("everywhere", { ...free, team: "b" })
    const slow = (jobId: string) =>
      Array.from({ length: 10 }, (_, n) => task(jobId, `http://slow.example/${jobId}${n}`))
    rota.add([...slow("here"), ...slow("everywhere")])
    rota.add(Array.from({ length: 10 }, (_, n) => task("everywhere", `http://b${n}.example/`)))
    const served: Array<string> = []
    for (let now = 0; served.length < 6; now += 1_000) {
      const asked = takeAll(rota, now).tasks.filter(({ url }) => url.startsWith("http://slow."))
      expect(asked).toHaveLength(1)
      for (const one of asked) rota.release(one, now)
      served.push(...asked.map(({ jobId }) => jobId))
    }
    expect(served).toEqual(["here", "everywhere", "here", "everywhere", "here", "everywhere"])
  })

  it("does not give a slow host to its own team again while another crew has a page of another team for it", () => {
    const hosts = Hosts.makeHosts()
    const rotas = [1, 2].map(() => make(8, hosts, { workers: 32, teams: 2 }))
    const [kept, unkept] = rotas
    if (kept === undefined || unkept === undefined) throw new Error("two were made")
    for (const rota of rotas) hosts.listen({ wake: () => undefined, mayStart: rota.mayStart })
    kept.slowDown("http://slow.example/", 1_000, 0)
    kept.join("a", { ...free, team: "a" })
    unkept.join("b", { ...free, team: "b" })
    for (const [rota, id] of [
      [kept, "a"],
      [unkept, "b"]
    ] as const) {
      rota.add([1, 2, 3].map((n) => task(id, `http://slow.example/${id}${n}`)))
    }
    const served: Array<string> = []
    for (let now = 0; now < 4_000; now += 1_000) {
      // The crew that served last looks first, as it is told first.
      for (const rota of rotas) {
        for (const one of takeAll(rota, now).tasks) {
          served.push(one.jobId)
          rota.release(one, now)
        }
      }
    }
    expect(served).toEqual(["a", "b", "a", "b"])
  })

  it("asks a host for so many pages at once and no more, and others meanwhile", () => {
    const rota = make(2, Hosts.makeHosts())
    rota.join("job", free)
    rota.add(["a", "a", "a", "b"].map((host, n) => task("job", `http://${host}.example/${n}`)))
    const { tasks, until } = takeAll(rota, 0)
    expect(tasks.map(({ url }) => new URL(url).hostname).sort()).toEqual(["a.example", "a.example", "b.example"])
    expect(until).toBe(Number.POSITIVE_INFINITY)
    expect(rota.waiting("job")).toBe(1)
    for (const done of tasks) rota.release(done, 1)
    expect(takeAll(rota, 1).tasks).toHaveLength(1)
  })

  it("asks no host for more because another rota asks it too, and keeps to the wish that the other has heard", () => {
    const hosts = Hosts.makeHosts()
    const [one, other] = [make(1, hosts), make(1, hosts)]
    for (const rota of [one, other]) {
      rota.join("job", free)
      rota.add([task("job", "http://a.example/1"), task("job", "http://a.example/2")])
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

  it("forgets a site's wish for time that nobody has heard for an hour", () => {
    const rota = make(2, Hosts.makeHosts())
    rota.join("job", free)
    const pages = () => rota.add([task("job", "http://a.example/1"), task("job", "http://a.example/2")])
    pages()
    rota.slowDown("http://a.example/", 60_000, 0)
    const { tasks, until } = takeAll(rota, 0)
    expect([tasks.length, until]).toEqual([1, Number.POSITIVE_INFINITY])
    for (const done of tasks) rota.release(done, 1_000)
    expect(takeAll(rota, 2_000)).toEqual({ tasks: [], until: 61_000 })
    for (const done of takeAll(rota, 61_000).tasks) rota.release(done, 62_000)
    pages()
    expect(takeAll(rota, 62_000 + 3 * 3_600_000).tasks).toHaveLength(2)
  })

  it("keeps to a job's own limit", () => {
    const rota = make(8, Hosts.makeHosts())
    rota.join("job", { team: "t", maxConcurrency: 1, delay: 0 })
    rota.add([task("job", "http://a.example/"), task("job", "http://b.example/")])
    expect(takeAll(rota, 0).tasks).toHaveLength(1)
  })

  it("keeps a job's delay to that job: others ask the host meanwhile", () => {
    const rota = make(8, Hosts.makeHosts())
    rota.join("slow", { team: "t", maxConcurrency: 8, delay: 3_600_000 })
    rota.join("fast", free)
    rota.add([1, 2].map((n) => task("slow", `http://a.example/${n}`)))
    rota.add([3, 4, 5].map((n) => task("fast", `http://a.example/${n}`)))
    const { tasks, until } = takeAll(rota, 0)
    expect(tasks.map(({ jobId }) => jobId).sort()).toEqual(["fast", "fast", "fast", "slow"])
    expect(until).toBe(Number.POSITIVE_INFINITY)
    for (const done of tasks) rota.release(done, 10)
    expect(rota.take(10)).toEqual({ until: 3_600_010 })
    rota.add([task("fast", "http://a.example/6")])
    expect(takeAll(rota, 10).tasks.map(({ jobId }) => jobId)).toEqual(["fast"])
  })

  it("leaves the delay between an answer of a host and the next request, and says until when", () => {
    const rota = make(8, Hosts.makeHosts())
    rota.join("job", { team: "t", maxConcurrency: 8, delay: 500 })
    rota.add([task("job", "http://a.example/1"), task("job", "http://a.example/2")])
    const first = takeAll(rota, 1000)
    expect(first.tasks).toHaveLength(1)
    for (const done of first.tasks) rota.release(done, 1100)
    expect(rota.take(1100)).toEqual({ until: 1600 })
    expect(takeAll(rota, 1600).tasks).toHaveLength(1)
  })

  it("remembers that a host asked for more time", () => {
    const rota = make(8, Hosts.makeHosts())
    rota.join("job", free)
    rota.slowDown("http://a.example/", 2000, 0)
    rota.add([task("job", "http://a.example/1"), task("job", "http://a.example/2")])
    const { tasks } = takeAll(rota, 0)
    expect(tasks).toHaveLength(1)
    for (const done of tasks) rota.release(done, 10)
    expect(rota.take(10)).toEqual({ until: 2010 })
  })

  it("says how long a page has waited for others to end, and not what it has waited for a host's wish", () => {
    const rota = make(2, Hosts.makeHosts(), { workers: 3 })
    const at = (url: string, queued_at: number) => ({ ...task("job", url), queued_at })
    rota.join("job", free)
    rota.add(["a", "a", "a", "b"].map((host, n) => at(`http://${host}.example/${n}`, 100)))
    const begun = takeAll(rota, 150).tasks
    expect(begun.map(({ limited }) => limited)).toEqual([undefined, undefined, undefined])
    for (const one of begun) rota.release(one, 400)
    expect(rota.take(400)).toMatchObject({ url: "http://a.example/2", limited: 300 })
    rota.add(["d", "e", "c"].map((host) => at(`http://${host}.example/`, 500)))
    const all = takeAll(rota, 600).tasks
    expect(all.map(({ limited }) => limited)).toEqual([undefined, undefined])
    for (const one of all) rota.release(one, 700)
    expect(rota.take(700)).toMatchObject({ limited: 200 })
    rota.slowDown("http://slow.example/", 1000, 800)
    rota.add([at("http://slow.example/1", 800), at("http://slow.example/2", 800)])
    const slow = rota.take(800)
    if ("id" in slow) rota.release(slow, 900)
    expect(rota.take(1000)).toEqual({ until: 1900 })
    expect(rota.take(1900)).not.toHaveProperty("limited")
  })

  it("does not say that a page waited for others to end where another team was only served first", () => {
    const rota = make(8, Hosts.makeHosts(), { workers: 32, teams: 2 })
    const at = (jobId: string, url: string): Task => ({ ...task(jobId, url), queued_at: 100 })
    const page = (jobId: string, n: number) => at(jobId, `http://shared.example/${jobId}${n}`)
    rota.join("one", { ...free, team: "a" })
    rota.join("two", { ...free, team: "b" })
    rota.add([page("one", 1), at("two", "http://b.example/"), at("two", "http://c.example/")])
    const begun = takeAll(rota, 200).tasks
    rota.add([page("one", 2), page("two", 1)])
    begun.push(...takeAll(rota, 300).tasks)
    expect(begun.slice(3).map(({ jobId }) => jobId)).toEqual(["two", "one"])
    expect(begun.map(({ limited }) => limited)).toEqual(begun.map(() => undefined))
  })

  it("gives every worker and every place at a host back where a row's number is used again", () => {
    const hosts = Hosts.makeHosts()
    const rota = make(4, hosts, { workers: 4 })
    const begun: Array<StartedPage> = []
    for (const jobId of ["first", "second", "third"]) {
      rota.join(jobId, free)
      rota.add([{ ...task(jobId, "http://a.example/"), id: 1 }])
      begun.push(...takeAll(rota, 0).tasks)
      rota.leave(jobId)
    }
    expect(rota.active()).toBe(3)
    expect(new Set(begun.map(({ sequence }) => sequence)).size).toBe(3)
    for (const one of begun) rota.release(one, 0)
    expect([rota.active(), hosts.known.size]).toEqual([0, 0])
  })

  it("forgets a job that has left, and the pages that it still had", () => {
    const rota = make(8, Hosts.makeHosts())
    rota.join("job", free)
    rota.add([task("job", "http://a.example/1"), task("job", "http://a.example/2")])
    const one = rota.take(0)
    expect(rota.isBusy("job")).toBe(true)
    rota.leave("job")
    rota.add([task("job", "http://a.example/3")])
    expect(takeAll(rota, 0).tasks).toEqual([])
    if ("id" in one) rota.release(one, 0)
    expect(rota.active()).toBe(0)
    expect(rota.isBusy("job")).toBe(false)
    expect(rota.waiting("job")).toBe(0)
  })

  it("keeps a host's wish while others come and go in thousands", () => {
    const rota = make(1, Hosts.makeHosts())
    rota.join("job", free)
    rota.slowDown("http://slow.example/", 60_000, 0)
    rota.add([task("job", "http://slow.example/1"), task("job", "http://slow.example/2")])
    for (const one of takeAll(rota, 0).tasks) rota.release(one, 0)
    for (let n = 0; n < 12_000; n++) {
      rota.slowDown(`http://h${n}.example/`, 1, 1000)
    }
    expect(rota.take(1000)).toEqual({ until: 60_000 })
    expect("id" in rota.take(60_000)).toBe(true)
  })
})
