/** All steps except `write`, which comes with the sinks. */
import { activeCrawls } from "./ActiveCrawls.ts"
import { aggregate } from "./Aggregate.ts"
import { batchScrape } from "./BatchScrape.ts"
import { browser } from "./Browser.ts"
import { check } from "./Check.ts"
import { crawl } from "./Crawl.ts"
import { crawlPreview } from "./CrawlPreview.ts"
import { dedupe } from "./Dedupe.ts"
import { drop } from "./Drop.ts"
import { explode } from "./Explode.ts"
import { extract } from "./Extract.ts"
import { feed } from "./Feed.ts"
import { files } from "./Files.ts"
import { flatten } from "./Flatten.ts"
import { batchStatus, crawlStatus } from "./JobStatus.ts"
import { join } from "./Join.ts"
import { limit } from "./Limit.ts"
import { parse } from "./Parse.ts"
import { read } from "./Read.ts"
import { request } from "./Request.ts"
import { sample } from "./Sample.ts"
import { scrape } from "./Scrape.ts"
import { search } from "./Search.ts"
import { select } from "./Select.ts"
import { sort } from "./Sort.ts"
import { urls } from "./Urls.ts"
import { usage } from "./Usage.ts"
import { use } from "./Use.ts"
import { where } from "./Where.ts"

export const all = [
  search,
  files,
  read,
  urls,
  feed,
  request,
  crawlPreview,
  browser,
  crawl,
  batchScrape,
  batchStatus,
  crawlStatus,
  scrape,
  parse,
  usage,
  activeCrawls,
  where,
  extract,
  select,
  drop,
  flatten,
  explode,
  dedupe,
  limit,
  sample,
  sort,
  join,
  aggregate,
  check,
  use
] as const
