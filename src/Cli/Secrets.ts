/** The secrets among the settings, which no log, trace or metric may tell. */
import { secretNames } from "../Settings.ts"
import { conceal } from "../Telemetry/Redaction.ts"
import type { Terminal } from "./Terminal.ts"

/** From now on none of them is told. */
export const concealAll = (env: Terminal["env"]): void => {
  for (const name of secretNames) conceal(env[name] ?? "")
}
