/** Network route of a request: proxy, country and `Accept-Language`, from the options `proxy` and `location`. */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { NotImplemented } from "../../Api/Errors.ts"
import { catalogue } from "../../Settings.ts"
import { defaultPool, Proxies, poolFor } from "../Fetch/Proxies.ts"
import { invalid, type Options, type Refusal } from "../ScrapeOptions.ts"
import { Owner } from "../Teams/FairQueue.ts"

export interface Route {
  /** Name of the proxy pool; undefined for a direct connection. */
  readonly proxy: string | undefined
  /** Proxy pool for a second attempt if the site refuses the first. */
  readonly fallback: string | undefined
  /** Session of all requests with this route: those of a job, or of one page. */
  readonly session: string
  readonly acceptLanguage: string | undefined
  /** Set if there is no proxy in the requested country. */
  readonly warning: string | undefined
}

/** True for statuses with which sites refuse bots and clients that send too many requests. */
export const isRefusal = (status: number): boolean =>
  status === 401 || status === 403 || status === 429 || status === 503

/** Values of `proxy` for proxies that sites do not recognise as such: the old and the new name of the same kind. */
const hidden: ReadonlyArray<string> = ["stealth", "enhanced"]

/** Languages of countries with several common languages. Other countries use the likely language of `Intl.Locale`. */
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

/** Builds a header value such as `de-CH,de;q=0.9,fr;q=0.8,en;q=0.7`. English is added as the last choice. */
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

type ProxyChoice = Pick<Route, "proxy" | "fallback">

/** Chooses the proxy pool. A pool of the requested country takes precedence; the default pool is used if no other fits. */
const readProxy = (
  kind: string,
  country: string | undefined,
  firstOf: (...names: ReadonlyArray<string>) => string | undefined
): Either.Either<ProxyChoice, Refusal> => {
  const plain = (...names: ReadonlyArray<string>) =>
    firstOf(...(country === undefined ? [] : [country.toLowerCase()]), ...names, defaultPool)
  switch (kind) {
    case "none":
      return Either.right({ proxy: plain(), fallback: undefined })
    case "basic":
      return Either.right({ proxy: plain("basic"), fallback: undefined })
    case "auto":
      return Either.right({ proxy: plain("basic"), fallback: firstOf(...hidden) })
  }
  const proxy = hidden.includes(kind) ? firstOf(kind, ...hidden) : firstOf(kind)
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

/** Session of each options object. All pages of a job share one object, and thus a session. */
const sessions = new WeakMap<object, string>()

const sessionOf = (options: object): string => {
  const session = sessions.get(options) ?? randomUUID()
  sessions.set(options, session)
  return session
}

const servesCountry = (proxy: string | undefined, country: string): boolean =>
  proxy?.split("/").at(-1) === country.toLowerCase()

/** Reads the route from the options; fails if the requested proxy is not configured. */
export const read = (options: Pick<Options, "location" | "proxy">): Effect.Effect<Route, Refusal, Proxies> =>
  Effect.gen(function* () {
    const table = yield* Proxies
    const { country, header } = yield* readLocation(options)
    const team = yield* Owner
    const choice = yield* readProxy(options.proxy?.toLowerCase() ?? "none", country, (...names) =>
      poolFor(table, team, names)
    )
    const isUnserved = country !== undefined && !servesCountry(choice.proxy, country)
    return {
      ...choice,
      session: sessionOf(options),
      acceptLanguage: header,
      warning: isUnserved
        ? `No proxy in ${country} is configured, so only the languages were set: add ${country.toLowerCase()}=http://… to ${catalogue.proxies.env}.`
        : undefined
    }
  })
