/** The process that opens strangers' files: one job in, one answer out, until the server lets go of it. */
import { Worker } from "node:worker_threads"
import { safely } from "../../Callback.ts"
import { convert } from "./Convert.ts"
import { corrupt, type Job, type Message, Refusal, tooComplex } from "./Protocol.ts"

const send = (message: Message): void => {
  process.send?.(message)
}

const refusal = (error: unknown): Refusal => {
  if (error instanceof Refusal) return error
  const message = error instanceof Error ? error.message : String(error)
  // The limits of the machine that runs this: of depth, of the length of a text.
  return error instanceof RangeError && /call stack|string length/i.test(message)
    ? tooComplex(`The file is larger or more tangled than can be read (${message})`)
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

// A reader that hangs would outlive a server that was killed: a thread that does not hang looks after the parent.
new Worker(
  `const parent = process.ppid
   setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL") }, 1000)`,
  { eval: true, execArgv: [], env: {}, stdin: false, stdout: true, stderr: true }
).unref()

send({ kind: "ready" })
