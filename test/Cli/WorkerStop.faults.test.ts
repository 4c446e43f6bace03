/** A worker whose database is gone, as a process of its own: it stops at the first signal. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { expect, live } from "../It.ts"
import { ownServer } from "../Postgres.ts"
import { describeBeside } from "../WithPostgres.ts"
import { sluice } from "./Console.ts"
import { launch } from "./Launched.ts"
import { folderOf } from "./Project.ts"
import { silent } from "./Silent.ts"

/** The promise is ten seconds from the signal to the end of the process. */
const bound = 10_000

/** A server of one's own, and its processes, which can be frozen: connections stay open and nothing answers. */
const database = Effect.gen(function* () {
  const server = yield* ownServer
  const folder = new URLSearchParams(server.url.split("?")[1]).get("host") ?? ""
  const processes = (): ReadonlyArray<number> => {
    const file = `${folder}/data/postmaster.pid`
    if (!existsSync(file)) return []
    const [first] = readFileSync(file, "utf8").split("\n")
    const children = `/proc/${first}/task/${first}/children`
    const own = existsSync(children) ? readFileSync(children, "utf8").trim().split(" ").filter(Boolean) : []
    return [Number(first), ...own.map(Number)]
  }
  const tell = (signal: "SIGSTOP" | "SIGCONT") =>
    Effect.sync(() => {
      for (const pid of processes()) {
        try {
          process.kill(pid, signal)
        } catch {
          // It has ended by itself.
        }
      }
    })
  yield* Effect.addFinalizer(() => Effect.zipRight(tell("SIGCONT"), server.end("QUIT")))
  return { url: `${server.url}&schema=worker`, end: server.end("QUIT"), freeze: tell("SIGSTOP") }
})

const breath = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10)))

/** Waits until it is so. */
const until = (isSo: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (isSo() ? Effect.void : Effect.zipRight(breath, until(isSo))))

type Worker = Effect.Effect.Success<ReturnType<typeof launch>>

/** Sends the signal and gives the exit code and the milliseconds until the process had ended. */
const stopped = ({ child, ended }: Worker, signal: "SIGTERM" | "SIGINT") =>
  Effect.gen(function* () {
    const begun = performance.now()
    child.kill(signal)
    const code = yield* ended
    return { code, millis: performance.now() - begun }
  })

const start = (root: string, env: Readonly<Record<string, string>>): Effect.Effect<Worker, never, Scope.Scope> =>
  launch(root, env, "worker", "--data", `${root}/w`, "--host", "box")

const isReady = ({ said }: Worker) => said("executes up to 4 parts at once")

/** True once the process has a socket, for the database: it has listened for signals since before that. */
const isConnecting = ({ child }: Worker): boolean => {
  const folder = `/proc/${child.pid}/fd`
  try {
    return readdirSync(folder).some((fd) => Number(fd) > 2 && readlinkSync(`${folder}/${fd}`).startsWith("socket:"))
  } catch {
    // It has ended, or has just closed one of them.
    return false
  }
}

describeBeside("sluice worker without its database", () => {
  for (const [how, signal, code] of [
    ["is gone", "SIGTERM", 143],
    ["does not answer", "SIGINT", 130]
  ] as const) {
    live(`stops within ten seconds when it is idle and the database ${how}`, function* () {
      const server = yield* database
      const root = yield* folderOf()
      const worker = yield* start(root, { SLUICE_DATABASE_URL: server.url })
      yield* isReady(worker)
      yield* how === "is gone" ? server.end : server.freeze
      const end = yield* stopped(worker, signal)
      expect(end.code, worker.written.err).toBe(code)
      expect(end.millis).toBeLessThan(bound)
    })

    live(`stops within ten seconds in the middle of a shard when the database ${how}`, function* () {
      const server = yield* database
      const { asked, url } = yield* silent
      const definition = `version: 1
name: held
steps:
  - urls: [http://x.example/a, http://x.example/b, http://x.example/c]
  - scrape: {}
  - write: { jsonl: out.jsonl }
`
      const root = yield* folderOf({ "held.yaml": definition })
      const env = {
        SLUICE_DATABASE_URL: server.url,
        SLUICE_BASE_URL: url,
        SLUICE_API_KEY: `fc-${"a".repeat(32)}`
      }
      const worker = yield* start(root, env)
      yield* isReady(worker)
      const handed = yield* sluice(["run", `${root}/held.yaml`, "--on", "cluster", "--detach", "--out", root], {
        env
      })
      expect(handed.code, handed.err).toBe(0)
      yield* asked
      yield* how === "is gone" ? server.end : server.freeze
      const end = yield* stopped(worker, signal)
      expect(end.code, worker.written.err).toBe(code)
      expect(end.millis).toBeLessThan(bound)
    })

    live(`stops within ten seconds at its start when the database ${how}`, function* () {
      const server = yield* database
      const root = yield* folderOf()
      yield* how === "is gone" ? server.end : server.freeze
      const worker = yield* start(root, { SLUICE_DATABASE_URL: server.url })
      yield* Effect.raceFirst(
        until(() => isConnecting(worker)),
        worker.ended
      )
      const end = yield* stopped(worker, signal)
      // Without a database it says so and ends by itself, if it has found out before the signal.
      expect([1, code], worker.written.err).toContain(end.code)
      expect(end.millis).toBeLessThan(bound)
    })
  }
})
