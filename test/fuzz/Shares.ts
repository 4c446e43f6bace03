/** A team that takes all it can get of an engine, and how long an innocent team beside it waits. */
import * as Effect from "effect/Effect"
import { type Caller, caller, keys, page, type Reply, site } from "../Local.ts"
import { browserOf, type Delay, startEngine } from "./EngineProcess.ts"
import { oneBatch as batch } from "./Innocent.ts"
import { unread } from "./Unread.ts"

export interface SharesOptions {
  /** The executable. */
  readonly bin: string
  /** Path of a Chromium; without one pages are not shown and no sessions opened. */
  readonly chromium: string | undefined
  /** One-page batches of the innocent team, alone and beside the attack. */
  readonly rounds: number
}

export interface SharesReport {
  /** Calls and jobs of the hostile team. */
  readonly attempts: number
  /** Those that were answered with an error. */
  readonly refused: number
  readonly hasEnded: boolean
  /** Milliseconds of each one-page batch of the innocent team. */
  readonly alone: ReadonlyArray<number>
  readonly beside: ReadonlyArray<number>
  /** Milliseconds of each page that a browser shows the innocent team, alone and beside the attack; none without a Chromium. */
  readonly shownAlone: ReadonlyArray<number>
  readonly shownBeside: ReadonlyArray<number>
  /** Browser sessions that the hostile team held, and those that the innocent team could open beside them. */
  readonly sessions: readonly [held: number, opened: number]
  /** Since the attack has begun; undefined when the engine has ended. */
  readonly delay: Delay | undefined
  readonly faults: ReadonlyArray<string>
}

/** Milliseconds of a page that a browser shows. */
const shown = (call: Caller, url: string) =>
  Effect.gen(function* () {
    const begun = performance.now()
    const { status } = yield* call.post("/v2/scrape", { url, waitFor: 1, timeout: 120_000, maxAge: 0 })
    return status === 200 ? performance.now() - begun : Number.POSITIVE_INFINITY
  })

const large = "large ".repeat(1_500_000)

export const attackShares = ({ bin, chromium, rounds }: SharesOptions) =>
  Effect.gen(function* () {
    const engine = yield* startEngine(bin, {
      ...browserOf(chromium),
      SLUICE_BROWSER_SESSIONS: "4",
      SLUICE_ENGINE_KEYS: `a/first:${keys.first},a/second:${keys.second},b/stranger:${keys.stranger}`
    })
    const { baseUrl } = engine
    const [first, second, innocent] = [keys.first, keys.second, keys.stranger].map((key) => caller(baseUrl, key))
    if (first === undefined || second === undefined || innocent === undefined) throw new Error("three keys")
    const hosts = yield* Effect.all(
      Array.from({ length: 6 }, () =>
        site((path) => {
          if (path.startsWith("/large")) return { body: large, headers: { "content-type": "text/plain" } }
          return path.startsWith("/slow") ? { body: page(path), delay: 20_000 } : page(path)
        })
      )
    )
    const fine = (n: number) => `${hosts[n % hosts.length]?.url}/fine/${n}`
    const repeat = (work: (url: string) => Effect.Effect<number>, from: number, times = rounds) =>
      Effect.forEach(
        Array.from({ length: times }, (_, n) => n),
        (n) => work(fine(from + n))
      )
    const each = (work: (call: Caller, url: string) => Effect.Effect<number>) => (url: string) => work(innocent, url)
    yield* batch(innocent, fine(0))
    const alone = yield* repeat(each(batch), 1)
    const show = each(shown)
    // A browser takes seconds for a page on a busy machine.
    const shows = chromium === undefined ? 0 : Math.ceil(rounds / 4)
    if (shows > 0) yield* show(fine(0))
    const shownAlone = yield* repeat(show, 1000, shows)

    // The first page that a browser shows has loaded the browser's driver.
    yield* engine.measureFromHere
    let attempts = 0
    let refused = 0
    const count = (status: number) => {
      if (status >= 400) refused += 1
    }
    const attack = <A, R>(work: Effect.Effect<A, never, R>) =>
      Effect.suspend(() => {
        attempts += 1
        return work
      })
    const asked = (work: Effect.Effect<Reply>) => attack(Effect.tap(work, ({ status }) => count(status)))
    const urls = (n: number) => hosts.map(({ url }) => `${url}/slow/${n}`)
    // More slow pages than there are workers, on every host, in many jobs of two keys.
    for (let n = 0; n < 100; n++) {
      yield* asked((n % 2 === 0 ? first : second).post("/v2/batch/scrape", { urls: urls(n), timeout: 120_000 }))
    }
    // Jobs that are deleted while their pages are being read, and started again.
    for (let n = 0; n < 30; n++) {
      const started = yield* asked(first.post("/v2/batch/scrape", { urls: urls(1000 + n), timeout: 120_000 }))
      yield* asked(first.del(`/v2/batch/scrape/${started.json.id}?results=delete`))
    }
    for (let n = 0; n < 24; n++) {
      const key = n % 2 === 0 ? keys.first : keys.second
      const url = `${hosts[n % hosts.length]?.url}/large/${n}`
      yield* attack(unread(baseUrl, key, { url, formats: ["rawHtml"], timeout: 120_000, maxAge: 0 }, count))
    }
    let held = 0
    if (chromium !== undefined) {
      for (const [n, call] of [first, second, first, second, first, second].entries()) {
        const body = { url: `${hosts[0]?.url}/slow/shown${n}`, waitFor: 1, timeout: 120_000 }
        for (let k = 0; k < 3; k++) yield* Effect.forkScoped(asked(call.post("/v2/scrape", body)))
      }
      for (let n = 0; n < 8; n++) {
        const { status } = yield* asked((n % 2 === 0 ? first : second).post("/v2/browser", {}))
        if (status === 200) held += 1
      }
    }
    yield* Effect.sleep("1 second")
    // Teams share the processor without a guarantee: what is measured begins when the large pages have been read.
    yield* batch(innocent, fine(1999))
    const beside = yield* repeat(each(batch), 2000)
    const shownBeside = yield* repeat(show, 3000, shows)
    let opened = 0
    if (chromium !== undefined) {
      const { json, status } = yield* innocent.post("/v2/browser", {})
      if (status === 200) opened += 1
      if (status === 200) yield* innocent.del(`/v2/browser/${json.id}`)
    }
    const faults = [
      ...engine.faults(),
      ...(chromium === undefined || opened > 0 ? [] : [`no session for the innocent team beside ${held}`])
    ]
    const sessions = [held, opened] as const
    const delay = yield* engine.delay
    const hasEnded = engine.hasEnded()
    return {
      attempts,
      refused,
      hasEnded,
      alone,
      beside,
      shownAlone,
      shownBeside,
      sessions,
      delay,
      faults
    } satisfies SharesReport
  }).pipe(Effect.scoped)
