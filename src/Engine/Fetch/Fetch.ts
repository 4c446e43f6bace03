/**
 * One HTTP GET: redirects, cookies on the way, deadline, byte limit and encodings, through the guard.
 *
 * Ports: `Guard` decides which addresses may be reached, `Proxies` names the proxies of the operator, `PageMemory` bounds the memory of
 * bodies. A request whose connection drops before the response is sent again.
 */

import { EventEmitter } from "node:events"
import type { LookupFunction } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Dispatcher as Sender } from "undici"
import { BadRequest, type Forbidden, TimedOut, type TooLarge, Unprocessable } from "../../Api/Errors.ts"
import { canParse } from "../../Api/Url.ts"
import { safely } from "../../Callback.ts"
import type { Fetched, PageSource } from "../PageSource.ts"
import { Owner } from "../Shares.ts"
import * as Body from "./Body.ts"
import * as Dispatcher from "./Dispatcher.ts"
import { connectionFailure, isDropped, proxyFailure } from "./FetchFailure.ts"
import { Guard, refuseHost } from "./Guard.ts"
import { firstValues, isTrusted, requestHeaders } from "./Headers.ts"
import { askingFor } from "./Names.ts"
import * as Room from "./PageMemory.ts"
import { Proxies } from "./Proxies.ts"
import * as Tunnel from "./Tunnel.ts"

/** Bytes of one body, after decompression. */
export const maxBytes = 50 * 1024 * 1024

export type FetchFailure = BadRequest | Forbidden | TimedOut | TooLarge | Unprocessable

export interface FetchRequest {
  readonly url: string
  readonly userAgent?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** An address of the site that `headers` were given for, when it is another than `url`'s. */
  readonly headersFor?: string | undefined
  /** Milliseconds for everything: resolving, connecting, redirects and the last byte. */
  readonly timeout: number
  readonly skipTlsVerification?: boolean | undefined
  readonly maxBytes?: number | undefined
  /** The languages asked for, as the header says it; the request's own headers go before it. */
  readonly acceptLanguage?: string | undefined
  /** The name of a proxy that the operator has set; without one requests go out directly. */
  readonly proxy?: string | undefined
  /** A file that is itself gzip is unpacked. */
  readonly gunzip?: boolean | undefined
  /** The beginning of a body that is longer will do. */
  readonly cut?: boolean | undefined
}

/** Answers with whatever the site says, 404 and 500 included; the body has its place in memory until the scope closes. */
export class Fetch extends Context.Tag("sluice/Engine/Scrape/Fetch")<Fetch, PageSource<FetchRequest, FetchFailure>>() {}

const maxRedirects = 10
const redirects = new Set([301, 302, 303, 307, 308])

/** Whoever comes back with a cookie that was missing before does not walk in a circle. */
const stepOf = (url: URL, cookies: Cookies): string => `${url.href} ${cookies.header(url) ?? ""}`

const follow = (
  from: URL,
  location: string,
  seen: ReadonlySet<string>,
  cookies: Cookies
): Effect.Effect<URL, Unprocessable> => {
  const refuse = (error: string) => Effect.fail(new Unprocessable({ error, code: "SCRAPE_REDIRECT_ERROR" }))
  if (!canParse(location, from.href)) return refuse(`${from.href} redirects to "${location}", which is no address.`)
  const to = new URL(location, from)
  if (to.hash === "") to.hash = from.hash
  if (to.protocol !== "http:" && to.protocol !== "https:") {
    return refuse(`${from.href} redirects to a ${to.protocol} address; only http and https are followed.`)
  }
  if (seen.has(stepOf(to, cookies))) return refuse(`${from.href} redirects in a circle, back to ${to.href}.`)
  if (seen.size > maxRedirects) return refuse(`Gave up at ${to.href} after ${maxRedirects} redirects.`)
  return Effect.succeed(to)
}

/** Agents for requests: one that checks certificates, and one that does not. */
interface Senders {
  readonly strict: Sender
  readonly lax: Sender
}

/** Limit of a look-up whose answer only refuses: the proxy that gets the name may be the only resolver there is. */
const maxOwnLookup = "2 seconds"

/** Without a name and a password: nobody is sent them, and they are not to be kept with the page. */
const addressOf = (url: URL): string => {
  if (url.username === "" && url.password === "") return url.href
  const bare = new URL(url)
  bare.username = ""
  bare.password = ""
  return bare.href
}

const hostOf = (url: string): string => (canParse(url) ? new URL(url).host : "")

const portOf = (url: URL): number => Number(url.port) || (url.protocol === "https:" ? 443 : 80)

/** A large page that waited for memory until its time was over. */
export const withoutMemory = (url: string, timeout: number) =>
  new TimedOut({
    error: `${url} is large, and there was no memory for it within ${timeout} ms: other large pages, or answers that clients of this team have not read, hold it. Read or close those connections, or ask for fewer large pages at once.`,
    code: "SCRAPE_TIMEOUT"
  })

const makeGet = (
  guard: Context.Tag.Service<typeof Guard>,
  direct: Senders,
  proxies: ReadonlyMap<string, Senders & { readonly resolvesNames: boolean }>,
  lookup: LookupFunction,
  room: Room.Room
) => {
  /** A proxy that resolves names itself gets none that is known to lead to a refused address; others get addresses. */
  const sendersFor = (url: URL, { proxy }: FetchRequest) =>
    Effect.gen(function* () {
      if (proxy === undefined) return direct
      const senders = proxies.get(proxy)
      if (senders === undefined) return yield* Effect.fail(proxyFailure(url, proxy, undefined))
      if (senders.resolvesNames) {
        const team = yield* Owner
        yield* Effect.tryPromise({
          try: () =>
            askingFor(team, () => Dispatcher.checkedAddresses(guard.openings, url.hostname, portOf(url), lookup)),
          catch: (cause) => connectionFailure(url, cause)
        }).pipe(
          Effect.timeoutOption(maxOwnLookup),
          Effect.catchIf(
            ({ _tag }) => _tag !== "Forbidden",
            () => Effect.void
          )
        )
      }
      return senders
    })

  const once = (url: URL, request: FetchRequest, trusted: boolean, cookies: string | undefined) =>
    Effect.flatMap(Effect.zip(sendersFor(url, request), Owner), ([{ lax, strict }, team]) =>
      Effect.mapError(
        ask(request.skipTlsVerification === true ? lax : strict, {
          origin: url.origin,
          path: url.pathname + url.search,
          headers: requestHeaders(request, trusted, cookies),
          team
        }),
        (cause) =>
          request.proxy === undefined ? connectionFailure(url, cause) : proxyFailure(url, request.proxy, cause)
      )
    )

  const exchange = Effect.fnUntraced(function* (request: FetchRequest, place: Room.Place) {
    const limit = { bytes: request.maxBytes ?? maxBytes, cut: request.cut, place }
    const seen = new Set<string>()
    const cookies = new Cookies()
    let url = new URL(request.url)
    const given = new URL(request.headersFor ?? request.url)
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      return yield* new BadRequest({ error: `${request.url} is not an http or https address.`, code: "BAD_REQUEST" })
    }
    while (true) {
      const refused = refuseHost(url.hostname, portOf(url), guard.openings)
      if (refused !== undefined) return yield* refused
      seen.add(stepOf(url, cookies))
      const response = yield* once(url, request, isTrusted(url, given), cookies.header(url))
      const headers = firstValues(response.headers)
      const location = headers.location
      if (redirects.has(response.statusCode) && location !== undefined) {
        response.body
          .on(
            "error",
            safely(() => {})
          )
          .destroy()
        cookies.read(url, response.headers["set-cookie"])
        url = yield* follow(url, location, seen, cookies)
        continue
      }
      const raw = yield* Body.read(url, response.body, limit)
      const unpacked = yield* Body.decode(url, raw, headers["content-encoding"], limit)
      const body = request.gunzip === true ? yield* Body.gunzip(url, unpacked, limit) : unpacked
      const packed = body === raw ? undefined : { coding: headers["content-encoding"] ?? "", body: raw }
      yield* limit.place.keep(body.byteLength + (packed?.body.byteLength ?? 0))
      return {
        url: addressOf(url),
        statusCode: response.statusCode,
        headers,
        body,
        ...(packed === undefined || request.gunzip === true ? {} : { packed })
      } satisfies Fetched
    }
  })

  return (request: FetchRequest) =>
    Effect.gen(function* () {
      const place = yield* room.open({ team: yield* Owner, host: hostOf(request.url) })
      return yield* Effect.timeoutFail(exchange(request, place), {
        duration: request.timeout,
        onTimeout: () =>
          place.isShort()
            ? withoutMemory(request.url, request.timeout)
            : new TimedOut({
                error: `${request.url} did not answer in full within ${request.timeout} ms. Raise "timeout" if the site is slow.`,
                code: "SCRAPE_TIMEOUT"
              })
      })
    })
}

/** Through the guard of the context; `outside` replaces the resolver and the sockets. */
export const layerWith = (outside?: Dispatcher.Outside): Layer.Layer<Fetch, never, Guard> =>
  Layer.scoped(
    Fetch,
    Effect.gen(function* () {
      const guard = yield* Guard
      const strict = yield* Dispatcher.makeAgent(guard.openings, { verifyTls: true, outside })
      const lax = yield* Dispatcher.makeAgent(guard.openings, { verifyTls: false, outside })
      const table = yield* Proxies
      const { lookup } = outside ?? (yield* Dispatcher.outside)
      const proxies = yield* Effect.forEach([...table], ([name, proxy]) =>
        Effect.map(
          Effect.all({
            strict: Tunnel.makeAgent(proxy, guard.openings, { verifyTls: true, lookup }),
            lax: Tunnel.makeAgent(proxy, guard.openings, { verifyTls: false, lookup })
          }),
          (senders) => [name, { ...senders, resolvesNames: proxy.resolvesNames }] as const
        )
      )
      return { get: makeGet(guard, { strict, lax }, new Map(proxies), lookup, yield* Room.shared) }
    })
  )

export const layer: Layer.Layer<Fetch, never, Guard> = layerWith()

export interface Question extends Pick<Sender.RequestOptions, "origin" | "path" | "headers"> {
  /** The team that the name of the host is looked up for. */
  readonly team: string
}

/** So many times more than once; a GET may be sent again. */
const attempts = 2

const send = (sender: Sender, { team, ...question }: Question): Effect.Effect<Sender.ResponseData, unknown> =>
  Effect.async((resume) => {
    // Stands in for an AbortController, which costs as much as the request.
    const signal = new EventEmitter()
    askingFor(team, () =>
      sender.request({ ...question, method: "GET", signal }, (error, answer) =>
        resume(error === null ? Effect.succeed(answer) : Effect.fail(error))
      )
    )
    return Effect.sync(() => void signal.emit("abort"))
  })

/** The status, the headers, and a body that nobody has begun to read. */
export const ask = (sender: Sender, question: Question, left = attempts): Effect.Effect<Sender.ResponseData, unknown> =>
  Effect.catchAll(send(sender, question), (cause) =>
    left > 0 && isDropped(cause) ? ask(sender, question, left - 1) : Effect.fail(cause)
  )

/** Of one fetch; a site that sets more only spoils its own. */
const maxCookies = 50
const maxLength = 4_096

interface Cookie {
  readonly value: string
  readonly secure: boolean
}

/** `name=value; Max-Age=60; Secure`, as far as it matters on a way that takes seconds. */
const setCookie = /^\s*([^=;\s]+)\s*=\s*([^;]*)(.*)$/s
const isOver = /;\s*(?:max-age\s*=\s*(?:-|0\s*(?:;|$))|expires\s*=[^;]*\b(?:19\d\d|200\d|201\d)\b)/i
const isSecure = /;\s*secure\s*(?:;|$)/i
/** What a header cannot carry. */
const unfit = /[^\x20-\x7e]/

export class Cookies {
  /** By host: the port makes no difference (RFC 6265, 8.5). */
  readonly #hosts = new Map<string, Map<string, Cookie>>()
  #count = 0

  /** Reads the `set-cookie` headers of an answer. */
  read({ hostname }: URL, headers: string | ReadonlyArray<string> | undefined): void {
    for (const header of headers === undefined ? [] : typeof headers === "string" ? [headers] : headers) {
      const [, name = "", value = "", attributes = ""] = setCookie.exec(header.slice(0, 2 * maxLength)) ?? []
      if (name === "" || name.length + value.length > maxLength || unfit.test(name + value)) continue
      const known = this.#hosts.get(hostname) ?? new Map<string, Cookie>()
      this.#hosts.set(hostname, known)
      if (known.delete(name)) this.#count -= 1
      if (isOver.test(attributes) || this.#count >= maxCookies) continue
      known.set(name, { value: value.trim(), secure: isSecure.test(attributes) })
      this.#count += 1
    }
  }

  /** What goes to an address; undefined when there is nothing. */
  header({ hostname, protocol }: URL): string | undefined {
    const pairs: Array<string> = []
    for (const [name, { secure, value }] of this.#hosts.get(hostname) ?? []) {
      if (!secure || protocol === "https:") pairs.push(`${name}=${value}`)
    }
    return pairs.length === 0 ? undefined : pairs.join("; ")
  }
}
