/** What a definition may read of the environment: every variable by its name, as text in `env`, redacted in `secrets`. */
import * as Redacted from "effect/Redacted"
import type { Terminal } from "./Terminal.ts"

export const scopeOf = (env: Terminal["env"]) => ({
  env,
  secrets: (name: string) => (env[name] === undefined ? undefined : Redacted.make(env[name]))
})
