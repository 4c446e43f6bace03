/** Errors of the ledger. Their messages say what failed, on which ledger, and why. */
import type { DatabaseError } from "../Database.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { TypedError } from "../TypedError.ts"

/** The ledger cannot be opened, read or written. */
export class LedgerError extends TypedError("LedgerError", { scope: "run" })<{
  /** Path of the file, or the database URL without its password. */
  readonly place: string
  readonly doing: string
  readonly reason: string
  readonly cause?: unknown
}> {
  override get message() {
    return `the ledger ${this.place} failed while ${this.doing}: ${this.reason}`
  }
}

/** The database of a ledger could not be opened. */
export const notOpened = ({ cause, file, reason }: DatabaseError): LedgerError =>
  new LedgerError({ place: file, doing: "being opened", reason, cause })

/** Another process holds the lock. */
export class Locked extends TypedError("Locked", { scope: "run", exitCode: ExitCode.locked })<{
  /** Such as `run 2026…` or `state docs-watch/…`. */
  readonly name: string
  readonly owner: string
  /** Milliseconds since the owner's last heartbeat. */
  readonly beat: number
}> {
  override get message() {
    return `${this.name} is in use by ${this.owner}, whose last heartbeat was ${Math.round(this.beat / 1000)} s ago. Wait for it to end, or stop it.`
  }
}
