import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { readSettings } from "../../src/Cli/CommandSettings.ts"
import { scopeOf } from "../../src/Cli/Trust.ts"
import { catalogue } from "../../src/Settings.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { folderOf } from "./Project.ts"

const messageOf = <A, R>(effect: Effect.Effect<A, { readonly message: string }, R>) =>
  effect.pipe(
    Effect.flip,
    Effect.map(({ message }) => message)
  )

describe("the settings of a command", () => {
  scoped("come from the environment, then the profile, then the defaults", function* () {
    const path = yield* folderOf({
      "p.yaml": "baseUrl: https://profile.example\nallowNetworks: [10.0.0.0/8, 127.0.0.1]\n"
    })
    const env = { SLUICE_API_KEY: "hush", SLUICE_BASE_URL: undefined }
    const settings = yield* readSettings(env, `${path}/p.yaml`)
    expect(settings).toMatchObject({
      baseUrl: "https://profile.example",
      allowNetworks: ["10.0.0.0/8", "127.0.0.1"],
      dataDir: ".sluice"
    })
    expect(settings.apiKey === undefined ? "" : Redacted.value(settings.apiKey)).toBe("hush")
    expect(yield* readSettings({ SLUICE_BASE_URL: "https://env.example" }, `${path}/p.yaml`)).toMatchObject({
      baseUrl: "https://env.example"
    })
    expect(yield* readSettings({}, undefined)).toMatchObject({ baseUrl: undefined, allowNetworks: [] })
  })

  scoped("take an empty variable for one that is not set, and a wrong one for a mistake", function* () {
    const env = Object.fromEntries(Object.values(catalogue).map(({ env }) => [env, ""]))
    expect(yield* readSettings(env, undefined)).toEqual(yield* readSettings({}, undefined))
    const wrong = { SLUICE_RATE_LIMIT: "0", SLUICE_COPY_BYTES: "1.5", SLUICE_ALLOW_EXECUTE: "2", SLUICE_LOG: "xml" }
    for (const [name, value] of Object.entries(wrong)) {
      expect(yield* messageOf(readSettings({ [name]: value }, undefined)), name).toContain("Expected ")
    }
    const address = yield* messageOf(readSettings({ SLUICE_DATABASE_URL: "mysql://me:hush@db/base" }, undefined))
    expect(address).toContain("it is not an address of a Postgres database")
    expect(address).not.toContain("hush")
  })

  scoped("take the profiles of config/ by their names, and suggest the near one", function* () {
    expect(yield* readSettings({}, "local")).toMatchObject({ dataDir: ".sluice", allowNetworks: [] })
    expect((yield* readSettings({}, "hosted")).baseUrl).toMatch(/^https:/)
    expect(yield* messageOf(readSettings({}, "hosed"))).toContain(
      'config/hosed.yaml  there is no such profile, did you mean "hosted"?'
    )
    expect(yield* messageOf(readSettings({}, "photosynthesis"))).toContain("there are cluster, hosted, local")
  })

  scoped("are refused at their place in the profile, secrets among them", function* () {
    const path = yield* folderOf({
      "p.yaml": "bseUrl: https://x.example\napiKey: fc-secret\ndataDir: { a: 1 }\n",
      "list.yaml": "- a\n",
      "empty.yaml": "# nothing\n"
    })
    const said = yield* messageOf(readSettings({}, `${path}/p.yaml`))
    expect(said).toContain(`p.yaml:1:9  bseUrl: unknown setting "bseUrl", did you mean "baseUrl"?`)
    expect(said).toContain(
      "p.yaml:2:9  apiKey: a secret does not belong in a profile: set SLUICE_API_KEY in the environment"
    )
    expect(said).toContain("p.yaml:3:10  dataDir: expected a string or an array of strings")
    expect(said).not.toContain("fc-secret")
    expect(yield* messageOf(readSettings({}, `${path}/list.yaml`))).toContain("expected settings, one on each line")
    expect(yield* readSettings({}, `${path}/empty.yaml`)).toMatchObject({ dataDir: ".sluice" })
  })
})

describe("what a definition may read", () => {
  it("is the environment without the keys of the service", () => {
    const own = {
      SLUICE_API_KEY: "k",
      SLUICE_DATABASE_URL: "postgres://me:hush@db/base",
      SLUICE_ENGINE_KEYS: "e",
      SLUICE_LLM_KEY: "m",
      SLUICE_PROXIES: "p=http://u:p@h",
      SLUICE_SEARCH_PROVIDERS: "brave=k",
      SLUICE_METRICS_KEY: "m",
      SLUICE_WEBHOOK_SECRET: "w",
      OTEL_EXPORTER_OTLP_HEADERS: "k=v"
    }
    const { env, secrets } = scopeOf({ HOME: "/h", TOKEN: "t", ...own })
    expect(env).toEqual({ HOME: "/h", TOKEN: "t" })
    expect(secrets("SLUICE_API_KEY")).toBeUndefined()
    expect(String(secrets("TOKEN"))).toBe("<redacted>")
  })
})
