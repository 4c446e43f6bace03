/** Worker thread that parses documents, one at a time. */
import { parentPort } from "node:worker_threads"
import { safely } from "../../Callback.ts"
import { triggerCollection } from "../Teams/Heap.ts"
import { type DocumentTask, runTask, type ScrapeResult } from "./DocumentTask.ts"

/** Bytes of a document after which the heap is collected: its tree takes 20 times as much, and an idle thread would keep that. */
const largeBytes = 1024 * 1024

/** Buffers of a result that nothing else refers to: they are moved to the other thread. A small one shares its buffer with others. */
const ownBuffers = (result: object): Array<ArrayBuffer> => {
  const { content, stored } = result as Partial<ScrapeResult>
  const owned = [content?.body, stored?.body?.body, stored?.conversion?.body].flatMap((bytes) =>
    bytes?.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength ? [bytes.buffer] : []
  )
  return [...new Set(owned)]
}

parentPort?.on(
  "message",
  safely(
    (task: DocumentTask) => {
      const isLarge = task.bytes.byteLength > largeBytes
      const result = runTask(task)
      parentPort?.postMessage(result, ownBuffers(result))
      // By then, nothing refers to the document.
      if (isLarge) setImmediate(safely(triggerCollection))
    },
    () => process.exit(1)
  )
)
