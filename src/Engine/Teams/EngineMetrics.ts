/** Metrics of the engine, under their names in `/metrics`. */
import { counter, gauge, histogram } from "../../Telemetry/Metric.ts"

/**
 * Counter of API requests. Its 2,000 series suffice for every status of every route, so a scanner's requests cannot displace those of real
 * failures.
 */
export const requests = counter(
  "sluice_http_requests_total",
  "Requests that the engine has answered.",
  ["method", "route", "status"],
  2000
)

export const requestSeconds = histogram(
  "sluice_http_request_duration_seconds",
  "Seconds from the head of a request to the head of its answer.",
  ["route"]
)

export const pages = counter(
  "sluice_pages_total",
  "Pages that the engine has fetched or served from its store, by outcome: the class of the site's status, such as 2xx, or failed.",
  ["outcome"]
)

export const pageSeconds = histogram("sluice_page_duration_seconds", "Seconds to fetch and convert a page.", [])

export const pagesRunning = gauge("sluice_pages_underway", "Pages that are being fetched or converted.", [])

export const jobs = gauge("sluice_jobs_running", "Crawls and batches that have not ended.", ["kind"])

export const queued = gauge(
  "sluice_queue_pages",
  "Pages of jobs that are waiting, or that a worker has taken and not finished.",
  ["state"]
)

export const credits = counter("sluice_credits_total", "Credits that the engine has charged.", ["endpoint"])

export const sessions = gauge("sluice_browser_sessions", "Browser sessions that are open.", [])

export const parsing = gauge("sluice_parse_files", "Files that wait for a parsing process, or are being parsed.", [
  "state"
])

export const storeBytes = gauge("sluice_store_bytes", "Size of the engine's store on disk, including its log.", [])
