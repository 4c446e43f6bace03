/**
 * `skipUnchanged`: asks whether an answer has changed since the last run that published its rows (RFC 9110, 13). What an API says about an answer
 * (`ETag`, `Last-Modified`) is state of the step, by the request and by how its rows are read: another `rows` or `format` reads it again.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { sha256 } from "../../Row/Hash.ts"
import { keyOf, ofSource, type Row } from "../../Row.ts"
import type { Context, StateChange } from "../Context.ts"
import type { StepError } from "../StepError.ts"
import { entriesOf } from "./Entries.ts"
import type { Outgoing, Received } from "./Exchange.ts"

const Validators = Schema.Struct({ etag: Schema.optional(Schema.String), modified: Schema.optional(Schema.String) })
const isValidators = Schema.is(Validators)

/** Fields of the step that say how its answers are read. */
interface Config {
  readonly format?: string | undefined
  readonly rows?: { readonly source: string } | undefined
  readonly skipUnchanged?: boolean | undefined
}

const nameOf = ({ body = "", method, url }: Outgoing, { format, rows }: Config): string =>
  `unchanged ${sha256(JSON.stringify([method, url, body, rows?.source ?? "", format ?? ""]))}`

/** An answer that may be that of the last run. */
export interface Conditional {
  readonly outgoing: Outgoing
  /** What the next run asks with, once the rows of the answer were read. */
  readonly remember: (received: Received) => ReadonlyArray<StateChange>
}

/** The request with its conditions, where the last run has left any. */
export const conditional = (
  outgoing: Outgoing,
  config: Config,
  context: Context,
  source: Row | undefined
): Effect.Effect<Conditional, StepError> => {
  if (config.skipUnchanged !== true) return Effect.succeed({ outgoing, remember: () => [] })
  const own = source === undefined ? undefined : keyOf(source)
  const name = nameOf(outgoing, config)
  return Effect.map(entriesOf(context, own), (entries) => {
    const value = entries.get(name)?.value
    const { etag, modified } = isValidators(value) ? value : {}
    const conditions = {
      ...(etag === undefined ? {} : { "if-none-match": etag }),
      ...(modified === undefined ? {} : { "if-modified-since": modified })
    }
    const remember: Conditional["remember"] = ({ headers, status }) => {
      const now = {
        etag: headers.etag ?? (status === 304 ? etag : undefined),
        modified: headers["last-modified"] ?? (status === 304 ? modified : undefined)
      }
      if (now.etag === undefined && now.modified === undefined) return []
      const validators = {
        ...(now.etag === undefined ? {} : { etag: now.etag }),
        ...(now.modified === undefined ? {} : { modified: now.modified })
      }
      return [{ key: own === undefined ? name : `${own} ${name}`, value: validators, rowKey: ofSource(own ?? name) }]
    }
    return { outgoing: { ...outgoing, headers: { ...outgoing.headers, ...conditions } }, remember }
  })
}

/** True for the answer that nothing has changed. */
export const isUnchanged = ({ status }: Received): boolean => status === 304

/** Says that the step gives no rows, because the answer has not changed. */
export const noteUnchanged = ({ url }: Outgoing, context: Context): Effect.Effect<void> =>
  Effect.zipRight(
    context.warnOnce("unchanged", `${url} has not changed since the last run, so it gives no rows`),
    context.incomplete("seen")
  )
