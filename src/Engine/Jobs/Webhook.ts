/**
 * Webhooks of jobs: validates the `webhook` option, and encrypts it.
 */
import { createHmac } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Webhook } from "../../Api/JobStatus.ts"
import { canParse } from "../../Api/Url.ts"
import { type Allowlist, Guard, refuseHost } from "../../Guard.ts"
import { invalid, type Refusal } from "../ScrapeOptions.ts"
import * as Seal from "../Store/Seal.ts"
import { Keys } from "../Teams/Keys.ts"

export class Webhooks extends Context.Tag("sluice/Engine/Jobs/Webhooks")<
  Webhooks,
  {
    /** Validates and encrypts the whole option: URL, headers, metadata and secret. */
    readonly accept: (webhook: typeof Webhook.Type | undefined) => Effect.Effect<Uint8Array | undefined, Refusal>
    readonly open: (sealed: Uint8Array) => Either.Either<WebhookRequest, unknown>
    /** Secret that signs deliveries: the webhook's own, else the team's; undefined when neither is set. */
    readonly secretOf: (request: WebhookRequest, team: string) => Redacted.Redacted | undefined
  }
>() {}

/**
 * Secret of one team, in hexadecimal, derived from the configured secret. A team can verify its own deliveries; it cannot derive the secret
 * of another team and forge deliveries to it.
 */
export const secretOfTeam = (secret: Redacted.Redacted, team: string): Redacted.Redacted =>
  Redacted.make(createHmac("sha256", Redacted.value(secret)).update(`sluice webhook ${team}`).digest("hex"))

/** Warning for an engine with several teams. With a single team, deliveries are signed with the setting itself. */
const newSecret =
  "Webhooks are signed with a secret per team, derived from SLUICE_WEBHOOK_SECRET. Set a new SLUICE_WEBHOOK_SECRET when you add a second team: receivers that know the old one can derive the secret of every team."

export const layer = (dataDir: string, secret: Redacted.Redacted | undefined) =>
  Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const { allowlist } = yield* Guard
      const { open, seal } = yield* Seal.open(dataDir)
      const isShared = (yield* Keys).teams.size > 1
      if (isShared && secret !== undefined) yield* Effect.logWarning(newSecret)
      return Webhooks.of({
        accept: (webhook) =>
          Effect.suspend(() => {
            if (webhook === undefined) return Effect.succeed(undefined)
            const request = read(webhook, allowlist)
            return "url" in request ? Effect.succeed(seal(JSON.stringify(request))) : Effect.fail(request)
          }),
        open: (sealed) => Either.map(open(sealed), (text): WebhookRequest => JSON.parse(text)),
        secretOf: (request, team) => {
          if (request.secret !== undefined) return Redacted.make(request.secret)
          return secret === undefined || !isShared ? secret : secretOfTeam(secret, team)
        }
      })
    })
  )

const eventNames = ["started", "page", "completed", "failed"] as const
export type EventName = (typeof eventNames)[number]

export interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly metadata: Readonly<Record<string, unknown>>
  readonly events: ReadonlyArray<string>
  readonly secret?: string | undefined
}

/** Headers that a webhook cannot set, because the delivery or the HTTP client sets them. */
const ownHeaders =
  /^(host|connection|content-length|transfer-encoding|upgrade|keep-alive|te|trailer|expect|content-type|x-firecrawl-signature|x-sluice-event)$/i
const headerName = /^[\w!#$%&'*+.^`|~-]+$/
const maxMetadata = 64 * 1024

const faultOfUrl = (text: string, allowlist: Allowlist): string | undefined => {
  if (!canParse(text)) return `"${text}" is not an address`
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") return `${url.protocol} is neither http: nor https:`
  if (url.username !== "" || url.password !== "") return "user name and password belong in headers, not in the address"
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80)
  return refuseHost(url.hostname, port, allowlist)?.error
}

const isForbidden = ([name, value]: readonly [string, string]): boolean =>
  !headerName.test(name) || ownHeaders.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)

/** Validates the option; returns the first fault. Host names are checked at each delivery. */
export const read = (webhook: typeof Webhook.Type, allowlist: Allowlist): WebhookRequest | Refusal => {
  const given = typeof webhook === "string" ? { url: webhook } : webhook
  const request: WebhookRequest = {
    url: given.url.trim(),
    headers: given.headers ?? {},
    metadata: given.metadata ?? {},
    events: given.events ?? eventNames,
    secret: given.secret === "" ? undefined : given.secret
  }
  const fault = faultOfUrl(request.url, allowlist)
  if (fault !== undefined) return invalid("webhook.url", fault)
  const header = Object.entries(request.headers).find(isForbidden)
  if (header !== undefined) return invalid("webhook.headers", `"${header[0]}" cannot be sent`)
  const unknown = request.events.find((name) => !eventNames.some((known) => known === name))
  if (unknown !== undefined) {
    return invalid("webhook.events", `"${unknown}" is not an event; use ${eventNames.join(", ")}`)
  }
  return Buffer.byteLength(JSON.stringify(request.metadata)) > maxMetadata
    ? invalid("webhook.metadata", `it is larger than ${maxMetadata} bytes`)
    : request
}
