import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";

// src/Database/DriverErrors.ts
var isSqlError = (error) => typeof error == "object" && error !== null && "_tag" in error && error._tag === "SqlError", innermost = (cause) => typeof cause == "object" && cause !== null && "cause" in cause && cause.cause !== void 0 ? innermost(cause.cause) : cause, meanings = [
  ["SQLITE_FULL", "the disk is full; free some space, then go on"],
  ["SQLITE_NOTADB", "the file is no database of this program; move it away, or name another data folder"],
  ["SQLITE_CORRUPT", "the file is damaged; bring it back from a backup, or move it away to begin a new one"],
  ["SQLITE_READONLY_DBMOVED", "the file was moved or removed while it was in use"],
  ["SQLITE_READONLY", "the file or its folder may not be written; change that, or name another data folder"],
  ["SQLITE_CANTOPEN", "the file cannot be opened; is its folder writable?"],
  ["SQLITE_PERM", "the file may not be opened; look at its permissions"],
  ["SQLITE_BUSY", "another process did not finish writing to it in time; try again"],
  ["SQLITE_IOERR", "the disk cannot read or write it"],
  ["ECONNREFUSED", "nobody answers there; is the server running, and are host and port right?"],
  ["ENOENT", "there is no such folder or socket; does the path exist, and is the server running?"],
  ["ENOTFOUND", "there is no such host; look at the address"],
  ["ECONNRESET", "the connection was lost; go on when the server can be reached again"],
  ["EPIPE", "the connection was lost; go on when the server can be reached again"],
  ["ETIMEDOUT", "the server cannot be reached; look at the network"],
  ["28", "the server does not let this user in; look at user and password in the address"],
  ["3D000", "there is no such database; make it with CREATE DATABASE, or name another"],
  ["42501", "the user may not do this; GRANT CREATE ON DATABASE lets it make its schema"],
  ["53100", "the server's disk is full; free some space there, then go on"],
  ["53300", "the server takes no more connections; raise max_connections, or run fewer processes"],
  ["53", "the server has no room left for this"],
  ["55P03", "another process did not finish writing in time; try again"],
  ["57014", "it took longer than it may; try again when the server has less to do"],
  ["57P", "the server was shut down or is starting; go on when it can be reached again"],
  ["25P03", "this process was silent for too long in the middle of a write, which was undone"],
  ["25006", "the server only reads (a standby?); name the one that writes"],
  ["08", "the connection was lost; go on when the server can be reached again"]
], codeOf = (error) => {
  if (!(typeof error != "object" || error === null))
    return "code" in error && typeof error.code == "string" && error.code !== "" ? error.code : error instanceof Error && /Unable to open.*: 14/.test(error.message) ? "SQLITE_CANTOPEN" : void 0;
}, isBusy = (cause) => codeOf(innermost(cause))?.startsWith("SQLITE_BUSY") === !0, reasonOf = (cause) => {
  let error = innermost(cause), words = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && "path" in error && "syscall" in error)
    return `${fileErrorReason(error)}; change that, or name another data folder (${words})`;
  let code = codeOf(error), meaning = code === void 0 ? void 0 : meanings.find(([kind]) => code.startsWith(kind));
  return meaning === void 0 ? words : `${meaning[1]} (${words})`;
};

export {
  isSqlError,
  innermost,
  codeOf,
  isBusy,
  reasonOf
};
