/**
 * Starts a program for a notification: without a shell, with the event as JSON on its standard input.
 *
 * It runs with the rights and in the working folder of this process, without the secret settings of Sluice in its environment. Its
 * output is not read. Its process group is killed when its time is over, and when this process stops.
 */
import { type ChildProcess, spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import { on, safely } from "../Callback.ts"
import { secretNames } from "../Settings.ts"
import { Undelivered } from "./Undelivered.ts"

/** Shorter than the lease of a notification, so that no other process sends the notification meanwhile. */
const timeLimit = "30 seconds"

const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !secretNames.has(name)))

const kill = (child: ChildProcess): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    // Kills the whole process group: no child of the program may stay behind.
    process.kill(-child.pid, "SIGKILL")
  } catch {
    // The program has just ended, so there is nothing to kill.
  }
}

/** Succeeds when the program ends with exit code 0. */
export const start = ([program, ...words]: readonly [string, ...ReadonlyArray<string>], input: string) =>
  Effect.async<void, Undelivered>((resume) => {
    const child = spawn(program, words, { detached: true, env: environment(), stdio: ["pipe", "ignore", "ignore"] })
    const fail = (reason: string) => resume(new Undelivered({ reason }))
    on(child, "error", (error: NodeJS.ErrnoException) =>
      fail(`the command could not be started: ${error.code ?? error.name}`)
    )
    child.once(
      "exit",
      safely((code, signal) =>
        code === 0 ? resume(Effect.void) : fail(`the command ended with ${code ?? signal ?? "an error"}`)
      )
    )
    // A program may exit without reading its input.
    on(child.stdin, "error", () => undefined)
    child.stdin?.end(input)
    return Effect.sync(() => kill(child))
  }).pipe(
    Effect.timeoutFail({
      duration: timeLimit,
      onTimeout: () => new Undelivered({ reason: "the command did not end within 30 seconds", timedOut: true })
    })
  )
