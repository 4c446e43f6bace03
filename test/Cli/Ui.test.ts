import { spawn, spawnSync } from "node:child_process"
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import { describe, expect, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { place } from "../Postgres.ts"
import { program } from "../Programs.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { sluice } from "./Console.ts"
import { folderOf } from "./Project.ts"

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

/** Asks with the token of the link. */
const asked = (link: string, path: string, how: RequestInit = {}) =>
  Effect.promise(async () => {
    const { hash, origin } = new URL(link)
    const headers = { "sluice-token": hash.replace("#token=", ""), origin, "content-type": "application/json" }
    const answer = await fetch(origin + path, { headers, ...how })
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    return (await answer.json()) as any
  })

describe("sluice ui", () => {
  live.skipIf(skipsLong)(
    "says that there is nothing to show where nothing has run and nothing can be run",
    function* () {
      const folder = yield* folderOf()
      const said = (...words: ReadonlyArray<string>) => {
        const all = [program("bin"), "ui", "--port", "0", ...words]
        const { status, stderr, stdout } = spawnSync(process.execPath, all, { cwd: folder, encoding: "utf8" })
        expect([status, stdout]).toEqual([1, ""])
        return stderr
      }
      expect(said()).toContain(`there is no ledger in ${folder}/.sluice`)
      expect(said("--pipelines", "nowhere")).toContain("nowhere: there is no such folder")
    }
  )

  live.skipIf(skipsLong)(
    "gives a link into the folder's dashboard, warns when others can reach it, and stops on a signal",
    function* () {
      const folder = yield* folderOf({ "a.yaml": "version: 1\nname: a\nsteps:\n  - urls: [https://a.example]\n" })
      const words = ["ui", "--port", "0", "--json", "--host", "0.0.0.0", "--pipelines", "."]
      const { end, errors, said } = yield* started(folder, words)
      expect(said).toEqual({
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/),
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
      // Also while a client is connected.
      const stream = yield* Effect.promise(() => {
        const { hash, origin } = new URL(said.url)
        return fetch(`${origin}/api/events`, { headers: { "sluice-token": hash.replace("#token=", "") } })
      })
      const cut = Effect.promise(() =>
        stream.text().then(
          () => "ended",
          () => "cut"
        )
      )
      expect(yield* Effect.all([end("SIGTERM"), cut], { concurrency: 2 })).toEqual([143, expect.any(String)])
    }
  )

  live.skipIf(skipsLong)(
    "stands beside the engine with serve --ui, shows what that does, and ends when it is killed",
    function* () {
      const folder = yield* folderOf()
      const key = `fc-${"d".repeat(32)}`
      const words = ["serve", "--ui", "--ui-port", "0", "--port", "0", "--json"]
      const { end, said } = yield* started(folder, words, { SLUICE_ENGINE_KEYS: `mine:${key}` })
      expect(new URL(said.ui).port).not.toBe(new URL(said.baseUrl).port)
      expect(yield* asked(said.ui, "/api/engine")).toEqual({
        url: said.baseUrl,
        jobs: [],
        sessions: [],
        queue: { active: 0, waiting: 0, limit: expect.any(Number) },
        storage: { used: 0, limit: 8 * 1024 ** 3 }
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
    }
  )
})

describeWithPostgres("sluice ui over the Postgres that machines share", () => {
  live.skipIf(skipsLong)(
    "shows what waits, and stops a run of the cluster, as sluice stop does, and no run of a single machine",
    function* () {
      const definition = "version: 1\nname: shared\nsteps:\n  - read: in.jsonl\n  - write: { jsonl: out.jsonl }\n"
      const root = yield* folderOf({ "shared.yaml": definition, "in.jsonl": '{"id":1}\n' })
      const env = { SLUICE_DATABASE_URL: yield* place }
      const run = ["run", `${root}/shared.yaml`, "--out", root, "--json"]
      const shared = JSON.parse((yield* sluice([...run, "--on", "cluster", "--detach"], { env })).out)
      const own = JSON.parse((yield* sluice([...run, "--data", `${root}/.sluice`], { env })).out)
      const { said } = yield* started(root, ["ui", "--port", "0", "--json"], env)
      const stop = (id: string) => asked(said.url, `/api/runs/${id}/stop`, { method: "POST", body: "{}" })
      expect(yield* asked(said.url, `/api/runs/${shared.runId}`)).toMatchObject({ state: "waiting", canStop: true })
      expect(yield* asked(said.url, "/api/cluster")).toEqual({ waiting: 1, workers: [] })
      expect(yield* stop(shared.runId)).toEqual({ done: true })
      expect(yield* asked(said.url, `/api/runs/${shared.runId}`)).toMatchObject({ state: "stopped", canStop: false })
      expect((yield* stop(shared.runId)).error).toContain("already ended")
      expect((yield* stop(own.runId)).error).toContain("no process executes run")
    }
  )
})
