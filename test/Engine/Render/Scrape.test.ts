import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type { ScrapeOptions } from "../../../src/Api/ScrapeOptions.ts"
import * as ParserFile from "../../../src/Engine/Parse/Parser.ts"
import * as RendererFile from "../../../src/Engine/Render/Renderer.ts"
import * as ScraperFile from "../../../src/Engine/Scrape/Scraper.ts"
import * as PageMemory from "../../../src/Engine/Teams/PageMemory.ts"
import { describe, expect, it } from "../../It.ts"
import { skipsLong } from "../../Long.ts"
import { program } from "../../Programs.ts"
import { alone, memory, reserved } from "../Alone.ts"
import { fetchLayerWith, guard, options, pages } from "../Scrape/Site.ts"
import * as Installed from "./Installed.ts"

const { Scraper } = ScraperFile

const scraper = (renderer: Layer.Layer<RendererFile.Renderer>, pool: Layer.Layer<PageMemory.PageMemory> = memory) =>
  ScraperFile.layer.pipe(
    Layer.provide(pool),
    Layer.provide([fetchLayerWith(pool), ParserFile.layer, NodeContext.layer, renderer]),
    Layer.provide(alone)
  )

const scrape = (url: string, given: ScrapeOptions = {}) =>
  Effect.flatMap(Scraper, (scraper) => scraper.scrape({ url, options: options(given), teamId: "team" }))

const app = `<!doctype html><html><head><title>App</title></head><body><div id="root"></div><script src="/app.js"></script></body></html>`

const script = `setTimeout(() => { root.innerHTML = '<h1>Herons</h1><p>They stand in shallow water, and <a href="/wait">wait</a>.</p>' }, 50)`

const routes = {
  "/app": app,
  "/app.js": (_: unknown, response: { end: (text: string) => unknown }) => void response.end(script),
  "/empty": app.replace("/app.js", "/none.js"),
  "/data.json": (
    _: unknown,
    response: { setHeader: (name: string, value: string) => void; end: (text: string) => unknown }
  ) => {
    response.setHeader("content-type", "application/json")
    response.end('{"a":1}')
  }
}

/** Command lines of all processes of this machine. */
const commands = (): ReadonlyArray<string> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ")]
      } catch {
        return []
      }
    })

const until = (isSo: () => boolean) =>
  Effect.suspend(() => (isSo() ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry(Schedule.spaced("100 millis")),
    Effect.timeout("1 minute"),
    Effect.orDie
  )

const started = (address: string) =>
  Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [program("keepPageOpen"), address], { stdio: "ignore" })),
    (child: ChildProcess) => Effect.sync(() => void child.kill("SIGKILL"))
  )

describe.skipIf(Installed.isMissing)("a scrape that needs a browser", () => {
  it.live.skipIf(skipsLong)(
    "renders a page that is an empty frame, and uses no browser for other pages",
    () =>
      Effect.gen(function* () {
        const origin = yield* pages(routes)
        // The browser waits seconds for its content; other pages are rendered at the same time.
        const empty = yield* Effect.fork(scrape(`${origin}/empty`, { timeout: 120_000 }))
        const { document, links } = yield* scrape(`${origin}/app`, { formats: ["markdown", "rawHtml", "screenshot"] })
        expect(document.markdown).toContain("They stand in shallow water")
        expect(document.rawHtml).toMatch(/^<!DOCTYPE html><html>/)
        expect(document.screenshot).toMatch(/^data:image\/png;base64,/)
        expect(links).toEqual([`${origin}/wait`])
        const plain = yield* scrape(`${origin}/app`)
        expect(plain.document.markdown).toContain("They stand in shallow water")
        expect(plain.document).not.toHaveProperty("warning")
        expect(plain.document.metadata).toMatchObject({ title: "App", statusCode: 200, url: `${origin}/app` })
        expect((yield* empty).document.warning).toContain("even after its scripts have run")
        const data = yield* scrape(`${origin}/data.json`, { waitFor: 1, formats: ["markdown", "screenshot"] })
        expect(data.document.markdown).toContain('{"a":1}')
        expect(data.document.warning).toContain("which browsers do not render")
        const done = yield* scrape(`${origin}/app`, {
          actions: [{ type: "wait", selector: "h1" }, { type: "scrape" }]
        })
        expect(done.document.actions?.scrapes?.[0]?.html).toContain("<h1>Herons</h1>")
      }).pipe(Effect.scoped, Effect.provide(scraper(Installed.layer))),
    180_000
  )

  it.scopedLive.skipIf(skipsLong)(
    "counts toward the memory share of its team: if that is full it waits, and other teams continue",
    function* () {
      const origin = yield* pages({ "/large": `<p>Herons<!--${"x".repeat(1_500_000)}-->` })
      const share = 8_000_000
      const pool = PageMemory.make({ capacity: 100_000_000, perTeam: share, perHost: share })
      const reservations: Array<PageMemory.Reservation> = []
      const watched: PageMemory.MemoryPool = {
        ...pool,
        enter: (owner, call) => {
          const entered = pool.enter(owner, call)
          reservations.push(entered.reservation)
          return entered
        }
      }
      const holder = yield* Scope.make()
      const held = Scope.extend(reserved(pool, { team: "a", host: "elsewhere" }), holder)
      yield* (yield* held).grow(1)
      yield* (yield* held).grow(share - 1_000_000)
      const reads = yield* Layer.build(scraper(Installed.layer, Layer.succeed(PageMemory.PageMemory, watched)))
      const of = (teamId: string) =>
        Effect.flatMap(Scraper, (scraper) =>
          scraper.scrape({ url: `${origin}/large`, options: options({ waitFor: 1, timeout: 120_000 }), teamId })
        ).pipe(
          Effect.map(({ document }) => document.markdown),
          Effect.provide(reads)
        )
      const waiting = yield* Effect.fork(of("a"))
      yield* until(() => reservations.some((reservation) => reservation.isWaiting()))
      expect(yield* of("b")).toBe("Herons")
      expect(waiting.unsafePoll()).toBe(null)
      yield* Scope.close(holder, Exit.void)
      expect(yield* Fiber.join(waiting)).toBe("Herons")
    },
    180_000
  )

  it.live("says what to do when the browser does not start", () =>
    Effect.gen(function* () {
      const origin = yield* pages(routes)
      const { _tag, message } = yield* Effect.flip(scrape(origin, { waitFor: 1 }))
      expect(_tag).toBe("Unavailable")
      expect(message).toContain("does not start")
      expect((yield* scrape(`${origin}/app`)).document.warning).toContain("does not start")
    }).pipe(
      Effect.scoped,
      Effect.provide(
        scraper(RendererFile.layer({ chromium: process.execPath }).pipe(Layer.provide([guard("127.0.0.0/8"), alone])))
      )
    )
  )

  it.scopedLive.skipIf(skipsLong)(
    "leaves neither a process nor a folder, even when its engine is killed",
    function* () {
      const folders = () => readdirSync(tmpdir()).filter((name) => /^sluice-.*-c-/.test(name))
      const before = new Set(folders())
      const asked: Array<string> = []
      const origin = yield* pages({ "/": (_, response) => void response.end(`${asked.push("/")}`) })
      const child = yield* started(origin)
      yield* until(() => asked.length > 0)
      const [folder] = folders().filter((name) => !before.has(name) && commands().some((each) => each.includes(name)))
      expect(folder).toBeDefined()
      child.kill("SIGKILL")
      yield* until(
        () => !existsSync(join(tmpdir(), folder ?? "")) && !commands().some((each) => each.includes(folder ?? ""))
      )
    },
    180_000
  )
})
