/** Webhooks: an order is checked and sealed when a job starts, and opened when something is delivered (spec 4.6, 4.7). */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Webhook } from "../Api/JobStatus.ts"
import { reasonOf } from "../Database/Failure.ts"
import { Guard } from "./Scrape/Guard.ts"
import type { Refusal } from "./Scrape/Refusals.ts"
import * as Store from "./Store.ts"
import { type Order, read } from "./Webhook/Order.ts"
import * as Seal from "./Webhook/Seal.ts"

export class Webhooks extends Context.Tag("sluice/Engine/Webhooks")<
  Webhooks,
  {
    /** What of an order may lie in the store: address, headers, metadata and secret are sealed together. */
    readonly accept: (webhook: typeof Webhook.Type | undefined) => Effect.Effect<Uint8Array | undefined, Refusal>
    readonly open: (sealed: Uint8Array) => Either.Either<Order, unknown>
    /** Signs what is sent, with the order's own secret or that of the settings. */
    readonly secretOf: (order: Order) => Redacted.Redacted | undefined
  }
>() {}

export const layer = (dataDir: string, secret: Redacted.Redacted | undefined) =>
  Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const { openings } = yield* Guard
      const { open, seal } = yield* Effect.mapError(
        Seal.make(dataDir),
        (cause) => new Store.StoreError({ file: dataDir, reason: `its key for secrets: ${reasonOf(cause)}`, cause })
      )
      return Webhooks.of({
        accept: (webhook) =>
          Effect.suspend(() => {
            if (webhook === undefined) return Effect.succeed(undefined)
            const order = read(webhook, openings)
            return "url" in order ? Effect.succeed(seal(JSON.stringify(order))) : Effect.fail(order)
          }),
        open: (sealed) => Either.map(open(sealed), (text): Order => JSON.parse(text)),
        secretOf: (order) => (order.secret === undefined ? secret : Redacted.make(order.secret))
      })
    })
  )
