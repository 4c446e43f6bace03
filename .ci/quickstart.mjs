/** Fails unless the summary of a quickstart run says that everything was written. */
import { readFileSync, statSync } from "node:fs"

const summary = JSON.parse(readFileSync(process.argv[2], "utf8"))
const wrong = [
  summary.status === "completed" ? undefined : `status is ${summary.status}`,
  summary.outputs.length === 3 ? undefined : `${summary.outputs.length} outputs instead of 3`,
  ...summary.outputs.map(({ bytes, path, rows }) =>
    rows > 0 && statSync(path).size === bytes
      ? undefined
      : `${path} has ${rows} rows and not the ${bytes} bytes it should have`
  )
].filter((each) => each !== undefined)
if (wrong.length > 0) {
  console.error(`quickstart: ${wrong.join("; ")}`)
  process.exit(1)
}
