/** Worker thread that reads the rows of pages, one page at a time, for one `extract` step. */
import { parentPort, workerData } from "node:worker_threads"
import * as Either from "effect/Either"
import { safely } from "../../Callback.ts"
import { compileRows, readFieldRows } from "../../Html/FieldRows.ts"
import { parsePage } from "../../Html/Fields.ts"
import type { Answer, Question, Setup } from "./PageThreads.ts"

const { asked, now }: Setup = workerData
// The step has compiled the same fields before it started the thread.
const specification = Either.getOrThrowWith(compileRows(asked), (message) => new Error(message))

parentPort?.on(
  "message",
  safely(
    ({ base, describes, html, id }: Question) => {
      const answer: Answer = { id, read: readFieldRows(parsePage(html, base), specification, now, describes) }
      parentPort?.postMessage(answer)
    },
    () => process.exit(1)
  )
)
