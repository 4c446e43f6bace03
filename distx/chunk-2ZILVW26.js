import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  counter,
  gauge,
  histogram
} from "./chunk-PGOM52WJ.js";

// src/Engine/Telemetry.ts
var requests = counter(
  "sluice_http_requests_total",
  "Requests that the engine has answered.",
  ["method", "route", "status"],
  2e3
), requestSeconds = histogram(
  "sluice_http_request_duration_seconds",
  "Time from the head of a request to the head of its answer.",
  ["route"]
), pages = counter(
  "sluice_pages_total",
  "Pages that the engine has fetched or has had in store, by the class of the site's status, or failed.",
  ["outcome"]
), pageSeconds = histogram("sluice_page_duration_seconds", "Time to fetch and convert a page.", []), underway = gauge("sluice_pages_underway", "Pages that are fetched or converted now.", []), jobs = gauge("sluice_jobs_running", "Crawls and batches that have not ended.", ["kind"]), queued = gauge("sluice_queue_pages", "Pages of jobs that wait, or are claimed and without a result.", [
  "state"
]), credits = counter("sluice_credits_total", "Credits that the engine has booked.", ["endpoint"]), sessions = gauge("sluice_browser_sessions", "Browser sessions that are open.", []), parsing = gauge("sluice_parse_files", "Files that wait for a parsing process, or are in one.", ["state"]), storeBytes = gauge("sluice_store_bytes", "Bytes of the engine's store on disk, its log included.", []);

export {
  requests,
  requestSeconds,
  pages,
  pageSeconds,
  underway,
  jobs,
  queued,
  credits,
  sessions,
  parsing,
  storeBytes
};
