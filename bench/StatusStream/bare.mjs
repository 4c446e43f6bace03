/** The same work as a hand-written program: fetch, JSON.parse, JSON.stringify, write. */
import { openSync, writeSync } from "node:fs"

const [, , address, id, path] = process.argv
const out = openSync(path, "w")
let url = `${address}/v2/batch/scrape/${id}`
while (url !== undefined) {
  const response = await fetch(url)
  const page = JSON.parse(await response.text())
  let lines = ""
  for (const document of page.data) lines += `${JSON.stringify(document)}\n`
  writeSync(out, lines)
  url = page.next
}
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
console.log(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, rss: maxRSS / 1024 }))
process.exit(0)
