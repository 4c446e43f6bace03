/** Worker thread that reads large pages of results slice by slice, on its own database connection. */
import { parentPort, workerData } from "node:worker_threads"
import Database from "libsql"
import { safely } from "../../Callback.ts"
import { view } from "../Store/Blob.ts"
import { join, type Range, selectBodies } from "./Slice.ts"

const database = new Database(workerData)
database.exec("PRAGMA busy_timeout = 10000")
database.exec("PRAGMA query_only = ON")
const bodies = database.prepare(selectBodies)

parentPort?.on(
  "message",
  safely(
    (range: Range) => {
      const { end, from, jobId } = range
      const rows = bodies.all(jobId, from, end) as ReadonlyArray<{ readonly body: ArrayBuffer | Uint8Array }>
      const slice = join(
        rows.map(({ body }) => view(body)),
        range
      )
      parentPort?.postMessage(slice, [slice.buffer])
    },
    () => process.exit(1)
  )
)
