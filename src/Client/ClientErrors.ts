/** Errors of a client call: what failed, on which call, and what to do next. */
import type { YieldableError } from "effect/Cause"
import * as Duration from "effect/Duration"
import type { Status } from "../Api/JobStatus.ts"
import { count } from "../Row/Count.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { type Declared, type ErrorScope, TypedError } from "../TypedError.ts"

/** Request that failed, with the error body of the service. */
export interface Call {
  readonly method: string
  readonly url: string
  /** `code` of the error body, if the service sends one. */
  readonly code?: string | undefined
  /** Error message of the service. */
  readonly said?: string | undefined
  /** Request id in the log of the service, if it sends one. */
  readonly requestId?: string | undefined
}

/** Validation error of one field of a request. */
export interface Detail {
  /** Path of the field, like `scrapeOptions.formats.0`; empty for the request as a whole. */
  readonly path: string
  readonly message: string
  readonly code?: string | undefined
}

/** Builds an error message: what failed, on which call, the service's message, and what to do next. */
export const describe = (what: string, { method, url, said = "" }: Call, todo: string): string =>
  `${what} (${method} ${url})${said === "" ? "" : `: ${said.replace(/[.\s]+$/, "")}`}${said.includes(todo) ? "" : `. ${todo}`}`

/** Advice for a failure that the service's operator can mend; none where the answer names the setting, as the local engine does. */
const advise = ({ said = "" }: Call, todo: string): string => (/\bSLUICE_[A-Z]/.test(said) ? "" : todo)

/** The failure, and what to do next. `isOperators`: the operator of the service can mend it. */
type Texts = readonly [what: string, todo: string, isOperators?: boolean]

/** Texts of the errors that another attempt would not change, and that have no details of their own. */
const texts = {
  Unauthorized: ["The key was refused", "Put a valid key of this service into SLUICE_API_KEY"],
  PaymentRequired: ["Not enough credits", "Buy credits, wait for the next period, or ask for less"],
  Forbidden: [
    "The service does not allow this call",
    "Ask the operator of the service to allow it, or request a page at another address",
    true
  ],
  NotFound: ["Not found", "Check the id and the base URL"],
  JobNotFound: ["No such job", "Check the job's id, its kind (crawl or batch) and the team of your key"],
  JobExpired: ["The results of the job have expired", "Start the job again"],
  Conflict: ["The call conflicts with the current state", "Check the state before you try again"],
  Gone: ["The session or job has ended", "Start a new one"],
  TooLarge: ["Too large", "Send a smaller file (at most 50 MB) or a smaller body (at most 10 MB)"],
  UnsupportedFile: ["The type of the file is not supported", "Convert it to one of the supported types"],
  // Not repeated after advice of the service that begins with it.
  TargetNetworkError: ["The site could not be reached", "Check the address"],
  TargetDnsError: ["The name of the site could not be resolved", "Check the spelling of the address"],
  TargetTlsError: ["No secure connection to the site", "Set `skipTlsVerification` if you trust the site"],
  Refused: ["The service reports that the call failed", "Check the request, or ask the operator of the service", true],
  NotImplemented: [
    "The service does not support this call or one of its options",
    "Use a service that supports it, or leave the option out"
  ],
  InsufficientStorage: [
    "The service has no room left to keep results",
    "Delete results that are no longer needed, then try again",
    true
  ]
} as const satisfies Readonly<Record<string, Texts>>

interface CallErrorClass<Tag extends string, Scope extends ErrorScope> {
  new (
    call: Call
  ): YieldableError & { readonly _tag: Tag; readonly retryable: false } & Declared<Scope> & Readonly<Call>
}

const callError = <const Tag extends keyof typeof texts, const Scope extends ErrorScope>(
  tag: Tag,
  scope: Scope
): CallErrorClass<Tag, Scope> =>
  class extends TypedError(tag, { scope })<Call> {
    readonly retryable = false
    override get message() {
      const [what, todo, isOperators]: Texts = texts[tag]
      return describe(what, this, isOperators ? advise(this, todo) : todo)
    }
  }

/** 401: the key is missing or wrong. */
export class Unauthorized extends callError("Unauthorized", "run") {}

/** 402: the team has no credits left. */
export class PaymentRequired extends callError("PaymentRequired", "run") {}

/** 403: the operation is disabled, or the service is not allowed to reach the URL. */
export class Forbidden extends callError("Forbidden", "row") {}

/** 429: too many requests. `retryAfter` is the wait that the service asks for. */
export class RateLimited extends TypedError("RateLimited", { scope: "row" })<
  Call & {
    readonly retryAfter?: Duration.Duration | undefined
    /** Status of the response, if it is not 429. */
    readonly status?: number | undefined
  }
> {
  readonly retryable = true
  override get message() {
    const when = this.retryAfter === undefined ? "a short while" : Duration.format(this.retryAfter)
    return describe("Too many requests", this, `Try again after ${when}, or send fewer calls at a time`)
  }
}

/** 400, or found before sending: the request is invalid. `details` lists every mistake. */
export class InvalidRequest extends TypedError("InvalidRequest", { scope: "row" })<
  Call & { readonly details: ReadonlyArray<Detail> }
> {
  readonly retryable = false
  override get message() {
    const { details, said = "" } = this
    const faults = details.filter(({ message, path }) => !(said.includes(message) && said.includes(path)))
    const texts = faults.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`))
    const all = [...(said === "" ? [] : [said]), ...texts].join("; ")
    return describe("The request is not valid", { ...this, said: all }, texts.length === 0 ? "Correct the request" : "")
  }
}

/** 404: what was requested does not exist, or belongs to another team. */
export class NotFound extends callError("NotFound", "row") {}

/** 404 of a job: it never existed, or belongs to another team. */
export class JobNotFound extends callError("JobNotFound", "row") {}

/** 404 of a job whose results have expired. */
export class JobExpired extends callError("JobExpired", "row") {}

/** 408: the work took longer than the request allowed. */
export class Timeout extends TypedError("Timeout", { scope: "row" })<Call> {
  readonly retryable = true
  override get message() {
    return describe("The call took too long", this, "Try again, or allow more time with `timeout`")
  }
}

/** 409: the current state does not allow the call. */
export class Conflict extends callError("Conflict", "row") {}

/** 410: the resource existed and has ended. */
export class Gone extends callError("Gone", "row") {}

/** 413, or found before sending: the file or body exceeds the limit. */
export class TooLarge extends callError("TooLarge", "row") {}

/** 415, or found before sending: the service does not support this file type. */
export class UnsupportedFile extends callError("UnsupportedFile", "row") {}

/** 422: the content itself cannot be processed, for instance an encrypted or corrupt file. */
export class Unprocessable extends TypedError("Unprocessable", { scope: "row" })<Call> {
  readonly retryable = false
  override get message() {
    if (this.code?.startsWith("LOGIN_") === true)
      return describe(
        "The login failed, or the site still shows its login page afterwards",
        this,
        "Check the login of the definition"
      )
    // Error codes of a scrape are about the page itself, not its content.
    return this.code?.startsWith("SCRAPE_") === true
      ? describe("The page cannot be scraped", this, "Open the page in a browser to see what is wrong")
      : describe("The content cannot be processed", this, "Open the file or page yourself to see what is wrong")
  }
}

/** The site refused or reset the connection, or is not reachable. The service itself works. */
export class TargetNetworkError extends callError("TargetNetworkError", "row") {}

/** The name of the site could not be resolved. */
export class TargetDnsError extends callError("TargetDnsError", "row") {}

/** A secure connection to the site failed: its certificate or protocol is not accepted. */
export class TargetTlsError extends callError("TargetTlsError", "row") {}

/** 2xx, but the body says that the call failed. */
export class Refused extends callError("Refused", "row") {}

/** 501: this server does not support the operation or option. */
export class NotImplemented extends callError("NotImplemented", "row") {}

/** 507: the storage of the service is full. A job that ends for this reason is a `JobFailed` with this code. */
export class InsufficientStorage extends callError("InsufficientStorage", "run") {}

/** Error codes of features that have to be installed or enabled first. */
const permanentCodes: ReadonlySet<string> = new Set(["BROWSER_UNAVAILABLE", "MODEL_MISCONFIGURED"])

/** 5xx: the service failed. */
export class ServiceError extends TypedError("ServiceError", { scope: "row" })<
  Call & {
    readonly status: number
    /** Wait requested by the service. */
    readonly retryAfter?: Duration.Duration | undefined
    /** True when a proxy in front of the service answered. */
    readonly gateway?: boolean | undefined
  }
> {
  /** False if the service lacks something that must be installed or configured. */
  get retryable(): boolean {
    return !permanentCodes.has(this.code ?? "")
  }
  override get message() {
    if (!this.retryable) {
      return describe("The service cannot do this", this, advise(this, "Trying again helps only once this is fixed"))
    }
    const subject = this.gateway ? "A proxy before the service answered" : "The service failed"
    const when = this.retryAfter === undefined ? "later" : `after ${Duration.format(this.retryAfter)}`
    const look = this.requestId === undefined ? "" : `; its log has request ${this.requestId}`
    return describe(`${subject} with status ${this.status}`, this, `Try again ${when}${look}`)
  }
}

/** No response, or an incomplete one: host down, TLS failure, broken connection. */
export class NetworkError extends TypedError("NetworkError", { scope: "row" as ErrorScope })<
  Call & {
    readonly reason: string
    /** Advice at the end of the message. */
    readonly todo: string
    readonly retryable: boolean
    /** True when the request may have reached the service. */
    readonly sent: boolean
  }
> {
  /** `run` when the request never reached the service: no other row would reach it either. */
  override get scope(): ErrorScope {
    return this.sent ? "row" : "run"
  }
  override get message() {
    return describe(`No answer: ${this.reason}`, this, this.todo)
  }
}

/** A response that does not match the API: HTML, truncated JSON, an unknown structure or status. */
export class UnexpectedResponse extends TypedError("UnexpectedResponse", { scope: "row" })<
  Call & {
    readonly status: number
    /** First characters of the body. */
    readonly excerpt: string
  }
> {
  readonly retryable = false
  override get message() {
    const body = this.excerpt === "" ? "an empty body" : `the body ${JSON.stringify(this.excerpt)}`
    const what = `Unexpected answer with status ${this.status} and ${body}`
    return describe(what, this, "Check the base URL: it must be the address of the service, without /v1 or /v2")
  }
}

/** A `next` page or a redirect points to another origin. The client did not follow it, and did not send the key there. */
export class CrossOrigin extends TypedError("CrossOrigin", { scope: "row" })<Call & { readonly target: string }> {
  readonly retryable = false
  override get message() {
    const what = `The answer points to ${this.target}, which is not the origin of the base URL`
    return describe(what, this, "Nothing was sent there. If that origin is the right one, set it as the base URL")
  }
}

/** A job failed or was cancelled. Its documents were delivered before; `position` is their number. */
export class JobFailed extends TypedError("JobFailed", { scope: "row" })<
  Call & {
    readonly id: string
    readonly status: Status
    readonly position: number
    readonly completed: number
    readonly total: number
  }
> {
  readonly retryable = false
  /** Reason for which the job ended, if every other job of the team would end for it, too. A job that reached its own limit ends alone. */
  get teamError(): "PaymentRequired" | "InsufficientStorage" | undefined {
    switch (this.code) {
      case "INSUFFICIENT_CREDITS":
        return "PaymentRequired"
      case "TEAM_STORAGE_FULL":
      case "INSUFFICIENT_STORAGE":
        return "InsufficientStorage"
      case undefined:
      case "JOB_FAILED":
        // Some services, and jobs of earlier versions of the local engine, have no code of their own for it.
        return /^\s*insufficient credits/i.test(this.said ?? "") ? "PaymentRequired" : undefined
      default:
        return undefined
    }
  }
  override get message() {
    const what = `Job ${this.id} ${this.status === "cancelled" ? "was cancelled" : "failed"} at ${this.completed} of ${count(this.total, "page")}`
    const todo =
      "The documents scraped so far were delivered, and the job's `errors` say what failed. Start the job again for the rest"
    return describe(what, this, todo)
  }
}

/** The circuit breaker is open: the service failed too often in a row, so this call was not sent. */
export class CircuitOpen extends TypedError("CircuitOpen", { scope: "run" })<
  Call & {
    /** Number of consecutive failures. */
    readonly failures: number
    /** Duration of the outage. */
    readonly openFor: Duration.Duration
  }
> {
  readonly retryable = false
  override get message() {
    const what = `The service failed ${this.failures} times in a row and did not recover within ${Duration.format(this.openFor)}`
    return describe(what, this, "Try again when the service works")
  }
}

/** The base URL is missing or not usable. */
export class InvalidBaseUrl extends TypedError("InvalidBaseUrl", { scope: "run", exitCode: ExitCode.invalid })<{
  readonly reason: string
}> {
  readonly retryable = false
  override get message() {
    return `The base URL cannot be used: ${this.reason}. Set SLUICE_BASE_URL to an address like https://api.example.com`
  }
}

/** A call after `close()`. */
export class ClientClosed extends TypedError("ClientClosed", { scope: "run" }) {
  readonly retryable = false
  override get message() {
    return "The client is closed, so it makes no more calls. Create another one with createClient()"
  }
}

/** Errors of any call. */
export type ClientError =
  | Unauthorized
  | PaymentRequired
  | Forbidden
  | RateLimited
  | InvalidRequest
  | NotFound
  | JobNotFound
  | JobExpired
  | Timeout
  | Conflict
  | Gone
  | TooLarge
  | UnsupportedFile
  | Unprocessable
  | TargetNetworkError
  | TargetDnsError
  | TargetTlsError
  | NotImplemented
  | InsufficientStorage
  | Refused
  | ServiceError
  | NetworkError
  | UnexpectedResponse
  | CircuitOpen
  | CrossOrigin
