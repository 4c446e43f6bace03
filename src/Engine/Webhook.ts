/** Webhooks: an order is checked and sealed when a job starts, and opened when something is delivered. */
import { createHmac } from "node:crypto"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Webhook } from "../Api/JobStatus.ts"
import { reasonOf } from "../Database/DriverErrors.ts"
import { Keys } from "./Keys.ts"
import { Guard } from "./Scrape/Guard.ts"
import type { Refusal } from "./ScrapeOptions.ts"
import * as Store from "./Store.ts"
import { type Order, read } from "./Webhook/Order.ts"
import * as Seal from "./Webhook/Seal.ts"

export class Webhooks extends Context.Tag("sluice/Engine/Webhooks")<
  Webhooks,
  {
    /** What of an order may lie in the store: address, headers, metadata and secret are sealed together. */
    readonly accept: (webhook: typeof Webhook.Type | undefined) => Effect.Effect<Uint8Array | undefined, Refusal>
    readonly open: (sealed: Uint8Array) => Either.Either<Order, unknown>
    /** Signs what is sent to a team's receiver: the order's own secret, or the team's. */
    readonly secretOf: (order: Order, team: string) => Redacted.Redacted | undefined
  }
>() {}

/**
 * The secret of one team, in hexadecimal. Only who knows the secret of the settings can derive it, and no team's leads to
 * another's: a team can check its own deliveries and forge none of the others'.
 */
export const secretOfTeam = (secret: Redacted.Redacted, team: string): Redacted.Redacted =>
  Redacted.make(createHmac("sha256", Redacted.value(secret)).update(`sluice webhook ${team}`).digest("hex"))

/** While an engine has one team, receivers know the setting itself. */
const newSecret =
  "Webhooks are signed with a secret of each team, derived from SLUICE_WEBHOOK_SECRET. Set a new SLUICE_WEBHOOK_SECRET when you add a second team: who knows the one from before can derive the secret of every team."

export const layer = (dataDir: string, secret: Redacted.Redacted | undefined) =>
  Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const { openings } = yield* Guard
      const { open, seal } = yield* Effect.mapError(
        Seal.make(dataDir),
        (cause) => new Store.StoreError({ file: dataDir, reason: `its key for secrets: ${reasonOf(cause)}`, cause })
      )
      const isShared = (yield* Keys).teams.size > 1
      if (isShared && secret !== undefined) yield* Effect.logWarning(newSecret)
      return Webhooks.of({
        accept: (webhook) =>
          Effect.suspend(() => {
            if (webhook === undefined) return Effect.succeed(undefined)
            const order = read(webhook, openings)
            return "url" in order ? Effect.succeed(seal(JSON.stringify(order))) : Effect.fail(order)
          }),
        open: (sealed) => Either.map(open(sealed), (text): Order => JSON.parse(text)),
        secretOf: (order, team) => {
          if (order.secret !== undefined) return Redacted.make(order.secret)
          return secret === undefined || !isShared ? secret : secretOfTeam(secret, team)
        }
      })
    })
  )
