/** Contract of a search provider: a service that returns one page of results per call. */
import type { Category, sources } from "../../Api/SearchRequest.ts"
import type { Clause, Period } from "./Query.ts"
export type Source = (typeof sources)[number]

/** Request for one source, with the parsed query. */
export interface SourceRequest {
  readonly source: Source
  readonly limit: number
  readonly clauses: ReadonlyArray<Clause>
  readonly period: Period
  /** Time filter of the request, unparsed (`tbs`). */
  readonly tbs: string | undefined
  readonly location: string | undefined
  /** ISO code in upper case. */
  readonly country: string | undefined
  /** True if the request names a country; false for the default country. */
  readonly countryAsked: boolean
  readonly categories: ReadonlyArray<Category>
  readonly includeDomains: ReadonlyArray<string>
  readonly excludeDomains: ReadonlyArray<string>
}

/** Query operators a provider may support. `or` is `(site:a OR site:b)`. */
export type Operator = "phrase" | "minus" | "site" | "filetype" | "inurl" | "intitle" | "or"

/** HTTP request to a provider; `path` is relative to its base URL. */
export interface Call {
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Search result, the same for all providers. */
export interface Hit {
  readonly url: string
  readonly title: string
  readonly description: string
  /** Publication time in milliseconds since 1970. */
  readonly published?: number | undefined
  /** Publication date as the provider writes it. */
  readonly date?: string | undefined
  readonly imageUrl?: string | undefined
  readonly width?: number | undefined
  readonly height?: number | undefined
}

export interface Page {
  readonly hits: ReadonlyArray<Hit>
  /** True if there is probably a next page. */
  readonly more: boolean
  /** Error reported in the response. Without results, the call counts as failed. */
  readonly trouble?: string | undefined
}

/** Time filter in the provider's own parameters. */
export interface TimeFilter {
  readonly values: Readonly<Record<string, string>>
  /** True if the provider applies the whole filter, so that results need no further filtering. */
  readonly exact: boolean
}

/** Provider as data: its limits, its calls and the reader for its responses. */
export interface Provider {
  readonly name: string
  /** Base URL, without a trailing path. */
  readonly base: string
  readonly sources: ReadonlyArray<Source>
  readonly operators: ReadonlySet<Operator>
  /** True if hosts are passed as parameters instead of `site:` operators. */
  readonly hostParameters: boolean
  /** Maximum characters of a query. */
  readonly maxQueryLength: number
  /** Maximum words of a query, if limited. */
  readonly maxQueryWords?: number
  /** Maximum results of a page, and maximum pages. */
  readonly pageSize: (source: Source) => number
  readonly pages: (source: Source) => number
  readonly timeFilter: (request: SourceRequest) => TimeFilter
  /** True if the provider can sort by date. */
  readonly sortsByDate: boolean
  /** Tells for `location` and `country` of the request whether the provider applies them. */
  readonly locationSupport: (request: SourceRequest) => { readonly location: boolean; readonly country: boolean }
  /** Builds the call for a page. Pages count from 0; `size` is the same for all pages. */
  readonly call: (
    request: SourceRequest,
    asked: { readonly text: string; readonly page: number; readonly size: number }
  ) => Call
  /** Reads a response. Returns undefined if the body is not valid. */
  readonly read: (source: Source, body: unknown, now: number) => Page | undefined
}

/** Creates a provider from its value in the setting. Returns an error message as a string; the message must not repeat the value. */
export type MakeProvider = (value: string, base: string | undefined) => Provider | string
