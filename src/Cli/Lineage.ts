/** The OpenLineage backend, from the environment. */
import { fileURLToPath } from "node:url"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { canParse } from "../Api/Url.ts"
import type { Target } from "../Run/LineageOutbox.ts"
import { catalogue } from "../Settings.ts"
import { SettingInvalid } from "./CommandErrors.ts"
import { concealSecrets } from "./CommandSettings.ts"
import type { Terminal } from "./Terminal.ts"

export { LineageTarget } from "../Run/LineageOutbox.ts"

const settings = Config.all({
  url: catalogue.lineageUrl.config,
  endpoint: catalogue.lineageEndpoint.config,
  key: catalogue.lineageKey.config,
  namespace: catalogue.lineageNamespace.config
})

const invalid = (reason: string) => new SettingInvalid({ name: catalogue.lineageUrl.env, reason })

/** The backend that the environment names. Its URL may contain a key, so no error shows it. */
export const targetOf = ({ env }: Terminal) =>
  Effect.gen(function* () {
    concealSecrets(env)
    const given = new Map(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
    const {
      endpoint,
      key,
      namespace,
      url = ""
    } = yield* Effect.withConfigProvider(settings, ConfigProvider.fromMap(given))
    if (!canParse(url) || !/^(https?|file):$/.test(new URL(url).protocol)) {
      return yield* invalid("it is not an address like http://127.0.0.1:5000 or file:///var/log/lineage.jsonl")
    }
    const base = new URL(url)
    if (base.username !== "" || base.password !== "") {
      return yield* invalid(`it contains a user name or a password: give a key in ${catalogue.lineageKey.env}`)
    }
    if (base.protocol === "file:") {
      if (base.host !== "") return yield* invalid("write the path of a file as file:///path, with three slashes")
      yield* Effect.mapError(
        Effect.try(() => fileURLToPath(base)),
        () => invalid("its path cannot be decoded: write slashes as /, not as %2F, and a percent sign as %25")
      )
    } else base.pathname = `${base.pathname.replace(/\/+$/, "")}/${endpoint.replace(/^\/+/, "")}`
    const target: Target = { url: base, key, namespace }
    return target
  })
