/** Failure of a delivery: the receiver did not accept the notification. */
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"

export class Undelivered extends Data.TaggedError("Undelivered")<{
  /** Reason without addresses or responses, because both may hold secrets. */
  readonly reason: string
  /** Wait that the receiver asked for. */
  readonly retryAfter?: Duration.Duration | undefined
  /** True if the receiver did not answer in time. */
  readonly timedOut?: boolean | undefined
}> {
  override get message() {
    return `the receiver did not accept it: ${this.reason}`
  }
}
