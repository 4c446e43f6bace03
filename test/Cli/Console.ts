/** A terminal that keeps what is written to it, and the command line called in this process. */
import * as Effect from "effect/Effect"
import { channel, type Terminal } from "../../src/Cli/Terminal.ts"
import { main } from "../../src/Cli.ts"

interface Surroundings {
  readonly env?: Terminal["env"]
  readonly tty?: boolean
  readonly columns?: number
  readonly stop?: AbortSignal
}

export const makeTerminal = ({ columns = 100, env = {}, tty = false }: Surroundings = {}) => {
  const written = { out: "", err: "" }
  const stream = (name: "out" | "err") =>
    channel({ isTTY: tty, columns, write: (text) => (written[name] += text) }, env)
  const terminal: Terminal = { out: stream("out"), err: stream("err"), env }
  return { terminal, written }
}

/** Runs `sluice …words` and gives its exit code and what it wrote. */
export const sluice = (words: ReadonlyArray<string>, surroundings: Surroundings = {}) =>
  Effect.promise(() => {
    const { terminal, written } = makeTerminal(surroundings)
    const stop = surroundings.stop ?? new AbortController().signal
    return main(words, terminal, stop).then((code) => ({ code, ...written }))
  })
