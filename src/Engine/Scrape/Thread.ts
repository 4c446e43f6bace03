/** The thread that does the work of large documents, one at a time, until the server lets go of it. */
import { parentPort } from "node:worker_threads"
import { safely } from "../../Callback.ts"
import { type Chore, perform } from "./Chore.ts"

parentPort?.on(
  "message",
  safely(
    (chore: Chore) => parentPort?.postMessage(perform(chore)),
    () => process.exit(1)
  )
)
