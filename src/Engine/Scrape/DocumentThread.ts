/** Worker thread that parses documents, one at a time. */
import { parentPort } from "node:worker_threads"
import { onTask } from "../../Callback/ThreadTask.ts"
import { safely } from "../../Callback.ts"
import { triggerCollection } from "../Teams/Heap.ts"
import { type DocumentTask, runTask, type ScrapeResult } from "./DocumentTask.ts"

/** Minimum bytes of a document after which garbage is collected: its tree takes 20 times as many, which an idle thread would keep. */
const largeBytes = 1024 * 1024

/** Returns buffers that belong to the result alone, to transfer them to the other thread. Small byte arrays share a buffer with others. */
const ownBuffers = (result: object): Array<ArrayBuffer> => {
  const { content, stored } = result as Partial<ScrapeResult>
  const owned = [content?.body, stored?.body?.body, stored?.conversion?.body].flatMap((bytes) =>
    bytes?.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.byteLength ? [bytes.buffer] : []
  )
  return [...new Set(owned)]
}

onTask((task: DocumentTask) => {
  const isLarge = task.bytes.byteLength > largeBytes
  const result = runTask(task)
  parentPort?.postMessage(result, ownBuffers(result))
  // By then nothing references the document.
  if (isLarge) setImmediate(safely(triggerCollection))
})
