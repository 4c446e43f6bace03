/** Error of a server that cannot listen. Separate from the servers, because programs that embed the engine read this type. */
import * as Data from "effect/Data"

/** The fault and what to do, by the system's error code. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use. Stop the program that uses it, or choose another port: 0 picks a free one",
  EACCES:
    "the system does not allow it. Ports below 1024 may need special rights: choose another port, 0 picks a free one",
  EADDRNOTAVAIL: "this machine does not have that address. Choose one that it has, such as 127.0.0.1",
  ENOTFOUND: "this machine does not have that address. Choose one that it has, such as 127.0.0.1"
}

/** A server cannot listen on its address. */
export class ListenError extends Data.TaggedError("ListenError")<{
  /** Name of the server for messages, for example `the dashboard`. */
  readonly what: string
  readonly host: string
  readonly port: number
  readonly cause: unknown
}> {
  override get message() {
    const { code = "", message = String(this.cause) } = (this.cause ?? {}) as {
      readonly code?: string
      readonly message?: string
    }
    return `${this.what} cannot listen on ${this.host}:${this.port}: ${advice[code] ?? message}`
  }
}
