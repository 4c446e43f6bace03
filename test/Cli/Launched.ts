/** `sluice …` as a process of its own, and the events that it tells. */
import { type ChildProcess, spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import { program } from "../Programs.ts"

interface Event {
  readonly event: string
  readonly [name: string]: unknown
}

export const kill = (child: ChildProcess) => child.exitCode ?? child.signalCode ?? child.kill("SIGKILL")

/** Starts `sluice …` in a folder as a process of its own. It is killed when the scope closes. */
export const start = (
  root: string | undefined,
  env: Readonly<Record<string, string>>,
  ...words: ReadonlyArray<string>
) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(process.execPath, [program("bin"), ...words], {
        cwd: root,
        env: { PATH: process.env.PATH, ...env },
        stdio: ["ignore", "pipe", "pipe"]
      })
      const written = { out: "", err: "" }
      const waiting = new Set<() => void>()
      for (const [name, stream] of [
        ["out", child.stdout],
        ["err", child.stderr]
      ] as const) {
        stream.setEncoding("utf8").on("data", (text: string) => {
          written[name] += text
          for (const look of waiting) look()
        })
      }
      const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
      /** Resolves with the first match in its output. */
      const until = <A>(find: () => A | undefined): Effect.Effect<A> =>
        Effect.promise(
          () =>
            new Promise<A>((resolve, reject) => {
              const look = () => {
                const found = find()
                if (found === undefined) return
                waiting.delete(look)
                resolve(found)
              }
              waiting.add(look)
              look()
              ended.then(() => reject(new Error(`it has ended: ${written.err}`)))
            })
        )
      return { child, written, until, ended: Effect.promise(() => ended) }
    }),
    ({ child, ended }) =>
      Effect.zipRight(
        Effect.sync(() => kill(child)),
        ended
      )
  )

/** The same, for a verb whose standard output is events. */
export const launch = (root: string, env: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>) =>
  Effect.map(start(root, env, ...words), ({ child, ended, until: looking, written }) => {
    const events: Array<Event> = []
    let read = 0
    const parsed = (): ReadonlyArray<Event> => {
      for (let end = written.out.indexOf("\n", read); end !== -1; end = written.out.indexOf("\n", read)) {
        events.push(JSON.parse(written.out.slice(read, end)))
        read = end + 1
      }
      return events
    }
    const named = (name: string) => parsed().filter(({ event }) => event === name)
    /** Until so many of these events have come. */
    const until = (name: string, count = 1, which: (event: Event) => boolean = () => true) =>
      looking(() => {
        const found = named(name).filter(which)
        return found.length < count ? undefined : found
      })
    return {
      child,
      get events() {
        return parsed()
      },
      named,
      until,
      /** Until it has said so on standard error. */
      said: (text: string) => looking(() => (written.err.includes(text) ? true : undefined)),
      written,
      ended
    }
  })
