import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Machine from "../../src/Cli/Doctor/Machine.ts"
import { serve } from "../Client/Server.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, list } from "./Project.ts"

interface Findings {
  readonly ok: boolean
  readonly findings: ReadonlyArray<{ readonly name: string; readonly state: string; readonly found: string }>
}

const stateOf = (out: string, name: string) =>
  (JSON.parse(out) as Findings).findings.find((finding) => finding.name === name)?.state

describe("sluice doctor", () => {
  scoped.skipIf(skipsLong)(
    "starts what a run needs, prints a line for each thing, and leaves nothing behind",
    function* () {
      const root = yield* folderOf()
      const { code, err, out } = yield* sluice(["doctor", "--data", `${root}/data`, "--out", root], {
        env: { PATH: "" }
      })
      expect([code, err]).toEqual([0, ""])
      for (const name of ["Node", "SQLite", "data", "out", "engine", "parser", "service", "search"]) {
        expect(out).toMatch(new RegExp(`^✔ ok +${name} +\\S`, "m"))
      }
      expect(out).toMatch(/^– missing +Chromium .*\n +→ npx \S+/m)
      expect(yield* list(root)).toEqual([])
    }
  )

  scoped.skipIf(skipsLong)(
    "ends with 1 when something essential is broken, with every finding for scripts",
    function* () {
      const root = yield* folderOf({ file: "" })
      const { code, err, out } = yield* sluice(["doctor", "--data", `${root}/file/data`, "--out", root, "--json"], {
        env: { SLUICE_BASE_URL: "http://127.0.0.1:1" }
      })
      expect(code).toBe(1)
      expect(err).toBe("error: data, service: nothing runs until this is fixed\n")
      expect((JSON.parse(out) as Findings).ok).toBe(false)
      expect(stateOf(out, "data")).toBe("broken")
      expect(stateOf(out, "service")).toBe("broken")
      expect(stateOf(out, "engine")).toBe("ok")
    }
  )

  scoped.skipIf(skipsLong)("asks the service of the settings whether it takes the key", function* () {
    const root = yield* folderOf()
    const Engine = yield* Effect.promise(() => import("../../src/Engine.ts"))
    const { baseUrl, key } = yield* Engine.start({ dataDir: `${root}/service` })
    const look = (apiKey: string) =>
      sluice(["doctor", "--out", root, "--data", root, "--json"], {
        env: { SLUICE_BASE_URL: baseUrl, SLUICE_API_KEY: apiKey }
      })
    const right = yield* look(Redacted.value(key))
    expect([right.code, stateOf(right.out, "service")]).toEqual([0, "ok"])
    const wrong = yield* look("fc-wrong")
    expect([wrong.code, stateOf(wrong.out, "service")]).toEqual([1, "broken"])
    expect(wrong.out).toContain("The key was refused")
  })

  scoped.skipIf(skipsLong)(
    "takes a service for right that does not say what is left, and waits for none that wants to be asked later",
    function* () {
      const root = yield* folderOf({ "p.yaml": "version: 1\nname: p\nsteps:\n  - urls: [https://example.com/a]\n" })
      const server = yield* serve(({ headers, path }) => {
        if (headers.authorization === "Bearer slow") return { status: 429, headers: { "retry-after": "100" } }
        return path.startsWith("/v2/team/token-usage/historical?")
          ? { body: { success: true, periods: [] } }
          : { status: 404, body: "<h1>Not Found</h1>" }
      })
      const look = (env: Record<string, string>) =>
        sluice(["doctor", `${root}/p.yaml`, "--out", root, "--data", root, "--json"], { env })
      const right = yield* look({ SLUICE_BASE_URL: server.url, SLUICE_API_KEY: "k" })
      expect([right.code, stateOf(right.out, "service"), right.err]).toEqual([0, "ok", ""])
      const slow = yield* look({ SLUICE_BASE_URL: server.url, SLUICE_API_KEY: "slow" })
      expect([slow.code, slow.out]).toEqual([1, expect.stringContaining("Too many requests")])
      const unset = yield* look({ SLUICE_BASE_URL: server.url })
      expect([stateOf(unset.out, "service"), stateOf(unset.out, "pipeline")]).toEqual(["broken", "missing"])
    }
  )

  scoped("finds a key without a service, and an engine that its settings keep from starting", function* () {
    const root = yield* folderOf()
    const { code, out } = yield* sluice(["doctor", "--out", root, "--data", root, "--json"], {
      env: { SLUICE_API_KEY: "k", SLUICE_ALLOW_NETWORKS: "everywhere" }
    })
    expect([code, stateOf(out, "service"), stateOf(out, "engine")]).toEqual([1, "missing", "broken"])
    expect(stateOf(out, "Chromium")).toBeDefined()
    expect(out).toContain("the setting SLUICE_ALLOW_NETWORKS cannot be used")
  })
})

describe("a fault", () => {
  scoped.skipIf(skipsLong)("of a setting or of Chromium hides no other one, and each has its fix", function* () {
    const root = yield* folderOf({ chromium: "#!/bin/sh\necho 'No usable sandbox!' >&2\nexit 1\n", file: "" })
    yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.chmod(`${root}/chromium`, 0o755))
    const { code, err, out } = yield* sluice(["doctor", "--out", root, "--data", `${root}/file/data`], {
      env: { SLUICE_BROWSER_SESSIONS: "many", SLUICE_CHROMIUM: `${root}/chromium` }
    })
    expect([code, err]).toEqual([1, "error: settings, data: nothing runs until this is fixed\n"])
    expect(out).toMatch(/^✖ broken +settings +the setting SLUICE_BROWSER_SESSIONS cannot be used: .*\n +→ \S+/m)
    expect(out).toMatch(/^✖ broken +data +.*\n +→ choose another/m)
    expect(out).toMatch(/^✖ broken +Chromium +\S+chromium does not start\. .*sandbox.*\n +→ \S+/m)
    expect(out).toMatch(/^✔ ok +parser/m)
  })

  scoped.skipIf(skipsLong)(
    "is none of a Chromium that starts with its sandbox",
    function* () {
      const root = yield* folderOf()
      const { out } = yield* sluice(["doctor", "--out", root, "--data", root], { env: { PATH: process.env.PATH } })
      expect(out).toMatch(
        /^(✔ ok +Chromium +\S+, starts with its sandbox|– missing +Chromium|✖ broken +Chromium .*sandbox)/m
      )
    },
    180_000
  )
})

describe("the machine", () => {
  it("has a Node that is new enough, or not", () => {
    for (const version of ["20.19.0", "20.20.2", "22.0.0"]) expect(Machine.node(version).state, version).toBe("ok")
    for (const version of ["20.18.9", "18.20.0"]) expect(Machine.node(version).state, version).toBe("broken")
  })

  scoped("has a Chromium by its setting or on the path", function* () {
    const files = yield* FileSystem.FileSystem
    const root = yield* folderOf({ chromium: "#!/bin/sh\n" })
    yield* files.chmod(`${root}/chromium`, 0o755)
    const states = [
      Machine.findChromium(`${root}/chromium`, {}, false),
      Machine.findChromium(`${root}/none`, { PATH: root }, true),
      Machine.findChromium(undefined, { PATH: `/nowhere:${root}` }, false),
      Machine.findChromium(undefined, { PATH: root }, true)
    ]
    expect(states.map(({ state }) => state)).toEqual(["ok", "missing", "ok", "broken"])
    expect(states[3]).toMatchObject({ found: expect.stringContaining("without its sandbox"), essential: false })
    expect(states[2]?.found).toBe(`${root}/chromium`)
  })
})
