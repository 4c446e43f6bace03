/** An engine in a process of its own, to be killed. */
import { type ChildProcess, spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import { program } from "../../Programs.ts"

/** Runs the engine over a folder; gives its address. It goes with the scope. */
export const spawnEngine = (dataDir: string) =>
  Effect.acquireRelease(
    Effect.async<{ readonly child: ChildProcess; readonly baseUrl: string }>((resume) => {
      const child = spawn(process.execPath, [program("engine"), dataDir], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      child.stdout.once("data", (line: Buffer) => resume(Effect.succeed({ child, baseUrl: line.toString().trim() })))
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Ends a process in the middle of whatever it does. */
export const kill = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    child.once("exit", () => resume(Effect.void))
    child.kill("SIGKILL")
  })
