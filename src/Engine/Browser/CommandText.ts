/**
 * Parses the CDP commands of callers' programs, and checks them against the policy.
 *
 * The time for that depends on what the program wrote, so this code uses no browser or connection and can run on any thread:
 * `CommandThread.ts` parses large commands on a worker thread, and small ones are parsed on the main thread, with the same result.
 */
import * as Predicate from "effect/Predicate"
import { type Bounds, excessOf, excessText } from "../../Api/Depth.ts"
import { type Command, judge, type Limits } from "./Policy.ts"

/** Limits of one command. Drivers write a row of three fields as five objects: 300,000 objects are 60,000 rows. */
export const bounds: Bounds = { levels: 1_000, containers: 300_000, keys: 300_000, values: 1_000_000 }

/** Maximum characters of a method name and of a session id: error messages repeat them. */
const maxName = 200

/** A parsed command, checked against the policy. Whether the program may use the command's session and target is checked later. */
export interface Prepared {
  readonly id: number
  readonly method: string
  readonly sessionId: string | undefined
  /** `targetId` in its params. */
  readonly target: string | undefined
  /** `sessionId` in its params. */
  readonly session: string | undefined
  readonly refusal: string | undefined
  /** As JSON. */
  readonly params: string | Uint8Array | undefined
}

export type Reading =
  | { readonly _tag: "Prepared"; readonly command: Prepared }
  /** The error can be reported under the command's id. */
  | { readonly _tag: "Refused"; readonly id: number; readonly sessionId: string | undefined; readonly reason: string }
  /** The command has no id for a response. */
  | { readonly _tag: "Unreadable"; readonly reason: string }

/** Checks a command against the policy; a forbidden one gets a `refusal`. */
export const prepare = (command: Command, limits: Limits): Prepared => {
  const { id = 0, method, params, sessionId } = command
  const verdict = judge(command, limits)
  const targetId = params?.targetId
  return {
    id,
    method,
    sessionId,
    target: typeof targetId === "string" ? targetId : undefined,
    session: typeof params?.sessionId === "string" ? params.sessionId : undefined,
    refusal: verdict._tag === "Refuse" ? verdict.reason : undefined,
    params: verdict._tag === "Pass" && verdict.params !== undefined ? JSON.stringify(verdict.params) : undefined
  }
}

/** Index of the quote that ends the string starting at `start`, or -1. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text[end - 1 - escapes] === "\\") escapes += 1
    if (escapes % 2 === 0) return end
  }
  return -1
}

const idAt = /\s*:\s*(-?\d{1,16})\s*[,}]/y
const sessionAt = /\s*:\s*"([^"\\]{1,200})"\s*[,}]/y

const matchAt = (pattern: RegExp, text: string, index: number): string | undefined => {
  pattern.lastIndex = index
  return pattern.exec(text)?.[1]
}

/** Reads the id and the session of a command that is too large to parse; finds its top-level keys by counting brackets. */
export const headOf = (text: string): { readonly id: number | undefined; readonly sessionId: string | undefined } => {
  let [level, id, sessionId]: [number, number | undefined, string | undefined] = [0, undefined, undefined]
  for (let index = 0; index < text.length; index++) {
    const sign = text[index]
    if (sign === "{" || sign === "[") level += 1
    else if (sign === "}" || sign === "]") level -= 1
    else if (sign === '"') {
      const end = endOfString(text, index)
      if (end === -1) break
      if (level === 1 && end - index === 3 && text.startsWith("id", index + 1)) {
        id = Number(matchAt(idAt, text, end + 1) ?? id)
      } else if (level === 1 && text.slice(index + 1, Math.min(end, index + 11)) === "sessionId") {
        sessionId = matchAt(sessionAt, text, end + 1) ?? sessionId
      }
      index = end
    }
  }
  return { id: Number.isSafeInteger(id) ? id : undefined, sessionId }
}

const unreadable = (reason: string): Reading => ({ _tag: "Unreadable", reason })

/** Parses a command as sent by a program. */
export const read = (json: Uint8Array, limits: Limits): Reading => {
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString("utf8")
  const excess = excessOf(text, bounds)
  if (excess !== undefined) {
    const { id, sessionId } = headOf(text)
    const reason = `The command ${excessText(excess, bounds[excess])}.`
    return id === undefined ? unreadable(reason) : { _tag: "Refused", id, sessionId, reason }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return unreadable("A command is not JSON.")
  }
  if (!Predicate.isRecord(value)) return unreadable("A command is not an object.")
  const { id, method, params, sessionId } = value
  if (typeof id !== "number" || !Number.isSafeInteger(id)) return unreadable("A command has no id.")
  if (sessionId !== undefined && (typeof sessionId !== "string" || sessionId.length > maxName)) {
    return { _tag: "Refused", id, sessionId: undefined, reason: "The sessionId of the command is not valid." }
  }
  const refused = (reason: string): Reading => ({ _tag: "Refused", id, sessionId, reason })
  if (typeof method !== "string" || method.length > maxName) return refused("The command has no method.")
  if (params !== undefined && !Predicate.isRecord(params))
    return refused("The params of the command are not an object.")
  return { _tag: "Prepared", command: prepare({ id, method, params, sessionId }, limits) }
}
