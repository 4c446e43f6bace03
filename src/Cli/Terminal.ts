/** Terminal of a command: stdout is for data, stderr for messages. */
import { plain, safely } from "../Callback.ts"

export { plain }

/** Writes bytes, and calls back once they are consumed. */
type WriteBytes = (bytes: Uint8Array, done: (error?: Error | null) => void) => void

/** stdout or stderr. */
export interface Channel {
  /** A JSON log also gets `fields`, including `level`. */
  readonly write: (text: string, fields?: Readonly<Record<string, unknown>>) => void
  /** Draws a status line, which the next status or text replaces. An empty string removes it. */
  readonly status: (text: string) => void
  /** True for a terminal, where lines can be redrawn. */
  readonly interactive: boolean
  readonly colour: boolean
  /** Marker in the colour sequences that this program writes, so that the channel keeps these and removes all others. */
  readonly mark?: string | undefined
  readonly columns: () => number
  /** Set if a stream of the process is behind the channel. */
  readonly pipe?: WriteBytes | undefined
  /** Writes a line that is JSON already. Only a JSON log has it. */
  readonly line?: ((line: string) => void) | undefined
}

export interface Terminal {
  readonly out: Channel
  readonly err: Channel
  readonly env: Env
  /** Working folder, from which the project is found; default: the working folder of the process. */
  readonly cwd?: string | undefined
  /** Sends a message to the parent process, if it listens over IPC. */
  readonly tell?: ((message: StartMessage) => void) | undefined
}

/** Sent to a parent process over IPC once the run is in the ledger. */
interface StartMessage {
  /** Id of the run. */
  readonly began: string
}

type Env = Readonly<Record<string, string | undefined>>

/** Clears the line. */
const wipe = "\r\u001b[2K"

/** Random for each process, so that the content of a page cannot contain the marker. */
const mark = Math.random().toString(36).slice(2) + Math.random().toString(36).slice(2)

const marked = new RegExp(`\u001b${mark}(\\d+)m`)

/** Text for a terminal: keeps this program's colours and removes all other control sequences. */
const shown = (text: string): string =>
  text
    .split(marked)
    .map((part, index) => (index % 2 === 0 ? plain(part) : `\u001b[${part}m`))
    .join("")

/** Channel over a Node stream. Removes control sequences from text for a terminal; files and pipes get text unchanged. */
export const channel = (
  stream: Pick<NodeJS.WriteStream, "columns" | "isTTY"> & { readonly write: (text: string) => unknown },
  env: Env
): Channel => {
  const isTerminal = stream.isTTY === true
  const interactive = isTerminal && env.TERM !== "dumb"
  let isStatus = false
  const replace = (given: string, status: boolean) => {
    const text = isTerminal ? shown(given) : given
    if (text !== "" || isStatus) stream.write(isStatus ? wipe + text : text)
    isStatus = status && text !== ""
  }
  return {
    write: (text) => replace(text, false),
    status: (text) => (interactive ? replace(text, true) : undefined),
    interactive,
    colour: interactive && (env.NO_COLOR ?? "") === "",
    mark,
    // Some terminals report 0.
    columns: () => stream.columns || 80
  }
}

/** Writes rows to standard output: as bytes to a pipe or file, as text without control sequences to a terminal. */
export const pipeTo = (
  stream: Pick<NodeJS.WriteStream, "isTTY"> & {
    readonly write: (bytes: Uint8Array | string, done: (error?: Error | null) => void) => unknown
  }
): WriteBytes => {
  const decoder = new TextDecoder()
  return (bytes, done) =>
    stream.write(stream.isTTY === true ? shown(decoder.decode(bytes, { stream: true })) : bytes, safely(done))
}

/** The terminal of this process. */
export const ofProcess = ({ env, stderr, stdout }: NodeJS.Process): Terminal => ({
  out: { ...channel(stdout, env), pipe: pipeTo(stdout) },
  err: channel(stderr, env),
  env,
  tell: (message) =>
    void (
      process.connected &&
      process.send?.(
        message,
        undefined,
        undefined,
        safely(() => {})
      )
    )
})

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const

export type Paint = { readonly [K in keyof typeof codes]: (text: string) => string }

const dye = (colour: boolean, mark = "["): Paint =>
  Object.fromEntries(
    Object.entries(codes).map(([name, [on, off]]) => [
      name,
      colour ? (text: string) => `\u001b${mark}${on}m${text}\u001b${mark}${off}m` : (text: string) => text
    ])
  ) as Paint

/** Colours for a channel; none unless it is a terminal. */
export const paint = ({ colour, mark }: Channel): Paint => dye(colour, mark)

export const warn = (err: Channel, text: string): void => err.write(`${paint(err).yellow("warning:")} ${plain(text)}\n`)

/** Highlights the position in `file:line:column  message`. */
export const emphasise = (line: string, dye: Paint): string =>
  line.replace(/^(.+?) {2}/, (_, place) => `${dye.bold(place)}  `)
