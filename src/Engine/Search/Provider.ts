/** What stands behind a search besides the local index: a service that is asked for one page of results. */
import type { Category, sources } from "../../Api/Search.ts"
import type { Clause, Period } from "./Query.ts"
export type Source = (typeof sources)[number]

/** What is wanted of one source. */
export interface Wish {
  readonly source: Source
  readonly limit: number
  readonly clauses: ReadonlyArray<Clause>
  readonly period: Period
  /** The time filter as it was written. */
  readonly tbs: string | undefined
  readonly location: string | undefined
  /** ISO code in capitals. */
  readonly country: string | undefined
  /** Whether the country was asked for, and is no default. */
  readonly countryAsked: boolean
  readonly categories: ReadonlyArray<Category>
  readonly includeDomains: ReadonlyArray<string>
  readonly excludeDomains: ReadonlyArray<string>
}

/** What can stand in the text of a query. `or` is `(site:a OR site:b)`. */
export type Operator = "phrase" | "minus" | "site" | "filetype" | "inurl" | "intitle" | "or"

/** One request; the address is below the provider's own. */
export interface Call {
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** One result as every provider can be read. */
export interface Hit {
  readonly url: string
  readonly title: string
  readonly description: string
  /** When it was published, in milliseconds. */
  readonly published?: number | undefined
  /** The same as the provider writes it. */
  readonly date?: string | undefined
  readonly imageUrl?: string | undefined
  readonly width?: number | undefined
  readonly height?: number | undefined
}

export interface Page {
  readonly hits: ReadonlyArray<Hit>
  /** Whether it is worth asking for the next one. */
  readonly more: boolean
  /** What the provider itself says went wrong; with no hits at all it counts as a failure. */
  readonly trouble?: string | undefined
}

/** What is done with the time filter by the provider itself. */
export interface Timing {
  readonly values: Readonly<Record<string, string>>
  /** Nothing is left to filter. */
  readonly exact: boolean
}

/** A provider as a value: how it is asked, and how its answers are read. */
export interface Provider {
  readonly name: string
  /** Where it is, without a path at its end. */
  readonly base: string
  readonly sources: ReadonlyArray<Source>
  readonly operators: ReadonlySet<Operator>
  /** Whether hosts are wanted and unwanted by parameters, and not in the text. */
  readonly hostParameters: boolean
  /** Characters of a query's text. */
  readonly longest: number
  /** Words of it, where they are counted. */
  readonly mostWords?: number
  /** Results of one page at most, and pages that there can be. */
  readonly pageSize: (source: Source) => number
  readonly pages: (source: Source) => number
  readonly timing: (wish: Wish) => Timing
  /** It sorts by date itself. */
  readonly sorts: boolean
  /** Which of `location` and `country` it takes for a wish. */
  readonly places: (wish: Wish) => { readonly location: boolean; readonly country: boolean }
  /** Pages are counted from 0; `size` is the same for all of them. */
  readonly call: (wish: Wish, asked: { readonly text: string; readonly page: number; readonly size: number }) => Call
  /** Undefined for what is no answer of this provider. */
  readonly read: (source: Source, body: unknown, now: number) => Page | undefined
}

/** Makes a provider from what the operator has written after its name; the left side never repeats it. */
export type Make = (value: string, base: string | undefined) => Provider | string
