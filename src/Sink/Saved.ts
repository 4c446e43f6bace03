/** What a sink committed, as the run keeps it: each file and each waiting row by itself, so that only what changed is written. */
import type { Json } from "../Row.ts"
import type { Commit, Durable } from "../Sink.ts"
import type { Changes, Saved } from "../Step.ts"

const fileKey = (path: string): string => `file ${path}`
const heldKey = (at: number): string => `held ${String(at).padStart(6, "0")}`

/** The last commit; undefined when there was none. */
export const commitOf = ({ entries, value }: Saved): Commit | undefined => {
  if (value === undefined) return undefined
  const valuesOf = (prefix: string) => entries.filter(([key]) => key.startsWith(prefix)).map(([, json]) => json)
  const { state } = value as { readonly state?: Json }
  return { files: valuesOf("file ") as unknown as ReadonlyArray<Durable>, state, held: valuesOf("held ") }
}

/** Gives what has changed from one commit to the next. */
export const makeChanges = (last: Commit | undefined): ((commit: Commit) => Changes) => {
  const files = new Map(last?.files.map((file) => [file.path, file]))
  let held = last?.held?.length ?? 0
  return (commit) => {
    const entries: Array<readonly [string, Json | undefined]> = []
    for (const file of commit.files) {
      // A file that did not change is the same object.
      if (files.get(file.path) === file) continue
      files.set(file.path, file)
      entries.push([fileKey(file.path), file as unknown as Json])
    }
    const waiting = commit.held ?? []
    for (let at = held; at < waiting.length; at++) entries.push([heldKey(at), waiting[at]])
    for (let at = waiting.length; at < held; at++) entries.push([heldKey(at), undefined])
    held = waiting.length
    return { value: { state: commit.state }, entries }
  }
}
