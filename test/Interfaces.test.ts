import { describe, expect, expectTypeOf, it } from "@effect/vitest"
import type * as Schema from "effect/Schema"
import ts from "typescript"
import { files } from "../.ci/interfaces.ts"
import type * as ActiveCrawls from "../src/Api/ActiveCrawls.ts"
import type * as BatchScrape from "../src/Api/BatchScrape.ts"
import type * as Browser from "../src/Api/BrowserSession.ts"
import type * as Crawl from "../src/Api/Crawl.ts"
import type * as CrawlPreview from "../src/Api/CrawlPreview.ts"
import type * as Document from "../src/Api/Document.ts"
import type * as JobStatus from "../src/Api/JobStatus.ts"
import type * as SiteMap from "../src/Api/Map.ts"
import type * as Scrape from "../src/Api/Scrape.ts"
import type * as ScrapeOptions from "../src/Api/ScrapeOptions.ts"
import type * as Search from "../src/Api/SearchRequest.ts"
import type * as TokenUsage from "../src/Api/TokenUsage.ts"
import type * as Parse from "../src/Api/Upload.ts"
import type * as Api from "../src/Generated/Api.ts"
import type * as Written from "../src/Generated/Pipeline.ts"
import { Pipeline } from "../src/index.ts"
import type { Common, Frame } from "../src/Pipeline/Definition.ts"
import { createClient } from "../src/promise.ts"
import type * as Write from "../src/Sink/Write.ts"
import type { all } from "../src/Step/All.ts"

type BuiltIn = (typeof all)[number] | typeof Write.write

/** Each is the other's: the interface says what the schema says. */
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false

/** Keys of which the value is not true. */
type Wrong<Checked> = { [K in keyof Checked]: Checked[K] extends true ? never : K }[keyof Checked]

describe("the interfaces that editors show", () => {
  for (const [file, print] of Object.entries(files)) {
    it(`have a description of every field: ${file}`, () => {
      const { silent, text } = print()
      expect(silent).toEqual([])
      expect(text).not.toMatch(/\((spec|pipelines|wire) [\d.]+\)/)
      expect(ts.transpileModule(text, { reportDiagnostics: true }).diagnostics).toEqual([])
    })
  }

  it("are the types of the schemas", () => {
    type Of<S extends Schema.Schema.Any> = Schema.Schema.Type<S>
    expectTypeOf<
      Wrong<{
        ActiveCrawls: Same<Api.ActiveCrawls, Of<typeof ActiveCrawls.ActiveCrawls>>
        BatchRequest: Same<Api.BatchRequest, Of<typeof BatchScrape.BatchRequest>>
        BatchRequestV1: Same<Api.BatchRequestV1, Of<typeof BatchScrape.BatchRequestV1>>
        BrowserExecute: Same<Api.BrowserExecute, Of<typeof Browser.Execute>>
        BrowserExecuted: Same<Api.BrowserExecuted, Of<typeof Browser.Executed>>
        BrowserSession: Same<Api.BrowserSession, Of<typeof Browser.Session>>
        BrowserSessions: Same<Api.BrowserSessions, Of<typeof Browser.Sessions>>
        Concurrency: Same<Api.Concurrency, Of<typeof TokenUsage.Concurrency>>
        CrawlPreview: Same<Api.CrawlPreview, Of<typeof CrawlPreview.PreviewResponse>>
        CrawlPreviewRequest: Same<Api.CrawlPreviewRequest, Of<typeof CrawlPreview.PreviewRequest>>
        CrawlRequest: Same<Api.CrawlRequest, Of<typeof Crawl.CrawlRequest>>
        CrawlRequestV1: Same<Api.CrawlRequestV1, Of<typeof Crawl.CrawlRequestV1>>
        CreateBrowserSession: Same<Api.CreateBrowserSession, Of<typeof Browser.CreateSession>>
        CreditBalance: Same<Api.CreditBalance, Of<typeof TokenUsage.CreditBalance>>
        Document: Same<Api.Document, Of<typeof Document.Document>>
        HistoricalCredits: Same<Api.HistoricalCredits, Of<typeof TokenUsage.HistoricalCredits>>
        HistoricalUsage: Same<Api.HistoricalUsage, Of<typeof TokenUsage.HistoricalUsage>>
        JobErrors: Same<Api.JobErrors, Of<typeof JobStatus.JobErrors>>
        JobStarted: Same<Api.JobStarted, Of<typeof JobStatus.JobStarted>>
        JobStatus: Same<Api.JobStatus, Of<typeof JobStatus.JobStatus>>
        MapRequest: Same<Api.MapRequest, Of<typeof SiteMap.MapRequest>>
        MapRequestV1: Same<Api.MapRequestV1, Of<typeof SiteMap.MapRequestV1>>
        MapResponse: Same<Api.MapResponse, Of<typeof SiteMap.MapResponse>>
        Parsed: Same<Api.Parsed, Of<typeof Parse.Parsed>>
        ParseOptions: Same<Api.ParseOptions, Of<typeof Parse.ParseOptions>>
        QueueStatus: Same<Api.QueueStatus, Of<typeof TokenUsage.QueueStatus>>
        Scraped: Same<Api.Scraped, Of<typeof Scrape.Scraped>>
        ScrapeOptions: Same<Api.ScrapeOptions, Of<typeof ScrapeOptions.ScrapeOptions>>
        ScrapeOptionsV1: Same<Api.ScrapeOptionsV1, Of<typeof ScrapeOptions.ScrapeOptionsV1>>
        ScrapeRequest: Same<Api.ScrapeRequest, Of<typeof Scrape.ScrapeRequest>>
        ScrapeRequestV1: Same<Api.ScrapeRequestV1, Of<typeof Scrape.ScrapeRequestV1>>
        SearchRequest: Same<Api.SearchRequest, Of<typeof Search.SearchRequest>>
        SearchResponse: Same<Api.SearchResponse, Of<typeof Search.SearchResponse>>
        TokenBalance: Same<Api.TokenBalance, Of<typeof TokenUsage.TokenBalance>>
      }>
    >().toEqualTypeOf<never>()
    type Encoded<S extends { readonly config: Schema.Schema.Any }> = Schema.Schema.Encoded<S["config"]>
    expectTypeOf<
      Wrong<{ [K in keyof Written.StepFields]: Same<Written.StepFields[K], Encoded<Extract<BuiltIn, { key: K }>>> }>
    >().toEqualTypeOf<never>()
    expectTypeOf<Exclude<BuiltIn["key"], keyof Written.StepFields>>().toEqualTypeOf<never>()
    expectTypeOf<Same<Written.CommonKeys, Schema.Schema.Encoded<typeof Common>>>().toEqualTypeOf<true>()
    expectTypeOf<Same<Written.Frame, Schema.Schema.Encoded<typeof Frame>>>().toEqualTypeOf<true>()
  })

  it("refuse formats that no service has, and take those that a service may have as objects", () => {
    const steps = [{ urls: ["https://example.com"] }] as const
    Pipeline.make({ version: 1, name: "right", steps: [...steps, { scrape: { formats: ["markdown", "links"] } }] })
    Pipeline.make({ version: 1, name: "later", steps: [...steps, { scrape: { formats: ["${{ inputs.format }}"] } }] })
    Pipeline.make({ version: 1, name: "newer", steps: [...steps, { scrape: { formats: [{ type: "hologram" }] } }] })
    // @ts-expect-error a typing error
    Pipeline.make({ version: 1, name: "wrong", steps: [...steps, { scrape: { formats: ["markdwn"] } }] })
    const client = createClient({ baseUrl: "https://api.example.com" })
    type Scraping = Parameters<typeof client.scrape>[0]
    expectTypeOf<{ url: string; formats: ["markdwn"] }>().not.toExtend<Scraping>()
    expectTypeOf<{ url: string; formats: ["markdown"] }>().toExtend<Scraping>()
  })
})
