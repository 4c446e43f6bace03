/** Explains errors of the database drivers: what is wrong with the file or the server, and what to do. */
import { fileErrorReason } from "../Files/FileErrors.ts"

/** The driver's error, unwrapped from other errors. */
export const innermost = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null && "cause" in cause && cause.cause !== undefined
    ? innermost(cause.cause)
    : cause

/** Codes of SQLite, of Postgres and of connections, by prefix: `SQLITE_IOERR_WRITE` starts with its kind. */
const meanings: ReadonlyArray<readonly [code: string, meaning: string]> = [
  ["SQLITE_FULL", "the disk is full; free some space, then continue"],
  ["SQLITE_NOTADB", "the file is not a database of this program; move it away, or use another data folder"],
  ["SQLITE_CORRUPT", "the file is damaged; restore it from a backup, or move it away to start a new one"],
  ["SQLITE_READONLY_DBMOVED", "the file was moved or removed while it was in use"],
  ["SQLITE_READONLY", "the file or its folder is not writable; change its permissions, or use another data folder"],
  ["SQLITE_CANTOPEN", "the file cannot be opened; is its folder writable?"],
  ["SQLITE_PERM", "the file may not be opened; check its permissions"],
  ["SQLITE_BUSY", "another process did not finish writing to the file in time; try again"],
  ["SQLITE_IOERR", "the disk reported an error while reading or writing the file; check the disk"],
  ["ECONNREFUSED", "nothing listens at this address; is the server running, and are host and port right?"],
  ["ENOENT", "there is no such folder or socket; does the path exist, and is the server running?"],
  ["ENOTFOUND", "there is no such host; check the address"],
  ["ECONNRESET", "the connection was lost; continue when the server can be reached again"],
  ["EPIPE", "the connection was lost; continue when the server can be reached again"],
  ["ETIMEDOUT", "the server cannot be reached; check the network"],
  ["28", "the server refuses this user; check user and password in the address"],
  ["3D000", "there is no such database; create it with CREATE DATABASE, or use another one"],
  ["42501", "the user has no permission; GRANT CREATE ON DATABASE lets the user create the schema"],
  ["53100", "the server's disk is full; free some space there, then continue"],
  ["53300", "the server accepts no more connections; raise max_connections, or run fewer processes"],
  ["53", "the server has run out of memory or another resource; see the log of the server"],
  ["55P03", "another process did not finish writing in time; try again"],
  ["57014", "the query took longer than allowed; try again when the server has less to do"],
  ["57P", "the server was shut down or is starting; continue when it can be reached again"],
  ["25P03", "this process was silent for too long in the middle of a write, which was undone; try again"],
  ["25006", "the server is read-only (a standby?); use the primary"],
  ["08", "the connection was lost; continue when the server can be reached again"]
]

export const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== "object" || error === null) return undefined
  if ("code" in error && typeof error.code === "string" && error.code !== "") return error.code
  // If it cannot open the file, libsql gives an empty code, with SQLite's number at the end of the message.
  return error instanceof Error && /Unable to open.*: 14/.test(error.message) ? "SQLITE_CANTOPEN" : undefined
}

/** True when another process is writing to the file. */
export const isBusy = (cause: unknown): boolean => codeOf(innermost(cause))?.startsWith("SQLITE_BUSY") === true

/** Explanation and advice in one line, followed by the driver's message. */
export const reasonOf = (cause: unknown): string => {
  const error = innermost(cause)
  const message = error instanceof Error ? error.message : String(error)
  // The file system refused a folder or file, before the database was opened.
  if (error instanceof Error && "path" in error && "syscall" in error) {
    return `${fileErrorReason(error)}; correct this, or use another data folder (${message})`
  }
  const code = codeOf(error)
  const meaning = code === undefined ? undefined : meanings.find(([kind]) => code.startsWith(kind))
  return meaning === undefined ? message : `${meaning[1]} (${message})`
}
