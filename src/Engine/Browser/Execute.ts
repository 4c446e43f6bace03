/** Runs a caller's code with access to a browser session, if the operator allows it, in a process without the engine's secrets. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Duplex } from "node:stream"
import { pathToFileURL } from "node:url"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import { BadRequest, Forbidden, RateLimited } from "../../Api/Errors.ts"
import { after, on, safely } from "../../Callback.ts"
import { findDriver } from "../../Settings/Chromium.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { variables } from "../Teams/Environment.ts"
import * as FairQueue from "../Teams/FairQueue.ts"
import type { Session } from "./Sessions.ts"

export interface ExecuteRequest {
  readonly code: string
  readonly language: "node" | "python" | "bash"
  /** Seconds. */
  readonly timeout: number
  /** CDP endpoint of the session for programs on this machine. */
  readonly cdpUrl: string
}

export interface Executed {
  readonly stdout: string
  readonly stderr: string
  readonly result: unknown
  readonly exitCode: number | undefined
  readonly killed: boolean
  readonly error: string | undefined
}

export class Execute extends Context.Tag("sluice/Engine/Browser/Execute")<
  Execute,
  {
    readonly run: (
      session: Session,
      request: ExecuteRequest
    ) => Effect.Effect<Executed, BadRequest | Forbidden | RateLimited>
  }
>() {}

/** Maximum running programs, for all teams together. */
const maxPrograms = 4
/** Maximum bytes kept of stdout, and of stderr. */
const maxOutput = 1024 * 1024
/** Maximum bytes kept of the result that {@link source} reports: up to a million characters of a value, at up to six bytes each. */
const maxReport = 8 * 1024 * 1024

const off = new Forbidden({
  error:
    "This engine does not run code, because the code could do everything that the engine can do. Set SLUICE_ALLOW_EXECUTE=1 to allow it.",
  code: "EXECUTE_NOT_ALLOWED"
})

const busy = new RateLimited({
  error: "This team has reached its limit of running programs: please retry after 5s.",
  code: "RATE_LIMITED",
  retryAfter: 5
})

const find = (names: ReadonlyArray<string>): string | undefined =>
  (process.env.PATH ?? "")
    .split(":")
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => existsSync(path))

interface Program {
  readonly path: string
  readonly args: ReadonlyArray<string>
}

const programOf = ({ language }: ExecuteRequest): Program | undefined => {
  if (language === "node") {
    return { path: process.execPath, args: ["--max-old-space-size=512", "--input-type=module", "-e", source] }
  }
  const path = find(language === "python" ? ["python3", "python"] : ["bash"])
  // Code is passed on stdin: arguments are visible to other users in the process list.
  return path === undefined ? undefined : { path, args: language === "python" ? ["-"] : ["-s"] }
}

/** Standard input of the program: the code, or for Node the JSON that {@link source} reads. */
const inputOf = ({ cdpUrl, code, language }: ExecuteRequest): string =>
  language === "node"
    ? JSON.stringify({
        code,
        cdpUrl,
        // Playwright is always found: the session could not have been opened without it.
        playwright: pathToFileURL(join(Either.getOrThrow(findDriver()), "index.js")).href
      })
    : code

const environment = (folder: string, cdpUrl: string): NodeJS.ProcessEnv => {
  const kept = variables(["PATH", "LANG", "LC_ALL", "TZ", "SystemRoot"])
  return { ...kept, HOME: folder, TMPDIR: folder, CDP_URL: cdpUrl }
}

/** Keeps the first bytes of the output, and drains the rest. */
const collect = (stream: NodeJS.ReadableStream | null | undefined, most = maxOutput) => {
  const parts: Array<Buffer> = []
  let size = 0
  on(stream, "error", () => undefined)
  on(stream, "data", (part: Buffer) => {
    if (size < most) parts.push(part.subarray(0, most - size))
    size += part.length
  })
  return () => {
    const text = Buffer.concat(parts).toString("utf8")
    return size > most ? `${text}\n[${size - most} bytes more were written]` : text
  }
}

/** Kills the program's process group, including the processes it started. */
const killGroup = ({ pid }: ChildProcess): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // The process group no longer exists.
  }
}

const reportOf = (text: string): { readonly result?: unknown; readonly error?: string } => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

const lastLine = (text: string): string | undefined =>
  text
    .trimEnd()
    .split("\n")
    .findLast((line) => line.trim() !== "")
    ?.trim()

/** Resolves when the program has ended. Kills the rest of its process group, but does not wait for processes that left the group. */
const ended = (child: ChildProcess) =>
  new Promise<{ readonly code: number | null; readonly failure?: string }>((resolve, broken) => {
    let code: number | null = null
    on(child, "error", (error: Error) => resolve({ code: null, failure: error.message }), broken)
    child.once(
      "exit",
      safely((exit) => {
        code = exit
        killGroup(child)
        // A process that left the group may keep the output streams open forever.
        after(500, () => {
          for (const stream of child.stdio) stream?.destroy()
        }).unref()
      }, broken)
    )
    on(child, "close", () => resolve({ code }), broken)
  })

const start = (program: Program, request: ExecuteRequest, folder: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(program.path, program.args, {
        cwd: folder,
        env: environment(folder, request.cdpUrl),
        detached: true,
        stdio: ["pipe", "pipe", "pipe", "pipe"]
      })
      // Subscribe at once: a spawn failure emits `error`, and without a listener that would crash the engine.
      return { child, end: ended(child) }
    }),
    ({ child }) => Effect.sync(() => killGroup(child))
  )

const execute = (session: Session, request: ExecuteRequest, program: Program) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = yield* Effect.orDie(files.makeTempDirectoryScoped())
    const { child, end } = yield* start(program, request, folder)
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)]
    // Undefined when the machine has run out of file descriptors.
    const report = collect(child.stdio?.[3] as Duplex | undefined, maxReport)
    on(child.stdin, "error", () => undefined)
    child.stdin?.end(inputOf(request))
    let killed = false
    const killOnTimeout = Effect.zipRight(
      Effect.sleep(request.timeout * 1000),
      Effect.sync(() => {
        killed = true
        killGroup(child)
      })
    )
    const killOnEnd = Effect.map(session.ended, () => killGroup(child))
    yield* Effect.forkScoped(Effect.raceFirst(killOnTimeout, killOnEnd))
    const { code, failure } = yield* Effect.promise(() => end)
    const { error, result } = reportOf(report())
    const why = killed
      ? `The code was stopped after ${request.timeout} s. Raise "timeout" (300 at most) if it needs longer.`
      : (failure ?? error ?? (code === 0 ? undefined : (lastLine(stderr()) ?? `It ended with ${code ?? "a signal"}.`)))
    return { stdout: stdout(), stderr: stderr(), result, exitCode: code ?? undefined, killed, error: why }
  }).pipe(Effect.scoped)

/** Layer that refuses every request unless `allowed`. */
export const layer = (allowed: boolean) =>
  Layer.effect(
    Execute,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const shares = yield* FairQueue.ofEngine(maxPrograms)
      const run = Trace.fn("Execute.run")(
        (session: Session, request: ExecuteRequest): Effect.Effect<Executed, BadRequest | Forbidden | RateLimited> => {
          if (!allowed) return off
          const program = programOf(request)
          if (program === undefined) {
            return new BadRequest({
              error: `${request.language} is not installed on the engine's machine. Use another language.`,
              code: "LANGUAGE_NOT_INSTALLED"
            })
          }
          session.touch()
          return execute(session, request, program).pipe(
            Effect.provideService(FileSystem.FileSystem, files),
            (program) =>
              Effect.suspend(() => (shares.fits(session.team.id) ? shares.withPlace(session.team.id)(program) : busy))
          )
        }
      )
      return { run }
    })
  )

/**
 * Source of the program that runs a client's Node code in a separate process. Code that is a single expression returns its value; other
 * code uses `return`. The program writes the result or the error to file descriptor 3, so that output of the code does not mix with it.
 */
export const source = `
import { readFileSync, writeSync, closeSync } from "node:fs"
import { inspect } from "node:util"
const { code, cdpUrl, playwright } = JSON.parse(readFileSync(0, "utf8"))
const AsyncFunction = (async () => {}).constructor
const compile = () => {
  const names = ["browser", "context", "page"]
  try {
    return new AsyncFunction(...names, "return (" + code.replace(/;\\s*$/, "") + "\\n)")
  } catch {
    return new AsyncFunction(...names, code)
  }
}
const plain = (value) => {
  try {
    const text = JSON.stringify(value)
    return text === undefined || text.length > 1000000 ? inspect(value).slice(0, 1000000) : value
  } catch {
    return inspect(value).slice(0, 1000000)
  }
}
const tell = (report) => {
  const bytes = Buffer.from(JSON.stringify(report))
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(3, bytes, at)
    } catch (error) {
      if (error.code !== "EAGAIN") break
    }
  }
  closeSync(3)
}
let browser
try {
  const run = compile()
  const { chromium } = (await import(playwright)).default
  browser = await chromium.connectOverCDP(cdpUrl)
  const context = browser.contexts()[0]
  const page = context.pages()[0] ?? (await context.newPage())
  const result = await run(browser, context, page)
  tell(result === undefined ? {} : { result: plain(result) })
  await browser.close().catch(() => undefined)
  process.exit()
} catch (error) {
  console.error(error instanceof Error ? error.stack : error)
  tell({ error: error instanceof Error ? error.message : String(error) })
  await browser?.close().catch(() => undefined)
  process.exit(1)
}
`
