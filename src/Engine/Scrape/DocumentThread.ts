/** Worker thread that parses large documents, one at a time. */
import { parentPort } from "node:worker_threads"
import { safely } from "../../Callback.ts"
import { type DocumentTask, runTask } from "./DocumentTask.ts"

parentPort?.on(
  "message",
  safely(
    (task: DocumentTask) => parentPort?.postMessage(runTask(task)),
    () => process.exit(1)
  )
)
