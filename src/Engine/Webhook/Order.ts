/** Webhook of a job: validates the request's `webhook` before the job starts. */
import type { Webhook } from "../../Api/JobStatus.ts"
import { canParse } from "../../Api/Url.ts"
import { type Openings, refuseHost } from "../Scrape/Guard.ts"
import { invalid, type Refusal } from "../ScrapeOptions.ts"

const eventNames = ["started", "page", "completed", "failed"] as const
export type EventName = (typeof eventNames)[number]

export interface Order {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, unknown>>
  readonly events: ReadonlyArray<string>
  readonly secret?: string | undefined
}

/** Headers that the delivery sets; a request may not override them. */
const ownHeaders =
  /^(host|connection|content-length|transfer-encoding|upgrade|keep-alive|te|trailer|expect|content-type|x-firecrawl-signature|x-sluice-event)$/i
const headerName = /^[\w!#$%&'*+.^`|~-]+$/
const maxMetadata = 64 * 1024

const faultOfUrl = (text: string, openings: Openings): string | undefined => {
  if (!canParse(text)) return `"${text}" is not an address`
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") return `${url.protocol} is neither http: nor https:`
  if (url.username !== "" || url.password !== "")
    return "a name and a password belong into headers, not into the address"
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80)
  return refuseHost(url.hostname, port, openings)?.error
}

const isForbidden = ([name, value]: readonly [string, string]): boolean =>
  !headerName.test(name) || ownHeaders.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)

/** The order, or the first fault. Addresses that are names are judged when something is delivered. */
export const read = (webhook: typeof Webhook.Type, openings: Openings): Order | Refusal => {
  const sent = typeof webhook === "string" ? { url: webhook } : webhook
  const order: Order = {
    url: sent.url.trim(),
    headers: sent.headers ?? {},
    metadata: sent.metadata ?? {},
    events: sent.events ?? eventNames,
    secret: sent.secret === "" ? undefined : sent.secret
  }
  const fault = faultOfUrl(order.url, openings)
  if (fault !== undefined) return invalid("webhook.url", fault)
  const header = Object.entries(order.headers).find(isForbidden)
  if (header !== undefined) return invalid("webhook.headers", `"${header[0]}" cannot be sent`)
  const stranger = order.events.find((name) => !eventNames.some((known) => known === name))
  if (stranger !== undefined) {
    return invalid("webhook.events", `"${stranger}" is not an event; there are ${eventNames.join(", ")}`)
  }
  return Buffer.byteLength(JSON.stringify(order.metadata)) > maxMetadata
    ? invalid("webhook.metadata", `it is larger than ${maxMetadata} bytes`)
    : order
}
