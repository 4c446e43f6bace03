/** Child process that parses untrusted files: one job at a time, one reply per job, until the server disconnects. */
import { Worker } from "node:worker_threads"
import { safely } from "../../Callback.ts"
import { detectLanguage } from "../../Html/TextAnalysis.ts"
import { runtimeLimitOf } from "../../Values/RuntimeLimit.ts"
import { convert } from "./Convert.ts"
import { corrupt, type Job, type Message, Refusal, tooComplex } from "./Protocol.ts"

const send = (message: Message): void => {
  process.send?.(message)
}

const refusal = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error
  const message = error instanceof Error ? error.message : String(error)
  return error instanceof RangeError && runtimeLimitOf(message) !== undefined
    ? tooComplex(`The file is too large or too deeply nested (${message})`)
    : corrupt(`The file cannot be read (${message})`)
}

process.on(
  "message",
  safely(
    (job: Job) => {
      send({ kind: "begun" })
      convert(job).then(
        (file) => send({ kind: "parsed", file }),
        (error: unknown) => {
          const { code, message } = refusal(error)
          send({ kind: "refused", code, message })
        }
      )
    },
    () => process.exit(1)
  )
)

process.on(
  "disconnect",
  safely(
    () => process.exit(),
    () => process.exit(1)
  )
)

// A hung parser would outlive a dead server, so a separate thread watches the parent.
new Worker(
  `const parent = process.ppid
   setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL") }, 1000)`,
  { eval: true, execArgv: [], env: {}, stdin: false, stdout: true, stderr: true }
).unref()

send({ kind: "ready" })

// Load the language detector in advance: every file needs it, and it takes longest to load.
detectLanguage("a few words ".repeat(20)).catch(() => undefined)
