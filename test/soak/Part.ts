/** A part of the whole that runs as a process of its own, is killed now and then, and started again. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

export interface Part {
  readonly name: string
  /** Undefined while it is not there. */
  readonly pid: () => number | undefined
  readonly start: () => Promise<void>
  readonly kill: () => Promise<void>
  /** As an operator stops it; gives how it ended. */
  readonly stop: () => Promise<string>
  /** The end of what it said. */
  readonly said: () => string
  /** Its first line of output. */
  readonly first: () => string
}

export interface Launch {
  readonly name: string
  readonly bin: string
  readonly words: ReadonlyArray<string>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

const collect = fileURLToPath(new URL("./collect.mjs", import.meta.url))

/** The longest that one may take to start, or to stop, in milliseconds. */
const patience = 60_000

export const part = ({ bin, cwd, env, name, words }: Launch): Part => {
  let child: ChildProcess | undefined
  let said = ""
  let first = ""
  const gone = (running: ChildProcess) =>
    running.exitCode === null && running.signalCode === null ? once(running, "exit") : Promise.resolve()
  return {
    name,
    pid: () => (child?.exitCode === null && child.signalCode === null ? child.pid : undefined),
    said: () => said,
    first: () => first,
    start: async () => {
      const running = spawn(process.execPath, ["--expose-gc", "--import", collect, bin, ...words], {
        cwd,
        env,
        stdio: ["ignore", "pipe", "pipe"]
      })
      child = running
      const keep = (text: string) => {
        said = `${said}${text}`.slice(-50_000)
      }
      running.stderr.setEncoding("utf8").on("data", keep)
      running.stdout.setEncoding("utf8").on("data", keep)
      const [line] = await Promise.race([
        once(running.stdout, "data"),
        once(running, "exit").then(() => Promise.reject(new Error(`${name} did not start: ${said}`))),
        sleep(patience, undefined, { ref: false }).then(() =>
          Promise.reject(new Error(`${name} says nothing: ${said}`))
        )
      ])
      first = String(line)
    },
    kill: async () => {
      const running = child
      if (running === undefined) return
      running.kill("SIGKILL")
      await gone(running)
    },
    stop: async () => {
      const running = child
      if (running === undefined) return "never started"
      running.kill("SIGTERM")
      await Promise.race([gone(running), sleep(patience, undefined, { ref: false })])
      if (running.exitCode === null && running.signalCode === null) {
        running.kill("SIGKILL")
        return `not within ${patience / 1000} s`
      }
      return running.exitCode === null ? String(running.signalCode) : String(running.exitCode)
    }
  }
}
