/** The executable as users get it, as processes that can be killed. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdirSync, symlinkSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import { tempDir } from "../Local.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Builds the working copy into a folder of its own; gives the executable. */
export const build: Effect.Effect<string, never, Scope.Scope> = Effect.gen(function* () {
  const folder = yield* tempDir
  mkdirSync(`${folder}/dist`)
  // Packages that are not bundled are resolved from here.
  symlinkSync(`${root}node_modules`, `${folder}/node_modules`)
  yield* Effect.async<void>((resume) => {
    execFile(process.execPath, [`${root}build.mjs`, `${folder}/dist`], (error) =>
      resume(error === null ? Effect.void : Effect.die(error))
    )
  })
  return `${folder}/dist/bin.js`
})

/** Exit code and output of a process. */
export interface Ended {
  /** Undefined when a signal ended it. */
  readonly code: number | undefined
  readonly out: string
  readonly err: string
  readonly millis: number
}

export interface Running {
  readonly child: ChildProcess
  readonly ended: Effect.Effect<Ended>
  /** Completes with its first output on stdout; fails when it ends without any. */
  readonly spoke: Effect.Effect<string>
  /** Completes with its first output on stdout or stderr, or with its end. */
  readonly started: Effect.Effect<void>
  /** SIGKILL, to the process alone; completes when it is gone. */
  readonly kill: Effect.Effect<Ended>
}

export interface Launch {
  readonly bin: string
  readonly words: ReadonlyArray<string>
  readonly cwd: string
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Set before it in a shell, such as `ulimit -f 100`. */
  readonly limit?: string | undefined
}

/** Starts `sluice …`; it does not outlive the scope. */
export const launch = ({ bin, cwd, env = {}, limit, words }: Launch): Effect.Effect<Running, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync((): Running => {
      const begun = performance.now()
      const command = [process.execPath, bin, ...words]
      const [file = "", ...rest] =
        limit === undefined ? command : ["/bin/sh", "-c", `${limit}; exec "$@"`, "sh", ...command]
      const child = spawn(file, rest, {
        cwd,
        env: { PATH: process.env.PATH, NO_COLOR: "1", SLUICE_ALLOW_NETWORKS: "127.0.0.0/8", ...env },
        stdio: ["ignore", "pipe", "pipe"]
      })
      let out = ""
      let err = ""
      const spoke = new Promise<string>((resolve) => {
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          out += text
          resolve(text)
        })
      })
      const complained = new Promise<void>((resolve) => {
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
          err += text
          resolve()
        })
      })
      const ended = new Promise<Ended>((resolve) =>
        child.on("close", (code) =>
          resolve({ code: code ?? undefined, out, err, millis: Math.round(performance.now() - begun) })
        )
      )
      const wait = Effect.promise(() => ended)
      const kill = Effect.zipRight(
        Effect.sync(() => child.exitCode ?? child.kill("SIGKILL")),
        wait
      )
      const silent = Effect.flatMap(wait, ({ code, err }) =>
        Effect.dieMessage(`it ended without output (${code ?? "by a signal"}): ${err}`)
      )
      return {
        child,
        ended: wait,
        spoke: Effect.raceFirst(
          Effect.promise(() => spoke),
          silent
        ),
        started: Effect.promise(async () => {
          await Promise.race([spoke, complained, ended])
        }),
        kill
      }
    }),
    ({ kill }) => kill
  )

/** Minutes after which a process counts as hung: the longest of these runs takes half a minute on a busy machine. */
const longest = 5

/** Runs it to its end. */
export const sluice = (options: Launch): Effect.Effect<Ended> =>
  Effect.scoped(
    Effect.flatMap(launch(options), ({ ended, kill }) =>
      Effect.flatMap(Effect.timeoutOption(ended, `${longest} minutes`), (result) =>
        Option.isSome(result)
          ? Effect.succeed(result.value)
          : Effect.flatMap(kill, ({ err, out }) =>
              Effect.dieMessage(`sluice ${options.words.join(" ")} did not end within ${longest} minutes: ${out}${err}`)
            )
      )
    )
  )

/** A service that outlives the runs: `sluice serve`, and the settings that connect runs to it. */
export const serve = (bin: string, dataDir: string, port = 0) =>
  Effect.gen(function* () {
    const key = `fc-${"f".repeat(32)}`
    const words = ["serve", "--port", String(port), "--data", dataDir, "--json"]
    const running = yield* launch({ bin, words, cwd: dataDir, env: { SLUICE_ENGINE_KEYS: `faults:${key}` } })
    const { baseUrl } = JSON.parse(yield* running.spoke) as { readonly baseUrl: string }
    return { running, baseUrl, env: { SLUICE_BASE_URL: baseUrl, SLUICE_API_KEY: key } }
  })
