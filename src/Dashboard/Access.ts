/**
 * Access control: a request needs the token of the link and a host name of this dashboard, and a change needs an origin of it.
 *
 * The token is created at each start and is sent in its own header. Cookies are not used: browsers send them to every port
 * of a host, so also to other programs of this machine.
 */
import { randomBytes, timingSafeEqual } from "node:crypto"
import { isIP } from "node:net"
import { hostname } from "node:os"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import { sha256 } from "../Row/Hash.ts"
import { tokenHeader } from "../Web/Dashboard/Protocol.ts"
import { hostOf, isLoopback } from "../Web/Serving.ts"
import { Refusal } from "./Request.ts"

export interface Access {
  readonly token: string
  /** Checks host name and origin; undefined when both are allowed. */
  readonly check: (request: HttpServerRequest.HttpServerRequest) => Refusal | undefined
  readonly hasToken: (request: HttpServerRequest.HttpServerRequest) => boolean
}

/** Compares hashes, so that the time depends neither on the length nor on the content of the given text. */
const isSame = (given: string, wanted: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(wanted)))

/**
 * `bound` is the address that the server listens on. On loopback only loopback names are allowed; on other addresses also IP
 * addresses, the host name of the machine and `bound` itself. This prevents DNS rebinding, where a web page points its own
 * name at the dashboard.
 */
export const make = ({ bound, port }: { readonly bound: string; readonly port: number }): Access => {
  const token = randomBytes(32).toString("base64url")
  const isOwnName = (header: string): boolean => {
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
    check: ({ headers, method }) => {
      const { host = "", origin } = headers
      if (!isOwnName(host)) {
        const reason = `${host.slice(0, 100)} is not an address of this dashboard: open the link that sluice printed`
        return new Refusal({ status: 403, reason })
      }
      if (method === "GET" || method === "HEAD") return undefined
      const site = headers["sec-fetch-site"]
      // `sec-fetch-site` decides when it is present: behind a proxy `host` and `origin` may differ.
      const isFromHere = origin === `http://${host}` || origin === `https://${host}`
      return site === "same-origin" || (site === undefined && isFromHere)
        ? undefined
        : new Refusal({ status: 403, reason: "changes from a page of another site are refused" })
    },
    hasToken: ({ headers }) => isSame(headers[tokenHeader] ?? "", token)
  }
}

export const tokenMissing = new Refusal({
  status: 401,
  reason: "the token is missing or wrong: open the link that sluice printed when it started"
})
