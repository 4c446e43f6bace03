/** Whether the service that is chosen can do all that a pipeline needs. */
import * as Effect from "effect/Effect"
import { check } from "../../Pipeline/Check.ts"
import { read } from "../../Pipeline/Source.ts"
import { lacking, serviceOf } from "../Abilities.ts"
import type { Values } from "../Profile.ts"
import { scopeOf } from "../Scope.ts"
import type { Terminal } from "../Terminal.ts"
import { broken, type Finding, missing, ok } from "./Finding.ts"

/** What is wrong with the settings is told of the service. */
const undecided = () =>
  Effect.succeed(missing("pipeline", "not looked at: the settings do not say who does its work", "see service"))

/** Inputs that are not given stay open: what hangs on them is seen when it runs. */
export const look = (file: string, settings: Values, env: Terminal["env"]) =>
  Effect.gen(function* () {
    const checked = yield* check(yield* read(file), { ...scopeOf(env), inputs: {}, complete: false })
    const { who } = yield* serviceOf(settings)
    const { notes, refusal } = yield* lacking(checked, settings, env)
    if (refusal !== undefined) {
      const found = refusal.message.split("\n").slice(0, -1).join("; ")
      const finding: Finding = { name: "pipeline", state: "broken", found, essential: true }
      return finding
    }
    return notes.length > 0
      ? missing("pipeline", `${file}: ${notes.map(({ message }) => message).join("; ")}`)
      : ok("pipeline", `${file}: ${who} can do all of it`)
  }).pipe(
    Effect.catchTag("SettingInvalid", undecided),
    Effect.catchAll((error) =>
      Effect.succeed<Finding>(broken("pipeline", error.message.split("\n")[0] ?? "", `sluice check ${file}`))
    )
  )
