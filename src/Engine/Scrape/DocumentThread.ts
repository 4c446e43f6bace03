/** Worker thread that parses documents, one at a time. */
import { parentPort } from "node:worker_threads"
import { safely } from "../../Callback.ts"
import { makeCollect } from "../Heap.ts"
import { type DocumentTask, runTask } from "./DocumentTask.ts"

/** Bytes of a document after which the heap is collected: its tree takes 20 times as much, and an idle thread would keep that. */
const largeBytes = 1024 * 1024

let collect: (() => void) | undefined

/** Runs once nothing refers to the document any more. */
const collectLater = () =>
  setImmediate(
    safely(() => {
      collect ??= makeCollect()
      collect()
    })
  )

parentPort?.on(
  "message",
  safely(
    (task: DocumentTask) => {
      parentPort?.postMessage(runTask(task))
      if (task.bytes.byteLength > largeBytes) collectLater()
    },
    () => process.exit(1)
  )
)
