/** A team that takes all it can get of an engine, and how long an innocent team beside it waits. */
import { connect, type Socket } from "node:net"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { WebSocket } from "ws"
import { receiver } from "../../test/Engine/Jobs/Receiver.ts"
import { browserOf, startEngine } from "../../test/fuzz/EngineProcess.ts"
import { type Caller, caller, keys, page, site } from "../../test/Local.ts"

export interface AttackOptions {
  /** The executable. */
  readonly bin: string
  /** Path of a Chromium; without one pages are not shown and no sessions opened. */
  readonly chromium: string | undefined
  /** About how long all measurements may take together, in seconds. */
  readonly seconds: number
  /** Part of the name of the attacks that are made; all of them without one. */
  readonly only?: string | undefined
  readonly told?: ((line: string) => void) | undefined
}

/** Milliseconds of what the innocent team asked for, alone and beside an attack: measured in turns. */
export interface Waits {
  readonly attack: string
  readonly what: string
  readonly alone: ReadonlyArray<number>
  readonly beside: ReadonlyArray<number>
}

export interface AttackReport {
  /** Calls, jobs and connections of the hostile team. */
  readonly attempts: number
  readonly waits: ReadonlyArray<Waits>
  /** Browser sessions that the hostile team held, and those that the innocent team asked for and got beside them. */
  readonly sessions: { readonly held: number; readonly asked: number; readonly opened: number }
  readonly faults: ReadonlyArray<string>
}

/** Milliseconds of a piece of work; infinite when it fails. */
const timed = (work: Effect.Effect<boolean>) =>
  Effect.map(Effect.timed(work), ([spent, isDone]) => (isDone ? Duration.toMillis(spent) : Number.POSITIVE_INFINITY))

const limit = 30_000

/** A batch of one page is completed. */
const batch = (call: Caller, url: string, more: object = {}) =>
  Effect.gen(function* () {
    const begun = performance.now()
    const { json, status: accepted } = yield* call.post("/v2/batch/scrape", { urls: [url], maxAge: 0, ...more })
    if (accepted !== 200) return false
    while (performance.now() - begun < limit) {
      const { status, completed } = (yield* call.get(`/v2/batch/scrape/${json.id}`)).json
      if (status !== "scraping") return status === "completed" && completed === 1
      yield* Effect.sleep("10 millis")
    }
    return false
  })

/** A browser shows a page. */
const shown = (call: Caller, url: string) =>
  Effect.map(call.post("/v2/scrape", { url, waitFor: 1, timeout: limit, maxAge: 0 }), ({ status }) => status === 200)

const upload = (call: Caller, name: string, text: string) =>
  Effect.suspend(() => {
    const body = new FormData()
    body.append("file", new Blob([text]), name)
    body.append("options", JSON.stringify({ formats: ["markdown"] }))
    return Effect.map(call.send("/v2/parse", { method: "POST", body }), ({ status }) => status === 200)
  })

const search = (call: Caller, query: string) =>
  Effect.map(call.post("/v2/search", { query, limit: 20 }), ({ status }) => status === 200)

/** Repeats a piece of work on so many fibers for as long as the scope is open. */
const forEver = (fibers: number, work: (n: number) => Effect.Effect<unknown>) =>
  Effect.forEach(
    Array.from({ length: fibers }).keys(),
    (n) => Effect.forkScoped(Effect.forever(Effect.zipRight(work(n), Effect.yieldNow()))),
    { discard: true }
  )

/** Asks on a connection of its own and reads nothing until the scope closes; asks again when the connection ends. */
const silent = (baseUrl: string, key: string, path: string, body: object, told: () => void) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { host, hostname, port } = new URL(baseUrl)
      const text = JSON.stringify(body)
      const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json`
      let isOver = false
      let socket: Socket | undefined
      const ask = () => {
        if (isOver) return
        told()
        const opened = connect(Number(port), hostname)
        opened.on("error", () => undefined)
        opened.on("close", () => setTimeout(ask, 200).unref())
        opened.write(`${head}\r\ncontent-length: ${text.length}\r\n\r\n${text}`)
        socket = opened
      }
      ask()
      return () => {
        isOver = true
        socket?.destroy()
      }
    }),
    (end) => Effect.sync(end)
  )

const large = "large ".repeat(1_500_000)
const sheet = (rows: number) =>
  `<table>${Array.from({ length: rows }, (_, n) => `<tr><td>${n}<td>name ${n}</tr>`).join("")}</table>`
const hugeSheet = sheet(40_000)
const words = Array.from({ length: 3_000 }, (_, n) => `heron${n % 400} reed${n % 97}`).join(" ")

/** Requests of the innocent team; each returns true if it succeeded. */
type Measures = Readonly<Record<string, Effect.Effect<boolean>>>

export const attackTeams = ({ bin, chromium, only = "", seconds, told = () => undefined }: AttackOptions) =>
  Effect.gen(function* () {
    const { baseUrl, faults: ended } = yield* startEngine(bin, {
      ...browserOf(chromium),
      SLUICE_BROWSER_SESSIONS: "4",
      SLUICE_ENGINE_KEYS: `a/first:${keys.first},a/second:${keys.second},b/stranger:${keys.stranger}`
    })
    const [first, second, innocent] = [keys.first, keys.second, keys.stranger].map((key) => caller(baseUrl, key))
    if (first === undefined || second === undefined || innocent === undefined) throw new Error("three keys")
    const both = [first, second] as const
    const of = (n: number): Caller => both[n % 2] ?? first
    const answer = (path: string) => {
      if (path.startsWith("/large")) return { body: large, headers: { "content-type": "text/plain" } }
      if (path.startsWith("/words")) return page(path, [], `${words} ${path}`)
      return path.startsWith("/slow") ? { body: page(path), delay: 10_000 } : page(path)
    }
    const hosts = yield* Effect.all(Array.from({ length: 6 }, () => site(answer)))
    const own = yield* site(answer)
    const shared = hosts[0] ?? own
    const deaf = yield* receiver(() => undefined)
    const posted = yield* receiver()

    let attempts = 0
    const attempt = <A, R>(work: Effect.Effect<A, never, R>) =>
      Effect.suspend(() => {
        attempts += 1
        return work
      })
    let count = 0
    const next = (where: { readonly url: string }, kind = "fine") => `${where.url}/${kind}/${++count}`
    const urls = () => hosts.map((host) => next(host, "slow"))
    const sessions = { held: 0, asked: 0, opened: 0 }

    /** Cancels the jobs that were started, when the scope closes. */
    const job = (call: Caller, body: object) =>
      Effect.acquireRelease(attempt(call.post("/v2/batch/scrape", body)), ({ json }) =>
        json?.id === undefined ? Effect.void : call.del(`/v2/batch/scrape/${json.id}?results=delete`)
      )

    /** Many at once, and ended together. */
    const jobs = (count: number, body: () => object) =>
      Effect.acquireRelease(
        Effect.forEach(
          Array.from({ length: count }).keys(),
          (n) => Effect.map(attempt(of(n).post("/v2/batch/scrape", body())), ({ json }) => String(json?.id)),
          { concurrency: 8 }
        ),
        (ids) =>
          Effect.forEach(ids, (id, n) => of(n).del(`/v2/batch/scrape/${id}?results=delete`), {
            concurrency: "unbounded",
            discard: true
          })
      )

    const session = (call: Caller) =>
      Effect.gen(function* () {
        const { json, status } = yield* call.post("/v2/browser", {})
        if (status === 200) yield* Effect.addFinalizer(() => call.del(`/v2/browser/${json.id}`))
        return status === 200
      })

    const measures: Measures = {
      "one-page batch": Effect.suspend(() => batch(innocent, next(own))),
      "one-page batch at a host of both": Effect.suspend(() => batch(innocent, next(shared)))
    }
    const browser: Measures =
      chromium === undefined
        ? {}
        : {
            "rendered scrape": Effect.suspend(() => shown(innocent, next(own))),
            "browser session": Effect.gen(function* () {
              sessions.asked += 1
              const isOpen = yield* Effect.scoped(session(innocent))
              if (isOpen) sessions.opened += 1
              return isOpen
            })
          }
    const delivery = Effect.gen(function* () {
      const url = next(own)
      const before = posted.received.length
      if (!(yield* batch(innocent, url, { webhook: posted.url }))) return false
      const begun = performance.now()
      const isTold = () => posted.received.slice(before).some(({ json }) => json.type.endsWith("completed"))
      while (!isTold() && performance.now() - begun < limit) yield* Effect.sleep("10 millis")
      return isTold()
    })

    /** Slow pages at every host in many jobs, large answers that are not read, slow pages in the browser, sessions. */
    const hoard = Effect.gen(function* () {
      yield* jobs(40, () => ({ urls: urls(), timeout: 60_000 }))
      const told = () => {
        attempts += 1
      }
      for (let n = 0; n < 12; n++) {
        const key = n % 2 === 0 ? keys.first : keys.second
        const body = { url: next(shared, "large"), formats: ["rawHtml"], timeout: 60_000, maxAge: 0 }
        yield* silent(baseUrl, key, "/v2/scrape", body, told)
      }
      if (chromium === undefined) return
      for (let n = 0; n < 10; n++) {
        const key = n % 2 === 0 ? keys.first : keys.second
        const body = { url: next(shared, "slow"), waitFor: 1, timeout: 60_000, maxAge: 0 }
        yield* silent(baseUrl, key, "/v2/scrape", body, told)
      }
      let held = 0
      for (let n = 0; n < 6; n++) if (yield* attempt(session(of(n)))) held += 1
      sessions.held = Math.max(sessions.held, held)
    })

    const openAndClose = forEver(16, (n) =>
      attempt(
        Effect.scoped(job(of(n), { urls: Array.from({ length: 100 }, () => next(shared, "slow")), timeout: 60_000 }))
      )
    )

    /** Watchers, readers that wait for news, and webhooks to addresses that never answer. */
    const listen = Effect.gen(function* () {
      const ids = yield* jobs(40, () => ({ urls: urls(), timeout: 60_000, webhook: deaf.url }))
      yield* forEver(64, (n) => attempt(of(n).get(`/v2/batch/scrape/${ids[n % 40]}?skip=0`)))
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          Array.from({ length: 128 }, (_, n) => {
            attempts += 1
            const key = n % 2 === 0 ? keys.first : keys.second
            const ws = new WebSocket(`${baseUrl.replace("http", "ws")}/v2/batch/scrape/${ids[n % 40]}`, [key])
            return ws.on("error", () => undefined)
          })
        ),
        (all) =>
          Effect.sync(() => {
            for (const ws of all) ws.terminate()
          })
      )
    })

    const uploads = forEver(24, (n) => attempt(upload(of(n), `sheet${n}.html`, hugeSheet)))

    const searches = Effect.gen(function* () {
      yield* job(first, { urls: Array.from({ length: 300 }, () => next(shared, "words")) })
      yield* forEver(32, (n) => attempt(search(of(n), `heron${n} "reed${n} heron${n + 1}" reed`)))
    })

    const attacks: ReadonlyArray<{
      readonly name: string
      readonly attack: Effect.Effect<void, never, Scope.Scope>
      readonly measures: Measures
      readonly pairs: number
    }> = [
      { name: "takes every place", attack: hoard, measures: { ...measures, ...browser }, pairs: 2 },
      { name: "opens and closes jobs", attack: openAndClose, measures, pairs: 1 },
      {
        name: "watches, and answers no webhook",
        attack: listen,
        measures: { ...measures, "webhook of a job": delivery },
        pairs: 1
      },
      {
        name: "uploads",
        attack: uploads,
        measures: {
          ...measures,
          "upload of a small file": Effect.suspend(() => upload(innocent, "mine.html", sheet(20)))
        },
        pairs: 1
      },
      { name: "searches", attack: searches, measures: { ...measures, search: search(innocent, "fine") }, pairs: 1 }
    ]

    const waits = new Map<
      string,
      { readonly attack: string; readonly what: string; alone: Array<number>; beside: Array<number> }
    >()
    /** Measures each at least once, then in turns for so many milliseconds. */
    const measure = (attack: string, all: Measures, side: "alone" | "beside", millis: number) =>
      Effect.gen(function* () {
        const begun = performance.now()
        for (let round = 0; round === 0 || (round < 8 && performance.now() - begun < millis); round++) {
          for (const [what, work] of Object.entries(all)) {
            const spent = yield* timed(work)
            const id = `${attack}: ${what}`
            const known = waits.get(id) ?? { attack, what, alone: [], beside: [] }
            known[side].push(spent)
            waits.set(id, known)
            told(`${id}, ${side}: ${Math.round(spent)} ms`)
          }
        }
      })

    // The first call of each kind starts services, so it is not measured.
    yield* Effect.forEach(Object.values({ ...measures, ...browser }), (work) => work, { discard: true })
    Object.assign(sessions, { asked: 0, opened: 0 })
    const pairs = attacks
      .filter(({ name }) => name.includes(only))
      .flatMap(({ pairs, ...one }) => Array.from({ length: pairs }, () => one))
    const share = (seconds * 1_000) / pairs.length / 3
    for (const { attack, measures, name } of pairs) {
      yield* measure(name, measures, "alone", share)
      yield* Effect.gen(function* () {
        yield* attack
        told(`${name}: begun`)
        yield* Effect.sleep("1 second")
        yield* measure(name, measures, "beside", 2 * share)
      }).pipe(Effect.scoped)
      told(`${name}: over`)
    }
    const failed = [...waits.values()].flatMap(({ alone, attack, beside, what }) =>
      [...alone, ...beside].every(Number.isFinite)
        ? []
        : [`the innocent team did not get its ${what}: the other ${attack}`]
    )
    return { attempts, waits: [...waits.values()], sessions, faults: [...failed, ...ended()] } satisfies AttackReport
  }).pipe(Effect.scoped)
