/** Describes file system errors in plain words. Separate from `Files.ts` because the executable loads it without Effect. */
import { isAbsolute } from "node:path"

const reasons: Readonly<Record<string, string>> = {
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
}

/** Reason of a file error, without the name of the system call. `error` is a Node error, or has one as its cause. */
export const fileErrorReason = (error: unknown): string => {
  const { cause = error, message = String(error) } = (error ?? {}) as Partial<Error>
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
  return reasons[code] ?? (cause instanceof Error ? cause.message : message)
}

/** The path of a definition; if relative, with the folder that it starts from. */
export const pathInFolder = (path: string, folder: string): string => (isAbsolute(path) ? path : `${path} in ${folder}`)
