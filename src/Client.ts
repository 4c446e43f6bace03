/** The client: one service per group of the API, over one connection. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as Layer from "effect/Layer"
import { ActiveCrawls } from "./Client/ActiveCrawls.ts"
import { BatchScrape } from "./Client/BatchScrape.ts"
import { Browser } from "./Client/Browser.ts"
import type { Connection } from "./Client/Connection.ts"
import { Crawl } from "./Client/Crawl.ts"
import { CrawlPreview } from "./Client/CrawlPreview.ts"
import { SiteMap } from "./Client/Map.ts"
import { Parse } from "./Client/Parse.ts"
import { Scrape } from "./Client/Scrape.ts"
import { Search } from "./Client/Search.ts"
import { TokenUsage } from "./Client/TokenUsage.ts"

/** All services of the client. */
export type Client =
  | ActiveCrawls
  | BatchScrape
  | Browser
  | Crawl
  | CrawlPreview
  | SiteMap
  | Parse
  | Scrape
  | Search
  | TokenUsage

/** All services of the client, over the connection in the context. */
export const layer: Layer.Layer<Client, never, Connection> = Layer.mergeAll(
  ActiveCrawls.Default,
  BatchScrape.Default,
  Browser.Default,
  Crawl.Default,
  CrawlPreview.Default,
  SiteMap.Default,
  Scrape.Default,
  Search.Default,
  TokenUsage.Default,
  Layer.provide(Parse.Default, NodeFileSystem.layer)
)
