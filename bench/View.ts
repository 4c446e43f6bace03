/** Pictures in a second that people see of a page in motion, and how long a press of a key takes until it is seen. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type Browser, type Page, chromium as playwright } from "playwright-core"
import * as Engine from "../src/Engine.ts"
import { chromiumSandbox, flags, chromium as found } from "./Measure/Browsers.ts"
import { atLeast, atMost, type Bench, median, noted } from "./Measure/Figures.ts"
import { folderFor, remove } from "./Measure/Programs.ts"

const seconds = 6
const presses = 15

/** A large part of it is another one with each picture. */
const motion = `<!doctype html><title>Motion</title><style>body{margin:0;background:#123;overflow:hidden}
p{position:absolute;inset:0;margin:0;background:repeating-linear-gradient(45deg,#0a8 0 40px,#06c 40px 80px,#e84 80px 120px)}</style><p></p>
<script>const begin = performance.now()
const draw = () => { document.querySelector("p").style.transform = "rotate(" + (performance.now() - begin) / 20 + "deg)"; requestAnimationFrame(draw) }
draw()</script>`

/** Changes its colour with every key. */
const keys = `<!doctype html><title>Keys</title><body style="margin:0;height:100vh;background:#fff"><script>
addEventListener("keydown", () => { document.body.style.background = document.body.style.background.includes("255") ? "#000" : "#fff" })</script>`

const site = async () => {
  const server = createServer(({ url }, response) => {
    response.setHeader("content-type", "text/html").end(url === "/keys" ? keys : motion)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

const open = async (browser: Browser, url: string): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  await page.goto(url)
  await page.waitForSelector("body[data-picture]")
  return page
}

const drawn = (page: Page) => page.evaluate<number>("Number(document.body.dataset.picture)")

const rate = async (pages: ReadonlyArray<Page>) => {
  const before = await Promise.all(pages.map(drawn))
  const begin = performance.now()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  const after = await Promise.all(pages.map(drawn))
  const passed = (performance.now() - begin) / 1000
  return after.map((count, index) => (count - (before[index] ?? 0)) / passed)
}

/** Milliseconds from a key to the picture that shows what it did, as the page itself measures them. */
const delay = (page: Page) =>
  page.evaluate<number>(`new Promise((resolve) => {
    const canvas = document.querySelector("#picture")
    const shade = () => canvas.getContext("2d").getImageData(100, 100, 1, 1).data[0] > 127
    const was = shade()
    const begin = performance.now()
    const look = () => shade() === was && performance.now() - begin < 3000 ? setTimeout(look, 1) : resolve(performance.now() - begin)
    const field = document.querySelector("#field")
    for (const type of ["keydown", "keyup"]) field.dispatchEvent(new KeyboardEvent(type, { key: "a", code: "KeyA", keyCode: 65 }))
    look()
  })`)

/** Pictures a second that the browser itself gives to a program that does nothing else. */
const bare = async (page: Page) => {
  const client = await page.context().newCDPSession(page)
  let count = 0
  client.on("Page.screencastFrame", ({ sessionId }) => {
    count += 1
    client.send("Page.screencastFrameAck", { sessionId }).catch(() => undefined)
  })
  await client.send("Page.startScreencast", { format: "jpeg", quality: 75 })
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  await client.send("Page.stopScreencast")
  await client.detach()
  return count / seconds
}

const measure = async (engine: Engine.Engine, executablePath: string, from: string) => {
  const headers = { authorization: `Bearer ${Redacted.value(engine.key)}`, "content-type": "application/json" }
  const reply = await fetch(`${engine.baseUrl}/v2/browser`, { method: "POST", headers, body: "{}" })
  const session = (await reply.json()) as Readonly<Record<"cdpUrl" | "interactiveLiveViewUrl" | "liveViewUrl", string>>
  const browser = await playwright.launch({ executablePath, args: [...flags] })
  try {
    const program = await playwright.connectOverCDP(session.cdpUrl)
    const page = program.contexts()[0]?.pages()[0]
    if (page === undefined) throw new Error("a session has a page from the start")
    await page.goto(`${from}/motion`)
    const limit = await bare(page)
    const first = await open(browser, session.interactiveLiveViewUrl)
    const [alone = 0] = await rate([first])
    const second = await open(browser, session.liveViewUrl)
    const both = await rate([first, second])
    await second.close()
    await page.goto(`${from}/keys`)
    await first.waitForSelector('#picture[aria-label$="Keys"]')
    const delays: Array<number> = []
    for (let press = 0; press < presses; press++) {
      await new Promise((resolve) => setTimeout(resolve, 250))
      delays.push(await delay(first))
    }
    return { limit, alone, both: Math.min(...both), delay: median(delays) }
  } finally {
    await browser.close()
  }
}

export const bench: Bench = {
  name: "live view",
  run: async () => {
    const chromium = found()
    const dataDir = folderFor()
    const pages = await site()
    try {
      const { alone, both, delay, limit } = await Effect.runPromise(
        Effect.scoped(
          Effect.flatMap(
            Engine.start({ dataDir, allowNetworks: ["127.0.0.0/8"], chromium, chromiumSandbox }),
            (engine) => Effect.promise(() => measure(engine, chromium, pages.url))
          )
        )
      )
      return [
        noted("pictures that the browser gives to a program", limit, "a second"),
        atLeast("pictures, one viewer", alone, "a second", 20),
        atLeast("the same, the slower of two", both, "a second", 20),
        atMost("from a key to its picture, p50", delay, "ms", 150)
      ]
    } finally {
      pages.close()
      remove(dataDir)
    }
  }
}
