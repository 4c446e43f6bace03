/** Thread that reads large commands of programs, one at a time, so that nobody else waits for it. */
import { parentPort } from "node:worker_threads"
import { safely } from "../../Callback.ts"
import { type Reading, read } from "./CommandText.ts"
import type { Limits } from "./Policy.ts"

/** Writes the params as bytes: they are handed over, where a string would be copied and encoded once more. */
const handOver = (reading: Reading): void => {
  if (reading._tag !== "Prepared" || typeof reading.command.params !== "string") {
    parentPort?.postMessage(reading)
    return
  }
  const params = new TextEncoder().encode(reading.command.params)
  parentPort?.postMessage({ ...reading, command: { ...reading.command, params } }, [params.buffer])
}

parentPort?.on(
  "message",
  safely(
    ({ json, limits }: { readonly json: Uint8Array; readonly limits: Limits }) => handOver(read(json, limits)),
    () => process.exit(1)
  )
)
