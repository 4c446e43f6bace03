/** What a site's robots.txt allows (RFC 9309), fetched once per origin (spec 2.6). */
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import RobotsParser from "robots-parser"
import { decodeText } from "../Html/Charset.ts"
import { defaultUserAgent, Fetch, type Fetched, type FetchFailure } from "./Fetch.ts"

/** The package exports the function itself; its types tell of a `default` that only bundlers see. */
const robotsParser = RobotsParser as unknown as typeof RobotsParser.default

/** The rules of one origin for one user agent. */
export interface Rules {
  readonly isAllowed: (url: string) => boolean
  /** Seconds between two requests. */
  readonly crawlDelay?: number | undefined
  readonly sitemaps: ReadonlyArray<string>
  /** Why nothing may be fetched although no rule says so: the file exists or may exist, and could not be read. */
  readonly unreadable?: string | undefined
}

/** Never fails: a site without readable rules allows everything or nothing, as the RFC says. */
export class Robots extends Context.Tag("sluice/Engine/Scrape/Robots")<
  Robots,
  {
    /** `origin` as in `new URL(…).origin`; `userAgent` defaults to the engine's own. */
    readonly load: (origin: string, userAgent?: string) => Effect.Effect<Rules>
  }
>() {}

/** The RFC asks for at least 500 KiB. */
const maxText = 512 * 1024
const timeout = 15_000

interface File {
  readonly text: string
  readonly unreadable?: string
}

const nothing: File = { text: "" }

/** A server that answers 4xx has no rules; one that is failing or overloaded may have some. */
const readAnswer = (origin: string, { statusCode, body, headers }: Fetched): File => {
  if (statusCode >= 500 || statusCode === 429) {
    return { text: "", unreadable: `${origin}/robots.txt answered ${statusCode}` }
  }
  return statusCode >= 200 && statusCode < 300
    ? { text: decodeText(body.subarray(0, maxText), headers["content-type"]).text }
    : nothing
}

/** Where there is no connection at all the page itself will say why, and better. */
const readFailure = (origin: string, failure: FetchFailure): File =>
  failure._tag === "TimedOut" ? { text: "", unreadable: `${origin}/robots.txt did not answer in time` } : nothing

const rules = (origin: string, userAgent: string, { text, unreadable }: File): Rules => {
  if (unreadable !== undefined) return { isAllowed: () => false, sitemaps: [], unreadable }
  const parsed = robotsParser(`${origin}/robots.txt`, text)
  return {
    isAllowed: (url) => parsed.isAllowed(url, userAgent) ?? true,
    crawlDelay: parsed.getCrawlDelay(userAgent),
    sitemaps: parsed.getSitemaps().flatMap((url) => (URL.canParse(url, origin) ? [new URL(url, origin).href] : []))
  }
}

export const layer: Layer.Layer<Robots, never, Fetch> = Layer.effect(
  Robots,
  Effect.gen(function* () {
    const fetch = yield* Fetch
    const files = yield* Cache.makeWith({
      capacity: 1_000,
      lookup: (origin: string) =>
        fetch.get({ url: `${origin}/robots.txt`, timeout, maxBytes: 4 * maxText }).pipe(
          Effect.map((answer) => readAnswer(origin, answer)),
          Effect.catchAll((failure) => Effect.succeed(readFailure(origin, failure)))
        ),
      timeToLive: Exit.match({
        onFailure: () => Duration.zero,
        onSuccess: (file) => (file.unreadable === undefined ? Duration.hours(1) : Duration.minutes(1))
      })
    })
    return {
      load: Effect.fn("Robots.load")((origin: string, userAgent: string = defaultUserAgent) =>
        Effect.map(files.get(origin), (file) => rules(origin, userAgent, file))
      )
    }
  })
)
