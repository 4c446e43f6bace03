/** Devtools over a pair of streams, with a made-up browser at the other end. */
import { PassThrough } from "node:stream"
import * as Effect from "effect/Effect"
import * as Devtools from "../../../src/Engine/Browser/Devtools.ts"
import type { Command } from "../../../src/Engine/Browser/Policy.ts"

/** A target that users may see. */
export const page = { targetId: "T1", type: "page", url: "https://a.example/" }

/** A browser that echoes commands, attaches to `page` whenever it is asked to attach, and sends the events it is given. */
const browser = () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const asked: Array<Command> = []
  /** By method: results other than the echo. */
  const answers = new Map<string, object>()
  let end = () => {}
  let sessions = 0
  const say = (message: object) => output.write(`${JSON.stringify(message)}\0`)
  const attach = (from?: string) => {
    sessions += 1
    const sessionId = `S${sessions}`
    say({
      method: "Target.attachedToTarget",
      params: { sessionId, targetInfo: from === undefined ? { targetId: sessionId, type: "browser", url: "" } : page },
      ...(from === undefined ? {} : { sessionId: from })
    })
    return { sessionId }
  }
  input.on("data", (chunk: Buffer) => {
    for (const text of chunk
      .toString()
      .split("\0")
      .filter((text) => text !== "")) {
      const command = JSON.parse(text) as Command
      asked.push(command)
      const { id, method, params, sessionId } = command
      if (method === "Test.silent") continue
      const echo = () => answers.get(method) ?? { method, params }
      const result = method.startsWith("Target.attachTo") ? attach(sessionId) : echo()
      say({ id, result, ...(sessionId === undefined ? {} : { sessionId }) })
    }
  })
  return {
    answers,
    asked,
    say,
    output,
    end: () => end(),
    chromium: {
      pid: 0,
      input,
      output,
      folder: "/nowhere",
      profile: "/nowhere",
      isAlive: () => true,
      onEnd: (listener: () => void) => {
        end = listener
      },
      logTail: () => ""
    }
  }
}

export const make = () => {
  const fake = browser()
  let closes = 0
  const events: Array<Devtools.Event> = []
  const devtools = new Devtools.Devtools(fake.chromium, {
    downloads: "/downloads",
    onRootEvent: (event) => void events.push(event),
    onClose: () => {
      closes += 1
    }
  })
  return { ...fake, devtools, events, closes: () => closes }
}

export interface Heard {
  readonly id?: number
  readonly method?: string
  readonly sessionId?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** A channel, and the messages that came through it. */
export const join = (devtools: Devtools.Devtools, hasRoom: () => boolean = () => true) =>
  Effect.gen(function* () {
    const heard: Array<Heard> = []
    const reasons: Array<string> = []
    const channel = yield* devtools.attach({
      onMessage: (message) => {
        heard.push(JSON.parse(message.toString("utf8")))
        return hasRoom()
      },
      onClose: (reason) => void reasons.push(reason)
    })
    return { ...channel, heard, reasons }
  })
