/** Who may look: whoever brings the token of the link; only under own names, and changes only from own pages. */
import { randomBytes, timingSafeEqual } from "node:crypto"
import { isIP } from "node:net"
import { hostname } from "node:os"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { sha256 } from "../Row/Hash.ts"
import { tokenHeader } from "../Web/Dashboard/Protocol.ts"
import { hostOf, isLoopback } from "../Web/Serving.ts"
import { Refusal } from "./Request.ts"

export interface Entrance {
  readonly token: string
  /** Why a request is not answered at all; undefined when its names are right. */
  readonly stranger: (request: HttpServerRequest.HttpServerRequest) => Refusal | undefined
  /**
   * The request brings the token, in a header of its own: what browsers bring by themselves, like cookies, they bring to
   * every port of a name, and so to other programs of this machine.
   */
  readonly isKnown: (request: HttpServerRequest.HttpServerRequest) => boolean
}

/** As long as each other, whatever was given: how long it takes says nothing. */
const isSame = (given: string, wanted: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(wanted)))

/**
 * `bound` is the address that is listened on. On loopback only names of loopback are answered; elsewhere numbers, the
 * machine's own name and `bound` itself: a web page may point its own name at any address (DNS rebinding).
 */
export const make = ({ bound, port }: { readonly bound: string; readonly port: number }): Entrance => {
  const token = randomBytes(32).toString("base64url")
  const isOwn = (header: string): boolean => {
    const host = hostOf(header)
    if (isLoopback(bound)) return isLoopback(host.name) && host.port === String(port)
    const bare = host.name.replace(/^\[|\]$/g, "")
    return (
      isLoopback(host.name) ||
      isIP(bare) !== 0 ||
      host.name === bound.toLowerCase() ||
      host.name === hostname().toLowerCase()
    )
  }
  return {
    token,
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
    isKnown: ({ headers }) => isSame(headers[tokenHeader] ?? "", token)
  }
}

export const outside = new Refusal({
  status: 401,
  reason: "this is the dashboard of sluice, and it does not know you: open the link that sluice printed when it started"
})
