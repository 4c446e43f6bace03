/** An engine whose WebSockets are sent whatever can be sent: sessions of browsers, live views, watched jobs. It must answer others meanwhile. */
import * as Effect from "effect/Effect"
import fc from "fast-check"
import WebSocket from "ws"
import { caller, keys, page, site } from "../Local.ts"
import { browserOf, type Delay, startEngine } from "./EngineProcess.ts"
import { beside } from "./Innocent.ts"

export interface DoorsOptions {
  /** The executable. */
  readonly bin: string
  readonly chromium: string
  readonly seed: number
  /** Messages for each door. */
  readonly each: number
}

export interface DoorsReport {
  readonly messages: number
  /** Number of closed connections of each WebSocket endpoint, by close code. */
  readonly closes: Readonly<Record<string, number>>
  readonly faults: ReadonlyArray<string>
  /** Milliseconds that the slowest plain request waited meanwhile. */
  readonly slowest: number
  /** Milliseconds of the longest one-page batch of another team. */
  readonly wait: number
  readonly hasEnded: boolean
  /** Undefined when the engine has ended. */
  readonly delay: Delay | undefined
}

const nested = (levels: number): string => `${'{"a":['.repeat(levels)}1${"]}".repeat(levels)}`

/** Values that code written for strings, numbers and plain objects trips over. */
const odd = fc.oneof(
  fc.json(),
  fc.constantFrom(
    '{"toString":1}',
    '{"valueOf":null,"toString":null}',
    '{"__proto__":{"a":1}}',
    "null",
    "[]",
    "1e999",
    '"\\u0000"',
    '"\\ud800"'
  ),
  fc.nat(3_000).map(nested),
  fc.constant(nested(60_000))
)

const methods = [
  ...[
    "Target.detachFromTarget",
    "Target.attachToTarget",
    "Target.createTarget",
    "Target.closeTarget",
    "Target.setAutoAttach"
  ],
  ...[
    "Target.createBrowserContext",
    "Target.getTargets",
    "Target.setDiscoverTargets",
    "Page.navigate",
    "Runtime.evaluate"
  ],
  ...[
    "Browser.setDownloadBehavior",
    "DOM.setFileInputFiles",
    "Input.dispatchDragEvent",
    "Tracing.start",
    "Fetch.enable",
    "IO.read"
  ],
  ...["Network.loadNetworkResource", "Nothing.here", "", "."]
]
const names = [
  "sessionId",
  "targetId",
  "url",
  "flatten",
  "autoAttach",
  "files",
  "data",
  "downloadPath",
  "behavior",
  "expression"
]

const object = (fields: fc.Arbitrary<ReadonlyArray<readonly [string, string]>>) =>
  fields.map((list) => `{${list.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`)

const command = object(
  fc
    .tuple(
      fc.oneof(fc.nat(1000).map(String), odd),
      fc.constantFrom(...methods).map((method) => JSON.stringify(method)),
      object(fc.array(fc.tuple(fc.constantFrom(...names), odd), { maxLength: 4 })),
      fc.option(odd)
    )
    .map(([id, method, params, sessionId]) => [
      ["id", id],
      ["method", method],
      ["params", params],
      ...(sessionId === null ? [] : [["sessionId", sessionId] as const])
    ])
)

const types = [
  "mouse",
  "wheel",
  "key",
  "text",
  "compose",
  "touch",
  "go",
  "back",
  "copy",
  "open",
  "close",
  "size",
  "choose",
  "answer",
  "seen",
  "look"
]
const fields = [
  "action",
  "x",
  "y",
  "dx",
  "button",
  "buttons",
  "key",
  "text",
  "points",
  "address",
  "tab",
  "width",
  "height",
  "index",
  "frame"
]

const steering = object(
  fc
    .tuple(fc.constantFrom(...types), fc.array(fc.tuple(fc.constantFrom(...fields), odd), { maxLength: 6 }))
    .map(([type, list]) => [["type", JSON.stringify(type)] as const, ...list])
)

const message = (shaped: fc.Arbitrary<string>): fc.Arbitrary<string | Buffer> =>
  fc.oneof(
    { weight: 8, arbitrary: shaped },
    { weight: 2, arbitrary: odd },
    { weight: 1, arbitrary: fc.string() },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) }
  )

/** Sends messages one after another; opens the door again whenever it was closed. */
const attack = (
  url: string,
  headers: Record<string, string>,
  messages: ReadonlyArray<string | Buffer>,
  count: (code: number) => void
) =>
  Effect.promise(async () => {
    let ws: WebSocket | undefined
    const open = () =>
      new Promise<WebSocket>((resolve) => {
        const next = new WebSocket(url, { headers })
        next.on("open", () => resolve(next))
        next.on("close", (code) => {
          count(code)
          resolve(next)
        })
        next.on("error", () => undefined)
      })
    for (const text of messages) {
      if (ws?.readyState !== WebSocket.OPEN) ws = await open()
      if (ws.readyState !== WebSocket.OPEN) continue
      const current = ws
      await new Promise<void>((resolve) => current.send(text, { binary: typeof text !== "string" }, () => resolve()))
      await new Promise((resolve) => setImmediate(resolve))
    }
    ws?.terminate()
  })

export const fuzzDoors = ({ bin, chromium, each, seed }: DoorsOptions) =>
  Effect.gen(function* () {
    const running = yield* startEngine(bin, {
      ...browserOf(chromium),
      SLUICE_ENGINE_KEYS: `fuzz:${keys.first},others/stranger:${keys.stranger}`
    })
    const { url } = yield* site(() => page("A page", ["/"]))
    const call = caller(running.baseUrl, keys.first)
    const socketOf = (address: string) => address.replace(/^http/, "ws")
    const closes: Record<string, number> = {}
    const faults: Array<string> = []
    let messages = 0
    let slowest = 0

    const job = (yield* call.post("/v2/crawl", { url, delay: 3600 })).json as { readonly id: string }
    const watch = Effect.gen(function* () {
      const begun = performance.now()
      const answer = yield* call.get("/health")
      slowest = Math.max(slowest, performance.now() - begun)
      if (answer.status !== 200) faults.push(`/health answered ${answer.status}`)
      yield* Effect.sleep(20)
    })
    const door = (name: string, address: string, headers: Record<string, string>, shaped: fc.Arbitrary<string>) => {
      const sample = fc.sample(message(shaped), { numRuns: each, seed })
      messages += sample.length
      return attack(address, headers, sample, (code) => {
        closes[`${name} ${code}`] = (closes[`${name} ${code}`] ?? 0) + 1
      })
    }
    /** Up to the largest command that is taken, and one beyond it. */
    const evaluate = (field: string) => `{"id":1,"method":"Runtime.evaluate","params":{"expression":"1","a":${field}}}`
    const heavy = [
      evaluate(`[${"{},".repeat(2_700_000)}1]`),
      evaluate(`[${"{},".repeat(299_000)}1]`),
      evaluate(`[${"1.5,".repeat(990_000)}1]`),
      evaluate(`{${Array.from({ length: 299_000 }, (_, n) => `"k${n}":1`).join(",")}}`),
      evaluate(`"${"x".repeat(8_000_000)}"`),
      evaluate(`"${'\\"'.repeat(4_000_000)}"`),
      evaluate(`"${"\\u0041".repeat(1_300_000)}"`),
      evaluate(`"${"x".repeat(15_000_000)}"`)
    ]
    const session = call.post("/v2/browser", { ttl: 600 })
    const opened = (yield* session).json as {
      readonly cdpUrl: string
      readonly liveViewUrl: string
      readonly interactiveLiveViewUrl: string
    }
    const origin = { origin: running.baseUrl }
    const attacks = Effect.all(
      [
        door("cdp", opened.cdpUrl, {}, command),
        attack(opened.cdpUrl, {}, heavy, (code) => {
          closes[`heavy ${code}`] = (closes[`heavy ${code}`] ?? 0) + 1
        }),
        door("watch", `${socketOf(opened.liveViewUrl)}/socket`, origin, steering),
        door("steer", `${socketOf(opened.interactiveLiveViewUrl)}/socket`, origin, steering),
        door("job", `${socketOf(running.baseUrl)}/v2/crawl/${job.id}`, { authorization: `Bearer ${keys.first}` }, odd)
      ],
      { concurrency: "unbounded", discard: true }
    )
    const innocent = caller(running.baseUrl, keys.stranger)
    // A plain request that fails ends the attack.
    const watched = Effect.raceFirst(attacks, Effect.forever(watch))
    const { faults: attackFaults, wait } = yield* beside(watched, innocent, (n) => `${url}/fine/${n}`)
    faults.push(...attackFaults)
    if (!running.hasEnded() && (yield* session).status !== 200) faults.push("no session can be opened any more")
    faults.push(...running.faults())
    return {
      messages,
      closes,
      faults,
      slowest: Math.round(slowest),
      wait,
      hasEnded: running.hasEnded(),
      delay: yield* running.delay
    } satisfies DoorsReport
  }).pipe(Effect.scoped)
