/** Worker thread that parses large commands, one at a time, so that the event loop of the server stays free. */
import { parentPort } from "node:worker_threads"
import { onTask } from "../../Callback/ThreadTask.ts"
import { type Reading, read } from "./CommandText.ts"
import type { Limits } from "./Policy.ts"

/** Transfers the params as bytes; a string would be copied and encoded again. */
const handOver = (reading: Reading): void => {
  if (reading._tag !== "Prepared" || typeof reading.command.params !== "string") {
    parentPort?.postMessage(reading)
    return
  }
  const params = new TextEncoder().encode(reading.command.params)
  parentPort?.postMessage({ ...reading, command: { ...reading.command, params } }, [params.buffer])
}

onTask(({ json, limits }: { readonly json: Uint8Array; readonly limits: Limits }) => handOver(read(json, limits)))
