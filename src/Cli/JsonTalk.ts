/** stderr for machines: everything that is said to people becomes one JSON object a line. */
import * as Log from "../Telemetry/Log.ts"
import * as Secrets from "./Secrets.ts"
import type { Channel, Terminal } from "./Terminal.ts"

const levels: Readonly<Record<string, string>> = { error: "error", broken: "error", warning: "warning" }

/** `warning: …` says how bad it is. */
const entryOf = (text: string) => {
  const [, word = "", rest = text] = /^(error|broken|warning): ([\s\S]*)$/.exec(text) ?? []
  return { level: levels[word] ?? "info", message: rest }
}

const channel = (err: Channel): Channel => ({
  write: (text, { level: known, ...fields } = {}) => {
    const said = text.trim()
    const { level, message } = entryOf(said)
    if (said !== "") {
      err.write(Log.line({ time: new Date(), level: levels[String(known)] ?? level, message, fields }))
    }
  },
  // A machine does not look on.
  status: () => undefined,
  interactive: false,
  colour: false,
  columns: err.columns,
  line: err.write
})

/** The terminal with such a stderr; its stdout is data already. */
export const over = (terminal: Terminal): Terminal => {
  Secrets.concealAll(terminal.env)
  return { ...terminal, err: channel(terminal.err) }
}
