/** `sluice …` as a process of its own, by the events that it tells. */
import { type ChildProcess, spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import { program } from "../Programs.ts"

interface Event {
  readonly event: string
  readonly [name: string]: unknown
}

export const kill = (child: ChildProcess) => child.exitCode ?? child.signalCode ?? child.kill("SIGKILL")

/** It is killed when the scope closes. */
export const launch = (root: string, env: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [program("bin"), ...words], {
        cwd: root,
        env: { PATH: process.env.PATH, ...env },
        stdio: ["ignore", "pipe", "pipe"]
      })
      const events: Array<Event> = []
      const written = { err: "" }
      const waiting = new Set<() => void>()
      let rest = ""
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        const lines = (rest + text).split("\n")
        rest = lines.pop() ?? ""
        for (const line of lines) events.push(JSON.parse(line))
        for (const look of waiting) look()
      })
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        written.err += text
      })
      const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
      const named = (name: string) => events.filter(({ event }) => event === name)
      /** Until so many of these events have come. */
      const until = (name: string, count = 1, which: (event: Event) => boolean = () => true) =>
        Effect.promise(
          () =>
            new Promise<ReadonlyArray<Event>>((resolve, reject) => {
              const look = () => {
                const found = named(name).filter(which)
                if (found.length < count) return
                waiting.delete(look)
                resolve(found)
              }
              waiting.add(look)
              look()
              ended.then(() => reject(new Error(`it has ended: ${written.err}`)))
            })
        )
      return { child, events, named, until, written, ended: Effect.promise(() => ended) }
    }),
    ({ child, ended }) =>
      Effect.zipRight(
        Effect.sync(() => kill(child)),
        ended
      )
  )
