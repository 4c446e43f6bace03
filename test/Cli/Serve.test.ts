import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { main } from "../../src/Cli.ts"
import { describe, expect, scoped } from "../It.ts"
import { makeTerminal, sluice } from "./Console.ts"
import { folderOf } from "./Project.ts"
import { serve } from "./Site.ts"

/** Starts `sluice serve`, waits until it has said where it is, and stops it when the scope ends. */
const start = (...words: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { terminal, written } = makeTerminal()
    const stop = new AbortController()
    let said = () => {}
    const talk = new Promise<void>((resolve) => {
      said = resolve
    })
    const out = { ...terminal.out, write: (text: string) => [terminal.out.write(text), said()] }
    const ended = main(["serve", "--port", "0", ...words], { ...terminal, out }, stop.signal)
    yield* Effect.promise(() => Promise.race([talk, ended]))
    const end = (name: string) =>
      Effect.zipRight(
        Effect.sync(() => stop.abort(name)),
        Effect.promise(() => ended)
      )
    return { written, stop: end }
  })

describe("sluice serve", () => {
  scoped("answers /health, says where its key is and never what it is, and stops on a signal", function* () {
    const files = yield* FileSystem.FileSystem
    const dataDir = `${yield* folderOf()}/data`
    const { stop, written } = yield* start("--data", dataDir)
    const baseUrl = /base URL +(\S+)/.exec(written.out)?.[1] ?? ""
    expect((yield* Effect.promise(() => fetch(`${baseUrl}/health`))).status).toBe(200)
    expect(written.out).toContain(`key        in ${dataDir}/keys.json`)
    const key = JSON.parse(yield* files.readFileString(`${dataDir}/keys.json`)).keys[0].key
    expect(written.out).not.toContain(key)
    const command = /export SLUICE_API_KEY=\$\((.*)\)/.exec(written.out)?.[1] ?? ""
    const { execSync } = yield* Effect.promise(() => import("node:child_process"))
    expect(execSync(command, { encoding: "utf8" }).trim()).toBe(key)
    expect(yield* stop("SIGTERM")).toBe(143)
    expect(written.err).toBe("stopped\n")
  })

  scoped("warns of an address that other machines reach", function* () {
    const dataDir = `${yield* folderOf()}/data`
    const { stop, written } = yield* start("--data", dataDir, "--host", "0.0.0.0")
    expect(written.err).toBe(
      "warning: other machines can reach 0.0.0.0: requests need a key, but are not encrypted. Put it behind a proxy that speaks HTTPS\n"
    )
    expect(yield* stop("SIGTERM")).toBe(143)
  })

  scoped("tells scripts where it is as one object", function* () {
    const dataDir = `${yield* folderOf()}/data`
    const { stop, written } = yield* start("--data", dataDir, "--json")
    expect(JSON.parse(written.out)).toEqual({
      baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      keyFile: `${dataDir}/keys.json`,
      dataDir
    })
    expect(yield* stop("SIGINT")).toBe(130)
  })

  scoped("says when the port is taken", function* () {
    const port = new URL((yield* serve).url).port
    const dataDir = `${yield* folderOf()}/data`
    const fiber = yield* Effect.fork(sluice(["serve", "--port", port, "--data", dataDir]))
    const { code, err, out } = yield* Fiber.join(fiber)
    expect([code, out]).toEqual([1, ""])
    expect(err).toMatch(new RegExp(`^error: the engine cannot listen on 127.0.0.1:${port}: .*0 picks a free one`))
  })

  scoped(
    "calls a setting of the model or the proxies by its name when it cannot be used, and shows nothing of it",
    function* () {
      const dataDir = `${yield* folderOf()}/data`
      const refused = (env: Readonly<Record<string, string>>) =>
        sluice(["serve", "--port", "0", "--data", dataDir], { env })
      for (const [name, env] of [
        ["SLUICE_LLM_MODEL", { SLUICE_LLM_URL: "http://127.0.0.1:1/v1", SLUICE_LLM_KEY: "hush" }],
        ["SLUICE_LLM_URL", { SLUICE_LLM_URL: "me:hush@host", SLUICE_LLM_MODEL: "small" }],
        ["SLUICE_PROXIES", { SLUICE_PROXIES: "stealth=me:hush@host:80" }],
        ["SLUICE_SEARCH_PROVIDERS", { SLUICE_SEARCH_PROVIDERS: "google=hush" }]
      ] as const) {
        const { code, err } = yield* refused(env)
        expect(code, name).toBe(78)
        expect(err).toContain(`the setting ${name} cannot be used`)
        expect(err).not.toContain("hush")
      }
    }
  )
})
