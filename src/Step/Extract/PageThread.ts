/** Worker thread that reads the rows of pages, one page at a time, for one `extract` step. */
import { parentPort, workerData } from "node:worker_threads"
import * as Either from "effect/Either"
import { onTask } from "../../Callback/ThreadTask.ts"
import { compileRows, readFieldRows } from "../../Html/FieldRows.ts"
import { parsePage } from "../../Html/Fields.ts"
import type { Page, Read, Setup } from "./PageThreads.ts"

const { asked, now }: Setup = workerData
// Cannot fail: the step compiled the same fields before it started the thread.
const specification = Either.getOrThrowWith(compileRows(asked), (message) => new Error(message))

const read = ({ base, charset, describes, html }: Page): Read => {
  try {
    return readFieldRows(parsePage(html, base, charset), specification, now, describes)
  } catch {
    // The step then reads the page itself and reports what it throws.
    return "NoThread"
  }
}

onTask((page: Page) => parentPort?.postMessage(read(page)))
