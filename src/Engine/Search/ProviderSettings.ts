/** Parses the setting of search providers: which ones, in which order. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { canParse } from "../../Api/Url.ts"
import { brave } from "./Provider/Brave.ts"
import { exa } from "./Provider/Exa.ts"
import * as Exchange from "./Provider/Exchange.ts"
import { google } from "./Provider/Google.ts"
import { searxng } from "./Provider/Searxng.ts"
import { serper } from "./Provider/Serper.ts"
import { tavily } from "./Provider/Tavily.ts"
import type { Make, Provider, Wish } from "./Provider.ts"
import * as Remote from "./Remote.ts"

export const makers: ReadonlyMap<string, Make> = new Map(
  Object.entries({ brave, exa, google, searxng, serper, tavily })
)

/** One link of the chain: what was gathered here, or a service. */
export type Asked =
  | { readonly name: "local" }
  | {
      readonly name: string
      readonly provider: Provider
      readonly ask: (wish: Wish) => Effect.Effect<Remote.Found, Exchange.ProviderFailure>
    }

/** The local index alone, unless the operator has set others. */
export class Providers extends Context.Reference<Providers>()("sluice/Engine/Search/Providers", {
  defaultValue: (): ReadonlyArray<Asked> => [{ name: "local" }]
}) {}

/** The chain as it is set; a provider holds its key, so this is never shown. */
export type Chain = ReadonlyArray<Provider | "local">

const known = ["local", ...makers.keys()]

const isAddress = (text: string): boolean => canParse(text) && /^https?:$/.test(new URL(text).protocol)

const makeOne = (entry: string, at: number): Either.Either<Provider | "local", string> => {
  if (entry.toLowerCase() === "local") return Either.right("local")
  const sign = entry.indexOf("=")
  const name = entry.slice(0, Math.max(0, sign)).toLowerCase()
  const make = makers.get(name)
  // What stands before the sign could be a key as well.
  if (make === undefined) return Either.left(`entry ${at + 1} is not name=value with one of ${known.join(", ")}`)
  const whole = entry.slice(sign + 1)
  const [, value = whole, base] = /^(?!https?:)(.*)@(https?:\/\/.*)$/.exec(whole) ?? []
  if (base !== undefined && !isAddress(base)) return Either.left(`entry ${at + 1}, "${name}", has a wrong address`)
  // Keys travel in headers.
  if (value === "" || !/^[\x21-\x7e]+$/.test(value)) return Either.left(`entry ${at + 1}, "${name}", has no value`)
  const made = make(value, base)
  return typeof made === "string" ? Either.left(`entry ${at + 1}, "${name}", ${made}`) : Either.right(made)
}

const nameOf = (link: Provider | "local"): string => (typeof link === "string" ? link : link.name)

/** Reads `brave=KEY,searxng=http://host,google=KEY:CX,local`; what is wrong is told by its place, not by what it says. */
export const parse = (text: Redacted.Redacted): Either.Either<Chain, string> => {
  const entries = Redacted.value(text)
    .split(/[,\s]+/)
    .filter((entry) => entry !== "")
  return Either.flatMap(Either.all(entries.map(makeOne)), (chain) => {
    const names = chain.map(nameOf)
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    if (twice !== undefined) return Either.left(`"${twice}" is there twice`)
    return Either.right<Chain>(chain.length === 0 ? ["local"] : chain)
  })
}

/** Of a setting, only the entries of these names, in their order; the left side is the first that is not there. */
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

/** The chain, with connections that close with the scope. */
export const layer = (chain: Chain): Layer.Layer<Providers> =>
  Layer.scoped(
    Providers,
    Effect.map(Exchange.make, (exchange) => {
      const ask = Remote.ask(exchange)
      return chain.map(
        (link): Asked =>
          typeof link === "string"
            ? { name: "local" }
            : { name: link.name, provider: link, ask: (wish) => ask(link, wish) }
      )
    })
  )
