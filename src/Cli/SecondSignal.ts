/**
 * Ends the process at its second signal, also while the main thread is stuck in synchronous code, where no listener of it runs.
 *
 * A thread of its own listens to the same signals. libuv gives a signal to every event loop that listens to it, but Node has no
 * public way to listen in a worker, so the handle is made from Node's binding. Where that is not to be had, nothing is watched and the
 * listeners of the main thread are all there is. The thread costs about 10 MB of memory and no processor time.
 */
import { Worker } from "node:worker_threads"
import { safely } from "../Callback.ts"

/** How long the main thread has to end the process itself, in milliseconds. */
const patience = 1000

const thread = `
process.noDeprecation = true
const { writeSync } = require("node:fs")
const { constants } = require("node:os")
const { parentPort, workerData } = require("node:worker_threads")
let signals = 0
const end = () => {
  try {
    writeSync(2, "\\nerror: the process was busy and did not answer two signals, so it was killed\\n")
  } catch {}
  process.kill(process.pid, "SIGKILL")
}
try {
  const { Signal } = process.binding("signal_wrap")
  for (const name of workerData.names) {
    const handle = new Signal()
    handle.onsignal = () => {
      if (++signals === 2) setTimeout(end, workerData.patience)
    }
    handle.start(constants.signals[name])
  }
  parentPort.on("message", () => {})
} catch {}
`

/** Starts the thread. It does not keep the process alive. */
export const watchSignals = (names: ReadonlyArray<string>): void => {
  try {
    const worker = new Worker(thread, { eval: true, workerData: { names, patience }, execArgv: [], env: {} })
    worker.on(
      "error",
      safely(() => {})
    )
    worker.unref()
  } catch {
    // A process that may not start threads is stopped by its own listeners.
  }
}
