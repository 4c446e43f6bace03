/** Worker thread that reads large result pages slice by slice, on its own database connection. */
import { parentPort, workerData } from "node:worker_threads"
import Database from "libsql"
import { onTask } from "../../Callback/ThreadTask.ts"
import { safely } from "../../Callback.ts"
import { youngCollector } from "../Teams/Heap.ts"
import { join, type Range, type StoredDocument, selectDocuments } from "./ResultSlice.ts"

const database = new Database(workerData)
database.exec("PRAGMA busy_timeout = 10000")
database.exec("PRAGMA query_only = ON")
const documents = database.prepare(selectDocuments)
const collect = youngCollector()

onTask((range: Range) => {
  const { end, from, jobId } = range
  const slice = join(documents.all(jobId, from, end) as ReadonlyArray<StoredDocument>, range)
  parentPort?.postMessage(slice, [slice.buffer])
  // The documents of a slice take twice its bytes.
  setImmediate(safely(collect))
})
