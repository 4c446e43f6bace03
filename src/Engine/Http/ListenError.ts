/** Why a server does not listen. Apart from the server, because programs that embed the engine read this type. */
import * as Data from "effect/Data"

/** Advice for the user by error code of the system. */
const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: " Is another engine running? Port 0 takes a free one.",
  EACCES: " Ports below 1024 may need rights. Port 0 takes a free one.",
  EADDRNOTAVAIL: " The host has to be an address of this machine, such as 127.0.0.1.",
  ENOTFOUND: " The host has to be an address of this machine, such as 127.0.0.1."
}

/** The address cannot be listened on. */
export class ListenError extends Data.TaggedError("ListenError")<{
  readonly host: string
  readonly port: number
  readonly cause: unknown
}> {
  override get message() {
    const { code = "", message = String(this.cause) } = (this.cause ?? {}) as NodeJS.ErrnoException
    return `Cannot listen on ${this.host}:${this.port}: ${message}.${advice[code] ?? ""}`
  }
}
