/**
 * The same crawl by Crawlee's CheerioCrawler, in memory: title, metadata and links are read, and nothing is stored. What it
 * does beyond that is off (sessions, cookies, made-up headers), and connections are kept. Prints the number of pages; where one was
 * expected, another is an error.
 */
import { Agent } from "node:http"
import { CheerioCrawler, Configuration, log } from "@crawlee/cheerio"

log.setLevel(log.LEVELS.ERROR)
const [start, count] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
let pages = 0
let read = 0
const crawler = new CheerioCrawler(
  {
    minConcurrency: 8,
    maxConcurrency: 8,
    // Else it slows down, to next to nothing, when the machine has other work.
    autoscaledPoolOptions: {
      systemStatusOptions: {
        maxMemoryOverloadedRatio: 1,
        maxEventLoopOverloadedRatio: 1,
        maxCpuOverloadedRatio: 1,
        maxClientOverloadedRatio: 1
      }
    },
    // No `maxRequestsPerCrawl`: near the limit it waits a second for each few links that it knows already, and does not end.
    useSessionPool: false,
    persistCookiesPerSession: false,
    preNavigationHooks: [
      (_, options) => {
        options.useHeaderGenerator = false
        options.http2 = false
        options.agent = { http: agent }
      }
    ],
    requestHandler: async ({ $, enqueueLinks }) => {
      pages++
      const metadata = Object.fromEntries(
        $("meta[name], meta[property]")
          .toArray()
          .map((each) => [$(each).attr("name") ?? $(each).attr("property"), $(each).attr("content")])
      )
      const links = $("a[href]")
        .toArray()
        .map((each) => $(each).attr("href"))
      read += $("title").text().length + Object.keys(metadata).length + links.length
      await enqueueLinks({ strategy: "same-hostname" })
    }
  },
  new Configuration({ persistStorage: false, purgeOnStart: false })
)
await crawler.run([start])
if (read === 0 || (count !== undefined && pages !== Number(count)))
  throw new Error(`${pages} pages instead of ${count}`)
console.log(pages)
