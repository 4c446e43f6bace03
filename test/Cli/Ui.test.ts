import { spawn, spawnSync } from "node:child_process"
import { createInterface } from "node:readline"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { program } from "../Programs.ts"
import { folderOf, platform } from "./Project.ts"

/** Starts the executable in a folder, and gives the object that it says first and how it is stopped. */
const started = (folder: string, words: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.acquireRelease(
    Effect.async<{
      // biome-ignore lint/suspicious/noExplicitAny: what a script would read
      readonly said: any
      readonly errors: () => string
      readonly end: (signal: NodeJS.Signals) => Effect.Effect<number | null>
    }>((resume) => {
      const child = spawn(process.execPath, [program("bin"), ...words], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, ...env },
        stdio: ["ignore", "pipe", "pipe"]
      })
      let errors = ""
      child.stderr.on("data", (bytes: Buffer) => {
        errors += bytes.toString()
      })
      const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
      ended.then((code) => resume(Effect.die(new Error(`it ended with exit code ${code}: ${errors}`))))
      const end = (signal: NodeJS.Signals) =>
        Effect.promise(() => {
          child.kill(signal)
          return ended
        })
      createInterface(child.stdout).once("line", (line) =>
        resume(Effect.succeed({ said: JSON.parse(line), errors: () => errors, end }))
      )
    }),
    ({ end }) => end("SIGKILL")
  )

/** Lets itself in with the link, and asks. */
const asked = (url: string, path: string) =>
  Effect.promise(async () => {
    const entered = await fetch(url, { redirect: "manual" })
    const cookie = (entered.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
    const answer = await fetch(new URL(path, url), { headers: { cookie } })
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    return (await answer.json()) as any
  })

describe("sluice ui", () => {
  it.scopedLive("says that there is nothing to show where nothing has run and nothing can be run", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf()
      const said = (...words: ReadonlyArray<string>) => {
        const all = [program("bin"), "ui", "--port", "0", ...words]
        const { status, stderr, stdout } = spawnSync(process.execPath, all, { cwd: folder, encoding: "utf8" })
        expect([status, stdout]).toEqual([1, ""])
        return stderr
      }
      expect(said()).toContain(`there is no ledger in ${folder}/.sluice`)
      expect(said("--pipelines", "nowhere")).toContain("nowhere: there is no such folder")
    }).pipe(Effect.provide(platform))
  )

  it.scopedLive("gives a link into the folder's dashboard, warns when others can reach it, and stops on a signal", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "a.yaml": "version: 1\nname: a\nsteps:\n  - urls: [https://a.example]\n" })
      const words = ["ui", "--port", "0", "--json", "--host", "0.0.0.0", "--pipelines", "."]
      const { end, errors, said } = yield* started(folder, words)
      expect(said).toEqual({
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}$/),
        dataDir: `${folder}/.sluice`
      })
      const about = yield* asked(said.url, "/api/about")
      expect(about).toMatchObject({
        dataDir: `${folder}/.sluice`,
        definitions: folder,
        engine: null,
        runs: 0
      })
      expect((yield* asked(said.url, "/api/engine")).why).toContain("sluice serve --ui")
      expect(errors()).toContain("other machines can reach this address")
      expect(yield* end("SIGTERM")).toBe(143)
    }).pipe(Effect.provide(platform))
  )

  it.scopedLive("stands beside the engine with serve --ui, shows what that does, and ends when it is killed", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf()
      const key = `fc-${"d".repeat(32)}`
      const words = ["serve", "--ui", "--ui-port", "0", "--port", "0", "--json"]
      const { end, said } = yield* started(folder, words, { SLUICE_ENGINE_KEYS: `mine:${key}` })
      expect(new URL(said.ui).port).not.toBe(new URL(said.baseUrl).port)
      expect(yield* asked(said.ui, "/api/engine")).toEqual({
        url: said.baseUrl,
        jobs: [],
        sessions: [],
        queue: { active: 0, waiting: 0, most: expect.any(Number) }
      })
      const usage = yield* asked(said.ui, "/api/usage?months=2")
      expect(usage.keys).toEqual([{ month: usage.months[1], name: "mine", credits: 0 }])
      expect(JSON.stringify([said, usage, yield* asked(said.ui, "/api/about")])).not.toContain(key)
      yield* end("SIGKILL")
      const isGone = Effect.promise(() =>
        fetch(said.ui)
          .then(() => false)
          .catch(() => true)
      )
      yield* Effect.repeat(Effect.delay(isGone, 50), { until: (gone) => gone })
    }).pipe(Effect.provide(platform))
  )
})
