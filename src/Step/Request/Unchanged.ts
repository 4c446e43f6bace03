/**
 * `skipUnchanged`: asks whether an answer has changed since the last run that published its rows (RFC 9110, 13). What an API says about an answer
 * (`ETag`, `Last-Modified`) is state of the step, by the request.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Context } from "../Context.ts"
import type { StepError } from "../StepError.ts"
import type { Outgoing, Received } from "./Send.ts"

const Validators = Schema.Struct({ etag: Schema.optional(Schema.String), modified: Schema.optional(Schema.String) })
const isValidators = Schema.is(Validators)

const entryOf = ({ body = "", method, url }: Outgoing): string => `unchanged ${method} ${url} ${body}`.trimEnd()

/** The request with its conditions, where the last run has left any. */
export const conditional = (outgoing: Outgoing, context: Context): Effect.Effect<Outgoing, StepError> =>
  Effect.map(context.state.load, (entries) => {
    const known = entries.find(({ key }) => key === entryOf(outgoing))?.value
    if (!isValidators(known)) return outgoing
    const { etag, modified } = known
    const conditions = {
      ...(etag === undefined ? {} : { "if-none-match": etag }),
      ...(modified === undefined ? {} : { "if-modified-since": modified })
    }
    return { ...outgoing, headers: { ...outgoing.headers, ...conditions } }
  })

/** True for the answer that nothing has changed. */
export const isUnchanged = ({ status }: Received): boolean => status === 304

/** Stages what the next run asks with. An answer that has not changed keeps what is known. */
export const remember = (outgoing: Outgoing, received: Received, context: Context): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (isUnchanged(received)) {
      return Effect.zipRight(
        context.warnOnce("unchanged", `${outgoing.url} has not changed since the last run, so it gives no rows`),
        context.incomplete("seen")
      )
    }
    const { etag, "last-modified": modified } = received.headers
    if (etag === undefined && modified === undefined) return Effect.void
    const value = { ...(etag === undefined ? {} : { etag }), ...(modified === undefined ? {} : { modified }) }
    return context.state.put([{ key: entryOf(outgoing), value, rowKey: "" }])
  })
