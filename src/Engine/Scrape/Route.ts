/** From where a page is asked for: through which proxy, from which country, in which languages. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { NotImplemented } from "../../Api/Errors.ts"
import { catalogue } from "../../Settings.ts"
import { Proxies, type ProxyTable } from "../Fetch/Proxies.ts"
import { invalid, type Options, type Refusal } from "../ScrapeOptions.ts"

export interface Route {
  /** The name of a proxy; without one requests go out directly. */
  readonly proxy: string | undefined
  /** Asked once more through this one when the site turns the request away. */
  readonly fallback: string | undefined
  readonly acceptLanguage: string | undefined
  /** What could not be honoured. */
  readonly warning: string | undefined
}

/** Answers by which a site turns away a visitor that it takes for a machine, or that came too often. */
export const isTurnedAway = (status: number): boolean =>
  status === 401 || status === 403 || status === 429 || status === 503

/** Two names for the same kind, old and new. */
const hidden = ["stealth", "enhanced"]

/** Countries where more than the language that most people speak is usual. */
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

/** `de-CH,de;q=0.9,fr;q=0.8`, and English as the last resort. */
const headerOf = (languages: ReadonlyArray<string>): string | undefined => {
  if (languages.length === 0) return undefined
  const wanted = [...new Set([...languages.slice(0, 8), "en"])]
  return wanted.map((tag, at) => (at === 0 ? tag : `${tag};q=${(1 - at / 10).toFixed(1)}`)).join(",")
}

const readLocation = ({ location }: Options): Either.Either<{ country?: string; header?: string }, Refusal> => {
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

type Way = Pick<Route, "proxy" | "fallback">

/** A proxy of the country that was asked for goes before one that stands anywhere. */
const readWay = (kind: string, country: string | undefined, table: ProxyTable): Either.Either<Way, Refusal> => {
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
          `"${kind}" is none of basic, stealth, enhanced, auto, and no proxy of that name is in ${catalogue.proxies.env}`
        )
  )
}

/** The way to the page, or why there is none. */
export const read = (options: Options): Effect.Effect<Route, Refusal> =>
  Effect.gen(function* () {
    const table = yield* Proxies
    const { country, header } = yield* readLocation(options)
    const way = yield* readWay(options.proxy?.toLowerCase() ?? "none", country, table)
    const unserved = country !== undefined && way.proxy !== country.toLowerCase()
    return {
      ...way,
      acceptLanguage: header,
      warning: unserved
        ? `No proxy in ${country} served this page, only its languages were asked for: add ${country.toLowerCase()}=http://… to ${catalogue.proxies.env}.`
        : undefined
    }
  })
