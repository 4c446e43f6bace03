/**
 * `skipUnchanged`: asks the API whether a response has changed since the last run that published its rows (RFC 9110, 13). The validators of
 * a response (`ETag`, `Last-Modified`) are state of the step, stored by request and by how its rows are read: after a change of `rows`,
 * `format` or `delimiter` the response is read again.
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

/** Fields of the step that decide how its responses are read. */
interface Config {
  readonly delimiter?: string | undefined
  readonly format?: string | undefined
  readonly rows?: { readonly source: string } | undefined
  readonly skipUnchanged?: boolean | undefined
}

const nameOf = ({ body = "", method, url }: Outgoing, { delimiter, format = "", rows }: Config): string => {
  const read = [rows?.source ?? "", format, ...(delimiter === undefined ? [] : [delimiter])]
  return `unchanged ${sha256(JSON.stringify([method, url, body, ...read]))}`
}

/** Request whose response may be unchanged since the last run. */
export interface Conditional {
  readonly outgoing: Outgoing
  /** State for the next run's conditions, once the rows of the response have been read. */
  readonly remember: (received: Received) => ReadonlyArray<StateChange>
}

/** Request with conditions, if the last run has stored any. */
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

/** True for a response that says nothing has changed. */
export const isUnchanged = ({ status }: Received): boolean => status === 304

/** Reports that the step returns no rows because the response has not changed. */
export const noteUnchanged = ({ url }: Outgoing, context: Context): Effect.Effect<void> =>
  Effect.zipRight(
    context.warnOnce("unchanged", `${url} has not changed since the last run, so it gives no rows`),
    context.incomplete("seen")
  )
