/** Every step but `write`, which the sinks bring. */
import { activeCrawls } from "./ActiveCrawls.ts"
import { batchScrape } from "./BatchScrape.ts"
import { crawl } from "./Crawl.ts"
import { crawlPreview } from "./CrawlPreview.ts"
import { dedupe } from "./Dedupe.ts"
import { explode } from "./Explode.ts"
import { files } from "./Files.ts"
import { batchStatus, crawlStatus } from "./JobStatus.ts"
import { limit } from "./Limit.ts"
import { parse } from "./Parse.ts"
import { scrape } from "./Scrape.ts"
import { search } from "./Search.ts"
import { select } from "./Select.ts"
import { urls } from "./Urls.ts"
import { usage } from "./Usage.ts"
import { where } from "./Where.ts"

export const all = [
  search,
  files,
  urls,
  crawlPreview,
  crawl,
  batchScrape,
  batchStatus,
  crawlStatus,
  scrape,
  parse,
  usage,
  activeCrawls,
  where,
  select,
  explode,
  dedupe,
  limit
] as const
