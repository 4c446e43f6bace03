/** The same through the service's public JavaScript client, which gathers all pages before it hands them on. */
import { openSync, writeSync } from "node:fs"
import Firecrawl from "@mendable/firecrawl-js"

const [, , address, id, path] = process.argv
const client = new Firecrawl({ apiKey: `fc-${"0".repeat(32)}`, apiUrl: address })
const { data } = await client.getBatchScrapeStatus(id, { autoPaginate: true })
const out = openSync(path, "w")
for (let first = 0; first < data.length; first += 500) {
  let lines = ""
  for (const document of data.slice(first, first + 500)) lines += `${JSON.stringify(document)}\n`
  writeSync(out, lines)
}
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
console.log(JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, rss: maxRSS / 1024 }))
process.exit(0)
