/** Sluice for programs that use Effect: the API, its client, pipelines with their steps and sinks, runs, the ledger and the scheduler. */

export { Api } from "./Api.ts"
export { ActiveCrawls } from "./Client/ActiveCrawls.ts"
export { BatchScrape } from "./Client/BatchScrape.ts"
export { Browser } from "./Client/Browser.ts"
export * as Errors from "./Client/ClientErrors.ts"
export * as Connection from "./Client/Connection.ts"
export { Crawl } from "./Client/Crawl.ts"
export { CrawlPreview } from "./Client/CrawlPreview.ts"
export {
  SiteMap,
  /** @deprecated Use {@link SiteMap}: this name hides JavaScript's `Map`. Removed in 0.3. */
  SiteMap as Map
} from "./Client/Map.ts"
export { Parse } from "./Client/Parse.ts"
export * as Retry from "./Client/Retry.ts"
export { Scrape } from "./Client/Scrape.ts"
export { Search } from "./Client/Search.ts"
export { TokenUsage } from "./Client/TokenUsage.ts"
export * as Client from "./Client.ts"
export * as Ledger from "./Ledger.ts"
export * as Engine from "./LocalEngine.ts"
export * as Pipeline from "./Pipeline.ts"
export * as Run from "./Run.ts"
export * as Schedule from "./Schedule.ts"
export * as Settings from "./Settings.ts"
export * as SinkErrors from "./Sink/SinkErrors.ts"
export * as Sink from "./Sink.ts"
export * as Step from "./Step/Custom.ts"
