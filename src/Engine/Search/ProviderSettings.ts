/** Parses the setting of search providers: their names, keys and order. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { isHttp } from "../../Api/Url.ts"
import { brave } from "./Provider/Brave.ts"
import { exa } from "./Provider/Exa.ts"
import * as Exchange from "./Provider/Exchange.ts"
import { google } from "./Provider/Google.ts"
import { searxng } from "./Provider/Searxng.ts"
import { serper } from "./Provider/Serper.ts"
import { tavily } from "./Provider/Tavily.ts"
import type { MakeProvider, Provider, SourceRequest } from "./Provider.ts"
import * as Remote from "./Remote.ts"

export const providers: ReadonlyMap<string, MakeProvider> = new Map(
  Object.entries({ brave, exa, google, searxng, serper, tavily })
)

/** Link of the chain: the local index or a provider. */
export type ChainLink =
  | { readonly name: "local" }
  | {
      readonly name: string
      readonly provider: Provider
      readonly ask: (request: SourceRequest) => Effect.Effect<Remote.ProviderResults, Exchange.ProviderFailure>
    }

export class Providers extends Context.Tag("sluice/Engine/Search/Providers")<Providers, ReadonlyArray<ChainLink>>() {}

/** Configured chain. Never printed, because providers contain their keys. */
export type Chain = ReadonlyArray<Provider | "local">

const known = ["local", ...providers.keys()]

const makeOne = (entry: string, at: number): Either.Either<Provider | "local", string> => {
  if (entry.toLowerCase() === "local") return Either.right("local")
  const sign = entry.indexOf("=")
  const name = entry.slice(0, Math.max(0, sign)).toLowerCase()
  const make = providers.get(name)
  // The error must not repeat the text before the sign, which could be a key.
  if (make === undefined)
    return Either.left(
      `entry ${at + 1} is not a search provider: write local, or NAME=VALUE with one of the names ${known.join(", ")}, like brave=KEY`
    )
  const whole = entry.slice(sign + 1)
  const [, value = whole, base] = /^(?!https?:)(.*)@(https?:\/\/.*)$/.exec(whole) ?? []
  if (base !== undefined && !isHttp(base))
    return Either.left(`entry ${at + 1}, "${name}", has an address that is not valid`)
  // Keys are sent in headers, so only visible ASCII is valid.
  if (value === "" || !/^[\x21-\x7e]+$/.test(value)) return Either.left(`entry ${at + 1}, "${name}", has no value`)
  const made = make(value, base)
  return typeof made === "string" ? Either.left(`entry ${at + 1}, "${name}", ${made}`) : Either.right(made)
}

const nameOf = (link: Provider | "local"): string => (typeof link === "string" ? link : link.name)

/** Parses `brave=KEY,searxng=http://host,google=KEY:CX,local`. Errors name the position of an entry, never its value. */
export const parse = (text: Redacted.Redacted): Either.Either<Chain, string> => {
  const entries = Redacted.value(text)
    .split(/[,\s]+/)
    .filter((entry) => entry !== "")
  return Either.flatMap(Either.all(entries.map(makeOne)), (chain) => {
    const names = chain.map(nameOf)
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    if (twice !== undefined) return Either.left(`"${twice}" is listed twice`)
    return Either.right<Chain>(chain.length === 0 ? ["local"] : chain)
  })
}

/** Selects the entries with these names, in the order of the names. The error is the first name that has no entry. */
export const only = (
  text: Redacted.Redacted | undefined,
  names: ReadonlyArray<string>
): Either.Either<Redacted.Redacted, string> => {
  const entries = (text === undefined ? "" : Redacted.value(text)).split(/[,\s]+/)
  const chosen = names.map((name) => {
    const entry = entries.find((entry) => entry.toLowerCase() === name || entry.toLowerCase().startsWith(`${name}=`))
    return entry ?? (name === "local" ? "local" : undefined)
  })
  const missing = names[chosen.indexOf(undefined)]
  return missing === undefined ? Either.right(Redacted.make(chosen.join(","))) : Either.left(missing)
}

/** Builds the chain. Its connections close with the scope. */
export const layer = (chain: Chain) =>
  Layer.scoped(
    Providers,
    Effect.map(Exchange.make, (exchange) => {
      const ask = Remote.ask(exchange)
      return chain.map(
        (link): ChainLink =>
          typeof link === "string"
            ? { name: "local" }
            : { name: link.name, provider: link, ask: (request) => ask(link, request) }
      )
    })
  )
