/** An engine as a process of its own, so that it can be killed: prints its address, then serves. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Engine from "../../../src/Engine.ts"
import { keys } from "../../Local.ts"
import { chromium, chromiumSandbox } from "../Render/Installed.ts"

const [dataDir = ""] = process.argv.slice(2)

Engine.start({
  dataDir,
  allowNetworks: ["127.0.0.0/8"],
  keys: Redacted.make(`first:${keys.first}`),
  chromium,
  chromiumSandbox
}).pipe(
  Effect.tap(({ baseUrl }) => Effect.sync(() => process.stdout.write(`${baseUrl}\n`))),
  Effect.zipRight(Effect.never),
  Effect.scoped,
  Effect.runFork
)
