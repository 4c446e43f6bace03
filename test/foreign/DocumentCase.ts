/** A case of a document: what its Markdown must or must not have. */
import { readFileSync } from "node:fs"
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { read } from "../Engine/Parse/Folder.ts"
import { type Case, input } from "./Case.ts"

export interface DocumentCase extends Case {
  /** A file of `inputs/pages`, or a name and the bytes of a file that is made here. */
  readonly input: string | readonly [name: string, bytes: Uint8Array]
  readonly has?: ReadonlyArray<string>
  readonly lacks?: ReadonlyArray<string>
  readonly warns?: RegExp
}

export const check = ({ has = [], input: source, lacks = [], warns }: DocumentCase) =>
  Effect.gen(function* () {
    const [name, bytes] = typeof source === "string" ? [source, readFileSync(input(`pages/${source}`))] : source
    const { document } = yield* read(name, bytes)
    const markdown = document.markdown ?? ""
    for (const part of has) expect(markdown).toContain(part)
    for (const part of lacks) expect(markdown).not.toContain(part)
    if (warns === undefined) expect(document.warning).toBeUndefined()
    else expect(document.warning).toMatch(warns)
  })
