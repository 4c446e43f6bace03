/** Exporter of traces, metrics and logs, configured by environment variables such as `OTEL_EXPORTER_OTLP_ENDPOINT`. */
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { isHttp } from "../Api/Url.ts"
import { catalogue } from "../Settings.ts"
import * as Export from "../Telemetry/Export.ts"
import { SettingInvalid } from "./CommandErrors.ts"
import { concealSecrets } from "./CommandSettings.ts"
import { type Terminal, warn } from "./Terminal.ts"

/** Parses `name=value,…`; values may be percent-encoded (`%20`). */
const pairsOf = (text: string): Record<string, string> | undefined => {
  const pairs: Record<string, string> = {}
  for (const part of text.split(",").map((each) => each.trim())) {
    if (part === "") continue
    const at = part.indexOf("=")
    const value = part.slice(at + 1).trim()
    if (at < 1) return undefined
    pairs[part.slice(0, at).trim()] = /^(?:[^%]|%[0-7][0-9a-f])*$/i.test(value) ? decodeURIComponent(value) : value
  }
  return pairs
}

const invalid = ({ env }: { readonly env: string }, reason: string) => new SettingInvalid({ name: env, reason })

const headerName = /^[!#$%&'*+.^_`|~\w-]+$/
const headerValue = /^[\t\x20-\x7e]*$/

const settings = Config.all({
  endpoint: catalogue.otlpEndpoint.config,
  headers: catalogue.otlpHeaders.config,
  serviceName: catalogue.serviceName.config,
  attributes: catalogue.resourceAttributes.config,
  share: catalogue.traceShare.config
})

/** Exporter configured by the environment. */
export const layerOf = ({ env, err }: Terminal) =>
  Effect.gen(function* () {
    concealSecrets(env)
    const given = new Map(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
    const {
      attributes,
      endpoint = "",
      headers,
      serviceName,
      share
    } = yield* Effect.withConfigProvider(settings, ConfigProvider.fromMap(given))
    if (!isHttp(endpoint)) {
      return yield* invalid(catalogue.otlpEndpoint, "it is not an address like http://127.0.0.1:4318")
    }
    const url = new URL(endpoint)
    if (url.username !== "" || url.password !== "") {
      return yield* invalid(
        catalogue.otlpEndpoint,
        `it contains a user name or a password: give them as a header in ${catalogue.otlpHeaders.env}`
      )
    }
    if (url.search !== "" || url.hash !== "") {
      return yield* invalid(
        catalogue.otlpEndpoint,
        "remove the text after ? or #: the address of a collector has only a path"
      )
    }
    const named = pairsOf(headers === undefined ? "" : Redacted.value(headers))
    const isSendable = Object.entries(named ?? {}).every(
      ([name, value]) => headerName.test(name) && headerValue.test(value)
    )
    // The text is not shown, because it may be a key.
    if (named === undefined || !isSendable) return yield* invalid(catalogue.otlpHeaders, "it is not name=value,…")
    const said = pairsOf(attributes)
    if (said === undefined) return yield* invalid(catalogue.resourceAttributes, "it is not name=value,…")
    return Export.layer({
      endpoint: url,
      headers: Object.fromEntries(Object.entries(named).map(([name, value]) => [name, Redacted.make(value)])),
      serviceName,
      attributes: said,
      share,
      onLost: (message) => warn(err, message)
    })
  })
