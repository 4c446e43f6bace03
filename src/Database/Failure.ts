/** What a driver's failure means to a person: what is wrong with the file, and what to do. */

/** The driver's own error, beneath what was wrapped around it. */
const innermost = (cause: unknown): unknown =>
  typeof cause === "object" && cause !== null && "cause" in cause && cause.cause !== undefined
    ? innermost(cause.cause)
    : cause

/** Result codes of SQLite; an extended code (`SQLITE_IOERR_WRITE`) begins with its kind. */
const meanings: ReadonlyArray<readonly [code: string, meaning: string]> = [
  ["SQLITE_FULL", "the disk is full; free some space, then go on"],
  ["SQLITE_NOTADB", "the file is no database of this program; move it away, or name another data folder"],
  ["SQLITE_CORRUPT", "the file is damaged; bring it back from a backup, or move it away to begin a new one"],
  ["SQLITE_READONLY_DBMOVED", "the file was moved or removed while it was in use"],
  ["SQLITE_READONLY", "the file or its folder may not be written; change that, or name another data folder"],
  ["SQLITE_CANTOPEN", "the file cannot be opened; is its folder writable?"],
  ["SQLITE_PERM", "the file may not be opened; look at its permissions"],
  ["SQLITE_BUSY", "another process did not finish writing to it in time; try again"],
  ["SQLITE_IOERR", "the disk cannot read or write it"]
]

const codeOf = (error: unknown): string | undefined => {
  if (typeof error !== "object" || error === null) return undefined
  if ("code" in error && typeof error.code === "string" && error.code !== "") return error.code
  // The driver gives an empty code when it cannot even open the file, and SQLite's number at the end of its words.
  return error instanceof Error && /Unable to open.*: 14/.test(error.message) ? "SQLITE_CANTOPEN" : undefined
}

/** Another process is writing to the file; it may be done the next time. */
export const isBusy = (cause: unknown): boolean => codeOf(innermost(cause))?.startsWith("SQLITE_BUSY") === true

/** One line: what is wrong and what to do, with the driver's own words behind it. */
export const reasonOf = (cause: unknown): string => {
  const error = innermost(cause)
  const words = error instanceof Error ? error.message : String(error)
  const code = codeOf(error)
  const meaning = code === undefined ? undefined : meanings.find(([kind]) => code.startsWith(kind))
  return meaning === undefined ? words : `${meaning[1]} (${words})`
}
