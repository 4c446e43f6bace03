/** Place in a program from which it calls the library, for messages. */
import * as NodePath from "node:path"
import { fileURLToPath } from "node:url"

const frame = /\(?((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*):(\d+:\d+)\)?$/

/** `src/jobs.ts:12:20`, relative to the current folder: where `called` was called. Undefined where the stack names no file. */
export const callSiteOf = (called: (...parameters: never) => unknown): string | undefined => {
  const holder: { stack?: string } = {}
  Error.captureStackTrace(holder, called)
  const [, file, place] = frame.exec(holder.stack?.split("\n")[1] ?? "") ?? []
  if (file === undefined) return undefined
  return `${NodePath.relative(process.cwd(), file.startsWith("file:") ? fileURLToPath(file) : file)}:${place}`
}
