/** Receives tasks in a worker thread. */
import { parentPort } from "node:worker_threads"
import { safely } from "../Callback.ts"

/** Calls `run` with each task. If it throws, the thread ends, and the program starts another one. */
export const onTask = <Task>(run: (task: Task) => void): void => {
  parentPort?.on(
    "message",
    safely(run, () => process.exit(1))
  )
}
