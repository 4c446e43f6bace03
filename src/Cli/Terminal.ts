/** Where a command writes and what surrounds it: stdout is data, stderr is talk. */
import * as Effect from "effect/Effect"
import { safely } from "../Callback.ts"
import type { Stdout } from "../Step/Output.ts"

/** One of the two ways out. */
export interface Channel {
  /** For people the text; a log for machines also gets what is known of it by name, and how bad it is as `level`. */
  readonly write: (text: string, fields?: Readonly<Record<string, unknown>>) => void
  /** Draws a line that the next one replaces; anything written takes its place. An empty text takes it away. */
  readonly status: (text: string) => void
  /** A person looks at it: lines may be drawn over. */
  readonly interactive: boolean
  readonly colour: boolean
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

/** A channel over a stream of node. */
export const channel = (
  stream: Pick<NodeJS.WriteStream, "columns" | "isTTY"> & { readonly write: (text: string) => unknown },
  env: Env
): Channel => {
  const interactive = stream.isTTY === true && env.TERM !== "dumb"
  let shown = false
  const replace = (text: string, status: boolean) => {
    if (text !== "" || shown) stream.write(shown ? wipe + text : text)
    shown = status && text !== ""
  }
  return {
    write: (text) => replace(text, false),
    status: (text) => (interactive ? replace(text, true) : undefined),
    interactive,
    colour: interactive && (env.NO_COLOR ?? "") === "",
    // Some say that they have none.
    columns: () => stream.columns || 80
  }
}

const pipeTo =
  (stream: NodeJS.WriteStream): Stdout =>
  (bytes) =>
    Effect.async((resume) => {
      stream.write(
        bytes,
        safely((error: Error | null | undefined) => resume(error ? Effect.fail(error) : Effect.void))
      )
    })

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

const dye = (colour: boolean): Paint =>
  Object.fromEntries(
    Object.entries(codes).map(([name, [on, off]]) => [
      name,
      colour ? (text: string) => `\u001b[${on}m${text}\u001b[${off}m` : (text: string) => text
    ])
  ) as Paint

/** The colours that a channel shows; none where nobody looks. */
export const paint = ({ colour }: Channel): Paint => dye(colour)

/** Texts of a service may hold anything: what would steer the terminal is left out. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
export const plain = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "")

/** Something that is not as it should be, and stops nothing. */
export const warn = (err: Channel, text: string): void => err.write(`${paint(err).yellow("warning:")} ${plain(text)}\n`)

/** `file:line:column  what`: the place stands out. */
export const emphasise = (line: string, dye: Paint): string =>
  line.replace(/^(.+?) {2}/, (_, place) => `${dye.bold(place)}  `)
