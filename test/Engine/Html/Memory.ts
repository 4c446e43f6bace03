/** What is in the memory of this process once nothing is left in it that nobody needs. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

/** Bytes. */
export const inMemory = (): number => {
  collect()
  const { external, heapUsed } = process.memoryUsage()
  return external + heapUsed
}
