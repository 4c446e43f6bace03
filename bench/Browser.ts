/** Cost of a browser session compared with a Chromium driven by hand: time to open, time of a call, memory, and leftovers. */
import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { chromium as playwright } from "playwright-core"
import WebSocket from "ws"
import * as Engine from "../src/Engine.ts"
import { chromiumSandbox, flags, chromium as found } from "./Measure/Browsers.ts"
import { atMost, type Bench, median } from "./Measure/Figures.ts"
import { folderFor, remove } from "./Measure/Programs.ts"

/** `SLUICE_BENCH_CYCLES=20` for a short look. */
const cycles = Number(process.env.SLUICE_BENCH_CYCLES ?? 200)
const starts = 9
const sessions = 20
const calls = 400
const rounds = 5

const time = async (what: () => Promise<unknown>): Promise<number> => {
  const begin = performance.now()
  await what()
  return performance.now() - begin
}

interface Driver {
  readonly call: (method: string, params?: object, sessionId?: string) => Promise<Record<string, string>>
  readonly end: () => Promise<unknown>
}

/** Commands and their answers, over whatever carries texts. */
const driver = (send: (text: string) => void) => {
  const waiting = new Map<number, (result: Record<string, string>) => void>()
  let last = 0
  return {
    call: (method: string, params: object = {}, sessionId?: string) =>
      new Promise<Record<string, string>>((resolve) => {
        last += 1
        waiting.set(last, resolve)
        send(JSON.stringify({ id: last, method, params, sessionId }))
      }),
    hear: (text: string) => {
      const { id, result } = JSON.parse(text)
      waiting.get(id)?.(result)
      waiting.delete(id)
    }
  }
}

interface Hand {
  /** As programs reach it that run on the same machine. */
  readonly address: () => Promise<string>
  readonly end: () => Promise<unknown>
  readonly call: Driver["call"]
}

/** The same Chromium with the least that it needs: over its own pipe, and over its own port. */
const byHand = (executable: string): Hand => {
  const folder = folderFor()
  const doors = ["--remote-debugging-pipe", "--remote-debugging-port=0", `--user-data-dir=${folder}`]
  const quiet = ["--headless", "--no-startup-window", "--no-first-run", "--disable-dev-shm-usage"]
  const child = spawn(executable, [...doors, ...quiet, ...flags], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]
  })
  const [input, output] = child.stdio.slice(3) as unknown as readonly [Duplex, Duplex]
  const { call, hear } = driver((text) => input.write(`${text}\0`))
  let rest = ""
  output.on("data", (chunk: Buffer) => {
    const texts = (rest + chunk.toString("utf8")).split("\0")
    rest = texts.pop() ?? ""
    texts.forEach(hear)
  })
  const end = async () => {
    const gone = new Promise((resolve) => child.once("exit", resolve))
    await call("Browser.close")
    await gone
    remove(folder)
  }
  const address = async () => {
    const file = join(folder, "DevToolsActivePort")
    while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 10))
    const [port, path] = readFileSync(file, "utf8").split("\n")
    return `ws://127.0.0.1:${port}${path}`
  }
  return { call, end, address }
}

const overSocket = async (url: string): Promise<Driver> => {
  const ws = new WebSocket(url, { perMessageDeflate: false })
  const { call, hear } = driver((text) => ws.send(text))
  ws.on("message", (data) => hear(data.toString()))
  await new Promise((resolve) => ws.once("open", resolve))
  return { call, end: () => Promise.resolve(ws.close()) }
}

/** Typical actions on a page. */
const step = async (url: string) => {
  const browser = await playwright.connectOverCDP(url)
  const page = await (browser.contexts()[0] ?? (await browser.newContext())).newPage()
  await page.setContent("<input><button onclick='document.title = document.querySelector(`input`).value'>Go</button>")
  const run = async () => {
    await page.fill("input", "herons")
    await page.click("button")
    return [await page.title(), await page.screenshot()]
  }
  return { run, end: () => browser.close() }
}

/** A page to ask; gives how to ask it. */
const asking = async ({ call }: Driver): Promise<() => Promise<unknown>> => {
  const { targetId } = await call("Target.createTarget", { url: "about:blank" })
  const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true })
  return () => call("Runtime.evaluate", { expression: "1 + 1" }, sessionId)
}

/** Milliseconds for one. */
const repeat = async (times: number, what: () => Promise<unknown>) =>
  (await time(async () => {
    for (let n = 0; n < times; n++) await what()
  })) / times

/** Memory that processes do not share, in megabytes, of all whose command names one of the folders. */
const megabytes = (folders: ReadonlyArray<string>): number =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .reduce((sum, pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, "latin1")
        if (!folders.some((folder) => command.includes(folder))) return sum
        const pss = /^Pss: +(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "latin1"))?.[1]
        return sum + Number(pss ?? 0) / 1024
      } catch {
        return sum
      }
    }, 0)

const ours = () => readdirSync(tmpdir()).filter((name) => /^sluice-.*-c-/.test(name))

const inProc = (folder: string) =>
  readdirSync("/proc").some((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "latin1").includes(folder)
    } catch {
      return false
    }
  })

const measure = async (executable: string, { baseUrl, key }: Engine.Engine) => {
  const send = async (method: string, path: string) => {
    const headers = { authorization: `Bearer ${Redacted.value(key)}`, "content-type": "application/json" }
    const reply = await fetch(baseUrl + path, { method, headers, ...(method === "POST" ? { body: "{}" } : {}) })
    if (reply.status !== 200) throw new Error(await reply.text())
    return (await reply.json()) as { readonly id: string; readonly cdpUrl: string }
  }
  const open = () => send("POST", "/v2/browser")
  const close = ({ id }: { readonly id: string }) => send("DELETE", `/v2/browser/${id}`)

  await close(await open())
  // In turns, so that what else the machine does meets both.
  const turns = []
  for (let turn = 0; turn < starts; turn++) {
    let hand: Hand | undefined
    const direct = await time(async () => {
      hand = byHand(executable)
      await hand.call("Target.createTarget", { url: "about:blank" })
    })
    await hand?.end()
    let session: { readonly id: string } | undefined
    const through = await time(async () => {
      session = await open()
    })
    if (session !== undefined) await close(session)
    turns.push({ direct, through })
  }

  const hand = byHand(executable)
  const session = await open()
  const address = await hand.address()
  const [near, far] = [await overSocket(address), await overSocket(session.cdpUrl)]
  const [direct, through] = [await asking(near), await asking(far)]
  const [steps, stepsThrough] = [await step(address), await step(session.cdpUrl)]
  const trips: Array<Record<"direct" | "through" | "step" | "stepThrough", number>> = []
  for (let round = 0; round < rounds; round++) {
    trips.push({
      direct: await repeat(calls, direct),
      through: await repeat(calls, through),
      step: await repeat(10, steps.run),
      stepThrough: await repeat(10, stepsThrough.run)
    })
  }
  for (const one of [near, far, steps, stepsThrough]) await one.end()
  await hand.end()
  await close(session)
  // Other load on the machine only adds time, so the minimum counts.
  const best = (name: keyof (typeof trips)[number]) => Math.min(...trips.map((trip) => trip[name]))

  const before = ours()
  const opened = await Promise.all(Array.from({ length: sessions }, open))
  const drivers = await Promise.all(opened.map(({ cdpUrl }) => overSocket(cdpUrl)))
  const answers = await Promise.all(drivers.map(({ call }) => call("Target.getTargets")))
  const each = megabytes(ours().filter((name) => !before.includes(name))) / sessions
  await Promise.all(drivers.map(({ end }) => end()))
  await Promise.all(opened.map(close))

  const seen = new Set<string>()
  for (let cycle = 0; cycle < cycles; cycle++) {
    const one = await open()
    for (const name of ours()) if (!before.includes(name)) seen.add(name)
    await close(one)
  }
  const left = [...seen].filter((name) => existsSync(join(tmpdir(), name)) || inProc(name)).length

  return [
    atMost("a session is open, p50", median(turns.map(({ through }) => through)), "ms", 350),
    atMost("… / the same Chromium by hand", median(turns.map(({ direct, through }) => through / direct)), "×", 1.3),
    atMost("an empty call through the session", best("through"), "ms", 2),
    atMost("… / over the browser's own port", best("through") / best("direct"), "×", 1.2),
    atMost("fill, click, read, screenshot / the same", best("stepThrough") / best("step"), "×", 1.2),
    atMost(`memory of a session, ${answers.length} at once`, each, "MB", 300),
    atMost(`left after ${cycles} sessions`, left, "folders and processes", 0)
  ]
}

export const bench: Bench = {
  name: "browser",
  run: () => {
    const dataDir = folderFor()
    const chromium = found()
    return Engine.start({ dataDir, chromium, chromiumSandbox, browserSessions: 60 }).pipe(
      Effect.flatMap((engine) => Effect.promise(() => measure(chromium, engine))),
      Effect.scoped,
      Effect.ensuring(Effect.sync(() => remove(dataDir))),
      Effect.runPromise
    )
  }
}
