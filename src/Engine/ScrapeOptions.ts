/** Options of a scrape: defaults, options of a format, conversion from v1, and errors for bad options. */
import * as Either from "effect/Either"
import { BadRequest, NotImplemented } from "../Api/Errors.ts"
import type { Settled } from "../Api/Field.ts"
import { dataFormats } from "../Api/PageData.ts"
import type { NextLink } from "../Api/Paging.ts"
import { type fields, formatName, loginPrefix, type ScrapeOptions, type ScrapeOptionsV1 } from "../Api/ScrapeOptions.ts"
import type { DataQuery } from "../Html/Extract.ts"
import { compileFormat, type FieldsQuery } from "../Html/FieldRows.ts"

export type Options = Settled<typeof fields> & {
  /** For a crawl that follows lists: how to find the next page. */
  readonly next?: NextLink | undefined
}

/** Fields other than `type` in a format's object; empty for a format given by name, undefined for a format that is not requested. */
export const particularsOf = (
  { formats }: Pick<Options, "formats">,
  name: string
): Readonly<Record<string, unknown>> | undefined => {
  const format = formats.find((each) => formatName(each) === name)
  if (format === undefined || typeof format === "string") return format === undefined ? undefined : {}
  const { type: _, ...particulars } = format
  return particulars
}

/**
 * Name of the profile whose cookies are sent with page requests; undefined without one, or if a separate browser renders the page with the
 * profile.
 */
export const loginOf = ({ profile }: Pick<Options, "profile">): string | undefined =>
  profile?.name.startsWith(loginPrefix) === true ? profile.name.slice(loginPrefix.length) : undefined

/** Converts v1 options to v2. v1 has separate fields for the options that v2 puts into a format's object. */
export const fromV1 = ({
  parsePDF,
  jsonOptions,
  changeTrackingOptions,
  formats,
  ...options
}: ScrapeOptionsV1): ScrapeOptions => {
  const particulars: Readonly<Record<string, object | undefined>> = {
    json: jsonOptions,
    extract: jsonOptions,
    changeTracking: changeTrackingOptions
  }
  return {
    ...options,
    ...(formats === undefined
      ? {}
      : {
          formats: formats.map((format) =>
            typeof format === "string" && particulars[format] !== undefined
              ? { type: format, ...particulars[format] }
              : format
          )
        }),
    ...(parsePDF === undefined ? {} : { parsers: parsePDF ? ["pdf"] : [] })
  }
}

export type Refusal = BadRequest | NotImplemented

/** Error for an option that is not implemented; `instead` says what to do. */
export const missing = (name: string, instead: string): NotImplemented =>
  new NotImplemented({ error: `"${name}" is not built into this server yet. ${instead}`, code: "NOT_IMPLEMENTED" })

/** The value of an option is invalid. */
export const invalid = (path: string, message: string): BadRequest =>
  new BadRequest({
    error: `${path}: ${message}`,
    code: "BAD_REQUEST",
    details: [{ path: [path], message, code: "invalid_value" }]
  })

/** Data formats of a request (such as `tables` and `fields`) as plain data, which can be sent between threads and processes. */
export interface WrittenData {
  readonly formats: ReadonlyArray<string>
  /** The format `fields`, as JSON. */
  readonly fields: string | undefined
}

/** The data formats of a request; undefined if there are none. */
export const readData = (options: Pick<Options, "formats">): Either.Either<WrittenData | undefined, BadRequest> => {
  const formats = dataFormats.filter((name) => name !== "fields" && particularsOf(options, name) !== undefined)
  const particulars = particularsOf(options, "fields")
  if (particulars === undefined) return Either.right(formats.length === 0 ? undefined : { formats, fields: undefined })
  return Either.mapBoth(compileFormat(particulars), {
    onLeft: (message) => invalid("formats", `fields: ${message}`),
    onRight: () => ({ formats, fields: JSON.stringify(particulars) })
  })
}

/** Cache of the last compiled query, which the pages of a job share. */
let compiled: { readonly written: string; readonly query: FieldsQuery } | undefined

const compile = (written: string): FieldsQuery => {
  // Cannot fail: it was compiled when the request was validated.
  if (compiled?.written !== written)
    compiled = { written, query: Either.getOrThrow(compileFormat(JSON.parse(written))) }
  return compiled.query
}

export const queryOf = (data: WrittenData | undefined): DataQuery | undefined =>
  data && {
    formats: new Set(data.formats),
    fields: data.fields === undefined ? undefined : compile(data.fields),
    now: Date.now()
  }
