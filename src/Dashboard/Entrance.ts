/** Who may look: a token in the link once, then a cookie; only under own names, and changes only from own pages. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { isIP } from "node:net"
import { hostname } from "node:os"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { sha256 } from "../Row/Hash.ts"
import { ofData } from "../Web/Headers.ts"
import { Refusal } from "./Refusal.ts"

export interface Entrance {
  readonly token: string
  /** Why a request is not answered at all; undefined when its names are right. */
  readonly stranger: (request: HttpServerRequest.HttpServerRequest) => Refusal | undefined
  /** The request brings the cookie. */
  readonly isKnown: (request: HttpServerRequest.HttpServerRequest) => boolean
  /** The answer to a link with a token: the cookie, and the same address without it. Undefined without a token. */
  readonly enter: (url: string) => HttpServerResponse.HttpServerResponse | undefined
  /** For people without the cookie. */
  readonly closed: (request: HttpServerRequest.HttpServerRequest) => HttpServerResponse.HttpServerResponse
}

const secret = (): string => randomBytes(32).toString("base64url")

/** As long as each other, whatever was given: how long it takes says nothing. */
const isSame = (given: string, wanted: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(wanted)))

/** Names of this machine that no other machine's web page can claim. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || /^127(\.\d{1,3}){3}$/.test(host) || host === "::1" || host === "[::1]"

/** The name in a `Host` header, and its port. */
const parted = (host: string): { readonly name: string; readonly port: string } => {
  const [, name = "", port = ""] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(host.toLowerCase()) ?? []
  return { name, port }
}

const unknown =
  "this is the dashboard of sluice, and it does not know you: open the link that sluice printed when it started"

/** Another address for the browser, so that it asks anew; the screen, which stands behind the `#`, stays. */
const anew = 'location.replace("/?" + location.hash)'

/**
 * Whoever follows a link in a mail or a chat comes from another site, for which browsers leave the cookie out: this page
 * asks once more, as one of ours.
 */
const knock = HttpServerResponse.text(
  `<!doctype html><title>Sluice</title><script>${anew}</script><a href="/">Go on</a>\n`,
  {
    status: 401,
    contentType: "text/html; charset=utf-8",
    headers: {
      ...ofData,
      "content-security-policy": `default-src 'none'; script-src 'sha256-${createHash("sha256").update(anew).digest("base64")}'; frame-ancestors 'none'`
    }
  }
)

/**
 * `bound` is the address that is listened on. On loopback only names of loopback are answered; elsewhere numbers, the
 * machine's own name and `bound` itself: a web page may point its own name at any address (DNS rebinding).
 */
export const make = ({ bound, port }: { readonly bound: string; readonly port: number }): Entrance => {
  const token = secret()
  /** Not the token: who reads the one in a history does not have the other. */
  const pass = secret()
  // Cookies know no ports: dashboards side by side have one each.
  const cookie = `sluice-ui-${port}`
  const isOwn = (host: string): boolean => {
    const { name } = parted(host)
    if (isLoopback(bound)) return isLoopback(name) && parted(host).port === String(port)
    const bare = name.replace(/^\[|\]$/g, "")
    return isLoopback(name) || isIP(bare) !== 0 || name === bound.toLowerCase() || name === hostname().toLowerCase()
  }
  const closed = HttpServerResponse.text(`${unknown}\n`, { status: 401, headers: ofData })
  return {
    token,
    closed: ({ headers }) =>
      headers["sec-fetch-site"] === "cross-site" && headers["sec-fetch-dest"] === "document" ? knock : closed,
    stranger: ({ headers, method }) => {
      const { host = "", origin } = headers
      if (!isOwn(host)) {
        const reason = `this dashboard is not called ${host.slice(0, 100)}: open it by the address that sluice printed`
        return new Refusal({ status: 403, reason })
      }
      if (method === "GET" || method === "HEAD") return undefined
      const site = headers["sec-fetch-site"]
      // A browser that says it knows better than names do: a proxy in front changes those.
      const isFromHere = origin === `http://${host}` || origin === `https://${host}`
      return site === "same-origin" || (site === undefined && isFromHere)
        ? undefined
        : new Refusal({ status: 403, reason: "nothing is changed from another site's page" })
    },
    isKnown: ({ cookies }) => isSame(cookies[cookie] ?? "", pass),
    enter: (url) => {
      const [path = "", search = ""] = url.split(/\?(.*)/s)
      const fields = new URLSearchParams(search)
      const given = fields.get("token")
      if (given === null) return undefined
      if (!isSame(given, token)) return closed
      fields.delete("token")
      // Nothing that a browser could take for another host.
      const way = /^\/(?![/\\])[\w%:.~/-]*$/.test(path) ? path : "/"
      return HttpServerResponse.empty({
        status: 303,
        headers: {
          ...ofData,
          location: fields.size === 0 ? way : `${way}?${fields}`,
          "set-cookie": `${cookie}=${pass}; Path=/; HttpOnly; SameSite=Strict`
        }
      })
    }
  }
}

export const outside = new Refusal({ status: 401, reason: unknown })
