/**
 * HTTP GET, and the POST of a sign-in, with redirects, refreshes, cookies, a deadline, a size limit and content decoding.
 *
 * Ports: `Guard` decides which addresses may be reached, `Proxies` holds the operator's proxies, `DnsResolver` resolves host names, and
 * `PageMemory` bounds the memory of response bodies.
 *
 * - The deadline covers everything: DNS, connecting, redirects, and waiting for memory.
 * - A request whose connection drops before the response headers is sent again, at most twice.
 * - Cookies live for one request and its redirects, and go where RFC 6265 sends them; with a `login`, the cookies of its session are used.
 * - Headers that a caller set, apart from harmless ones, are not sent to another site (`Headers.ts`).
 */

import { hash } from "node:crypto"
import { EventEmitter } from "node:events"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Dispatcher as HttpAgent } from "undici"
import { BadRequest, type Forbidden, TimedOut, type TooLarge, Unprocessable } from "../../Api/Errors.ts"
import { canParse, hostOf, withoutFragment } from "../../Api/Url.ts"
import { safely } from "../../Callback.ts"
import { Guard, isTrusted, portOf, refuseHost } from "../../Guard.ts"
import { Jar } from "../../Login/Jar.ts"
import type * as Session from "../../Login/Session.ts"
import type { Fetched, PageSource } from "../PageCache/PageSource.ts"
import * as PageMemory from "../Teams/PageMemory.ts"
import { attempted, Cancelled, type Held, holding, plainly, type Work } from "../Teams/Work.ts"
import * as Body from "./Body.ts"
import * as Dispatcher from "./Dispatcher.ts"
import { type DnsResolver, withLookupTeam } from "./DnsResolver.ts"
import { connectionFailure, isDropped } from "./FetchFailure.ts"
import { firstValues, requestHeaders } from "./Headers.ts"
import type { Proxies } from "./Proxies.ts"
import * as Upstreams from "./Upstreams.ts"
import { type Conditions, conditionHeaders } from "./Validators.ts"

/** Maximum bytes of one body, after decompression. */
export const maxBytes = 50 * 1024 * 1024

export type FetchFailure = BadRequest | Forbidden | TimedOut | TooLarge | Unprocessable

export interface FetchRequest {
  readonly url: string
  readonly userAgent?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** URL of the site that `headers` are meant for, if it is not the site of `url`. */
  readonly headersFor?: string | undefined
  /** Deadline in milliseconds: DNS, connecting, redirects and the whole body. */
  readonly timeout: number
  readonly skipTlsVerification?: boolean | undefined
  readonly maxBytes?: number | undefined
  /** Default `Accept-Language`; overridden by a header of that name in `headers`. */
  readonly acceptLanguage?: string | undefined
  /** Name of a proxy pool that the operator configured. Without it the request is sent directly. */
  readonly proxy?: string | undefined
  /** Requests of one session use the same proxy, if the pool is for sessions. */
  readonly session?: string | undefined
  /** Decompresses a body that is a gzip file. */
  readonly gunzip?: boolean | undefined
  /** Keeps the start of a body over the size limit, instead of failing. */
  readonly truncate?: boolean | undefined
  /** Called when a compressed body ends in the middle, and its start is returned. Without it, such a body fails unless it is XML. */
  readonly onCut?: (() => void) | undefined
  /** Returns the address that a page refreshes to, if any. It is followed like a redirect. */
  readonly refreshOf?: ((page: Fetched) => string | undefined) | undefined
  /** Asked before each redirect and refresh is followed; the fetch fails if the answer is false. */
  readonly mayFollow?: ((work: Work, url: string) => Promise<boolean>) | undefined
  /** Makes the request conditional: if the page has not changed, the site may answer 304 without a body. */
  readonly conditions?: Conditions | undefined
  /** Signed-in session. Its cookies are sent, and responses update them. */
  readonly login?: Session.Cookies | undefined
  /** Body of a POST. A redirect other than 307 and 308 continues with GET, without the body and its `headers`. */
  readonly body?: string | undefined
}

/** Fetches pages. Returns responses with any status, including 404 and 500. The promise of `open` rejects with a `FetchFailure`. */
export interface Service extends PageSource<FetchRequest, Fetched> {
  /** Fetches a page as an effect. The memory of its body stays reserved until the scope closes. */
  readonly get: (request: FetchRequest) => Effect.Effect<Fetched, FetchFailure, Scope.Scope>
}

export class Fetch extends Context.Tag("sluice/Engine/Fetch/Fetch")<Fetch, Service>() {}

const maxRedirects = 10
const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** Identifies a redirect step. Cookies are part of it: the same URL with a new cookie is not a loop. */
const stepKey = (url: URL, cookies: Pick<Jar, "header">): string => {
  const header = cookies.header(url)
  return header === undefined ? url.href : `${url.href} ${hash("sha256", header)}`
}

const badRedirect = (error: string) => new Unprocessable({ error, code: "SCRAPE_REDIRECT_ERROR" })

const follow = (from: URL, location: string, seen: ReadonlySet<string>, cookies: Pick<Jar, "header">): URL => {
  if (!canParse(location, from.href))
    throw badRedirect(`${from.href} redirects to "${location}", which is not a valid URL.`)
  const to = new URL(location, from)
  if (to.hash === "") to.hash = from.hash
  if (to.protocol !== "http:" && to.protocol !== "https:") {
    throw badRedirect(`${from.href} redirects to a ${to.protocol} address; only http and https redirects are followed.`)
  }
  if (seen.has(stepKey(to, cookies))) throw badRedirect(`${from.href} redirects in a circle, back to ${to.href}.`)
  if (seen.size > maxRedirects) throw badRedirect(`Gave up at ${to.href} after ${maxRedirects} redirects.`)
  return to
}

/** Returns the target of a redirect if it may be requested. */
const permitted = async (work: Work, { mayFollow }: FetchRequest, from: URL, to: URL): Promise<URL> => {
  if (mayFollow === undefined || (await mayFollow(work, to.href))) return to
  throw badRedirect(`${withoutCredentials(from)} redirects to an address that must not be requested.`)
}

/** True for XML other than pages. The entries of a feed before a cut are of use; a part of a page would pass for the page. */
const isFeedType = (type = ""): boolean => /^\s*(?:text|application)\/(?:(?!xhtml)[\w.-]+\+)?xml\b/i.test(type)

const cutWarning = (url: string): string =>
  `${url} is incomplete: its compressed body ends in the middle of the data. What came before it is shown.`

/** HTTP agents: `strict` verifies TLS certificates, `lax` does not. */
interface Agents {
  readonly strict: () => HttpAgent
  readonly lax: () => HttpAgent
}

/** A response, and the label of the proxy that was used. */
type Answer = readonly [HttpAgent.ResponseData, string | undefined]

/** The URL without user name and password, which must not be stored with the page. */
const withoutCredentials = (url: URL): string => {
  if (url.username === "" && url.password === "") return url.href
  const bare = new URL(url)
  bare.username = ""
  bare.password = ""
  return bare.href
}

/** Headers with the validators of the stored page, only for the address that they came from, which may be the target of a redirect. */
const conditionsFor = (url: URL, { conditions }: FetchRequest): Record<string, string> =>
  conditions !== undefined && withoutFragment(withoutCredentials(url)) === withoutFragment(conditions.url)
    ? conditionHeaders(conditions)
    : {}

/** The deadline passed while a large page waited for memory. */
export const memoryTimeout = (url: string, timeout: number) =>
  new TimedOut({
    error: `${url} is large, and there was no memory for it within ${timeout} ms: the memory is used by other large pages, or by answers that clients of this team have not read yet. Read those answers or close their connections, or request fewer large pages at once.`,
    code: "SCRAPE_TIMEOUT"
  })

interface BodyLimit {
  readonly bytes: number
  readonly truncate: boolean | undefined
  readonly reservation: PageMemory.Reservation
}

/** Reads the body of a response and decompresses it. */
const readPage = async (
  work: Work,
  url: URL,
  request: FetchRequest,
  [response, proxy]: Answer,
  limit: BodyLimit
): Promise<Fetched> => {
  const headers = firstValues(response.headers)
  const raw = await Body.read(work, url, response.body, limit)
  let isCut = false
  const noteCut = () => {
    isCut = true
    request.onCut?.()
  }
  const unpacked = { ...limit, onCut: (request.onCut ?? isFeedType(headers["content-type"])) ? noteCut : undefined }
  const decoded = await Body.decode(work, url, raw, headers["content-encoding"], unpacked)
  const body =
    request.gunzip === true
      ? await Body.gunzip(work, url, decoded, unpacked)
      : await Body.undeclared(work, url, decoded, headers["content-type"], unpacked)
  // A body can only be stored as received if its declared coding alone decompresses it.
  const encoded =
    decoded === raw || body !== decoded || isCut ? undefined : { coding: headers["content-encoding"] ?? "", body: raw }
  limit.reservation.keep(body.byteLength + (encoded?.body.byteLength ?? 0))
  return {
    url: withoutCredentials(url),
    statusCode: response.statusCode,
    headers,
    body,
    ...(proxy === undefined ? {} : { proxy }),
    ...(encoded === undefined ? {} : { packed: encoded }),
    ...(isCut ? { shown: { warning: cutWarning(withoutCredentials(url)) } } : {})
  }
}

const makeGet = (
  guard: Context.Tag.Service<typeof Guard>,
  direct: Agents,
  upstreams: Upstreams.Upstreams,
  memory: PageMemory.MemoryPool
): Service => {
  /** Sends a request, through a proxy if it has an outlet. Returns the response and the label of the proxy. */
  const send = async (
    work: Work,
    url: URL,
    request: FetchRequest,
    outlet: Upstreams.Outlet | undefined,
    trusted: boolean,
    cookies: string | undefined,
    authorization?: string
  ): Promise<Answer> => {
    const isLax = request.skipTlsVerification === true
    const asked: GetRequest = {
      origin: url.origin,
      path: url.pathname + url.search,
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...requestHeaders(request, trusted, cookies),
        ...conditionsFor(url, request)
      },
      team: work.team,
      ...(request.body === undefined ? {} : { method: "POST", body: request.body })
    }
    if (outlet !== undefined) {
      return work.run(
        upstreams.through(outlet, url, ({ agent }) =>
          attempted((through) => sendWithRetry(through, agent(url, !isLax), asked))
        )
      )
    }
    const agent = isLax ? direct.lax() : direct.strict()
    const answer = await sendWithRetry(work, agent, asked).catch((cause) => {
      throw cause instanceof Cancelled ? cause : connectionFailure(url, cause)
    })
    return [answer, undefined]
  }

  const fetchFollowing = async (
    work: Work,
    request: FetchRequest,
    reservation: PageMemory.Reservation
  ): Promise<Fetched> => {
    const limit = { bytes: request.maxBytes ?? maxBytes, truncate: request.truncate, reservation }
    const seen = new Set<string>()
    const { login } = request
    const cookies = login?.jar ?? new Cookies()
    const sendSigned = login?.begin()
    /** The current request: after a redirect other than 307 and 308, a POST continues as a GET without its body and its headers. */
    let current = request
    let url = new URL(request.url)
    const headersSite = new URL(request.headersFor ?? request.url)
    if (url.protocol !== "http:" && url.protocol !== "https:") {
      throw new BadRequest({ error: `${request.url} is not an http or https address.`, code: "BAD_REQUEST" })
    }
    const outlet =
      request.proxy === undefined ? undefined : upstreams.outlet(request.proxy, headersSite.hostname, request.session)
    while (true) {
      const refused = refuseHost(url.hostname, portOf(url), guard.allowlist)
      if (refused !== undefined) throw refused
      if (current.body === undefined) seen.add(stepKey(url, cookies))
      const trusted = isTrusted(url, headersSite)
      const [address, asked] = [url, current]
      const answer =
        sendSigned === undefined
          ? await send(work, url, current, outlet, trusted, cookies.header(url))
          : await work.run(
              sendSigned(
                url,
                (cookie, authorization) =>
                  plainly<Answer, FetchFailure>((inner) =>
                    send(inner, address, asked, outlet, trusted, cookie, authorization)
                  ),
                ([{ headers }]) => headers["set-cookie"]
              )
            )
      const [response] = answer
      const { location } = firstValues(response.headers)
      if (redirectStatuses.has(response.statusCode) && location !== undefined) {
        response.body
          .on(
            "error",
            safely(() => {})
          )
          .destroy()
        if (login === undefined) cookies.read(url, response.headers["set-cookie"])
        if (response.statusCode < 307)
          current = { ...request, body: undefined, ...(request.body === undefined ? {} : { headers: {} }) }
        url = await permitted(work, request, url, follow(url, location, seen, cookies))
        continue
      }
      const page = await readPage(work, url, request, answer, limit)
      const next = request.refreshOf?.(page)
      if (next === undefined) return page
      if (login === undefined) cookies.read(url, response.headers["set-cookie"])
      // If pages refresh to each other, the current one is returned, as a person would see it.
      if (seen.has(stepKey(new URL(next), cookies))) {
        return { ...page, shown: { warning: `${page.url} refreshes to ${next}, which leads back to it.` } }
      }
      url = await permitted(work, request, url, follow(url, next, seen, cookies))
    }
  }

  const open = async (work: Work, request: FetchRequest): Promise<Held<Fetched>> => {
    const { close, reservation } = memory.enter({ team: work.team, host: hostOf(request.url) }, work.seam.call)
    const late = () =>
      reservation.isWaiting()
        ? memoryTimeout(request.url, request.timeout)
        : new TimedOut({
            error: `${request.url} did not answer in full within ${request.timeout} ms. Raise "timeout" if the site is slow.`,
            code: "SCRAPE_TIMEOUT"
          })
    try {
      const page = await work.within(request.timeout, late, (inner) => fetchFollowing(inner, request, reservation))
      return { page, release: close }
    } catch (cause) {
      close()
      throw cause
    }
  }
  return { open, get: (request) => holding<Fetched, FetchFailure>((work) => open(work, request)) }
}

type Ports = DnsResolver | Guard | PageMemory.PageMemory | Proxies

/** `sockets` replaces the DNS resolver and the TCP and TLS connections, for tests. */
export const layerWith = (sockets?: Dispatcher.SocketFactory): Layer.Layer<Fetch, never, Ports> =>
  Layer.scoped(
    Fetch,
    Effect.gen(function* () {
      const guard = yield* Guard
      const strict = yield* Dispatcher.makeAgent(guard.allowlist, { verifyTls: true, sockets })
      const lax = yield* Dispatcher.makeAgent(guard.allowlist, { verifyTls: false, sockets })
      const { lookup } = sockets ?? (yield* Dispatcher.systemSockets)
      const upstreams = yield* Upstreams.make(guard.allowlist, lookup)
      return makeGet(guard, { strict, lax }, upstreams, yield* PageMemory.PageMemory)
    })
  )

export const layer = layerWith()

export interface GetRequest extends Pick<HttpAgent.RequestOptions, "body" | "origin" | "path" | "headers"> {
  /** Default: GET. */
  readonly method?: HttpAgent.HttpMethod
  /** Team whose share of the DNS resolver the lookup counts towards. */
  readonly team: string
}

const maxRetries = 2

const sendOnce = (work: Work, agent: HttpAgent, { team, ...request }: GetRequest): Promise<HttpAgent.ResponseData> =>
  new Promise((resolve, reject) => {
    // Undici accepts an EventEmitter as signal. An AbortController would cost as much as the request itself.
    const signal = new EventEmitter()
    const forget = work.onCancel(() => {
      signal.emit("abort")
      reject(new Cancelled())
    })
    withLookupTeam(team, () =>
      agent.request({ method: "GET", ...request, signal }, (error, answer) => {
        forget()
        if (error === null) resolve(answer)
        else reject(error)
      })
    )
  })

/** Sends a request and returns the response with its body unread. Retries a GET when the connection drops before the headers. */
export const sendWithRetry = async (
  work: Work,
  agent: HttpAgent,
  request: GetRequest
): Promise<HttpAgent.ResponseData> => {
  for (let retriesLeft = request.body === undefined ? maxRetries : 0; ; retriesLeft--) {
    work.check()
    try {
      return await sendOnce(work, agent, request)
    } catch (cause) {
      if (retriesLeft === 0 || !isDropped(cause)) throw cause
    }
  }
}

/** Maximum `Set-Cookie` headers that are read per fetch: as many cookies as browsers keep for a site. */
const maxCookies = 180

/** Maximum characters of the name and value of a cookie, as in browsers, and of those of all cookies that are read per fetch. */
const maxCookie = 4_096
const maxAllCookies = 64 * 1024

/** Length of a cookie in a `Cookie` header, with its separator. */
const lengthOf = (setCookie: string): number => `${setCookie.split(";", 1)[0]?.trim()}; `.length

/** Cookies of one fetch. Most fetches have none: the jar is made, and its package loaded, with the first one. */
export class Cookies {
  #jar: Jar | undefined
  #left = maxCookies
  #room = maxAllCookies

  /** Stores the cookies of `set-cookie` headers. */
  read(url: URL, headers: string | ReadonlyArray<string> | undefined): void {
    if (headers === undefined) return
    const some = [headers].flat().slice(0, this.#left)
    this.#left -= some.length
    this.#jar ??= new Jar()
    const fitting = some.filter((header) => {
      const length = lengthOf(header)
      if (length > maxCookie + 2 || length > this.#room) return false
      this.#room -= length
      return true
    })
    this.#jar.read(url, fitting)
  }

  /** The `Cookie` header for a URL, if any cookie applies. */
  header(url: URL): string | undefined {
    return this.#jar?.header(url)
  }
}
