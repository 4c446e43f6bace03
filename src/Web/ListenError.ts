/** Why a server does not listen. Apart from the servers, because programs that embed the engine read this type. */
import * as Data from "effect/Data"

/** Advice by error code of the system. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: ". Another one may be running. Port 0 takes a free one",
  EACCES: ". Ports below 1024 may need rights. Port 0 takes a free one",
  EADDRNOTAVAIL: ". The host has to be an address of this machine, such as 127.0.0.1",
  ENOTFOUND: ". The host has to be an address of this machine, such as 127.0.0.1"
}

/** A server cannot listen on its address. */
export class ListenError extends Data.TaggedError("ListenError")<{
  /** Name of the server in messages: `the dashboard`. */
  readonly what: string
  readonly host: string
  readonly port: number
  readonly cause: unknown
}> {
  override get message() {
    const { code = "", message = String(this.cause) } = (this.cause ?? {}) as NodeJS.ErrnoException
    return `${this.what} cannot listen on ${this.host}:${this.port}: ${message}${advice[code] ?? ""}`
  }
}
