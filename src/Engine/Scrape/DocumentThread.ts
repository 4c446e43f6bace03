/** Worker thread that parses documents, one at a time. */
import { parentPort } from "node:worker_threads"
import { safely } from "../../Callback.ts"
import { triggerCollection } from "../Heap.ts"
import { type DocumentTask, runTask } from "./DocumentTask.ts"

/** Bytes of a document after which the heap is collected: its tree takes 20 times as much, and an idle thread would keep that. */
const largeBytes = 1024 * 1024

parentPort?.on(
  "message",
  safely(
    (task: DocumentTask) => {
      parentPort?.postMessage(runTask(task))
      // Once nothing refers to the document any more.
      if (task.bytes.byteLength > largeBytes) setImmediate(safely(triggerCollection))
    },
    () => process.exit(1)
  )
)
