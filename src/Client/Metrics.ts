/** Metrics of the client's calls. */
import { counter, histogram } from "../Telemetry/Metric.ts"

export const requests = counter(
  "sluice_client_requests_total",
  "Requests to the service, by the status of their answer, or error when none came.",
  ["method", "status"]
)

export const requestSeconds = histogram(
  "sluice_client_request_duration_seconds",
  "Time from a request to the end of its answer.",
  ["method"]
)

export const retries = counter(
  "sluice_client_retryable_failures_total",
  "Requests that failed with a retryable error, by error.",
  ["error"]
)
