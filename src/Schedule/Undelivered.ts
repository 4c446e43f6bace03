/** The receiver of a notification did not accept it. */
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"

export class Undelivered extends Data.TaggedError("Undelivered")<{
  /** Contains neither an address nor a response, because both may hold secrets. */
  readonly reason: string
  /** The receiver asked to wait this long. */
  readonly retryAfter?: Duration.Duration | undefined
  /** True when it gave no answer in time. */
  readonly timedOut?: boolean | undefined
}> {
  override get message() {
    return `the receiver did not accept it: ${this.reason}`
  }
}
