/** A terminal that keeps what is written to it, and the command line called in this process. */
import { tmpdir } from "node:os"
import * as Effect from "effect/Effect"
import { channel, type Terminal } from "../../src/Cli/Terminal.ts"
import { main } from "../../src/Cli.ts"

interface Surroundings {
  readonly env?: Terminal["env"]
  readonly tty?: boolean
  readonly columns?: number
  readonly stop?: AbortSignal
  /** Working folder of the command; default: the folder of temporary files where the words name something in it, else here. */
  readonly cwd?: string
}

export const makeTerminal = ({ columns = 100, cwd, env = {}, tty = false }: Surroundings = {}) => {
  const written = { out: "", err: "" }
  const stream = (name: "out" | "err") =>
    channel({ isTTY: tty, columns, write: (text) => (written[name] += text) }, env)
  const terminal: Terminal = { out: stream("out"), err: stream("err"), env, cwd }
  return { terminal, written }
}

/** Runs `sluice …words` and gives its exit code and what it wrote. */
export const sluice = (words: ReadonlyArray<string>, surroundings: Surroundings = {}) =>
  Effect.promise(() => {
    const cwd = surroundings.cwd ?? (words.some((word) => word.includes(tmpdir())) ? tmpdir() : undefined)
    const { terminal, written } = makeTerminal({ ...surroundings, ...(cwd === undefined ? {} : { cwd }) })
    const stop = surroundings.stop ?? new AbortController().signal
    return main(words, terminal, stop).then((code) => ({ code, ...written }))
  })
