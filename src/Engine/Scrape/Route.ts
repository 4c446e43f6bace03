/** Network route of a request: proxy, country and `Accept-Language`, from the options `proxy` and `location`. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { NotImplemented } from "../../Api/Errors.ts"
import { catalogue } from "../../Settings.ts"
import { Proxies, type ProxyTable } from "../Fetch/Proxies.ts"
import { invalid, type Options, type Refusal } from "../ScrapeOptions.ts"

export interface Route {
  /** Name of the proxy; undefined for a direct connection. */
  readonly proxy: string | undefined
  /** Proxy of a second attempt, made when the site refuses the first. */
  readonly fallback: string | undefined
  readonly acceptLanguage: string | undefined
  /** Set when no proxy of the requested country exists. */
  readonly warning: string | undefined
}

/** True for statuses with which sites refuse bots and clients that send too many requests. */
export const isRefusal = (status: number): boolean =>
  status === 401 || status === 403 || status === 429 || status === 503

/** The old and the new name of the same kind of proxy. */
const hidden = ["stealth", "enhanced"]

/** Languages of countries with several common ones. Other countries use the likely language of `Intl.Locale`. */
const severalLanguages: Readonly<Record<string, ReadonlyArray<string>>> = {
  BE: ["nl", "fr", "de"],
  CA: ["en", "fr"],
  CH: ["de", "fr", "it"],
  FI: ["fi", "sv"],
  HK: ["zh", "en"],
  IE: ["en", "ga"],
  IL: ["he", "ar", "en"],
  IN: ["en", "hi"],
  LU: ["fr", "de", "lb"],
  PH: ["en", "fil"],
  SG: ["en", "zh"],
  ZA: ["en", "af", "zu"]
}

const languagesOf = (country: string): ReadonlyArray<string> => {
  const usual = severalLanguages[country] ?? [new Intl.Locale(`und-${country}`).maximize().language]
  return usual.filter((language) => language !== "und").flatMap((language) => [`${language}-${country}`, language])
}

const readLanguages = (languages: ReadonlyArray<string>): Either.Either<ReadonlyArray<string>, Refusal> =>
  Either.try({
    try: () => Intl.getCanonicalLocales([...languages]),
    catch: () => invalid("location.languages", "expected language tags such as de or en-GB")
  })

/** Header value such as `de-CH,de;q=0.9,fr;q=0.8,en;q=0.7`. English is added as the last choice. */
const headerOf = (languages: ReadonlyArray<string>): string | undefined => {
  if (languages.length === 0) return undefined
  const wanted = [...new Set([...languages.slice(0, 8), "en"])]
  return wanted.map((tag, at) => (at === 0 ? tag : `${tag};q=${(1 - at / 10).toFixed(1)}`)).join(",")
}

const readLocation = ({
  location
}: Pick<Options, "location">): Either.Either<{ country?: string; header?: string }, Refusal> => {
  const country = location?.country?.trim().toUpperCase()
  if (country !== undefined && !/^[A-Z]{2}$/.test(country))
    return Either.left(invalid("location.country", `"${location?.country}" is not a country code such as DE`))
  return Either.map(readLanguages(location?.languages ?? []), (languages) => {
    const header = headerOf(languages.length > 0 || country === undefined ? languages : languagesOf(country))
    return { ...(country === undefined ? {} : { country }), ...(header === undefined ? {} : { header }) }
  })
}

const unset = (name: string): Refusal =>
  new NotImplemented({
    error: `proxy: ${name} is not set up. Add ${name}=http://… to ${catalogue.proxies.env}, or use "basic" or "auto".`,
    code: "NOT_IMPLEMENTED"
  })

const firstOf = (table: ProxyTable, ...names: ReadonlyArray<string | undefined>): string | undefined =>
  names.find((name) => name !== undefined && table.has(name))

type ProxyChoice = Pick<Route, "proxy" | "fallback">

/** Chooses the proxy. A proxy of the requested country takes precedence. */
const readProxy = (
  kind: string,
  country: string | undefined,
  table: ProxyTable
): Either.Either<ProxyChoice, Refusal> => {
  const direct = (...names: ReadonlyArray<string>) => firstOf(table, country?.toLowerCase(), ...names)
  switch (kind) {
    case "none":
      return Either.right({ proxy: direct(), fallback: undefined })
    case "basic":
      return Either.right({ proxy: direct("basic"), fallback: undefined })
    case "auto":
      return Either.right({ proxy: direct("basic"), fallback: firstOf(table, ...hidden) })
  }
  const proxy = hidden.includes(kind) ? firstOf(table, kind, ...hidden) : firstOf(table, kind)
  if (proxy !== undefined) return Either.right({ proxy, fallback: undefined })
  return Either.left(
    hidden.includes(kind)
      ? unset(kind)
      : invalid(
          "proxy",
          `"${kind}" is not basic, stealth, enhanced or auto, and ${catalogue.proxies.env} has no proxy of that name`
        )
  )
}

/** Reads the route from the options; fails if the proxy does not exist. */
export const read = (options: Pick<Options, "location" | "proxy">): Effect.Effect<Route, Refusal, Proxies> =>
  Effect.gen(function* () {
    const table = yield* Proxies
    const { country, header } = yield* readLocation(options)
    const choice = yield* readProxy(options.proxy?.toLowerCase() ?? "none", country, table)
    const isUnserved = country !== undefined && choice.proxy !== country.toLowerCase()
    return {
      ...choice,
      acceptLanguage: header,
      warning: isUnserved
        ? `No proxy in ${country} is configured, so only the languages were set: add ${country.toLowerCase()}=http://… to ${catalogue.proxies.env}.`
        : undefined
    }
  })
