/** The process that opens strangers' files: one job in, one answer out, until the server lets go of it (spec 4.2). */
import { Worker } from "node:worker_threads"
import { convert } from "./Convert.ts"
import type { Job, Message } from "./Job.ts"
import { corrupt, Refusal } from "./Refusal.ts"

const send = (message: Message): void => {
  process.send?.(message)
}

const refusal = (error: unknown): Refusal =>
  error instanceof Refusal
    ? error
    : corrupt(`The file cannot be read (${error instanceof Error ? error.message : String(error)})`)

process.on("message", (job: Job) => {
  send({ kind: "begun" })
  convert(job).then(
    (file) => send({ kind: "parsed", file }),
    (error: unknown) => {
      const { code, message } = refusal(error)
      send({ kind: "refused", code, message })
    }
  )
})

process.on("disconnect", () => process.exit())

// A reader that hangs would outlive a server that was killed: a thread that does not hang looks after the parent.
new Worker(
  `const parent = process.ppid
   setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, "SIGKILL") }, 1000)`,
  { eval: true, execArgv: [], env: {}, stdin: false, stdout: true, stderr: true }
).unref()

send({ kind: "ready" })
