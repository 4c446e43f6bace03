/** What a site's robots.txt allows (RFC 9309), fetched once per origin. */
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { canParse } from "../../Api/Url.ts"
import { decodeText } from "../Html/Charset.ts"
import type { Fetched } from "../PageSource.ts"
import { Fetch, type FetchFailure } from "./Fetch.ts"
import { defaultUserAgent } from "./Headers.ts"
import { type RobotsFile, readRobots } from "./RobotsFile.ts"

/** The rules of one origin for one user agent. */
export interface Rules {
  readonly isAllowed: (url: string) => boolean
  /** Seconds between two requests. */
  readonly crawlDelay?: number | undefined
  readonly sitemaps: ReadonlyArray<string>
  /** Why nothing may be fetched although no rule says so: the file exists or may exist, and could not be read. */
  readonly unreadable?: string | undefined
}

export interface RobotsOptions {
  /** As for the site's pages. */
  readonly skipTlsVerification?: boolean | undefined
}

/** Never fails: a site without readable rules allows everything or nothing, as the RFC says. */
export class Robots extends Context.Tag("sluice/Engine/Scrape/Robots")<
  Robots,
  {
    /** `origin` as in `new URL(…).origin`; `userAgent` defaults to the engine's own. */
    readonly load: (origin: string, userAgent?: string, options?: RobotsOptions) => Effect.Effect<Rules>
  }
>() {}

/** The RFC asks for at least 500 KiB. */
const maxText = 512 * 1024
const timeout = 15_000

/** Characters of the files that are remembered together: read, each takes ten times as much memory. */
const maxHeld = 16 * 1024 * 1024

interface File {
  readonly parsed: RobotsFile
  readonly unreadable?: string
  /** Characters. */
  readonly size: number
}

const nothing: File = { parsed: readRobots(""), size: 0 }
const unreadable = (why: string): File => ({ ...nothing, unreadable: why })

/** A server that answers 4xx has no rules; one that is failing or overloaded may have some. */
const readAnswer = (origin: string, { statusCode, body, headers }: Fetched): File => {
  if (statusCode >= 500 || statusCode === 429) return unreadable(`${origin}/robots.txt answered ${statusCode}`)
  if (statusCode < 200 || statusCode >= 300) return nothing
  const { text } = decodeText(body, headers["content-type"])
  return { parsed: readRobots(text), size: text.length }
}

/** Where there is no connection at all the page itself will say why, and better; it may be reached only by permission. */
const unreachable = new Set(["BAD_REQUEST", "SSRF_BLOCKED", "SCRAPE_CONNECTION_ERROR", "SCRAPE_DNS_RESOLUTION_ERROR"])

const readFailure = (origin: string, failure: FetchFailure): File => {
  if (failure._tag === "TimedOut") return unreadable(`${origin}/robots.txt did not answer in time`)
  return unreachable.has(failure.code ?? "")
    ? nothing
    : unreadable(`${origin}/robots.txt could not be read: ${failure.error}`)
}

const rules = (origin: string, userAgent: string, { parsed, unreadable }: File): Rules => {
  if (unreadable !== undefined) return { isAllowed: () => false, sitemaps: [], unreadable }
  const isAllowed = (address: string) => {
    const url = new URL(address)
    return url.origin !== origin || parsed.isAllowed(url.pathname + url.search, userAgent)
  }
  const sitemaps = parsed.sitemaps.flatMap((url) => (canParse(url, origin) ? [new URL(url, origin).href] : []))
  return { isAllowed, crawlDelay: parsed.crawlDelay(userAgent), sitemaps }
}

/** Files that are remembered at most. */
const mostFiles = 1_000

/** Remembers no more than so much: a site has as many hosts as it likes, each with a file as long as it likes. */
const makeFiles = Effect.fnUntraced(function* (
  fetch: Context.Tag.Service<typeof Fetch>,
  skipTlsVerification: boolean,
  mostHeld: number
) {
  /** By origin, the file that was read last at the end. */
  const sizes = new Map<string, number>()
  let held = 0
  const hold = (origin: string, { size }: File): Effect.Effect<void> =>
    Effect.suspend(() => {
      held += size - (sizes.get(origin) ?? 0)
      sizes.delete(origin)
      if (size > 0) sizes.set(origin, size)
      const oldest: Array<string> = []
      for (const [other, length] of sizes) {
        if ((held <= mostHeld && sizes.size <= mostFiles) || other === origin) break
        held -= length
        sizes.delete(other)
        oldest.push(other)
      }
      return Effect.forEach(oldest, (other) => files.invalidate(other), { discard: true })
    })
  const files: Cache.Cache<string, File> = yield* Cache.makeWith({
    capacity: mostFiles,
    lookup: (origin: string) =>
      fetch.get({ url: `${origin}/robots.txt`, timeout, maxBytes: maxText, cut: true, skipTlsVerification }).pipe(
        Effect.map((answer) => readAnswer(origin, answer)),
        Effect.catchAll((failure) => Effect.succeed(readFailure(origin, failure))),
        Effect.tap((file) => hold(origin, file)),
        Effect.scoped
      ),
    timeToLive: Exit.match({
      onFailure: () => Duration.zero,
      onSuccess: (file) => (file.unreadable === undefined ? Duration.hours(1) : Duration.minutes(1))
    })
  })
  return files
})

/** `mostHeld` is in characters. */
export const layerWith = (mostHeld: number): Layer.Layer<Robots, never, Fetch> =>
  Layer.effect(
    Robots,
    Effect.gen(function* () {
      const fetch = yield* Fetch
      const [strict, lax] = [yield* makeFiles(fetch, false, mostHeld), yield* makeFiles(fetch, true, mostHeld)]
      return {
        load: (origin: string, userAgent: string = defaultUserAgent, options: RobotsOptions = {}) =>
          Effect.map((options.skipTlsVerification === true ? lax : strict).get(origin), (file) =>
            rules(origin, userAgent, file)
          )
      }
    })
  )

export const layer: Layer.Layer<Robots, never, Fetch> = layerWith(maxHeld)
