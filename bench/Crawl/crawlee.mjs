/** The same crawl by Crawlee's CheerioCrawler, in memory: title, metadata and links are read, and nothing is stored. */
import { CheerioCrawler, Configuration, log } from "@crawlee/cheerio"

log.setLevel(log.LEVELS.ERROR)
const [start, limit] = process.argv.slice(2)
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
    maxRequestsPerCrawl: Number(limit),
    maxRequestRetries: 0,
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
if (pages < Number(limit) || read === 0) throw new Error(`${pages} pages instead of ${limit}`)
