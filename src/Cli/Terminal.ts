/** Where a command writes and what surrounds it: stdout is data, stderr is talk. */
import * as Effect from "effect/Effect"
import { plain, safely } from "../Callback.ts"
import type { Stdout } from "../Step/Output.ts"

export { plain }

/** One of the two ways out. */
export interface Channel {
  /** For people the text; a log for machines also gets what is known of it by name, and how bad it is as `level`. */
  readonly write: (text: string, fields?: Readonly<Record<string, unknown>>) => void
  /** Draws a line that the next one replaces; anything written takes its place. An empty text takes it away. */
  readonly status: (text: string) => void
  /** A person looks at it: lines may be drawn over. */
  readonly interactive: boolean
  readonly colour: boolean
  /** Stands in the colour sequences of this program, so that the channel lets those pass and no others. */
  readonly mark?: string | undefined
  readonly columns: () => number
  /** Hands bytes over and waits until they are taken; there where a stream of the process is behind it. */
  readonly pipe?: Stdout | undefined
  /** There where it is a log for machines: takes a line as it stands. */
  readonly line?: ((line: string) => void) | undefined
}

export interface Terminal {
  readonly out: Channel
  readonly err: Channel
  readonly env: Env
  /** The working folder, from which the project is found; default: that of the process. */
  readonly cwd?: string | undefined
  /** Tells the program that has started this one, where it listens. */
  readonly tell?: ((word: Word) => void) | undefined
}

/** The run that has begun. */
export interface Word {
  readonly began: string
}

type Env = Readonly<Record<string, string | undefined>>

/** To the beginning of the line, and nothing on it. */
const wipe = "\r\u001b[2K"

/** No page can know it: it is another one in each process. */
const mark = Math.random().toString(36).slice(2) + Math.random().toString(36).slice(2)

const marked = new RegExp(`\u001b${mark}(\\d+)m`)

/** Text for a terminal: colours of this program, and nothing else that steers it. */
const shown = (text: string): string =>
  text
    .split(marked)
    .map((part, index) => (index % 2 === 0 ? plain(part) : `\u001b[${part}m`))
    .join("")

/**
 * A channel over a stream of node. Every text that reaches a terminal passes here, whichever verb writes it, and loses what would steer
 * the terminal; files and pipes get it as it is.
 */
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
    // Some say that they have none.
    columns: () => stream.columns || 80
  }
}

/** Rows that a sink writes to standard output: bytes for a pipe or a file, shown like all other text on a terminal. */
export const pipeTo = (
  stream: Pick<NodeJS.WriteStream, "isTTY"> & {
    readonly write: (bytes: Uint8Array | string, done: (error?: Error | null) => void) => unknown
  }
): Stdout => {
  const decoder = new TextDecoder()
  return (bytes) =>
    Effect.async((resume) => {
      stream.write(
        stream.isTTY === true ? shown(decoder.decode(bytes, { stream: true })) : bytes,
        safely((error: Error | null | undefined) => resume(error ? Effect.fail(error) : Effect.void))
      )
    })
}

/** The terminal of this process. */
export const ofProcess = ({ env, stderr, stdout }: NodeJS.Process): Terminal => ({
  out: { ...channel(stdout, env), pipe: pipeTo(stdout) },
  err: channel(stderr, env),
  env,
  // Whether anybody hears it changes nothing.
  tell: (word) =>
    void (
      process.connected &&
      process.send?.(
        word,
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

/** The colours that a channel shows; none where nobody looks. */
export const paint = ({ colour, mark }: Channel): Paint => dye(colour, mark)

/** Something that is not as it should be, and stops nothing. */
export const warn = (err: Channel, text: string): void => err.write(`${paint(err).yellow("warning:")} ${plain(text)}\n`)

/** `file:line:column  what`: the place stands out. */
export const emphasise = (line: string, dye: Paint): string =>
  line.replace(/^(.+?) {2}/, (_, place) => `${dye.bold(place)}  `)
