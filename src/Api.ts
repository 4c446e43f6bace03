/** The API: every endpoint is declared here once. Client, engine, OpenAPI document and contract tests derive from it. */
import * as HttpApi from "@effect/platform/HttpApi"
import * as OpenApi from "@effect/platform/OpenApi"
import { ActiveCrawlsGroup } from "./Api/ActiveCrawls.ts"
import { BatchScrapeGroup } from "./Api/BatchScrape.ts"
import { BrowserGroup } from "./Api/BrowserSession.ts"
import { CrawlGroup } from "./Api/Crawl.ts"
import { CrawlPreviewGroup } from "./Api/CrawlPreview.ts"
import { anyOf, BadRequest, Internal, NotImplemented, PaymentRequired, RateLimited } from "./Api/Errors.ts"
import { MapGroup } from "./Api/Map.ts"
import { ScrapeGroup } from "./Api/Scrape.ts"
import { SearchGroup } from "./Api/SearchRequest.ts"
import { TokenUsageGroup } from "./Api/TokenUsage.ts"
import { ParseGroup } from "./Api/Upload.ts"

/** All groups of endpoints, v1 and v2. */
export class Api extends HttpApi.make("sluice")
  .add(ScrapeGroup)
  .add(ParseGroup)
  .add(SearchGroup)
  .add(MapGroup)
  .add(CrawlPreviewGroup)
  .add(CrawlGroup)
  .add(ActiveCrawlsGroup)
  .add(BatchScrapeGroup)
  .add(BrowserGroup)
  .add(TokenUsageGroup)
  .addError(anyOf(BadRequest, PaymentRequired, RateLimited, Internal, NotImplemented))
  .annotate(OpenApi.Title, "Web data extraction")
  .annotate(
    OpenApi.Description,
    "Scrape, parse, search, crawl and batch scrape over HTTP. Every request carries `Authorization: Bearer <key>`."
  ) {}
