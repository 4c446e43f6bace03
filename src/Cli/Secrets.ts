/** The secrets among the settings, which no log, trace or metric may tell. */
import { catalogue } from "../Settings.ts"
import { conceal } from "../Telemetry/Secrets.ts"
import type { Terminal } from "./Terminal.ts"

const secret = [
  catalogue.apiKey,
  catalogue.databaseUrl,
  catalogue.engineKeys,
  catalogue.metricsKey,
  catalogue.modelKey,
  catalogue.otlpHeaders,
  catalogue.proxies,
  catalogue.searchProviders,
  catalogue.webhookSecret
].map(({ env }) => env)

/** From now on none of them is told. */
export const concealAll = (env: Terminal["env"]): void => {
  for (const name of secret) conceal(env[name] ?? "")
}
