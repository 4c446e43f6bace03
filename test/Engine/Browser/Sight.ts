/** An engine with sessions, a site for them, and a second browser in which people look at them. */
import { connect, createServer, type Socket } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type Browser, type Page, chromium as playwright } from "playwright-core"
import { type Caller, caller, keys, type Site, site } from "../../Local.ts"
import { chromium, chromiumSandbox } from "../Render/Installed.ts"
import { withChromium } from "./Ground.ts"

/** Four colours, one in each corner of what is seen. */
const colours = `<!doctype html><title>Colours</title><style>body{margin:0;height:100vh;display:grid;grid-template:1fr 1fr/1fr 1fr}</style>
<i style="background:#d02020"></i><i style="background:#20a040"></i><i style="background:#2040c0"></i><i style="background:#f0e040"></i>`

/** A field that fills the upper half and a button that fills the lower one. */
const form = `<!doctype html><title>Form</title><style>body{margin:0}*{box-sizing:border-box;display:block;width:100vw;height:50vh;border:0}head,script{display:none}</style>
<body><textarea></textarea><button onclick="this.textContent = 'Pressed ' + event.detail">Press</button>`

/** Says so in its title when it is touched or scrolled. */
const long = `<!doctype html><title>Long</title><div style="height:5000px"></div>
<script>addEventListener("scroll", () => { document.title = "Scrolled" })</script>`

const list = `<!doctype html><title>List</title><body style="margin:0"><select style="width:100vw;height:50vh"
onchange="document.title = this.value"><option>one<option disabled>two<option>three</select>`

const pages: Readonly<Record<string, string>> = { "/colours": colours, "/form": form, "/list": list, "/long": long }

export class Sight extends Context.Tag("sluice/test/Browser/Sight")<
  Sight,
  { readonly call: Caller; readonly site: Site; readonly baseUrl: string; readonly browser: Browser }
>() {}

export const layer = Layer.scoped(
  Sight,
  Effect.gen(function* () {
    const { baseUrl } = yield* withChromium()
    const browser = yield* Effect.acquireRelease(
      Effect.promise(() =>
        playwright.launch({ executablePath: chromium ?? "", args: chromiumSandbox ? [] : ["--no-sandbox"] })
      ),
      (browser) => Effect.promise(() => browser.close())
    )
    return { baseUrl, browser, call: caller(baseUrl, keys.first), site: yield* site((path) => pages[path]) }
  })
)

/** Milliseconds for what hangs. Playwright's 30 seconds pass on a loaded machine as well. */
export const patience = 300_000

export const run = <A>(what: () => Promise<A>) => Effect.promise(what)

/** Opens a live view in a browser and waits for its first picture. */
export const look = (browser: Browser, url = "", options: Parameters<Browser["newPage"]>[0] = {}) =>
  Effect.acquireRelease(
    run(async () => {
      const page = await browser.newPage({ viewport: { width: 1000, height: 700 }, ...options })
      page.setDefaultTimeout(patience)
      await page.goto(url)
      await page.waitForSelector("body[data-picture]")
      return page
    }),
    (page) => run(() => page.close())
  )

/** The session's first page, as a program has it. */
export const drive = (cdpUrl: string) =>
  Effect.acquireRelease(
    run(() => playwright.connectOverCDP(cdpUrl)),
    (browser) => run(() => browser.close())
  ).pipe(
    Effect.map((browser) => {
      const page = browser.contexts()[0]?.pages()[0]
      if (page === undefined) throw new Error("a session has a page from the start")
      page.setDefaultTimeout(patience)
      return page
    })
  )

/** Waits until the condition holds. */
export const until = (is: () => Promise<boolean>) =>
  run(async () => {
    for (const deadline = performance.now() + patience; performance.now() < deadline; ) {
      if (await is()) return
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error(`this did not hold within minutes: ${is}`)
  })

/** The colour of the picture at a place, in shares of its sides. */
export const pixel = (page: Page, x: number, y: number): Promise<ReadonlyArray<number>> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector("#picture")
    const { data } = canvas.getContext("2d").getImageData(canvas.width * ${x}, canvas.height * ${y}, 1, 1)
    return [...data].slice(0, 3)
  })()`)

/** Position in the window of a point of the picture. */
export const spot = async (page: Page, x: number, y: number) => {
  const box = await page.locator("#picture").boundingBox()
  if (box === null) throw new Error("the page has no picture")
  return [box.x + box.width * x, box.y + box.height * y] as const
}

/** A way to the engine that can be cut. */
export const line = (baseUrl: string) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly cut: () => void; readonly close: () => void }>((resume) => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        const onward = connect(Number(new URL(baseUrl).port), "127.0.0.1")
        for (const [one, other] of [
          [socket, onward],
          [onward, socket]
        ] as const) {
          sockets.add(one)
          one.on("error", () => other.destroy())
          one.on("close", () => {
            sockets.delete(one)
            other.destroy()
          })
          one.pipe(other)
        }
      })
      const cut = () => {
        for (const socket of sockets) socket.destroy()
      }
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as { readonly port: number }
        const close = () => {
          cut()
          server.close()
        }
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, cut, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )
