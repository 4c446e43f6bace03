/** Keys and fields of definitions, as they are written. Written by `npm run interfaces` from the schemas: change those. */

/** Keys of a definition. */
export interface Frame {
  /** Version of the pipeline language. */
  readonly version: 1
  /** Identifies the pipeline in runs, schedules and state. A name of letters, digits, - and _, beginning with a letter. */
  readonly name: string
  /** What the pipeline does, in a sentence. */
  readonly description?: string | undefined
  /** Values that a run is started with: `${{ inputs.NAME }}`. */
  readonly inputs?:
    | {
        readonly [name: string]: {
          /** Type of its values. */
          readonly type: "string" | "integer" | "number" | "boolean" | "url" | "path"
          /** Explains the input to users of the pipeline. */
          readonly description?: string | undefined
          /** Value when none is given. An input without a default is required. A string or a number or true or false. */
          readonly default?: string | number | boolean | undefined
          /** Allowed values. */
          readonly enum?: ReadonlyArray<string | number> | undefined
          /** Smallest number that is allowed. */
          readonly minimum?: number | undefined
          /** Largest number that is allowed. */
          readonly maximum?: number | undefined
          /** Maximum number of characters of a string. A whole number. */
          readonly maxLength?: number | undefined
        }
      }
    | undefined
  /** Steps in their order: each reads the rows of the step above it. */
  readonly steps: readonly [unknown, ...ReadonlyArray<unknown>]
  /** A file that exports steps of your own, made by `Step.make`, or sinks, made by `Sink.make`: a pipeline uses them like those of Sluice. It is code of the project, which runs only where code is allowed (`--allow-code`). A .ts, .mts, .js or .mjs file, relative to the definition's folder. */
  readonly extensions?: string | undefined
  /** A folder of pages that is served on this machine while the pipeline runs: `${{ run.site }}`. */
  readonly site?: string | undefined
  /** When `sluice schedule` runs it. */
  readonly schedule?:
    | {
        /** When it runs: minute, hour, day, month and weekday; with six fields, seconds come first. A cron expression like "15 *\/6 * * *". */
        readonly cron: string
        /** Time zone of `cron`. A time zone like UTC or Europe/Berlin. Default: `"UTC"`. */
        readonly timezone?: string | undefined
        /** Longest random delay after the scheduled time, so that pipelines do not all start at once. A duration like 500ms, 30s, 15m, 2h or 1d. */
        readonly jitter?: string | undefined
        /** What happens at a scheduled time while the previous run is active. skip: no run. queue: the run starts afterwards. replace: the previous run is stopped. allow: both run. Default: `"skip"`. */
        readonly overlap?: "skip" | "queue" | "replace" | "allow" | undefined
        /** Which of the scheduled times that passed while no daemon was running are run when it starts again. Default: `"none"`. */
        readonly catchUp?: "none" | "latest" | "all" | undefined
        /** With catchUp, scheduled times that are older than this are dropped. A duration like 500ms, 30s, 15m, 2h or 1d. */
        readonly catchUpWindow?: string | undefined
        /** Values of inputs in scheduled runs, in place of their defaults. They cannot contain `${{ }}`. */
        readonly inputs?:
          | {
              readonly [name: string]: string | number | boolean
            }
          | undefined
        /** Resumes a failed run. No call is paid for twice. */
        readonly retry?:
          | {
              /** Maximum number of resumes. A whole number from 1 to 20. */
              readonly times: number
              /** Delay before each resume; 5m by default. A duration like 500ms, 30s, 15m, 2h or 1d. */
              readonly after?: string | undefined
            }
          | undefined
      }
    | undefined
  /** State across runs: what `dedupe: { across: runs }` and `files` remember. */
  readonly state?:
    | {
        /** Pipelines with the same key share their state; without it, the key is the name of the pipeline. One line of 1 to 500 characters without space around them, like docs-watch/${{ inputs.site }}. */
        readonly key?: string | undefined
        /** Removes entries that no run has seen for this long; without it, they stay. A duration like 500ms, 30s, 15m, 2h or 1d. */
        readonly forgetAfter?: string | undefined
      }
    | undefined
  /** Limits of a run: no call is made that could exceed them. A run that reaches a limit stops in order, with exit code 4. */
  readonly budget?:
    | {
        /** Credits that a run, or all runs of a day, may spend. A number above 0. */
        readonly credits?: number | undefined
        /** Pages that a run may pay for. A whole number of 1 or more. */
        readonly pages?: number | undefined
        /** Rows that a run may write. A whole number of 1 or more. */
        readonly rows?: number | undefined
        /** Bytes that a run may write, in all outputs together. A size like 512kB, 64MB, 1.5GB or 1GiB. */
        readonly bytes?: string | undefined
        /** How long a run may take. A duration like 500ms, 30s, 15m, 2h or 1d. */
        readonly duration?: string | undefined
        /** run: each run has the budget for itself. day: all runs of a day (UTC) share its credits. Default: `"run"`. */
        readonly per?: "run" | "day" | undefined
        /** stop: the outputs are not published, and a resume continues. publish: the outputs with all rows that were paid for are published, and the next run does the rest. Default: `"stop"`. */
        readonly onReached?: "stop" | "publish" | undefined
      }
    | undefined
  /** Webhooks to notify when a scheduled run did not go well. */
  readonly notify?:
    | ReadonlyArray<{
        /** Events that are sent. failed: a run failed and is not retried. budget: it reached its budget. quality: too many rows were rejected, or a check failed. missed: a scheduled time passed while no daemon was running. changed: a run has found changes that a `dedupe` step with `history` keeps. */
        readonly on: readonly [
          "failed" | "budget" | "quality" | "health" | "missed" | "changed",
          ...ReadonlyArray<"failed" | "budget" | "quality" | "health" | "missed" | "changed">
        ]
        /** Address that receives the events as JSON (POST). An http(s) address, usually ${{ secrets.NAME }}. */
        readonly webhook?: string | undefined
        /** Key that signs the events of a webhook (HMAC-SHA256), usually ${{ secrets.NAME }}. A string that is not empty. */
        readonly secret?: string | undefined
        /** Address of an incoming webhook of Slack, usually ${{ secrets.NAME }}. An http(s) address, usually ${{ secrets.NAME }}. */
        readonly slack?: string | undefined
        /** Receivers of an e-mail, sent by the server in SLUICE_SMTP_URL. */
        readonly email?: string | readonly [string, ...ReadonlyArray<string>] | undefined
        /** Program that is started without a shell, gets the event as JSON on its standard input, and has 30 seconds. Needs --allow-code. */
        readonly command?: readonly [string, ...ReadonlyArray<string>] | undefined
        /** Hours in which nothing is sent; what happens in them is sent at their end. */
        readonly quiet?:
          | {
              /** Start of the quiet hours. A time of day like "22:00". */
              readonly from: string
              /** Their end, on the next day if it is before `from`. A time of day like "22:00". */
              readonly to: string
              /** Time zone of both; UTC by default. A time zone like UTC or Europe/Berlin. Default: `"UTC"`. */
              readonly timezone?: string | undefined
            }
          | undefined
        /** Collects the events of this time, counted from the first of them, into one message. A duration like 500ms, 30s, 15m, 2h or 1d. */
        readonly digest?: string | undefined
      }>
    | undefined
  /** How outputs are compared with those of the last good runs before they are published; `off` leaves it out. */
  readonly health?:
    | "off"
    | {
        /** What happens to broken outputs: `hold` publishes nothing and ends with exit code 6 (the default), `warn` publishes them and warns, `off` only measures. Without rules of your own nothing is broken before the fifth good run. */
        readonly onBroken?: "hold" | "warn" | "off" | undefined
        /** Rows of each output, from the first run on, in place of the comparison. */
        readonly rows?:
          | {
              /** The fewest rows of an output. A whole number of at least 0. */
              readonly min?: number | undefined
              /** The most rows of an output. A whole number of at least 0. */
              readonly max?: number | undefined
            }
          | undefined
        /** Rules for single fields, by their names. */
        readonly fields?:
          | {
              readonly [name: string]: {
                /** The smallest share of the rows in which the field is neither missing nor empty. A share like 95%. */
                readonly filled?: string | undefined
                /** True compares nothing of the field with earlier runs. */
                readonly ignore?: boolean | undefined
              }
            }
          | undefined
      }
    | undefined
}

/** Keys that a step may have beside its own. */
export interface CommonKeys {
  /** Name of the step for other steps and messages; without it, its key. A name of letters, digits, - and _, beginning with a letter. */
  readonly id?: string | undefined
  /** False skips the step: rows pass unchanged. */
  readonly when?: boolean | undefined
  /** The step whose rows it reads; without it, the step above. With an array it reads the rows of all of them as they arrive, and ends when all have ended. */
  readonly from?: string | ReadonlyArray<string> | undefined
  /** Starts a branch of its own when these steps have ended. */
  readonly after?: string | ReadonlyArray<string> | undefined
  /** Retries failed calls, with growing waits; `times` counts all retries of a row. Pages of a job (`crawl`, `batchScrape`) are not retried one by one: `sluice replay` does that, and `check` warns of statuses in `on` that never match there. */
  readonly retry?:
    | {
        /** Maximum number of retries for a row; 5 by default. A whole number from 0 to 20. */
        readonly times?: number | undefined
        /** Causes that are retried; without it, those that the service calls retryable. A status also matches the status of a page: `scrape` and `parse` request that page again, and pay again. `network` is a lost connection, to the service or from it to the site. */
        readonly on?: ReadonlyArray<number | "4xx" | "5xx" | "429" | "timeout" | "network"> | undefined
        /** Limits how many calls may be retries: a budget of this step, in place of the run's. A call beyond it fails with its error; false sets no limit. */
        readonly retryBudget?:
          | false
          | {
              /** Retries as a share of the calls made so far; 10% by default. A share like 5%. */
              readonly ratio?: string | undefined
              /** Retries that are always allowed, however few calls there were; 20 by default. A whole number of at least 0. */
              readonly minimum?: number | undefined
            }
          | undefined
        /** Stops calling a failing service for a while. Set here, it replaces the run's circuit breaker for this step. While it is open, rows wait and one call at a time probes the service; false never opens it. */
        readonly circuitBreaker?:
          | false
          | {
              /** Failures in a row that open the circuit; 10 by default. A whole number of at least 1. */
              readonly failureThreshold?: number | undefined
              /** Wait before the first probe, doubled after each failed one up to five times as long; 2s by default. A duration like 500ms, 30s, 15m, 2h or 1d. */
              readonly resetTimeout?: string | undefined
              /** How long rows wait for the service before the run fails; 5m by default, and at most 30s for a service that has never answered. A duration like 500ms, 30s, 15m, 2h or 1d. */
              readonly giveUpAfter?: string | undefined
            }
          | undefined
      }
    | undefined
  /** Number of rows that are processed at once. A whole number from 1 to 1000. */
  readonly concurrency?: number | undefined
  /** Maximum number of calls that start in a period. A rate like 10/s, 100/m or 1000/h. */
  readonly rate?: string | undefined
  /** Maximum time for one row, with all its attempts. Time in which it waits for the budget or the circuit breaker does not count. A duration like 500ms, 30s, 15m, 2h or 1d. */
  readonly timeout?: string | undefined
  /** What fails a page, which `onError` then handles: statuses, and `blocked` for a bot check, a login wall or an error page that the site showed in its place. Default `[5xx, blocked]`; `[]` for nothing. Failed pages are paid for, except for blocked ones of the local engine. */
  readonly failOn?: ReadonlyArray<number | "4xx" | "5xx" | "blocked" | string> | undefined
  /** Handling of a failed row: it goes to the reject file, is passed on as it came, is dropped, or ends the run. */
  readonly onError?:
    | "reject"
    | "keep"
    | "drop"
    | "fail"
    | {
        /** Sends failed rows to the reject file, as `onError: reject` does. */
        readonly reject: true
        /** Ends the run at the n-th failed row, or when at least such a share of the rows that the step was given has failed: judged from the hundredth row on, and at the end. A whole number of at least 1 or a share like 5%. */
        readonly stopAfter?: number | string | undefined
      }
    | undefined
  /** True runs the step once for every incoming row, which its { expr: … } fields can read. */
  readonly each?: boolean | undefined
  /** Reads the value from this file, which `sluice pin` writes, instead of calling the service. A file name that ends in .lock.json, relative to the definition. */
  readonly pin?: string | undefined
}

/** Searches and gives every result as a row, with the field `source`: web, images or news. A hit that is no web address is a failed row. */
export interface SearchFields {
  /** Words, exact phrases in quotes, -word, and operators like site: and filetype:. */
  readonly query:
    | {
        /** An expression over the row (JSONata). An expression over the row (JSONata). */
        readonly expr: string
      }
    | string
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
}

/** Gives every file that a pattern matches, in the order of their paths; `$source` has path, name, extension, size. */
export interface FilesFields {
  /** Files to read, like `docs/**\/*.pdf`. */
  readonly glob: string | ReadonlyArray<string>
  /** Which files of earlier runs are left out: those of the same content, at the same path, or unchanged since by size and time. never: none. What was rejected is given again. Default: `"never"`. */
  readonly skipSeen?: "content" | "path" | "mtime" | "never" | undefined
}

/** Gives the rows of a JSONL or CSV file (also gzipped), or of what is piped in, in their order. A line that is no row is a failed row. */
export type ReadFields =
  | {
      /** A file of rows, relative to the definition's folder, or - for what is piped in. */
      readonly file: string
      /** Format of the file; without it, by its name (.jsonl .ndjson .csv .tsv, with or without .gz). */
      readonly format?: "jsonl" | "csv" | undefined
      /** CSV: types of columns by name; string by default. An empty cell of another type is null. Without a header, the columns in their order. */
      readonly columns?:
        | {
            readonly [name: string]: "string" | "integer" | "number" | "boolean" | "json"
          }
        | undefined
      /** CSV: the first record names the columns; true by default. */
      readonly header?: boolean | undefined
      /** CSV: character between cells; a comma by default, and a tab in .tsv files. One ASCII character. */
      readonly delimiter?: string | undefined
      /** CSV: character around cells that need it; " by default. One ASCII character. */
      readonly quote?: string | undefined
      /** Integers beyond 2^53, which numbers cannot hold. string (the default): their digits are kept as a string, with a warning. strict: the line is a failed row. */
      readonly integers?: "string" | "strict" | undefined
      /** CSV: a cell with this text is null. */
      readonly nullText?: string | undefined
    }
  | string

/** Gives addresses as rows with the field `url`: a literal list, the lines of a file, or a site's sitemap. A line that is no web address is a failed row. */
export type UrlsFields =
  | ReadonlyArray<string>
  | {
      /** Reads the addresses of a file. A text file with one address on each line. */
      readonly file: string
    }
  | {
      /** Reads the addresses of a site's sitemap. A site, whose sitemap is read. */
      readonly sitemap: string
    }

/** Gives the entries of RSS, Atom and JSON feeds as rows, in the order of the feed; a feed that cannot be read is a failed row. */
export interface FeedFields {
  /** Address of a feed, or of an HTML page that names its feed. */
  readonly url?:
    | {
        /** An expression over the row (JSONata). An expression over the row (JSONata). */
        readonly expr: string
      }
    | string
    | undefined
  /** Addresses of several feeds, in place of `url`. */
  readonly urls?: readonly [string, ...ReadonlyArray<string>] | undefined
  /** Entries of one feed, in the order of the feed. A whole number from 1 to 100,000. Default: `10000`. */
  readonly limit?: number | undefined
  /** Reads the first feed that an HTML page names in `<link rel="alternate">`. Default: `true`. */
  readonly discover?: boolean | undefined
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
  /** The kind of proxy, as the service names them. */
  readonly proxy?: string | undefined
  /** Milliseconds that a stored copy may be old; without it, or with 0, the local engine fetches the page. A whole number of milliseconds, at least 0. */
  readonly maxAge?: number | undefined
}

/** Turns a prompt into crawl parameters; other steps read them as ${{ steps.<id>.output }}. */
export interface CrawlPreviewFields {
  /** Address of the site. An absolute http:// or https:// address. */
  readonly url: string
  /** Describes the pages that are wanted. A string of at most 10000 characters. */
  readonly prompt: string
}

/** Opens a browser session when the first step needs it, and closes it when the run is over. Other steps reach it by ${{ steps.<id>.output }}, which has its id, cdpUrl, liveViewUrl and interactiveLiveViewUrl. `run` names a function of your project, `({ cdpUrl, with, … }) => result`, that may return a Promise. It is called once the session is open, before any other step uses it, for example to log in; its result is `output.result`. A resumed run opens a new session. */
export interface BrowserFields {
  /** Lifetime in seconds. A whole number of seconds from 30 to 3600. Default: `600`. */
  readonly ttl?: number | undefined
  /** Seconds without activity before the end. A whole number of seconds from 10 to 3600. Default: `300`. */
  readonly activityTtl?: number | undefined
  /** Offer a live view of the session. Default: `true`. */
  readonly streamWebView?: boolean | undefined
  /** Storage that the session starts with. */
  readonly profile?: BrowserProfile | undefined
  /** Called with the session before other steps use it: to log in, for example. */
  readonly run?:
    | string
    | {
        /** File that exports the function. A TypeScript or JavaScript file, relative to the definition's folder. */
        readonly module: string
        /** Name of the exported function. A string that is not empty. Default: `"default"`. */
        readonly export?: string | undefined
        /** Value that the function gets as `with`. */
        readonly with?: unknown | undefined
      }
    | undefined
}

/** Starts a crawl and gives its pages as rows while it runs; fields written here win over `params`. */
export interface CrawlFields {
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
  /** Address where the crawl starts; without it, the one in params. */
  readonly url?:
    | {
        /** An expression over the row (JSONata). An expression over the row (JSONata). */
        readonly expr: string
      }
    | string
    | undefined
  /** Describes the pages that are wanted; a model turns it into parameters. A string of at most 10000 characters. */
  readonly prompt?: string | undefined
  /** Maximum number of pages that are fetched at once. A whole number of at least 1. */
  readonly maxConcurrency?: number | undefined
  /** Store nothing of the request and its results in the service. */
  readonly zeroDataRetention?: boolean | undefined
  /** How each page is scraped. */
  readonly scrapeOptions?: ScrapeOptions | undefined
  /** Pages of earlier runs that are visited again, at the local engine. all: each one. changed: leaves out pages that their sitemap or their earlier visits say have not changed; they count as unchanged, and are free. { atLeast, atMost, fullEvery }: the same with other bounds. Default: changed if a step below compares with earlier runs (dedupe with across: runs), otherwise all. */
  readonly revisit?:
    | "all"
    | "changed"
    | {
        /** A page is visited once its last visit is this long ago; 7d by default. A duration like 500ms, 30s, 15m, 2h or 1d. */
        readonly atLeast?: string | undefined
        /** A page is not visited again before its last visit is this long ago, unless its sitemap says that it has changed; no bound by default. A duration like 500ms, 30s, 15m, 2h or 1d. */
        readonly atMost?: string | undefined
        /** Every run of this number visits all pages, to find what the others have missed; 10 by default. A whole number from 1 to 1000. */
        readonly fullEvery?: number | undefined
      }
    | undefined
  /** Parameters that apply where the step sets none, usually `${{ steps.ID.output }}` of a crawlPreview. */
  readonly params?:
    | {
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
    | undefined
}

/** Scrapes the pages of all incoming rows as one job; rows flow on as pages are done. `$source` is the incoming row. */
export interface BatchScrapeFields {
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
  /** Address of the page; without it, the row's field `url`. */
  readonly url?:
    | {
        /** An expression over the row (JSONata). An expression over the row (JSONata). */
        readonly expr: string
      }
    | string
    | undefined
  /** Maximum number of pages that are fetched at once. A whole number of at least 1. */
  readonly maxConcurrency?: number | undefined
}

/** Attaches to a batch scrape by its id and gives its pages as rows until it ends. */
export interface BatchStatusFields {
  /** Id of the job. */
  readonly id:
    | {
        /** An expression over the row (JSONata). An expression over the row (JSONata). */
        readonly expr: string
      }
    | string
  /** Version of the API that the job was started with. Default: `"v2"`. */
  readonly version?: "v1" | "v2" | undefined
}

/** Attaches to a crawl by its id and gives its pages as rows until it ends. */
export interface CrawlStatusFields {
  /** Id of the job. */
  readonly id:
    | {
        /** An expression over the row (JSONata). An expression over the row (JSONata). */
        readonly expr: string
      }
    | string
  /** Version of the API that the job was started with. Default: `"v2"`. */
  readonly version?: "v1" | "v2" | undefined
}

/** Scrapes one page for each row; the row becomes the document, `$source` is the incoming row. */
export interface ScrapeFields {
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
  /** Address of the page; without it, the row's field `url`. */
  readonly url?:
    | {
        /** An expression over the row (JSONata). An expression over the row (JSONata). */
        readonly expr: string
      }
    | string
    | undefined
  /** Shows the pages in this browser session, with its cookies, and parses them like files; they do not enter the search index. */
  readonly session?:
    | {
        /** Address of the browser (CDP). */
        readonly cdpUrl: string
        readonly [name: string]: unknown
      }
    | undefined
}

/** Parses one file for each row: the local file of a `files` row is uploaded; a file with an address (`url`) is fetched and parsed by the service. */
export interface ParseFields {
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
  /** Address of the file; without it, the local file of a `files` row. */
  readonly url?:
    | {
        /** An expression over the row (JSONata). An expression over the row (JSONata). */
        readonly expr: string
      }
    | string
    | undefined
}

/** Gives the team's token usage, one row for each month, or for each month and key. */
export interface UsageFields {
  /** One row for each month and API key, in place of one for each month. Default: `false`. */
  readonly byApiKey?: boolean | undefined
  /** Version of the API. Default: `"v2"`. */
  readonly version?: "v1" | "v2" | undefined
}

/** Gives the crawls that are running now. */
export interface ActiveCrawlsFields {
  /** Version of the API. Default: `"v2"`. */
  readonly version?: "v1" | "v2" | undefined
}

/** Keeps the rows for which the expression is true. */
export type WhereFields = string

/** Makes a new row: each name with the value of its expression; a value that is missing is left out. */
export interface SelectFields {
  readonly [name: string]: string
}

/** Leaves fields out: by name, or by a path into nested values and lists. What is not there is no mistake. */
export type DropFields = string | ReadonlyArray<string>

/** Makes nested values fields of the row, named by their path; a row in which two values would have one name is a failed row. */
export interface FlattenFields {
  /** String between the names of a path. A string that is not empty. Default: `"."`. */
  readonly separator?: string | undefined
  /** Number of levels that are flattened; without it, all. A whole number of at least 1. */
  readonly depth?: number | undefined
  /** keep: arrays stay arrays. json: they become JSON strings. Default: `"keep"`. */
  readonly lists?: "keep" | "json" | undefined
}

/** Makes one row for every item of an array: the row's fields, with the item as the field `as`. */
export type ExplodeFields =
  | {
      /** The array whose items become rows. An expression over the row (JSONata). An expression over the row (JSONata). */
      readonly list: string
      /** Field that holds the item; without it, the field that `list` names, or `item`. */
      readonly as?: string | undefined
    }
  | string

/** Keeps the first row of each key, in the run or across runs; without `key`, `$key` is the key. Across runs, the field `change` says whether a row is new, changed, unchanged or gone; a row that has this field already is a failed row. */
export interface DedupeFields {
  /** Rows with the same key are duplicates; `$key` where it is missing or null. An expression over the row (JSONata). */
  readonly key?: string | undefined
  /** run: keeps the first row of every key in this run. runs: compares rows with those of earlier runs. Default: `"run"`. */
  readonly across?: "run" | "runs" | undefined
  /** With across: runs, a row is changed when this value differs from the last run that saw it. An expression over the row (JSONata). */
  readonly changedWhen?: string | undefined
  /** With across: runs, a row is changed when this text, usually `markdown`, has changed in a way that matters: order, advertisements, counters and what else differs at every visit do not count. The field `difference` says what has changed. An expression over the row (JSONata). */
  readonly changedIn?: string | undefined
  /** With changedIn, blocks with a match of one of these are not compared; without regard to case. */
  readonly ignore?: ReadonlyArray<string> | undefined
  /** With changedIn, a difference in a block with a match of one of these always counts, even if it differs at every visit. */
  readonly always?: ReadonlyArray<string> | undefined
  /** With changedIn, what the changes are watched for, such as "the price fell". The language model of the service is asked about each change, after the last row; a row whose change does not matter is unchanged. `difference.goal` has the answer. Changes without an answer count. A string from 1 to 1000 characters. */
  readonly goal?: string | undefined
  /** Questions of one run, at most; further changes count unasked. 20 by default. A whole number from 0 to 10000. */
  readonly goalLimit?: number | undefined
  /** With across: runs, the rows that are passed on; [new, changed] by default. */
  readonly emit?: ReadonlyArray<"new" | "changed" | "unchanged" | "gone"> | undefined
  /** With across: runs, the field that says new, changed, unchanged or gone; `change` by default. A string that is not empty. */
  readonly as?: string | undefined
  /** With across: runs, keeps the last N changes among the emitted rows, with their diffs, for `sluice show`, the dashboard and `notify` on changed. What the first run finds is no change; none are kept by default. A whole number from 1 to 20000. */
  readonly history?: number | undefined
}

/** Passes the first rows and stops asking for more. */
export type LimitFields = number

/** Passes random rows: a number of them once the input has ended, or a share as they come. Each run chooses other rows; a resumed run keeps its choice. */
export type SampleFields =
  | {
      /** Number of rows that are chosen at random. A whole number from 1 to 100000. */
      readonly rows: number
    }
  | {
      /** Chance of each row to be chosen. A share like 5%. */
      readonly share: string
    }

/** Gives the rows in order once all have come: numbers before texts (by code unit) before true and false, null and missing last; equal rows keep their order. Rows that do not fit into memory are sorted on disk. */
export interface SortFields {
  /** Expressions that rows are ordered by: later ones decide where earlier ones are equal. */
  readonly by:
    | string
    | ReadonlyArray<
        | {
            /** An expression over the row (JSONata). An expression over the row (JSONata). */
            readonly expr: string
            /** Smallest first, or largest first. Default: `"asc"`. */
            readonly order?: "asc" | "desc" | undefined
          }
        | string
      >
  /** Number of rows that are kept, from the first one on. A whole number of at least 1. */
  readonly limit?: number | undefined
  /** Number of rows that are held in memory, at most 64 MB of them: with more, rows go to disk. A whole number of at least 1. Default: `100000`. */
  readonly maxRows?: number | undefined
}

/** Adds to each row, behind its own fields, what a file (JSONL or CSV) says under the same key. Rows of the file that do not fit into memory are looked up on disk. A field that both sides have with different values makes a failed row: choose `fields`, or `as`. */
export interface JoinFields {
  /** File whose rows are looked up. A file of rows, relative to the definition's folder. */
  readonly file: string
  /** Format of the file; without it, by its name (.jsonl .ndjson .csv .tsv, with or without .gz). */
  readonly format?: "jsonl" | "csv" | undefined
  /** CSV: types of columns by name; string by default. An empty cell of another type is null. Without a header, the columns in their order. */
  readonly columns?:
    | {
        readonly [name: string]: "string" | "integer" | "number" | "boolean" | "json"
      }
    | undefined
  /** CSV: the first record names the columns; true by default. */
  readonly header?: boolean | undefined
  /** CSV: character between cells; a comma by default, and a tab in .tsv files. One ASCII character. */
  readonly delimiter?: string | undefined
  /** CSV: character around cells that need it; " by default. One ASCII character. */
  readonly quote?: string | undefined
  /** Integers beyond 2^53, which numbers cannot hold. string (the default): their digits are kept as a string, with a warning. strict: the line is a failed row. */
  readonly integers?: "string" | "strict" | undefined
  /** CSV: a cell with this text is null. */
  readonly nullText?: string | undefined
  /** Rows match when their keys are equal: one expression for both sides, or one for each. */
  readonly on:
    | {
        /** Key of the row. An expression over the row (JSONata). An expression over the row (JSONata). */
        readonly left: string
        /** Key of a row of the file. An expression over the row (JSONata). An expression over the row (JSONata). */
        readonly right: string
      }
    | string
  /** Fields that are taken from the file; without it, all. */
  readonly fields?: ReadonlyArray<string> | undefined
  /** Puts them into one field of this name; without it they become fields of the row. A string that is not empty. */
  readonly as?: string | undefined
  /** left: rows without a match pass unchanged. inner: they are dropped. Default: `"left"`. */
  readonly type?: "left" | "inner" | undefined
  /** When the file has several rows for one: the first of them, a row for each, or a failed row. `all` numbers the identities of its rows. Default: `"first"`. */
  readonly many?: "first" | "all" | "error" | undefined
  /** Number of rows of the file that are held in memory, at most 64 MB of them: with more, they are on disk. A whole number of at least 1. Default: `100000`. */
  readonly maxRows?: number | undefined
}

/** Gives one row for each group of rows: the columns of `by`, and measures of its rows. The rows come once all rows have been read, in the order of `by` (numbers before texts, by code unit, before true and false, null last). Groups that do not fit into memory are put together on disk. */
export interface AggregateFields {
  /** What rows of a group have in common: a field, an array of fields, or names with expressions. Null and missing are one group. Without it, all rows are one group. */
  readonly by?:
    | string
    | ReadonlyArray<string>
    | {
        readonly [name: string]: string
      }
    | undefined
  /** Columns of the result by name, behind those of `by`: count (of rows), or { count } of values, { sum }, { avg }, { min } and { max } in the order of sort, { first }, { list } of at most `max` values (1,000), { countDistinct }, each with an expression. Null and missing values count in none; without a value, count and countDistinct are 0, a list is empty, and the others are null. Default: `{}`. */
  readonly measures?:
    | {
        readonly [name: string]:
          | "count"
          | {
              /** Number of rows in which the expression has a value. An expression over the row (JSONata). */
              readonly count?: string | undefined
              /** Sum of the numbers; null without one. An expression over the row (JSONata). */
              readonly sum?: string | undefined
              /** Average of the numbers; null without one. An expression over the row (JSONata). */
              readonly avg?: string | undefined
              /** Smallest value, in the order of `sort`; null without one. An expression over the row (JSONata). */
              readonly min?: string | undefined
              /** Largest value, in the order of `sort`; null without one. Beside `list`, the number of values that it has at most: the first ones (default: 1000). A whole number from 1 to 100000 or an expression over the row (JSONata). */
              readonly max?: number | string | undefined
              /** Value of the first row that has one; null without one. An expression over the row (JSONata). */
              readonly first?: string | undefined
              /** Array of the values, in the order of the rows. An expression over the row (JSONata). */
              readonly list?: string | undefined
              /** Number of different values. An expression over the row (JSONata). */
              readonly countDistinct?: string | undefined
            }
      }
    | undefined
  /** Number of groups that are held in memory, at most 64 MB of them: with more, groups go to disk. A whole number of at least 1. Default: `200000`. */
  readonly maxGroups?: number | undefined
}

/** Holds every row to rules: a row passes, is a failed row, or stops the run, by the first rule that it breaks. A rule that cannot be evaluated is broken. */
export type CheckFields = ReadonlyArray<{
  /** An expression over the row (JSONata). An expression over the row (JSONata). */
  readonly rule: string
  /** Says what is wrong with a row that breaks the rule. */
  readonly message?: string | undefined
  /** warn: the row passes, and the run reports the number of such rows at its end. reject: the row is a failed row. fail: the run stops. Default: `"reject"`. */
  readonly onFail?: "warn" | "reject" | "fail" | undefined
}>

/** Gives every row to a function of the project, `(row, { key, source, with, run }) => row, list of rows or undefined` (or a Promise of it). It runs only where code is allowed, and should give the same for the same row: after a crash it is asked again. A row that it has not done with after 5 minutes, or `timeout`, is a failed row. */
export interface UseFields {
  /** File that exports the function. A TypeScript or JavaScript file, relative to the definition's folder. */
  readonly module: string
  /** Name of the exported function. A string that is not empty. Default: `"default"`. */
  readonly export?: string | undefined
  /** Value that the function gets as `with`. */
  readonly with?: unknown | undefined
}

/** Writes the rows to a file that appears under its name when the run has ended well, and passes them on. */
export type WriteFields =
  | {
      /** Path of the file, under the output folder unless it is absolute, or - for standard output; {runId}, {date} and {seq} stand for the run's, other names for what partitionBy says. */
      readonly jsonl: string
      /** replace: the new files take the old ones' place when the run has ended well, and of a partition all its parts; append: behind what is there, with {seq} as further parts; perRun: files of its own, with the run's id in their names. Default: `"replace"`. */
      readonly mode?: "replace" | "append" | "perRun" | undefined
      /** Names in the path, each with the expression whose value over the row stands there. */
      readonly partitionBy?:
        | {
            readonly [name: string]: string
          }
        | undefined
      /** Starts a new part, the next {seq} of its partition, before a part exceeds these limits. */
      readonly roll?:
        | {
            /** Maximum number of rows of a part. A whole number of at least 1. */
            readonly rows?: number | undefined
            /** Maximum size of a part, before gzip; a larger row gets a part of its own. A size like 64MB. */
            readonly size?: string | undefined
          }
        | undefined
      /** Compress the files; true by itself when the path ends in .gz. */
      readonly gzip?: boolean | undefined
      /** true: beside the files, `_manifest.json` lists them with rows, bytes and SHA-256. It appears when all files of the run have their names. Each pipeline needs a folder of its own. */
      readonly manifest?: boolean | undefined
      /** input: rows in the order in which they were read; completion: as soon as they are ready. Default: `"completion"`. */
      readonly order?: "completion" | "input" | undefined
    }
  | {
      /** Path of the file, under the output folder unless it is absolute, or - for standard output; {runId}, {date} and {seq} stand for the run's, other names for what partitionBy says. */
      readonly csv: string
      /** Field to type, in the order of the file. Without it the first 1,000 rows decide, or 32 MB of them. */
      readonly columns?:
        | {
            readonly [name: string]: "string" | "integer" | "number" | "boolean" | "date" | "json"
          }
        | undefined
      /** A field that has no column: leave it out, refuse the row, or add a column at the end of its file. Default: `"drop"`. */
      readonly onNewField?: "drop" | "error" | "widen" | undefined
      /** replace: the new files take the old ones' place when the run has ended well, and of a partition all its parts; append: behind what is there, with {seq} as further parts; perRun: files of its own, with the run's id in their names. Default: `"replace"`. */
      readonly mode?: "replace" | "append" | "perRun" | undefined
      /** Names in the path, each with the expression whose value over the row stands there. */
      readonly partitionBy?:
        | {
            readonly [name: string]: string
          }
        | undefined
      /** Starts a new part, the next {seq} of its partition, before a part exceeds these limits. */
      readonly roll?:
        | {
            /** Maximum number of rows of a part. A whole number of at least 1. */
            readonly rows?: number | undefined
            /** Maximum size of a part, before gzip; a larger row gets a part of its own. A size like 64MB. */
            readonly size?: string | undefined
          }
        | undefined
      /** Compress the files; true by itself when the path ends in .gz. */
      readonly gzip?: boolean | undefined
      /** true: beside the files, `_manifest.json` lists them with rows, bytes and SHA-256. It appears when all files of the run have their names. Each pipeline needs a folder of its own. */
      readonly manifest?: boolean | undefined
      /** input: rows in the order in which they were read; completion: as soon as they are ready. Default: `"completion"`. */
      readonly order?: "completion" | "input" | undefined
      /** Between cells. Default: `","`. */
      readonly delimiter?: string | undefined
      /** Around cells that need it. Default: `"\""`. */
      readonly quote?: string | undefined
      /** Behind every record. Default: `"lf"`. */
      readonly lineEnd?: "lf" | "crlf" | undefined
      /** Begin the file with a byte order mark, for old spreadsheets. Default: `false`. */
      readonly bom?: boolean | undefined
      /** What an empty cell says. Default: `""`. */
      readonly nullText?: string | undefined
      /** How dates are written, in UTC: iso 2026-01-31T10:00:00.000Z (days stay days), date 2026-01-31, datetime 2026-01-31 10:00:00, or whole seconds or milliseconds since 1970. Default: `"iso"`. */
      readonly dates?: "iso" | "date" | "datetime" | "epochSeconds" | "epochMillis" | undefined
      /** Put ' before texts that a spreadsheet would run: = + - @ tab. Cells with , ; | or a tab are always quoted. Default: `true`. */
      readonly escapeFormulas?: boolean | undefined
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

/** `BrowserProfile` of the API. */
export interface BrowserProfile {
  /** Sessions of the same name share storage. A text from 1 to 128 characters. */
  readonly name: string
  /** Save the state on close; one saver at a time for each profile. Default: `true`. */
  readonly saveChanges?: boolean | undefined
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

/** Fields of each step, by its key. */
export interface StepFields {
  /** Searches and gives every result as a row, with the field `source`: web, images or news. A hit that is no web address is a failed row. */
  readonly search: SearchFields
  /** Gives every file that a pattern matches, in the order of their paths; `$source` has path, name, extension, size. */
  readonly files: FilesFields
  /** Gives the rows of a JSONL or CSV file (also gzipped), or of what is piped in, in their order. A line that is no row is a failed row. */
  readonly read: ReadFields
  /** Gives addresses as rows with the field `url`: a literal list, the lines of a file, or a site's sitemap. A line that is no web address is a failed row. */
  readonly urls: UrlsFields
  /** Gives the entries of RSS, Atom and JSON feeds as rows, in the order of the feed; a feed that cannot be read is a failed row. */
  readonly feed: FeedFields
  /** Turns a prompt into crawl parameters; other steps read them as ${{ steps.<id>.output }}. */
  readonly crawlPreview: CrawlPreviewFields
  /** Opens a browser session when the first step needs it, and closes it when the run is over. Other steps reach it by ${{ steps.<id>.output }}, which has its id, cdpUrl, liveViewUrl and interactiveLiveViewUrl. `run` names a function of your project, `({ cdpUrl, with, … }) => result`, that may return a Promise. It is called once the session is open, before any other step uses it, for example to log in; its result is `output.result`. A resumed run opens a new session. */
  readonly browser: BrowserFields
  /** Starts a crawl and gives its pages as rows while it runs; fields written here win over `params`. */
  readonly crawl: CrawlFields
  /** Scrapes the pages of all incoming rows as one job; rows flow on as pages are done. `$source` is the incoming row. */
  readonly batchScrape: BatchScrapeFields
  /** Attaches to a batch scrape by its id and gives its pages as rows until it ends. */
  readonly batchStatus: BatchStatusFields
  /** Attaches to a crawl by its id and gives its pages as rows until it ends. */
  readonly crawlStatus: CrawlStatusFields
  /** Scrapes one page for each row; the row becomes the document, `$source` is the incoming row. */
  readonly scrape: ScrapeFields
  /** Parses one file for each row: the local file of a `files` row is uploaded; a file with an address (`url`) is fetched and parsed by the service. */
  readonly parse: ParseFields
  /** Gives the team's token usage, one row for each month, or for each month and key. */
  readonly usage: UsageFields
  /** Gives the crawls that are running now. */
  readonly activeCrawls: ActiveCrawlsFields
  /** Keeps the rows for which the expression is true. */
  readonly where: WhereFields
  /** Makes a new row: each name with the value of its expression; a value that is missing is left out. */
  readonly select: SelectFields
  /** Leaves fields out: by name, or by a path into nested values and lists. What is not there is no mistake. */
  readonly drop: DropFields
  /** Makes nested values fields of the row, named by their path; a row in which two values would have one name is a failed row. */
  readonly flatten: FlattenFields
  /** Makes one row for every item of an array: the row's fields, with the item as the field `as`. */
  readonly explode: ExplodeFields
  /** Keeps the first row of each key, in the run or across runs; without `key`, `$key` is the key. Across runs, the field `change` says whether a row is new, changed, unchanged or gone; a row that has this field already is a failed row. */
  readonly dedupe: DedupeFields
  /** Passes the first rows and stops asking for more. */
  readonly limit: LimitFields
  /** Passes random rows: a number of them once the input has ended, or a share as they come. Each run chooses other rows; a resumed run keeps its choice. */
  readonly sample: SampleFields
  /** Gives the rows in order once all have come: numbers before texts (by code unit) before true and false, null and missing last; equal rows keep their order. Rows that do not fit into memory are sorted on disk. */
  readonly sort: SortFields
  /** Adds to each row, behind its own fields, what a file (JSONL or CSV) says under the same key. Rows of the file that do not fit into memory are looked up on disk. A field that both sides have with different values makes a failed row: choose `fields`, or `as`. */
  readonly join: JoinFields
  /** Gives one row for each group of rows: the columns of `by`, and measures of its rows. The rows come once all rows have been read, in the order of `by` (numbers before texts, by code unit, before true and false, null last). Groups that do not fit into memory are put together on disk. */
  readonly aggregate: AggregateFields
  /** Holds every row to rules: a row passes, is a failed row, or stops the run, by the first rule that it breaks. A rule that cannot be evaluated is broken. */
  readonly check: CheckFields
  /** Gives every row to a function of the project, `(row, { key, source, with, run }) => row, list of rows or undefined` (or a Promise of it). It runs only where code is allowed, and should give the same for the same row: after a crash it is asked again. A row that it has not done with after 5 minutes, or `timeout`, is a failed row. */
  readonly use: UseFields
  /** Writes the rows to a file that appears under its name when the run has ended well, and passes them on. */
  readonly write: WriteFields
}
