/** Requests and answers of the API. Written by `npm run interfaces` from the schemas: change those. */

/** `ActiveCrawl` of the API. */
export interface ActiveCrawl {
  /** Id of the job, a UUID. */
  readonly id: string
  /** Team that has started it. */
  readonly teamId?: string | null | undefined
  /** Address where the crawl starts. */
  readonly url?: string | null | undefined
  /** Time of its start (ISO 8601). */
  readonly created_at?: string | null | undefined
  /** Options of its start. */
  readonly options?:
    | {
        /** How each page is scraped. */
        readonly scrapeOptions?:
          | {
              readonly [name: string]: unknown
            }
          | null
          | undefined
      }
    | null
    | undefined
}

/** `ActiveCrawls` of the API. */
export interface ActiveCrawls {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** Crawls that are running. */
  readonly crawls: ReadonlyArray<ActiveCrawl>
}

/** `BatchRequest` of the API. */
export interface BatchRequest {
  /** What to make of it: markdown, html, rawHtml, links, images, summary, json, extract, branding, changeTracking, attributes, screenshot; some services make more. Default: `["markdown"]`. */
  readonly formats?: ReadonlyArray<Format> | undefined
  /** Leave out navigation, headers and footers. Default: `true`. */
  readonly onlyMainContent?: boolean | undefined
  /** CSS selectors; nothing else is kept. */
  readonly includeTags?: ReadonlyArray<string> | undefined
  /** CSS selectors of what is left out. */
  readonly excludeTags?: ReadonlyArray<string> | undefined
  /** Sent along with the request for the page. */
  readonly headers?:
    | {
        readonly [name: string]: string
      }
    | undefined
  /** Maximum time for the page, in milliseconds. A whole number of milliseconds from 1000 to 300000. Default: `30000`. */
  readonly timeout?: number | undefined
  /** Skip TLS certificate verification. Default: `false`. */
  readonly skipTlsVerification?: boolean | undefined
  /** Leave out images that are part of the text. Default: `true`. */
  readonly removeBase64Images?: boolean | undefined
  /** Leave out advertisements and cookie banners. Default: `true`. */
  readonly blockAds?: boolean | undefined
  /** The kind of proxy, as the service names them. */
  readonly proxy?: string | undefined
  /** Store nothing of the request and its results in the service. Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** Milliseconds that a stored copy may be old; without it, or with 0, the local engine fetches the page. A whole number of milliseconds, at least 0. */
  readonly maxAge?: number | undefined
  /** Milliseconds to wait before the page is read. A whole number of milliseconds, at least 0. Default: `0`. */
  readonly waitFor?: number | undefined
  /** Request the page as a phone does. Default: `false`. */
  readonly mobile?: boolean | undefined
  /** Country and languages that the page is requested with. */
  readonly location?:
    | {
        /** ISO country code to ask from. */
        readonly country?: string | undefined
        /** Preferred languages, best first. */
        readonly languages?: ReadonlyArray<string> | undefined
      }
    | undefined
  /** Let the service keep a copy. Default: `true`. */
  readonly storeInCache?: boolean | undefined
  /** What to do on the page before it is read. */
  readonly actions?:
    | ReadonlyArray<{
        /** Kind of the action, like `wait`, `click`, `write`, `press`, `scroll`, `screenshot`, `scrape` or `executeJavascript`. */
        readonly type: string
        readonly [name: string]: unknown
      }>
    | undefined
  /** Keep running text only. Default: `false`. */
  readonly onlyCleanContent?: boolean | undefined
  /** Take stored copies only, and only one that is at least so many milliseconds old. A whole number of milliseconds, at least 0. */
  readonly minAge?: number | undefined
  /** How files are read: pdf, or { type: pdf, maxPages: 10, pages: true, blocks: true, pageMarkers: true }; an empty list hands a PDF out unread, in base64. */
  readonly parsers?: ReadonlyArray<Parser> | undefined
  /** Answer from stored copies only. Default: `false`. */
  readonly lockdown?: boolean | undefined
  /** Browser profile whose cookies and storage the page is shown with. */
  readonly profile?:
    | {
        /** Name of the browser profile. A text from 1 to 128 characters. */
        readonly name: string
        /** Keep what the page changes in it. */
        readonly saveChanges?: boolean | undefined
      }
    | undefined
  /** Addresses of the pages: 1 to 100,000. */
  readonly urls: ReadonlyArray<string>
  /** Leave invalid URLs out and list them, instead of refusing the job. Default: `true`. */
  readonly ignoreInvalidURLs?: boolean | undefined
  /** Maximum number of pages that are fetched at once. A whole number of at least 1. */
  readonly maxConcurrency?: number | undefined
  /** Id of a running batch that the pages are added to. */
  readonly appendToId?: string | undefined
  /** Receives the events of the job. */
  readonly webhook?: Webhook | undefined
  /** Name of the calling program. It has no effect. */
  readonly origin?: string | undefined
  /** Name of the calling integration. It has no effect. */
  readonly integration?: string | null | undefined
}

/** `BatchRequestV1` of the API. */
export interface BatchRequestV1 {
  /** What to make of it: markdown, html, rawHtml, links, images, summary, json, extract, branding, changeTracking, attributes, screenshot; some services make more. Default: `["markdown"]`. */
  readonly formats?: ReadonlyArray<Format> | undefined
  /** Leave out navigation, headers and footers. Default: `true`. */
  readonly onlyMainContent?: boolean | undefined
  /** CSS selectors; nothing else is kept. */
  readonly includeTags?: ReadonlyArray<string> | undefined
  /** CSS selectors of what is left out. */
  readonly excludeTags?: ReadonlyArray<string> | undefined
  /** Sent along with the request for the page. */
  readonly headers?:
    | {
        readonly [name: string]: string
      }
    | undefined
  /** Maximum time for the page, in milliseconds. A whole number of milliseconds from 1000 to 300000. Default: `30000`. */
  readonly timeout?: number | undefined
  /** Skip TLS certificate verification. Default: `false`. */
  readonly skipTlsVerification?: boolean | undefined
  /** Leave out images that are part of the text. Default: `true`. */
  readonly removeBase64Images?: boolean | undefined
  /** Leave out advertisements and cookie banners. Default: `true`. */
  readonly blockAds?: boolean | undefined
  /** The kind of proxy, as the service names them. */
  readonly proxy?: string | undefined
  /** Store nothing of the request and its results in the service. Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** Milliseconds that a stored copy may be old; without it, or with 0, the local engine fetches the page. A whole number of milliseconds, at least 0. */
  readonly maxAge?: number | undefined
  /** Milliseconds to wait before the page is read. A whole number of milliseconds, at least 0. Default: `0`. */
  readonly waitFor?: number | undefined
  /** Request the page as a phone does. Default: `false`. */
  readonly mobile?: boolean | undefined
  /** Country and languages that the page is requested with. */
  readonly location?:
    | {
        /** ISO country code to ask from. */
        readonly country?: string | undefined
        /** Preferred languages, best first. */
        readonly languages?: ReadonlyArray<string> | undefined
      }
    | undefined
  /** Let the service keep a copy. Default: `true`. */
  readonly storeInCache?: boolean | undefined
  /** What to do on the page before it is read. */
  readonly actions?:
    | ReadonlyArray<{
        /** Kind of the action, like `wait`, `click`, `write`, `press`, `scroll`, `screenshot`, `scrape` or `executeJavascript`. */
        readonly type: string
        readonly [name: string]: unknown
      }>
    | undefined
  /** False hands a PDF out unread, in base64. Default: `true`. */
  readonly parsePDF?: boolean | undefined
  /** Options of the formats `json` and `extract`. */
  readonly jsonOptions?:
    | {
        /** JSON Schema of the answer. */
        readonly schema?: unknown | undefined
        /** Role and rules for the model. */
        readonly systemPrompt?: string | undefined
        /** What to look for on the page. */
        readonly prompt?: string | undefined
      }
    | undefined
  /** Options of the format `changeTracking`. */
  readonly changeTrackingOptions?:
    | {
        /** How to compare: `git-diff`, `json` or both. */
        readonly modes?: ReadonlyArray<string> | undefined
        /** JSON Schema of the fields to compare. */
        readonly schema?: unknown | undefined
        /** Fields to compare, in words. */
        readonly prompt?: string | undefined
        /** Compares with scrapes of the same tag only. */
        readonly tag?: string | null | undefined
      }
    | undefined
  /** Addresses of the pages: 1 to 100,000. */
  readonly urls: ReadonlyArray<string>
  /** Leave invalid URLs out and list them, instead of refusing the job. Default: `true`. */
  readonly ignoreInvalidURLs?: boolean | undefined
  /** Maximum number of pages that are fetched at once. A whole number of at least 1. */
  readonly maxConcurrency?: number | undefined
  /** Id of a running batch that the pages are added to. */
  readonly appendToId?: string | undefined
  /** Receives the events of the job. */
  readonly webhook?: Webhook | undefined
  /** Name of the calling program. It has no effect. */
  readonly origin?: string | undefined
  /** Name of the calling integration. It has no effect. */
  readonly integration?: string | null | undefined
}

/** `BrowserExecute` of the API. */
export interface BrowserExecute {
  /** Code to run beside the session. A string from 1 to 100000 characters. */
  readonly code: string
  /** Language of the code. Default: `"node"`. */
  readonly language?: "node" | "python" | "bash" | undefined
  /** Maximum time, in seconds. A whole number of seconds from 1 to 300. Default: `30`. */
  readonly timeout?: number | undefined
  /** Name of the calling program. It has no effect. */
  readonly origin?: string | undefined
  /** Name of the calling integration. It has no effect. */
  readonly integration?: string | null | undefined
}

/** `BrowserExecuted` of the API. */
export interface BrowserExecuted {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** What the code has written to standard output. */
  readonly stdout?: string | null | undefined
  /** What the code has written to standard error. */
  readonly stderr?: string | null | undefined
  /** What the code has returned. */
  readonly result?: unknown | null | undefined
  /** Exit code of its process. A number or a string. */
  readonly exitCode?: number | null | undefined
  /** True if it was stopped at its `timeout`. */
  readonly killed?: boolean | null | undefined
  /** Why the code has failed. */
  readonly error?: string | null | undefined
}

/** `BrowserProfile` of the API. */
export interface BrowserProfile {
  /** Sessions of the same name share storage. A text from 1 to 128 characters. */
  readonly name: string
  /** Save the state on close; one saver at a time for each profile. Default: `true`. */
  readonly saveChanges?: boolean | undefined
}

/** `BrowserSession` of the API. */
export interface BrowserSession {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** Id of the session. */
  readonly id: string
  /** WebSocket address for Playwright, Puppeteer and other CDP clients. Whoever has it controls the session. */
  readonly cdpUrl?: string | null | undefined
  /** Address of a page that shows the session. */
  readonly liveViewUrl?: string | null | undefined
  /** Address of a page that shows the session and takes input. */
  readonly interactiveLiveViewUrl?: string | null | undefined
  /** Time at which the session ends at the latest (ISO 8601). */
  readonly expiresAt?: string | null | undefined
}

/** `BrowserSessions` of the API. */
export interface BrowserSessions {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** Sessions of the team. */
  readonly sessions: ReadonlyArray<{
    /** Id of the session. */
    readonly id: string
    /** WebSocket address for Playwright, Puppeteer and other CDP clients. Whoever has it controls the session. */
    readonly cdpUrl?: string | null | undefined
    /** Address of a page that shows the session. */
    readonly liveViewUrl?: string | null | undefined
    /** Address of a page that shows the session and takes input. */
    readonly interactiveLiveViewUrl?: string | null | undefined
    /** Time at which the session ends at the latest (ISO 8601). */
    readonly expiresAt?: string | null | undefined
    /** `active` or `destroyed`. */
    readonly status?: string | null | undefined
    /** True if it has a live view. */
    readonly streamWebView?: boolean | null | undefined
    /** Time of its start (ISO 8601). */
    readonly createdAt?: string | null | undefined
    /** Time of its last use (ISO 8601). */
    readonly lastActivity?: string | null | undefined
    /** Why the profile of an ended session was not saved. */
    readonly warning?: string | null | undefined
  }>
}

/** `Concurrency` of the API. */
export interface Concurrency {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** Requests that run. A number or a string. */
  readonly concurrency: number
  /** Requests that may run at once. A number or a string. */
  readonly maxConcurrency: number
}

/** `CrawlParams` of the API. */
export interface CrawlParams {
  /** Address where the crawl starts. */
  readonly url?: string | null | undefined
  /** Regular expressions over the path; one must match. */
  readonly includePaths?: ReadonlyArray<string> | undefined
  /** Regular expressions over the path; none may match. */
  readonly excludePaths?: ReadonlyArray<string> | undefined
  /** Path segments below the start. A whole number of at least 0. */
  readonly maxDepth?: number | undefined
  /** Links followed from the start. A whole number of at least 0. */
  readonly maxDiscoveryDepth?: number | undefined
  /** Also follow links to siblings and parents of the start. Default: `false`. */
  readonly crawlEntireDomain?: boolean | undefined
  /** Follow links to other sites. Default: `false`. */
  readonly allowExternalLinks?: boolean | undefined
  /** Follow links to subdomains. Default: `false`. */
  readonly allowSubdomains?: boolean | undefined
  /** The site's own list of pages: skip, include or only. Default: `"include"`. */
  readonly sitemap?: string | undefined
  /** Addresses that differ in their query alone are one page. Default: `false`. */
  readonly ignoreQueryParameters?: boolean | undefined
  /** Visit what robots.txt asks to leave alone. Default: `false`. */
  readonly ignoreRobotsTxt?: boolean | undefined
  /** The name to look for in robots.txt. */
  readonly robotsUserAgent?: string | undefined
  /** Follow no links that are marked nofollow, and none of pages that say so in a robots meta tag or X-Robots-Tag. Only the local engine knows this setting. Default: `false`. */
  readonly respectNofollow?: boolean | undefined
  /** Leave out pages with noindex, or with an unavailable_after that has passed, in a robots meta tag or X-Robots-Tag; their links are followed. Only the local engine knows this setting. Default: `false`. */
  readonly respectNoindex?: boolean | undefined
  /** Visit the canonical address that a page names in place of the page, if the crawl may visit it. Only the local engine knows this setting. Default: `false`. */
  readonly respectCanonical?: boolean | undefined
  /** Addresses with and without www, index.html and the like are one page. Default: `true`. */
  readonly deduplicateSimilarURLs?: boolean | undefined
  /** Seconds between two requests to a host. A number of seconds from 0 to 3600. */
  readonly delay?: number | undefined
  /** Pages at most. A whole number of at least 1. Default: `10000`. */
  readonly limit?: number | undefined
}

/** `CrawlPreview` of the API. */
export interface CrawlPreview {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** The parameters that the prompt asks for. */
  readonly data: CrawlParams
  /** What of the prompt could not be expressed. */
  readonly warning?: string | null | undefined
  /** `model` or `rules`; services elsewhere may not say it. */
  readonly answeredBy?: string | null | undefined
}

/** `CrawlPreviewRequest` of the API. */
export interface CrawlPreviewRequest {
  /** Address of the site. An absolute http:// or https:// address. */
  readonly url: string
  /** Describes the pages that are wanted. A string of at most 10000 characters. */
  readonly prompt: string
  /** Name of the calling program. It has no effect. */
  readonly origin?: string | undefined
  /** Name of the calling integration. It has no effect. */
  readonly integration?: string | null | undefined
}

/** `CrawlRequest` of the API. */
export interface CrawlRequest {
  /** Regular expressions over the path; one must match. */
  readonly includePaths?: ReadonlyArray<string> | undefined
  /** Regular expressions over the path; none may match. */
  readonly excludePaths?: ReadonlyArray<string> | undefined
  /** Path segments below the start. A whole number of at least 0. */
  readonly maxDepth?: number | undefined
  /** Links followed from the start. A whole number of at least 0. */
  readonly maxDiscoveryDepth?: number | undefined
  /** Also follow links to siblings and parents of the start. Default: `false`. */
  readonly crawlEntireDomain?: boolean | undefined
  /** Follow links to other sites. Default: `false`. */
  readonly allowExternalLinks?: boolean | undefined
  /** Follow links to subdomains. Default: `false`. */
  readonly allowSubdomains?: boolean | undefined
  /** The site's own list of pages: skip, include or only. Default: `"include"`. */
  readonly sitemap?: string | undefined
  /** Addresses that differ in their query alone are one page. Default: `false`. */
  readonly ignoreQueryParameters?: boolean | undefined
  /** Visit what robots.txt asks to leave alone. Default: `false`. */
  readonly ignoreRobotsTxt?: boolean | undefined
  /** The name to look for in robots.txt. */
  readonly robotsUserAgent?: string | undefined
  /** Follow no links that are marked nofollow, and none of pages that say so in a robots meta tag or X-Robots-Tag. Only the local engine knows this setting. Default: `false`. */
  readonly respectNofollow?: boolean | undefined
  /** Leave out pages with noindex, or with an unavailable_after that has passed, in a robots meta tag or X-Robots-Tag; their links are followed. Only the local engine knows this setting. Default: `false`. */
  readonly respectNoindex?: boolean | undefined
  /** Visit the canonical address that a page names in place of the page, if the crawl may visit it. Only the local engine knows this setting. Default: `false`. */
  readonly respectCanonical?: boolean | undefined
  /** Addresses with and without www, index.html and the like are one page. Default: `true`. */
  readonly deduplicateSimilarURLs?: boolean | undefined
  /** Seconds between two requests to a host. A number of seconds from 0 to 3600. */
  readonly delay?: number | undefined
  /** Pages at most. A whole number of at least 1. Default: `10000`. */
  readonly limit?: number | undefined
  /** Address where the crawl starts. An absolute http:// or https:// address. */
  readonly url: string
  /** Describes the pages that are wanted; a model turns it into parameters. A string of at most 10000 characters. */
  readonly prompt?: string | undefined
  /** Maximum number of pages that are fetched at once. A whole number of at least 1. */
  readonly maxConcurrency?: number | undefined
  /** Receives the events of the job. */
  readonly webhook?: Webhook | undefined
  /** Store nothing of the request and its results in the service. */
  readonly zeroDataRetention?: boolean | undefined
  /** Name of the calling program. It has no effect. */
  readonly origin?: string | undefined
  /** Name of the calling integration. It has no effect. */
  readonly integration?: string | null | undefined
  /** How each page is scraped. */
  readonly scrapeOptions?: ScrapeOptions | undefined
}

/** `CrawlRequestV1` of the API. */
export interface CrawlRequestV1 {
  /** Regular expressions over the path; one must match. */
  readonly includePaths?: ReadonlyArray<string> | undefined
  /** Regular expressions over the path; none may match. */
  readonly excludePaths?: ReadonlyArray<string> | undefined
  /** Path segments below the start. A whole number of at least 0. */
  readonly maxDepth?: number | undefined
  /** Links followed from the start. A whole number of at least 0. */
  readonly maxDiscoveryDepth?: number | undefined
  /** Also follow links to siblings and parents of the start. Default: `false`. */
  readonly crawlEntireDomain?: boolean | undefined
  /** Follow links to other sites. Default: `false`. */
  readonly allowExternalLinks?: boolean | undefined
  /** Follow links to subdomains. Default: `false`. */
  readonly allowSubdomains?: boolean | undefined
  /** The site's own list of pages: skip, include or only. Default: `"include"`. */
  readonly sitemap?: string | undefined
  /** Addresses that differ in their query alone are one page. Default: `false`. */
  readonly ignoreQueryParameters?: boolean | undefined
  /** Visit what robots.txt asks to leave alone. Default: `false`. */
  readonly ignoreRobotsTxt?: boolean | undefined
  /** The name to look for in robots.txt. */
  readonly robotsUserAgent?: string | undefined
  /** Follow no links that are marked nofollow, and none of pages that say so in a robots meta tag or X-Robots-Tag. Only the local engine knows this setting. Default: `false`. */
  readonly respectNofollow?: boolean | undefined
  /** Leave out pages with noindex, or with an unavailable_after that has passed, in a robots meta tag or X-Robots-Tag; their links are followed. Only the local engine knows this setting. Default: `false`. */
  readonly respectNoindex?: boolean | undefined
  /** Visit the canonical address that a page names in place of the page, if the crawl may visit it. Only the local engine knows this setting. Default: `false`. */
  readonly respectCanonical?: boolean | undefined
  /** Addresses with and without www, index.html and the like are one page. Default: `true`. */
  readonly deduplicateSimilarURLs?: boolean | undefined
  /** Seconds between two requests to a host. A number of seconds from 0 to 3600. */
  readonly delay?: number | undefined
  /** Pages at most. A whole number of at least 1. Default: `10000`. */
  readonly limit?: number | undefined
  /** True is `sitemap: skip` of v2. */
  readonly ignoreSitemap?: boolean | undefined
  /** `crawlEntireDomain` of v2. */
  readonly allowBackwardLinks?: boolean | undefined
  /** Address where the crawl starts. An absolute http:// or https:// address. */
  readonly url: string
  /** Describes the pages that are wanted; a model turns it into parameters. A string of at most 10000 characters. */
  readonly prompt?: string | undefined
  /** Maximum number of pages that are fetched at once. A whole number of at least 1. */
  readonly maxConcurrency?: number | undefined
  /** Receives the events of the job. */
  readonly webhook?: Webhook | undefined
  /** Store nothing of the request and its results in the service. */
  readonly zeroDataRetention?: boolean | undefined
  /** Name of the calling program. It has no effect. */
  readonly origin?: string | undefined
  /** Name of the calling integration. It has no effect. */
  readonly integration?: string | null | undefined
  /** How each page is scraped. */
  readonly scrapeOptions?: ScrapeOptionsV1 | undefined
}

/** `CreateBrowserSession` of the API. */
export interface CreateBrowserSession {
  /** Lifetime in seconds. A whole number of seconds from 30 to 3600. Default: `600`. */
  readonly ttl?: number | undefined
  /** Seconds without activity before the end. A whole number of seconds from 10 to 3600. Default: `300`. */
  readonly activityTtl?: number | undefined
  /** Offer a live view of the session. Default: `true`. */
  readonly streamWebView?: boolean | undefined
  /** Storage that the session starts with. */
  readonly profile?: BrowserProfile | undefined
  /** Name of the calling program. It has no effect. */
  readonly origin?: string | undefined
  /** Name of the calling integration. It has no effect. */
  readonly integration?: string | null | undefined
}

/** `CreditBalance` of the API. */
export interface CreditBalance {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** The balance. */
  readonly data: {
    /** Credits that are left. A number or a string. */
    readonly remainingCredits: number
    /** Credits of the plan for the period. A number or a string. */
    readonly planCredits?: number | null | undefined
    /** Start of the billing period (ISO 8601). */
    readonly billingPeriodStart?: string | null | undefined
    /** End of the billing period (ISO 8601). */
    readonly billingPeriodEnd?: string | null | undefined
  }
}

/** `Deleted` of the API. */
export interface Deleted {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** Why the session's profile was not saved. */
  readonly warning?: string | null | undefined
}

/** A page or file, with a field for each requested format. */
export interface Document {
  /** The content as Markdown: format `markdown`. */
  readonly markdown?: string | null | undefined
  /** A summary by a language model: format `summary`. */
  readonly summary?: string | null | undefined
  /** The content as cleaned HTML: format `html`. */
  readonly html?: string | null | undefined
  /** The HTML as it was received: format `rawHtml`. */
  readonly rawHtml?: string | null | undefined
  /** A picture of the page, as an address or a data URL: format `screenshot`. */
  readonly screenshot?: string | null | undefined
  /** Address of the page's audio: format `audio` of services that have it. */
  readonly audio?: string | null | undefined
  /** Addresses that the page links to: format `links`. */
  readonly links?: ReadonlyArray<string> | null | undefined
  /** What is known of the page: title, addresses, status. */
  readonly metadata?: Metadata | null | undefined
  /** Addresses of its pictures: format `images`. */
  readonly images?: ReadonlyArray<string> | null | undefined
  /** Fields that a language model has found, by your schema or prompt: format `json`. */
  readonly json?: unknown | null | undefined
  /** `json` in v1: format `extract`. */
  readonly extract?: unknown | null | undefined
  /** Values of attributes of elements: format `attributes`. */
  readonly attributes?:
    | ReadonlyArray<{
        /** CSS selector of the request. */
        readonly selector: string
        /** Name of the attribute. */
        readonly attribute: string
        /** Values of the attribute, in the order of the page. */
        readonly values: ReadonlyArray<string>
      }>
    | null
    | undefined
  /** Results of the request's `actions`. */
  readonly actions?:
    | {
        /** Screenshots, as addresses or data URLs. */
        readonly screenshots?: ReadonlyArray<string> | null | undefined
        /** The page as it was at each `scrape` action. */
        readonly scrapes?:
          | ReadonlyArray<{
              /** Address of the page at that time. */
              readonly url: string
              /** HTML of the page at that time. */
              readonly html: string
            }>
          | null
          | undefined
        /** What each `executeJavascript` action has returned. */
        readonly javascriptReturns?:
          | ReadonlyArray<{
              /** Type of the value, like `string` or `object`. */
              readonly type: string
              /** The value. */
              readonly value: unknown
            }>
          | null
          | undefined
        /** PDFs of the page, as addresses. */
        readonly pdfs?: ReadonlyArray<string> | null | undefined
      }
    | null
    | undefined
  /** Changes since the last scrape of the page: format `changeTracking`. */
  readonly changeTracking?:
    | {
        /** Time of the scrape that it is compared with (ISO 8601); null for the first one. */
        readonly previousScrapeAt?: string | null | undefined
        /** One of `new`, `same`, `changed` and `removed`. */
        readonly changeStatus?: string | null | undefined
        /** `visible` for a page that links lead to, else `hidden`. */
        readonly visibility?: string | null | undefined
        /** The difference: a string, or `{text, json}`. */
        readonly diff?: unknown | null | undefined
        /** The difference between the fields of `json`. */
        readonly json?: unknown | null | undefined
      }
    | null
    | undefined
  /** Colours, fonts and looks of the site: format `branding`. */
  readonly branding?:
    | {
        /** `light` or `dark`. */
        readonly colorScheme?: string | null | undefined
        /** Address of the logo. */
        readonly logo?: string | null | undefined
        /** Colours, in hexadecimal notation. */
        readonly colors?:
          | {
              /** Main colour, like `#0a66c2`. */
              readonly primary?: string | null | undefined
              /** Second colour. */
              readonly secondary?: string | null | undefined
              /** Colour of buttons and links that stand out. */
              readonly accent?: string | null | undefined
              /** Background of the page. */
              readonly background?: string | null | undefined
              /** Colour of text. */
              readonly textPrimary?: string | null | undefined
              /** Colour of less important text. */
              readonly textSecondary?: string | null | undefined
              /** Colour of links. */
              readonly link?: string | null | undefined
              /** Colour of success messages. */
              readonly success?: string | null | undefined
              /** Colour of warnings. */
              readonly warning?: string | null | undefined
              /** Colour of error messages. */
              readonly error?: string | null | undefined
            }
          | null
          | undefined
        /** Fonts, the most used first. */
        readonly fonts?:
          | ReadonlyArray<{
              /** Name of the font family. */
              readonly family?: string | null | undefined
            }>
          | null
          | undefined
        /** Font families, sizes, weights and line heights. */
        readonly typography?:
          | {
              /** Font families by their use. */
              readonly fontFamilies?:
                | {
                    /** Font family of text. */
                    readonly primary?: string | null | undefined
                    /** Font family of headings. */
                    readonly heading?: string | null | undefined
                    /** Font family of code. */
                    readonly code?: string | null | undefined
                  }
                | null
                | undefined
              /** Font sizes, with their unit. */
              readonly fontSizes?:
                | {
                    /** Size of first headings, like `32px`. */
                    readonly h1?: string | null | undefined
                    /** Size of second headings. */
                    readonly h2?: string | null | undefined
                    /** Size of third headings. */
                    readonly h3?: string | null | undefined
                    /** Size of text. */
                    readonly body?: string | null | undefined
                  }
                | null
                | undefined
              /** Font weights by their use. */
              readonly fontWeights?:
                | {
                    readonly [name: string]: unknown
                  }
                | null
                | undefined
              /** Line heights by their use. */
              readonly lineHeights?:
                | {
                    /** Line height of headings. */
                    readonly heading?: string | null | undefined
                    /** Line height of text. */
                    readonly body?: string | null | undefined
                  }
                | null
                | undefined
            }
          | null
          | undefined
        /** Distances and corners. */
        readonly spacing?:
          | {
              /** Unit that distances are multiples of, in pixels. A number or a string. */
              readonly baseUnit?: number | null | undefined
              /** Usual radius of corners, like `8px`. */
              readonly borderRadius?: string | null | undefined
              /** Usual paddings. */
              readonly padding?: unknown | null | undefined
              /** Usual margins. */
              readonly margins?: unknown | null | undefined
            }
          | null
          | undefined
        /** Looks of buttons and inputs. */
        readonly components?:
          | {
              /** The main kind of button. */
              readonly buttonPrimary?:
                | {
                    /** Background colour. */
                    readonly background?: string | null | undefined
                    /** Text colour. */
                    readonly textColor?: string | null | undefined
                    /** Radius of its corners. */
                    readonly borderRadius?: string | null | undefined
                  }
                | null
                | undefined
              /** The second kind of button. */
              readonly buttonSecondary?:
                | {
                    /** Background colour. */
                    readonly background?: string | null | undefined
                    /** Text colour. */
                    readonly textColor?: string | null | undefined
                    /** Colour of its border. */
                    readonly borderColor?: string | null | undefined
                    /** Radius of its corners. */
                    readonly borderRadius?: string | null | undefined
                  }
                | null
                | undefined
              /** Input fields. */
              readonly input?: unknown | null | undefined
            }
          | null
          | undefined
        /** Icons of the site. */
        readonly icons?: unknown | null | undefined
        /** Animations of the site. */
        readonly animations?: unknown | null | undefined
        /** Widths and columns of the site. */
        readonly layout?: unknown | null | undefined
        /** Tone and audience of the site. */
        readonly personality?: unknown | null | undefined
        /** Pictures that stand for the site. */
        readonly images?:
          | {
              /** Address of the logo. */
              readonly logo?: string | null | undefined
              /** Address of the favicon. */
              readonly favicon?: string | null | undefined
              /** Address of the preview image. */
              readonly ogImage?: string | null | undefined
            }
          | null
          | undefined
      }
    | null
    | undefined
  /** Pages of a PDF: `parsers: [{ type: pdf, pages: true }]`. */
  readonly pages?: ReadonlyArray<PdfPage> | null | undefined
  /** Blocks of a PDF by page: `parsers: [{ type: pdf, blocks: true }]`. */
  readonly blocks?: ReadonlyArray<PdfPageBlocks> | null | undefined
  /** What is missing or doubtful about this document. */
  readonly warning?: string | null | undefined
}

/** Name of a format. Services may have others than the local engine, or an object with options. */
export type Format =
  | "markdown"
  | "html"
  | "rawHtml"
  | "links"
  | "images"
  | "summary"
  | "json"
  | "extract"
  | "branding"
  | "changeTracking"
  | "attributes"
  | "screenshot"
  | "screenshot@fullPage"
  | "audio"
  | "video"
  | "query"
  | "question"
  | "highlights"
  | {
      /** Name of a format. Services may have others than the local engine. */
      readonly type: string
      readonly [name: string]: unknown
    }

/** `HistoricalCredits` of the API. */
export interface HistoricalCredits {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** Months, the oldest first. */
  readonly periods: ReadonlyArray<{
    /** First day of the month (ISO 8601). */
    readonly startDate: string
    /** Last day of the month (ISO 8601). */
    readonly endDate?: string | null | undefined
    /** Name of the API key, with `byApiKey`. */
    readonly apiKey?: string | null | undefined
    /** Credits used. A number or a string. */
    readonly totalCredits?: number | null | undefined
    /** Credits used; some services name them so. A number or a string. */
    readonly creditsUsed?: number | null | undefined
  }>
}

/** `HistoricalUsage` of the API. */
export interface HistoricalUsage {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** Months, the oldest first. */
  readonly periods: ReadonlyArray<UsagePeriod>
}

/** `ImageResult` of the API. */
export interface ImageResult {
  /** Title of the picture. */
  readonly title?: string | null | undefined
  /** Address of the picture. */
  readonly imageUrl?: string | null | undefined
  /** Width in pixels. A number or a string. */
  readonly imageWidth?: number | null | undefined
  /** Height in pixels. A number or a string. */
  readonly imageHeight?: number | null | undefined
  /** Address of the page that shows it. */
  readonly url?: string | null | undefined
  /** Rank among the results of its kind, from 1. A number or a string. */
  readonly position?: number | null | undefined
}

/** `JobCancelled` of the API. */
export interface JobCancelled {
  /** True: calls that fail are errors, and no answers. */
  readonly success?: boolean | null | undefined
  /** `cancelled`. */
  readonly status: string
}

/** `JobEnvelope` of the API. */
export interface JobEnvelope {
  /** True: calls that fail are errors, and no answers. */
  readonly success?: boolean | null | undefined
  /** One of scraping, completed, failed, cancelled. */
  readonly status: string
  /** Pages that are known so far. A number or a string. */
  readonly total?: number | null | undefined
  /** Pages that are done. A number or a string. */
  readonly completed?: number | null | undefined
  /** Credits that the job has cost so far. A number or a string. */
  readonly creditsUsed?: number | null | undefined
  /** Time until which the results are kept (ISO 8601). */
  readonly expiresAt?: string | null | undefined
  /** Address of the next page of results, while there is one. */
  readonly next?: string | null | undefined
  /** Why the job has failed. */
  readonly error?: string | null | undefined
  /** Code of that error. */
  readonly code?: string | null | undefined
  /** Documents of this page of results, as they were received. */
  readonly data?: ReadonlyArray<unknown> | null | undefined
}

/** `JobErrors` of the API. */
export interface JobErrors {
  /** Pages that have failed. */
  readonly errors: ReadonlyArray<{
    /** Id of the page within the job. */
    readonly id?: string | null | undefined
    /** Time of the failure (ISO 8601). */
    readonly timestamp?: string | null | undefined
    /** Address of the page. */
    readonly url?: string | null | undefined
    /** Code of the error. */
    readonly code?: string | null | undefined
    /** Why the page has failed. */
    readonly error?: string | null | undefined
  }>
  /** Addresses that robots.txt disallows. */
  readonly robotsBlocked?: ReadonlyArray<string> | null | undefined
  /** Why pages are missing that the job would have had otherwise: limit, depth, sitemap. An empty list means that no page is missing. */
  readonly leftOut?: ReadonlyArray<string> | undefined
}

/** `JobStarted` of the API. */
export interface JobStarted {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** Id of the job, a UUID. */
  readonly id: string
  /** Address of the job's status. */
  readonly url?: string | null | undefined
  /** Addresses that the job leaves out, because they are not valid. */
  readonly invalidURLs?: ReadonlyArray<string> | null | undefined
  /** True for a crawl that may leave out pages which have not changed. Only the local engine sends it. */
  readonly revisits?: boolean | null | undefined
}

/** `JobStatus` of the API. */
export interface JobStatus {
  /** True: calls that fail are errors, and no answers. */
  readonly success?: boolean | null | undefined
  /** One of scraping, completed, failed, cancelled. */
  readonly status: string
  /** Pages that are known so far. A number or a string. */
  readonly total?: number | null | undefined
  /** Pages that are done. A number or a string. */
  readonly completed?: number | null | undefined
  /** Credits that the job has cost so far. A number or a string. */
  readonly creditsUsed?: number | null | undefined
  /** Time until which the results are kept (ISO 8601). */
  readonly expiresAt?: string | null | undefined
  /** Address of the next page of results, while there is one. */
  readonly next?: string | null | undefined
  /** Why the job has failed. */
  readonly error?: string | null | undefined
  /** Code of that error. */
  readonly code?: string | null | undefined
  /** Documents of this page of results. */
  readonly data?: ReadonlyArray<Document> | null | undefined
}

/** `MapRequest` of the API. */
export interface MapRequest {
  /** Address of the site. An absolute http:// or https:// address. */
  readonly url: string
  /** Links that match come first. */
  readonly search?: string | undefined
  /** The site's own list of pages. Default: `"include"`. */
  readonly sitemap?: "skip" | "include" | "only" | undefined
  /** Also list addresses of subdomains. Default: `true`. */
  readonly includeSubdomains?: boolean | undefined
  /** Addresses that differ in their query alone are one page. Default: `true`. */
  readonly ignoreQueryParameters?: boolean | undefined
  /** Addresses at most. A whole number from 1 to 100000. Default: `5000`. */
  readonly limit?: number | undefined
  /** Maximum time, in milliseconds. A whole number of at least 1. */
  readonly timeout?: number | undefined
  /** Name of the calling program. It has no effect. */
  readonly origin?: string | undefined
  /** Name of the calling integration. It has no effect. */
  readonly integration?: string | null | undefined
}

/** `MapRequestV1` of the API. */
export interface MapRequestV1 {
  /** Address of the site. An absolute http:// or https:// address. */
  readonly url: string
  /** Links that match come first. */
  readonly search?: string | undefined
  /** The site's own list of pages. Default: `"include"`. */
  readonly sitemap?: "skip" | "include" | "only" | undefined
  /** Also list addresses of subdomains. Default: `true`. */
  readonly includeSubdomains?: boolean | undefined
  /** Addresses that differ in their query alone are one page. Default: `true`. */
  readonly ignoreQueryParameters?: boolean | undefined
  /** Addresses at most. A whole number from 1 to 100000. Default: `5000`. */
  readonly limit?: number | undefined
  /** Maximum time, in milliseconds. A whole number of at least 1. */
  readonly timeout?: number | undefined
  /** Name of the calling program. It has no effect. */
  readonly origin?: string | undefined
  /** Name of the calling integration. It has no effect. */
  readonly integration?: string | null | undefined
  /** True is `sitemap: skip` of v2. */
  readonly ignoreSitemap?: boolean | undefined
  /** True is `sitemap: only` of v2. */
  readonly sitemapOnly?: boolean | undefined
}

/** `MapResponse` of the API. */
export interface MapResponse {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** Addresses of the site: objects in v2, strings in v1. */
  readonly links: ReadonlyArray<
    | {
        /** The address. */
        readonly url: string
        /** Title of the page, where it is known. */
        readonly title?: string | null | undefined
        /** Description of the page, where it is known. */
        readonly description?: string | null | undefined
      }
    | string
  >
  /** Why addresses may be missing: `sitemap`, as a sitemap of the site could not be read. */
  readonly leftOut?: ReadonlyArray<string> | undefined
}

/** Metadata of a page. Further tags of its head are kept as they are. */
export interface Metadata {
  /** Title of the page. */
  readonly title?: string | ReadonlyArray<string> | null | undefined
  /** Description in the head of the page. */
  readonly description?: string | ReadonlyArray<string> | null | undefined
  /** Language that the page declares, like `en` or `de-AT`. */
  readonly language?: string | ReadonlyArray<string> | null | undefined
  /** Address that was asked for. */
  readonly sourceURL?: string | null | undefined
  /** Address that answered, after redirects. */
  readonly url?: string | null | undefined
  /** Keywords in the head of the page. */
  readonly keywords?: string | ReadonlyArray<string> | null | undefined
  /** Other locales of the page (`og:locale:alternate`). */
  readonly ogLocaleAlternate?: ReadonlyArray<string> | null | undefined
  /** HTTP status of the page, such as 200 or 404. A number or a string. */
  readonly statusCode?: number | null | undefined
  /** Media type of the answer, like `text/html; charset=utf-8`. */
  readonly contentType?: string | null | undefined
  /** Pages of a file that were read. A number or a string. */
  readonly numPages?: number | null | undefined
  /** Pages that a PDF has. A number or a string. */
  readonly totalPages?: number | null | undefined
  /** Why a file has no text, or which of its pages have none: they are scanned, or their text cannot be read. */
  readonly warning?: string | null | undefined
  /** Why the page could not be read, or not in full. */
  readonly error?: string | null | undefined
  /** Present when the site showed something in place of the page, as the local engine recognises it. */
  readonly blocked?:
    | {
        /** One of `challenge`, `captcha`, `denied`, `consent`, `login`, `javascript`, `notFound` and `parked`. */
        readonly kind: string
        /** What gave it away. */
        readonly evidence: string
      }
    | null
    | undefined
  /** Present when the page is the one that the engine has stored: `notModified` when its site has said so; `sitemap` or `notDue` when a crawl has not visited it, because its sitemap or its earlier visits say that it has not changed. */
  readonly unchanged?: unknown | null | undefined
  /** Present when a crawl visited a page that it could have left out: `confirmed`, or `missed` when the page had changed. */
  readonly check?: unknown | null | undefined
  /** Credits that the page has cost. A number or a string. */
  readonly creditsUsed?: number | null | undefined
  /** True if the page had to wait for a free slot. */
  readonly concurrencyLimited?: boolean | null | undefined
  /** Milliseconds that the page waited for a free slot. A number or a string. */
  readonly concurrencyQueueDurationMs?: number | null | undefined
}

/** `NewsResult` of the API. */
export interface NewsResult {
  /** Title of the article. */
  readonly title?: string | null | undefined
  /** Passage of the article. */
  readonly snippet?: string | null | undefined
  /** Local engine: headings above the passage that is shown, outermost first. */
  readonly headings?: ReadonlyArray<string> | null | undefined
  /** Address of the article. */
  readonly url?: string | null | undefined
  /** Date of the article, as the provider writes it. */
  readonly date?: string | null | undefined
  /** Address of its picture. */
  readonly imageUrl?: string | null | undefined
  /** Rank among the results of its kind, from 1. A number or a string. */
  readonly position?: number | null | undefined
  /** Category that the request asked for. */
  readonly category?: string | null | undefined
  /** The content as Markdown: format `markdown`. */
  readonly markdown?: string | null | undefined
  /** A summary by a language model: format `summary`. */
  readonly summary?: string | null | undefined
  /** The content as cleaned HTML: format `html`. */
  readonly html?: string | null | undefined
  /** The HTML as it was received: format `rawHtml`. */
  readonly rawHtml?: string | null | undefined
  /** A picture of the page, as an address or a data URL: format `screenshot`. */
  readonly screenshot?: string | null | undefined
  /** Address of the page's audio: format `audio` of services that have it. */
  readonly audio?: string | null | undefined
  /** Addresses that the page links to: format `links`. */
  readonly links?: ReadonlyArray<string> | null | undefined
  /** What is known of the page: title, addresses, status. */
  readonly metadata?: Metadata | null | undefined
}

/** `ParseOptions` of the API. */
export interface ParseOptions {
  /** What to make of it: markdown, html, rawHtml, links, images, summary, json, extract, branding, changeTracking, attributes, screenshot; some services make more. Default: `["markdown"]`. */
  readonly formats?: ReadonlyArray<Format> | undefined
  /** Leave out navigation, headers and footers. Default: `true`. */
  readonly onlyMainContent?: boolean | undefined
  /** CSS selectors; nothing else is kept. */
  readonly includeTags?: ReadonlyArray<string> | undefined
  /** CSS selectors of what is left out. */
  readonly excludeTags?: ReadonlyArray<string> | undefined
  /** Sent along with the request for the page. */
  readonly headers?:
    | {
        readonly [name: string]: string
      }
    | undefined
  /** Maximum time for the page, in milliseconds. A whole number of milliseconds from 1000 to 300000. Default: `30000`. */
  readonly timeout?: number | undefined
  /** Skip TLS certificate verification. Default: `false`. */
  readonly skipTlsVerification?: boolean | undefined
  /** Leave out images that are part of the text. Default: `true`. */
  readonly removeBase64Images?: boolean | undefined
  /** Leave out advertisements and cookie banners. Default: `true`. */
  readonly blockAds?: boolean | undefined
  /** The kind of proxy, as the service names them. */
  readonly proxy?: string | undefined
  /** Store nothing of the request and its results in the service. Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** Keep running text only. Default: `false`. */
  readonly onlyCleanContent?: boolean | undefined
  /** Let the service keep a copy. Default: `true`. */
  readonly storeInCache?: boolean | undefined
  /** How files are read: pdf, or { type: pdf, maxPages: 10, pages: true, blocks: true, pageMarkers: true }. */
  readonly parsers?: ReadonlyArray<Parser> | undefined
  /** Name of the calling program. It has no effect. */
  readonly origin?: string | undefined
  /** Name of the calling integration. It has no effect. */
  readonly integration?: string | null | undefined
}

/** `Parsed` of the API. */
export interface Parsed {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** The file. */
  readonly data: Document
}

/** Name of a parser, or an object with options. */
export type Parser =
  | "pdf"
  | {
      /** Name of a parser. */
      readonly type: string
      /** auto (the default), fast, or ocr; the local engine has no ocr. */
      readonly mode?: string | undefined
      /** Pages that are read, from the first one. */
      readonly maxPages?: number | undefined
      /** Also return the Markdown of each page. */
      readonly pages?: boolean | undefined
      /** Earlier name of `pages`. */
      readonly pageMarkdown?: boolean | undefined
      /** Also return the blocks of each page, with their positions. */
      readonly blocks?: boolean | undefined
      /** Write a rule and the number of the page between pages of the Markdown. */
      readonly pageMarkers?: boolean | undefined
      readonly [name: string]: unknown
    }

/** A block on a page of a PDF. */
export interface PdfBlock {
  /** `p1.b0`: the page, and the position in reading order. */
  readonly id: string
  /** The local engine has `title`, `section_header`, `text`, `table`, `page_header` and `page_footer`. */
  readonly type: string
  /** A finer type: at the local engine `H1` to `H6`, and `list`. */
  readonly label: string | null
  /** Left, top, right and bottom edge, from 0 to 1 of the width and height of the page. */
  readonly bbox: readonly [number, number, number, number] | null
  /** Markdown that the block adds to the document. */
  readonly content: string
  /** Start and end of `content` in `markdown`, in UTF-16 code units; null where the text there is another one. */
  readonly markdownSpan: readonly [number, number] | null
  /** Position on the page, from 0. */
  readonly readingOrder: number
  /** How it was read: `native_text` at the local engine. */
  readonly source: string | null
  /** Null at the local engine, which uses no models. */
  readonly confidence: {
    /** Confidence in the layout, from 0 to 1. */
    readonly layout: number | null
    /** Confidence in the recognised text, from 0 to 1. */
    readonly ocr: number | null
  }
}

/** Markdown of one page of a PDF. */
export interface PdfPage {
  /** Number of the page, from 1. */
  readonly pageNumber: number
  /** Markdown of the page, as it stands there. */
  readonly markdown: string
}

/** Blocks of one page of a PDF. */
export interface PdfPageBlocks {
  /** Number of the page, from 1. */
  readonly pageNumber: number
  /** Width, in points at the local engine; null for a damaged page. */
  readonly width: number | null
  /** Height, in points at the local engine; null for a damaged page. */
  readonly height: number | null
  /** `ok`, `partial`, or `failed` for a page that is scanned or damaged, or whose text cannot be read. */
  readonly status: string
  /** Blocks in reading order. */
  readonly items: ReadonlyArray<PdfBlock>
}

/** `QueueStatus` of the API. */
export interface QueueStatus {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** Pages of jobs that wait or run. A number or a string. */
  readonly jobsInQueue: number
  /** Pages that are fetched now. A number or a string. */
  readonly activeJobsInQueue: number
  /** Pages that wait. A number or a string. */
  readonly waitingJobsInQueue: number
  /** Pages that may be fetched at once. A number or a string. */
  readonly maxConcurrency: number
  /** Time of the last page that was fetched (ISO 8601). */
  readonly mostRecentSuccess?: string | null | undefined
  /** Bytes that are kept on disk for the team, as the local engine says it. */
  readonly storage?:
    | {
        /** Bytes in use. A number or a string. */
        readonly usedBytes: number
        /** Bytes that may be used. A number or a string. */
        readonly maxBytes: number
        /** Present when little space is left. */
        readonly warning?: string | null | undefined
      }
    | undefined
}

/** `ScrapeOptions` of the API. */
export interface ScrapeOptions {
  /** What to make of it: markdown, html, rawHtml, links, images, summary, json, extract, branding, changeTracking, attributes, screenshot; some services make more. Default: `["markdown"]`. */
  readonly formats?: ReadonlyArray<Format> | undefined
  /** Leave out navigation, headers and footers. Default: `true`. */
  readonly onlyMainContent?: boolean | undefined
  /** CSS selectors; nothing else is kept. */
  readonly includeTags?: ReadonlyArray<string> | undefined
  /** CSS selectors of what is left out. */
  readonly excludeTags?: ReadonlyArray<string> | undefined
  /** Sent along with the request for the page. */
  readonly headers?:
    | {
        readonly [name: string]: string
      }
    | undefined
  /** Maximum time for the page, in milliseconds. A whole number of milliseconds from 1000 to 300000. Default: `30000`. */
  readonly timeout?: number | undefined
  /** Skip TLS certificate verification. Default: `false`. */
  readonly skipTlsVerification?: boolean | undefined
  /** Leave out images that are part of the text. Default: `true`. */
  readonly removeBase64Images?: boolean | undefined
  /** Leave out advertisements and cookie banners. Default: `true`. */
  readonly blockAds?: boolean | undefined
  /** The kind of proxy, as the service names them. */
  readonly proxy?: string | undefined
  /** Store nothing of the request and its results in the service. Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** Milliseconds that a stored copy may be old; without it, or with 0, the local engine fetches the page. A whole number of milliseconds, at least 0. */
  readonly maxAge?: number | undefined
  /** Milliseconds to wait before the page is read. A whole number of milliseconds, at least 0. Default: `0`. */
  readonly waitFor?: number | undefined
  /** Request the page as a phone does. Default: `false`. */
  readonly mobile?: boolean | undefined
  /** Country and languages that the page is requested with. */
  readonly location?:
    | {
        /** ISO country code to ask from. */
        readonly country?: string | undefined
        /** Preferred languages, best first. */
        readonly languages?: ReadonlyArray<string> | undefined
      }
    | undefined
  /** Let the service keep a copy. Default: `true`. */
  readonly storeInCache?: boolean | undefined
  /** What to do on the page before it is read. */
  readonly actions?:
    | ReadonlyArray<{
        /** Kind of the action, like `wait`, `click`, `write`, `press`, `scroll`, `screenshot`, `scrape` or `executeJavascript`. */
        readonly type: string
        readonly [name: string]: unknown
      }>
    | undefined
  /** Keep running text only. Default: `false`. */
  readonly onlyCleanContent?: boolean | undefined
  /** Take stored copies only, and only one that is at least so many milliseconds old. A whole number of milliseconds, at least 0. */
  readonly minAge?: number | undefined
  /** How files are read: pdf, or { type: pdf, maxPages: 10, pages: true, blocks: true, pageMarkers: true }; an empty list hands a PDF out unread, in base64. */
  readonly parsers?: ReadonlyArray<Parser> | undefined
  /** Answer from stored copies only. Default: `false`. */
  readonly lockdown?: boolean | undefined
  /** Browser profile whose cookies and storage the page is shown with. */
  readonly profile?:
    | {
        /** Name of the browser profile. A text from 1 to 128 characters. */
        readonly name: string
        /** Keep what the page changes in it. */
        readonly saveChanges?: boolean | undefined
      }
    | undefined
}

/** `ScrapeOptionsV1` of the API. */
export interface ScrapeOptionsV1 {
  /** What to make of it: markdown, html, rawHtml, links, images, summary, json, extract, branding, changeTracking, attributes, screenshot; some services make more. Default: `["markdown"]`. */
  readonly formats?: ReadonlyArray<Format> | undefined
  /** Leave out navigation, headers and footers. Default: `true`. */
  readonly onlyMainContent?: boolean | undefined
  /** CSS selectors; nothing else is kept. */
  readonly includeTags?: ReadonlyArray<string> | undefined
  /** CSS selectors of what is left out. */
  readonly excludeTags?: ReadonlyArray<string> | undefined
  /** Sent along with the request for the page. */
  readonly headers?:
    | {
        readonly [name: string]: string
      }
    | undefined
  /** Maximum time for the page, in milliseconds. A whole number of milliseconds from 1000 to 300000. Default: `30000`. */
  readonly timeout?: number | undefined
  /** Skip TLS certificate verification. Default: `false`. */
  readonly skipTlsVerification?: boolean | undefined
  /** Leave out images that are part of the text. Default: `true`. */
  readonly removeBase64Images?: boolean | undefined
  /** Leave out advertisements and cookie banners. Default: `true`. */
  readonly blockAds?: boolean | undefined
  /** The kind of proxy, as the service names them. */
  readonly proxy?: string | undefined
  /** Store nothing of the request and its results in the service. Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** Milliseconds that a stored copy may be old; without it, or with 0, the local engine fetches the page. A whole number of milliseconds, at least 0. */
  readonly maxAge?: number | undefined
  /** Milliseconds to wait before the page is read. A whole number of milliseconds, at least 0. Default: `0`. */
  readonly waitFor?: number | undefined
  /** Request the page as a phone does. Default: `false`. */
  readonly mobile?: boolean | undefined
  /** Country and languages that the page is requested with. */
  readonly location?:
    | {
        /** ISO country code to ask from. */
        readonly country?: string | undefined
        /** Preferred languages, best first. */
        readonly languages?: ReadonlyArray<string> | undefined
      }
    | undefined
  /** Let the service keep a copy. Default: `true`. */
  readonly storeInCache?: boolean | undefined
  /** What to do on the page before it is read. */
  readonly actions?:
    | ReadonlyArray<{
        /** Kind of the action, like `wait`, `click`, `write`, `press`, `scroll`, `screenshot`, `scrape` or `executeJavascript`. */
        readonly type: string
        readonly [name: string]: unknown
      }>
    | undefined
  /** False hands a PDF out unread, in base64. Default: `true`. */
  readonly parsePDF?: boolean | undefined
  /** Options of the formats `json` and `extract`. */
  readonly jsonOptions?:
    | {
        /** JSON Schema of the answer. */
        readonly schema?: unknown | undefined
        /** Role and rules for the model. */
        readonly systemPrompt?: string | undefined
        /** What to look for on the page. */
        readonly prompt?: string | undefined
      }
    | undefined
  /** Options of the format `changeTracking`. */
  readonly changeTrackingOptions?:
    | {
        /** How to compare: `git-diff`, `json` or both. */
        readonly modes?: ReadonlyArray<string> | undefined
        /** JSON Schema of the fields to compare. */
        readonly schema?: unknown | undefined
        /** Fields to compare, in words. */
        readonly prompt?: string | undefined
        /** Compares with scrapes of the same tag only. */
        readonly tag?: string | null | undefined
      }
    | undefined
}

/** `ScrapeRequest` of the API. */
export interface ScrapeRequest {
  /** Address of the page. An absolute http:// or https:// address. */
  readonly url: string
  /** What to make of it: markdown, html, rawHtml, links, images, summary, json, extract, branding, changeTracking, attributes, screenshot; some services make more. Default: `["markdown"]`. */
  readonly formats?: ReadonlyArray<Format> | undefined
  /** Leave out navigation, headers and footers. Default: `true`. */
  readonly onlyMainContent?: boolean | undefined
  /** CSS selectors; nothing else is kept. */
  readonly includeTags?: ReadonlyArray<string> | undefined
  /** CSS selectors of what is left out. */
  readonly excludeTags?: ReadonlyArray<string> | undefined
  /** Sent along with the request for the page. */
  readonly headers?:
    | {
        readonly [name: string]: string
      }
    | undefined
  /** Maximum time for the page, in milliseconds. A whole number of milliseconds from 1000 to 300000. Default: `30000`. */
  readonly timeout?: number | undefined
  /** Skip TLS certificate verification. Default: `false`. */
  readonly skipTlsVerification?: boolean | undefined
  /** Leave out images that are part of the text. Default: `true`. */
  readonly removeBase64Images?: boolean | undefined
  /** Leave out advertisements and cookie banners. Default: `true`. */
  readonly blockAds?: boolean | undefined
  /** The kind of proxy, as the service names them. */
  readonly proxy?: string | undefined
  /** Store nothing of the request and its results in the service. Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** Milliseconds that a stored copy may be old; without it, or with 0, the local engine fetches the page. A whole number of milliseconds, at least 0. */
  readonly maxAge?: number | undefined
  /** Milliseconds to wait before the page is read. A whole number of milliseconds, at least 0. Default: `0`. */
  readonly waitFor?: number | undefined
  /** Request the page as a phone does. Default: `false`. */
  readonly mobile?: boolean | undefined
  /** Country and languages that the page is requested with. */
  readonly location?:
    | {
        /** ISO country code to ask from. */
        readonly country?: string | undefined
        /** Preferred languages, best first. */
        readonly languages?: ReadonlyArray<string> | undefined
      }
    | undefined
  /** Let the service keep a copy. Default: `true`. */
  readonly storeInCache?: boolean | undefined
  /** What to do on the page before it is read. */
  readonly actions?:
    | ReadonlyArray<{
        /** Kind of the action, like `wait`, `click`, `write`, `press`, `scroll`, `screenshot`, `scrape` or `executeJavascript`. */
        readonly type: string
        readonly [name: string]: unknown
      }>
    | undefined
  /** Keep running text only. Default: `false`. */
  readonly onlyCleanContent?: boolean | undefined
  /** Take stored copies only, and only one that is at least so many milliseconds old. A whole number of milliseconds, at least 0. */
  readonly minAge?: number | undefined
  /** How files are read: pdf, or { type: pdf, maxPages: 10, pages: true, blocks: true, pageMarkers: true }; an empty list hands a PDF out unread, in base64. */
  readonly parsers?: ReadonlyArray<Parser> | undefined
  /** Answer from stored copies only. Default: `false`. */
  readonly lockdown?: boolean | undefined
  /** Browser profile whose cookies and storage the page is shown with. */
  readonly profile?:
    | {
        /** Name of the browser profile. A text from 1 to 128 characters. */
        readonly name: string
        /** Keep what the page changes in it. */
        readonly saveChanges?: boolean | undefined
      }
    | undefined
  /** Name of the calling program. It has no effect. */
  readonly origin?: string | undefined
  /** Name of the calling integration. It has no effect. */
  readonly integration?: string | null | undefined
}

/** `ScrapeRequestV1` of the API. */
export interface ScrapeRequestV1 {
  /** Address of the page. An absolute http:// or https:// address. */
  readonly url: string
  /** What to make of it: markdown, html, rawHtml, links, images, summary, json, extract, branding, changeTracking, attributes, screenshot; some services make more. Default: `["markdown"]`. */
  readonly formats?: ReadonlyArray<Format> | undefined
  /** Leave out navigation, headers and footers. Default: `true`. */
  readonly onlyMainContent?: boolean | undefined
  /** CSS selectors; nothing else is kept. */
  readonly includeTags?: ReadonlyArray<string> | undefined
  /** CSS selectors of what is left out. */
  readonly excludeTags?: ReadonlyArray<string> | undefined
  /** Sent along with the request for the page. */
  readonly headers?:
    | {
        readonly [name: string]: string
      }
    | undefined
  /** Maximum time for the page, in milliseconds. A whole number of milliseconds from 1000 to 300000. Default: `30000`. */
  readonly timeout?: number | undefined
  /** Skip TLS certificate verification. Default: `false`. */
  readonly skipTlsVerification?: boolean | undefined
  /** Leave out images that are part of the text. Default: `true`. */
  readonly removeBase64Images?: boolean | undefined
  /** Leave out advertisements and cookie banners. Default: `true`. */
  readonly blockAds?: boolean | undefined
  /** The kind of proxy, as the service names them. */
  readonly proxy?: string | undefined
  /** Store nothing of the request and its results in the service. Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** Milliseconds that a stored copy may be old; without it, or with 0, the local engine fetches the page. A whole number of milliseconds, at least 0. */
  readonly maxAge?: number | undefined
  /** Milliseconds to wait before the page is read. A whole number of milliseconds, at least 0. Default: `0`. */
  readonly waitFor?: number | undefined
  /** Request the page as a phone does. Default: `false`. */
  readonly mobile?: boolean | undefined
  /** Country and languages that the page is requested with. */
  readonly location?:
    | {
        /** ISO country code to ask from. */
        readonly country?: string | undefined
        /** Preferred languages, best first. */
        readonly languages?: ReadonlyArray<string> | undefined
      }
    | undefined
  /** Let the service keep a copy. Default: `true`. */
  readonly storeInCache?: boolean | undefined
  /** What to do on the page before it is read. */
  readonly actions?:
    | ReadonlyArray<{
        /** Kind of the action, like `wait`, `click`, `write`, `press`, `scroll`, `screenshot`, `scrape` or `executeJavascript`. */
        readonly type: string
        readonly [name: string]: unknown
      }>
    | undefined
  /** False hands a PDF out unread, in base64. Default: `true`. */
  readonly parsePDF?: boolean | undefined
  /** Options of the formats `json` and `extract`. */
  readonly jsonOptions?:
    | {
        /** JSON Schema of the answer. */
        readonly schema?: unknown | undefined
        /** Role and rules for the model. */
        readonly systemPrompt?: string | undefined
        /** What to look for on the page. */
        readonly prompt?: string | undefined
      }
    | undefined
  /** Options of the format `changeTracking`. */
  readonly changeTrackingOptions?:
    | {
        /** How to compare: `git-diff`, `json` or both. */
        readonly modes?: ReadonlyArray<string> | undefined
        /** JSON Schema of the fields to compare. */
        readonly schema?: unknown | undefined
        /** Fields to compare, in words. */
        readonly prompt?: string | undefined
        /** Compares with scrapes of the same tag only. */
        readonly tag?: string | null | undefined
      }
    | undefined
  /** Name of the calling program. It has no effect. */
  readonly origin?: string | undefined
  /** Name of the calling integration. It has no effect. */
  readonly integration?: string | null | undefined
}

/** `Scraped` of the API. */
export interface Scraped {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** The page. */
  readonly data: Document
  /** What is missing or doubtful about the answer. */
  readonly warning?: string | null | undefined
}

/** `SearchRequest` of the API. */
export interface SearchRequest {
  /** Words, exact phrases in quotes, -word, and operators like site: and filetype:. A text from 1 to 500 characters. */
  readonly query: string
  /** Maximum number of results, for each source. A whole number from 1 to 100. Default: `10`. */
  readonly limit?: number | undefined
  /** Kinds of results: web pages, images or news. Default: `["web"]`. */
  readonly sources?:
    | ReadonlyArray<"web" | "images" | "news">
    | ReadonlyArray<{
        /** Kind of the results. */
        readonly type: "web" | "images" | "news"
        /** Results of this kind at most. A whole number from 1 to 100. */
        readonly limit?: number | undefined
        /** Time filter: qdr:h|d|w|m|y, cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY or sbd:1. */
        readonly tbs?: string | undefined
        /** `<city>,<state>,<country>` or a country's name. */
        readonly location?: string | undefined
      }>
    | undefined
  /** Only results from GitHub, research sites or PDF files. Default: `[]`. */
  readonly categories?:
    | ReadonlyArray<"github" | "research" | "pdf">
    | ReadonlyArray<{
        /** Name of the category. */
        readonly type: "github" | "research" | "pdf"
      }>
    | undefined
  /** Only results from these hosts. */
  readonly includeDomains?: ReadonlyArray<string> | undefined
  /** No results from these hosts. */
  readonly excludeDomains?: ReadonlyArray<string> | undefined
  /** Time filter: qdr:h|d|w|m|y, cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY or sbd:1. */
  readonly tbs?: string | undefined
  /** `<city>,<state>,<country>` or a country's name. */
  readonly location?: string | undefined
  /** ISO country code; US when `location` is absent too. */
  readonly country?: string | undefined
  /** Maximum time, in milliseconds. A whole number of milliseconds from 1 to 300000. Default: `60000`. */
  readonly timeout?: number | undefined
  /** Leave out results that cannot be scraped. Default: `false`. */
  readonly ignoreInvalidURLs?: boolean | undefined
  /** What the service may keep. */
  readonly enterprise?: ReadonlyArray<"zdr" | "anon" | "default"> | undefined
  /** How each result is scraped; without formats, results have no content. */
  readonly scrapeOptions?: SearchScrapeOptions | undefined
  /** Name of the calling program. It has no effect. */
  readonly origin?: string | undefined
  /** Name of the calling integration. It has no effect. */
  readonly integration?: string | null | undefined
}

/** `SearchResponse` of the API. */
export interface SearchResponse {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** Results by their kind. */
  readonly data: {
    /** Web pages. */
    readonly web?: ReadonlyArray<WebResult> | null | undefined
    /** Pictures. */
    readonly images?: ReadonlyArray<ImageResult> | null | undefined
    /** News articles. */
    readonly news?: ReadonlyArray<NewsResult> | null | undefined
  }
  /** What is missing or doubtful about the results. */
  readonly warning?: string | null | undefined
  /** Id of the search. */
  readonly id?: string | null | undefined
  /** Credits that the search has cost. A number or a string. */
  readonly creditsUsed?: number | null | undefined
}

/** `SearchScrapeOptions` of the API. */
export interface SearchScrapeOptions {
  /** What to make of it: markdown, html, rawHtml, links, images, summary, json, extract, branding, changeTracking, attributes, screenshot; some services make more. Default: `["markdown"]`. */
  readonly formats?: ReadonlyArray<Format> | undefined
  /** Leave out navigation, headers and footers. Default: `true`. */
  readonly onlyMainContent?: boolean | undefined
  /** CSS selectors; nothing else is kept. */
  readonly includeTags?: ReadonlyArray<string> | undefined
  /** CSS selectors of what is left out. */
  readonly excludeTags?: ReadonlyArray<string> | undefined
  /** Sent to the hosts of the results, which are not known beforehand. So headers that may be secrets are left out, and `warning` names them: Authorization, Cookie, and names with auth, token, secret, session, password or api-key in them. */
  readonly headers?:
    | {
        readonly [name: string]: string
      }
    | undefined
  /** Maximum time for the page, in milliseconds. A whole number of milliseconds from 1000 to 300000. Default: `30000`. */
  readonly timeout?: number | undefined
  /** Skip TLS certificate verification. Default: `false`. */
  readonly skipTlsVerification?: boolean | undefined
  /** Leave out images that are part of the text. Default: `true`. */
  readonly removeBase64Images?: boolean | undefined
  /** Leave out advertisements and cookie banners. Default: `true`. */
  readonly blockAds?: boolean | undefined
  /** The kind of proxy, as the service names them. */
  readonly proxy?: string | undefined
  /** Store nothing of the request and its results in the service. Default: `false`. */
  readonly zeroDataRetention?: boolean | undefined
  /** Milliseconds that a stored copy may be old; without it, or with 0, the local engine fetches the page. A whole number of milliseconds, at least 0. */
  readonly maxAge?: number | undefined
  /** Milliseconds to wait before the page is read. A whole number of milliseconds, at least 0. Default: `0`. */
  readonly waitFor?: number | undefined
  /** Request the page as a phone does. Default: `false`. */
  readonly mobile?: boolean | undefined
  /** Country and languages that the page is requested with. */
  readonly location?:
    | {
        /** ISO country code to ask from. */
        readonly country?: string | undefined
        /** Preferred languages, best first. */
        readonly languages?: ReadonlyArray<string> | undefined
      }
    | undefined
  /** Let the service keep a copy. Default: `true`. */
  readonly storeInCache?: boolean | undefined
  /** What to do on the page before it is read. */
  readonly actions?:
    | ReadonlyArray<{
        /** Kind of the action, like `wait`, `click`, `write`, `press`, `scroll`, `screenshot`, `scrape` or `executeJavascript`. */
        readonly type: string
        readonly [name: string]: unknown
      }>
    | undefined
  /** Keep running text only. Default: `false`. */
  readonly onlyCleanContent?: boolean | undefined
  /** Take stored copies only, and only one that is at least so many milliseconds old. A whole number of milliseconds, at least 0. */
  readonly minAge?: number | undefined
  /** How files are read: pdf, or { type: pdf, maxPages: 10, pages: true, blocks: true, pageMarkers: true }; an empty list hands a PDF out unread, in base64. */
  readonly parsers?: ReadonlyArray<Parser> | undefined
  /** Answer from stored copies only. Default: `false`. */
  readonly lockdown?: boolean | undefined
  /** Browser profile whose cookies and storage the page is shown with. */
  readonly profile?:
    | {
        /** Name of the browser profile. A text from 1 to 128 characters. */
        readonly name: string
        /** Keep what the page changes in it. */
        readonly saveChanges?: boolean | undefined
      }
    | undefined
}

/** `TokenBalance` of the API. */
export interface TokenBalance {
  /** True: calls that fail are errors, and no answers. */
  readonly success: boolean
  /** The balance. */
  readonly data: {
    /** Tokens that are left. A number or a string. */
    readonly remainingTokens: number
    /** Tokens of the plan for the period. A number or a string. */
    readonly planTokens?: number | null | undefined
    /** Start of the billing period (ISO 8601). */
    readonly billingPeriodStart?: string | null | undefined
    /** End of the billing period (ISO 8601). */
    readonly billingPeriodEnd?: string | null | undefined
  }
}

/** `UsagePeriod` of the API. */
export interface UsagePeriod {
  /** First day of the month (ISO 8601). */
  readonly startDate: string
  /** Last day of the month (ISO 8601). */
  readonly endDate?: string | null | undefined
  /** Name of the API key, with `byApiKey`. */
  readonly apiKey?: string | null | undefined
  /** Tokens used. */
  readonly totalTokens: number
}

/** `WebResult` of the API. */
export interface WebResult {
  /** Title of the page. */
  readonly title?: string | null | undefined
  /** Passage of the page, or its description. */
  readonly description?: string | null | undefined
  /** Local engine: headings above the passage that is shown, outermost first. */
  readonly headings?: ReadonlyArray<string> | null | undefined
  /** Address of the page. */
  readonly url?: string | null | undefined
  /** Category that the request asked for. */
  readonly category?: string | null | undefined
  /** Rank among the results of its kind, from 1. A number or a string. */
  readonly position?: number | null | undefined
  /** The content as Markdown: format `markdown`. */
  readonly markdown?: string | null | undefined
  /** A summary by a language model: format `summary`. */
  readonly summary?: string | null | undefined
  /** The content as cleaned HTML: format `html`. */
  readonly html?: string | null | undefined
  /** The HTML as it was received: format `rawHtml`. */
  readonly rawHtml?: string | null | undefined
  /** A picture of the page, as an address or a data URL: format `screenshot`. */
  readonly screenshot?: string | null | undefined
  /** Address of the page's audio: format `audio` of services that have it. */
  readonly audio?: string | null | undefined
  /** Addresses that the page links to: format `links`. */
  readonly links?: ReadonlyArray<string> | null | undefined
  /** What is known of the page: title, addresses, status. */
  readonly metadata?: Metadata | null | undefined
}

/** Webhook of a job: an address, or an address with options. */
export type Webhook =
  | string
  | {
      /** Address that receives the events, by POST. */
      readonly url: string
      /** Headers of its requests. */
      readonly headers?:
        | {
            readonly [name: string]: string
          }
        | undefined
      /** Sent along with each event. */
      readonly metadata?:
        | {
            readonly [name: string]: unknown
          }
        | undefined
      /** Events to send: `started`, `page`, `completed` and `failed`. Default: all. */
      readonly events?: ReadonlyArray<string> | undefined
      /** What is sent is signed with it: X-Firecrawl-Signature. */
      readonly secret?: string | undefined
    }
