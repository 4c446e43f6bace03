/** What a definition may read of the environment: every variable by its name, as text in `env`, redacted in `secrets`. */
import * as Redacted from "effect/Redacted"
import { secretNames } from "../Settings.ts"
import { conceal } from "../Telemetry/Redaction.ts"
import type { Terminal } from "./Terminal.ts"

export const scopeOf = (whole: Terminal["env"]) => {
  // Sluice's own keys are for the service alone: no definition can carry them elsewhere.
  const env: Terminal["env"] = Object.fromEntries(Object.entries(whole).filter(([name]) => !secretNames.has(name)))
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
