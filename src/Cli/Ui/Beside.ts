/** Runs the dashboard in a separate process beside the engine, so that each stays responsive while the other is busy. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { on, safely } from "../../Callback.ts"
import { type CommandFailed, commandFailed } from "../CommandErrors.ts"
import type { Terminal } from "../Terminal.ts"

/** Milliseconds until the dashboard must have printed its link. */
const patience = 60_000

/** Environment variable read only by this program, and removed from the environment. */
const variable = "SLUICE_UI_SERVICE"

const Service = Schema.parseJson(Schema.Struct({ baseUrl: Schema.String, apiKey: Schema.Redacted(Schema.String) }))
const Link = Schema.parseJson(Schema.Struct({ url: Schema.String }))

/** The service passed by the parent process, and the environment without it. */
export const serviceIn = (env: Terminal["env"]) => {
  const { [variable]: text, ...rest } = env
  return { service: Option.getOrUndefined(Schema.decodeUnknownOption(Service)(text)), env: rest }
}

/** Command line of this program, up to the verb. */
export const command = (): ReadonlyArray<string> => [process.execPath, ...process.execArgv, process.argv[1] ?? ""]

interface Beside {
  readonly words: ReadonlyArray<string>
  readonly env: Terminal["env"]
  readonly service: { readonly baseUrl: string; readonly apiKey: Redacted.Redacted }
}

/** Runs `sluice ui` until the scope closes; returns its link. Forwards its messages for people to stderr. */
export const start = ({ env, service, words }: Beside, terminal: Terminal) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly stop: Effect.Effect<void> }, CommandFailed>((resume) => {
      const [program = process.execPath, ...before] = command()
      const child = spawn(program, [...before, "ui", ...words, "--json"], {
        env: {
          ...env,
          [variable]: JSON.stringify({ baseUrl: service.baseUrl, apiKey: Redacted.value(service.apiKey) })
        },
        // When the engine is killed, the IPC channel closes and the dashboard ends.
        stdio: ["ignore", "pipe", "pipe", "ipc"],
        windowsHide: true
      })
      let said = ""
      let hasBegun = false
      let isWanted = true
      on(child.stderr, "data", (bytes: Buffer) => {
        if (hasBegun) terminal.err.write(bytes.toString())
        else said = (said + bytes.toString()).slice(-4_000)
      })
      const stop = Effect.async<void>((resume) => {
        isWanted = false
        if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
        on(child, "exit", () => resume(Effect.void))
        child.kill("SIGTERM")
      }).pipe(Effect.timeoutOption("5 seconds"), Effect.ensuring(Effect.sync(() => child.kill("SIGKILL"))))
      const failed = (reason: string) => {
        clearTimeout(late)
        child.kill("SIGKILL")
        resume(commandFailed(`the dashboard did not start: ${said.trim().replace(/^error: /, "") || reason}`))
      }
      const late = setTimeout(
        safely(
          () => failed(`it has not printed its address within ${patience / 1000} seconds`),
          (cause) => failed(String(cause))
        ),
        patience
      )
      child.once(
        "error",
        safely(
          ({ message }) => failed(message),
          (cause) => failed(String(cause))
        )
      )
      child.once(
        "exit",
        safely(
          (code, signal) => {
            const how = `it ended with ${signal ?? `exit code ${code}`}`
            if (!hasBegun) failed(how)
            // Ctrl-C ends both processes, so these exit codes of the dashboard are expected.
            else if (isWanted && code !== 130 && code !== 143)
              terminal.err.write(`warning: the dashboard is no longer running: ${how}; the engine continues\n`)
          },
          (cause) => failed(String(cause))
        )
      )
      if (child.stdout === null) return failed("its output cannot be read")
      createInterface(child.stdout).once(
        "line",
        safely(
          (line) => {
            const link = Schema.decodeUnknownEither(Link)(line)
            if (Either.isLeft(link)) return failed("it did not print its address")
            hasBegun = true
            clearTimeout(late)
            if (said !== "") terminal.err.write(said)
            resume(Effect.succeed({ url: link.right.url, stop: Effect.asVoid(stop) }))
          },
          (cause) => failed(String(cause))
        )
      )
    }),
    ({ stop }) => stop
  ).pipe(Effect.map(({ url }) => url))

/** Completes when the parent process is gone; never completes without an IPC channel to one. */
export const abandoned = Effect.async<void>((resume) => {
  if (process.connected) on(process, "disconnect", () => resume(Effect.void))
})
