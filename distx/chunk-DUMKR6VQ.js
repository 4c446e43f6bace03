import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);

// src/TypedError/ExitCode.ts
var ExitCode = {
  ok: 0,
  failed: 1,
  usage: 2,
  tooManyRejects: 3,
  /** The budget is used up; the run can be resumed. */
  budgetReached: 4,
  /** Another process works on it. */
  locked: 5,
  /** A check, a test or a pin does not hold. */
  checkFailed: 6,
  /** A definition or a setting is invalid. */
  invalid: 78,
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143
};

// src/Files/FileErrors.ts
import { isAbsolute } from "node:path";
var reasons = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  ENOSPC: "no space is left on the device",
  EDQUOT: "the disk quota of this user is used up",
  EFBIG: "the file would be larger than this process may make one (ulimit -f, or the file system)",
  EMFILE: "this process has too many files open (ulimit -n)",
  ENFILE: "the machine has too many files open",
  ENOTDIR: "a part of the path is a file",
  EISDIR: "it is a folder",
  EEXIST: "a file of that name is in the way",
  ENOENT: "there is no such file or folder",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  EBUSY: "another program is using it",
  EIO: "the disk cannot read or write it"
}, fileErrorReason = (error) => {
  let { cause = error, message = String(error) } = error ?? {}, code = typeof cause == "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  return reasons[code] ?? (cause instanceof Error ? cause.message : message);
}, pathInFolder = (path, folder) => isAbsolute(path) ? path : `${path} in ${folder}`;

export {
  ExitCode,
  fileErrorReason,
  pathInFolder
};
