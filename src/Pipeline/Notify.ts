/** Notifications about scheduled runs that did not go well: the events, and the addresses to send them to. */
import * as Schema from "effect/Schema"
import { canParse } from "../Api/Url.ts"

/**
 * `failed`: a run failed, and is not tried again. `budget`: it reached its budget. `quality`: too many rows were rejected,
 * or a check failed. `missed`: an instant passed while nothing was running.
 */
export const events = ["failed", "budget", "quality", "missed"] as const
export type Event = (typeof events)[number]

const isWebhook = (text: string): boolean => canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** Addresses of webhooks are secrets as a rule: redacted from here on. */
const Webhook = Schema.Redacted(
  Schema.String.pipe(Schema.filter(isWebhook)).annotations({
    description: "an http(s) address, usually ${{ secrets.NAME }}"
  })
)

export const Target = Schema.Struct({
  on: Schema.NonEmptyArray(Schema.Literal(...events)).annotations({
    description: "an array of failed, budget, quality, missed"
  }),
  webhook: Webhook,
  /** What is sent is signed with it (HMAC-SHA256). */
  secret: Schema.optional(Schema.Redacted(Schema.NonEmptyString)).annotations({
    description: "Signs what is sent, usually ${{ secrets.NAME }}."
  })
})
export type Target = typeof Target.Type

export const Notify = Schema.Array(Target).pipe(Schema.maxItems(10)).annotations({
  description: "an array of at most 10 like { on: [failed], webhook: ${{ secrets.NAME }} }"
})
export type Notify = typeof Notify.Type
