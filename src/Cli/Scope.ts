/** What a definition may read of the environment: every variable by its name, as text in `env`, redacted in `secrets`. */
import * as Redacted from "effect/Redacted"
import { catalogue } from "../Settings.ts"
import { conceal } from "../Telemetry/Secrets.ts"
import type { Terminal } from "./Terminal.ts"

/** Sluice's own keys are for the service alone: no definition can carry them elsewhere. */
const withheld: ReadonlySet<string> = new Set([
  catalogue.apiKey.env,
  catalogue.databaseUrl.env,
  catalogue.engineKeys.env,
  catalogue.metricsKey.env,
  catalogue.modelKey.env,
  catalogue.otlpHeaders.env,
  catalogue.proxies.env,
  catalogue.searchProviders.env,
  catalogue.webhookSecret.env
])

export const scopeOf = (whole: Terminal["env"]) => {
  const env: Terminal["env"] = Object.fromEntries(Object.entries(whole).filter(([name]) => !withheld.has(name)))
  return {
    env,
    secrets: (name: string) => {
      const secret = env[name]
      if (secret === undefined) return undefined
      conceal(secret)
      return Redacted.make(secret)
    }
  }
}
