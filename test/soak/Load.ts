/** The work of a soak: callers of every kind, who repeat what was not answered, and remember what they were owed. */
import { setTimeout as sleep } from "node:timers/promises"
import { WebSocket } from "ws"
import * as Documents from "../Engine/Parse/Documents.ts"
import { sectionSize } from "./Ground.ts"

export interface Place {
  readonly baseUrl: string
  readonly site: string
  /** Key of the team whose bill is checked, and of one whose bill is not. */
  readonly key: string
  readonly other: string
  readonly hasBrowser: boolean
  readonly isOver: () => boolean
}

export interface Tally {
  /** Number of requests, by kind. */
  readonly done: Record<string, number>
  /** Credits that the checked team owes. */
  credits: number
  /** Sentences about what was lost, doubled or wrong. */
  readonly faults: Array<string>
}

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
  readonly json: any
}

/** Maximum time for retries, in milliseconds: a restarted engine is back long before. */
const patience = 90_000

export const ask = async (place: Place, path: string, init: RequestInit = {}, key = place.key): Promise<Answer> => {
  const end = performance.now() + patience
  for (;;) {
    try {
      const headers = { authorization: `Bearer ${key}`, ...init.headers }
      const url = new URL(path, place.baseUrl)
      const response = await fetch(url, { ...init, headers, signal: AbortSignal.timeout(60_000) })
      const text = await response.text()
      if (response.status < 500 && response.status !== 429) return { status: response.status, json: JSON.parse(text) }
    } catch (error) {
      if (performance.now() > end) throw error
    }
    if (performance.now() > end) throw new Error(`${path} was not answered for ${patience / 1000} s`)
    await sleep(200)
  }
}

let numbers = 0
const fresh = (kind: string) => `${kind}-${process.pid}-${++numbers}`

const post = (place: Place, path: string, body: unknown, idempotencyKey: string, key?: string) =>
  ask(
    place,
    path,
    {
      method: "POST",
      headers: { "content-type": "application/json", "x-idempotency-key": idempotencyKey },
      body: JSON.stringify(body)
    },
    key
  )

/** Every document of a job, by following `next` until it is absent. */
const drained = async (place: Place, path: string) => {
  const titles: Array<string> = []
  const end = performance.now() + 4 * patience
  let answer = await ask(place, path)
  for (;;) {
    if (answer.status !== 200) return { titles, status: `status ${answer.status}` }
    for (const { metadata } of answer.json.data ?? []) titles.push(String(metadata?.title))
    if (typeof answer.json.next !== "string") return { titles, status: String(answer.json.status) }
    if (performance.now() > end) return { titles, status: "stuck" }
    answer = await ask(place, answer.json.next)
  }
}

const count = (tally: Tally, kind: string) => {
  tally.done[kind] = (tally.done[kind] ?? 0) + 1
}

/** Says what is missing, and what came twice. */
const compare = (tally: Tally, what: string, wanted: ReadonlyArray<string>, found: ReadonlyArray<string>) => {
  const missing = wanted.filter((title) => !found.includes(title))
  const extra = found.filter((title, index) => !wanted.includes(title) || found.indexOf(title) !== index)
  if (missing.length + extra.length > 0)
    tally.faults.push(`${what}: missing ${missing.join(", ")}; too many ${extra.join(", ")}`)
}

const scrape = async (place: Place, tally: Tally) => {
  const name = fresh("scrape")
  const { json, status } = await post(place, "/v2/scrape", { url: `${place.site}/page/${name}/1` }, name)
  if (status !== 200 || json.data?.metadata?.title !== `${name} 1`)
    tally.faults.push(`${name}: ${status} ${JSON.stringify(json)}`)
  tally.credits += 1
  count(tally, "scrapes")
}

const batch = async (place: Place, tally: Tally) => {
  const name = fresh("batch")
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1)
  const urls = [...numbers.map((number) => `${place.site}/page/${name}/${number}`), `${place.site}/slow/${name}`]
  const { json } = await post(place, "/v2/batch/scrape", { urls: [...urls, `${place.site}/cut/${name}`] }, name)
  const { status, titles } = await drained(place, `/v2/batch/scrape/${json.id}`)
  const told = titles.filter((title) => title !== "undefined" && title !== "Cut")
  compare(tally, `${name} (${status})`, [...numbers.map((number) => `${name} ${number}`), `slow ${name}`], told)
  tally.credits += urls.length
  count(tally, "batches")
}

const crawl = async (place: Place, tally: Tally) => {
  const name = fresh("crawl")
  const { json } = await post(place, "/v2/crawl", { url: `${place.site}/section/${name}/`, sitemap: "skip" }, name)
  const { status, titles } = await drained(place, `/v2/crawl/${json.id}`)
  const wanted = Array.from({ length: sectionSize }, (_, index) => `${name} ${index === 0 ? "index" : index}`)
  compare(tally, `${name} (${status})`, wanted, titles)
  tally.credits += sectionSize
  count(tally, "crawls")
}

const upload = (place: Place, name: string, bytes: Uint8Array) => {
  const body = new FormData()
  body.append("file", new Blob([new Uint8Array(bytes)]), name)
  return ask(place, "/v2/parse", { method: "POST", body, headers: { "x-idempotency-key": fresh(name) } })
}

/** A few kilobytes that unfold into seventy megabytes. */
const bomb = Documents.sameCell("x".repeat(32_000), 2_200)

const parse = async (place: Place, tally: Tally) => {
  const good = await upload(place, "letter.rtf", Documents.rtf())
  if (good.status !== 200) tally.faults.push(`a letter was answered ${good.status}: ${JSON.stringify(good.json)}`)
  tally.credits += 1
  const bad = await upload(place, "bomb.xlsx", bomb)
  if (bad.status !== 422) tally.faults.push(`a bomb was answered ${bad.status}`)
  count(tally, "parses")
  await sleep(2_000)
}

const search = async (place: Place, tally: Tally) => {
  const name = fresh("search")
  const { json, status } = await post(place, "/v2/search", { query: "words", limit: 5 }, name)
  if (status !== 200) tally.faults.push(`${name}: ${status} ${JSON.stringify(json)}`)
  tally.credits += Number(json.creditsUsed ?? 0)
  count(tally, "searches")
  await sleep(500)
}

/** Readers who leave in the middle, and callers who never end what they say. */
const rude = async (place: Place, tally: Tally) => {
  const headers = { authorization: `Bearer ${place.key}` }
  const signal = AbortSignal.timeout(1 + (numbers % 25))
  const paths = ["/v2/crawl/active", "/v2/team/queue-status", "/v2/team/token-usage/historical", "/openapi.json"]
  await fetch(new URL(paths[++numbers % paths.length] ?? "/", place.baseUrl), { headers, signal })
    .then(
      (response) => response.arrayBuffer(),
      () => undefined
    )
    .catch(() => undefined)
  const pull = async (out: ReadableStreamDefaultController) => {
    await sleep(5)
    out.enqueue(Buffer.alloc(1000))
  }
  const body = new ReadableStream({ pull })
  const half = {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
    duplex: "half"
  } as const
  await fetch(new URL("/v2/scrape", place.baseUrl), { ...half, signal: AbortSignal.timeout(30) }).catch(() => undefined)
  count(tally, "callers who left")
  await sleep(50)
}

const watch = async (place: Place, tally: Tally) => {
  const name = fresh("watch")
  const urls = [`${place.site}/page/${name}/1`, `${place.site}/page/${name}/2`]
  const { json } = await post(place, "/v2/batch/scrape", { urls }, name)
  tally.credits += urls.length
  await new Promise<void>((resolve) => {
    const ws = new WebSocket(`${place.baseUrl.replace("http", "ws")}/v2/batch/scrape/${json.id}`, [place.key])
    const enough = setTimeout(() => ws.terminate(), 10_000)
    ws.on("error", () => undefined)
    ws.on("close", () => {
      clearTimeout(enough)
      resolve()
    })
  })
  count(tally, "watched jobs")
  await sleep(300)
}

/** A session that is opened, spoken to, and left to end by itself every other time. */
const session = async (place: Place, tally: Tally) => {
  const opened = await ask(
    place,
    "/v2/browser",
    {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ttl: 30, activityTtl: 10 })
    },
    place.other
  )
  if (opened.status !== 200)
    tally.faults.push(`a session was answered ${opened.status}: ${JSON.stringify(opened.json)}`)
  await new Promise<void>((resolve) => {
    const ws = new WebSocket(String(opened.json.cdpUrl))
    ws.on("open", () => ws.send(JSON.stringify({ id: 1, method: "Browser.getVersion" })))
    ws.on("message", () => ws.close())
    ws.on("error", () => undefined)
    ws.on("close", () => resolve())
  })
  if (numbers++ % 2 === 0) await ask(place, `/v2/browser/${opened.json.id}`, { method: "DELETE" }, place.other)
  count(tally, "browser sessions")
  await sleep(8_000)
}

/** Everybody at once, until it is over. */
export const load = async (place: Place, tally: Tally): Promise<void> => {
  const again = async (work: (place: Place, tally: Tally) => Promise<void>) => {
    while (!place.isOver()) {
      try {
        await work(place, tally)
      } catch (error) {
        tally.faults.push(`a caller gave up: ${error instanceof Error ? error.message : String(error)}`)
        await sleep(1_000)
      }
    }
  }
  const all = [scrape, scrape, batch, batch, crawl, parse, search, rude, rude, watch]
  await Promise.all([...all, ...(place.hasBrowser ? [session] : [])].map(again))
}
