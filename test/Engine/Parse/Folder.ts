/** Files of a test, in a folder that is deleted with the scope. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { settle } from "../../../src/Api/Field.ts"
import { optionFields, type ParseOptions } from "../../../src/Api/Upload.ts"
import { convert } from "../../../src/Engine/Parse/Convert.ts"
import type { ReadOptions, Refusal } from "../../../src/Engine/Parse/Protocol.ts"
import { kindOfExtension } from "../../../src/Engine/Parse/Sniff.ts"
import { tempDir } from "../../Local.ts"

export const fileOf = (bytes: Uint8Array) =>
  Effect.map(tempDir, (folder) => {
    const path = join(folder, "upload")
    writeFileSync(path, bytes)
    return path
  })

/** Default parse request. */
export const target = (name: string, bytes: Uint8Array, options: ParseOptions = {}) =>
  Effect.map(fileOf(bytes), (path) => ({ path, name, options: settle(optionFields, options) }))

/** Parses a file in this process instead of a child. Only for harmless files. */
export const read = (name: string, bytes: Uint8Array, options: Partial<ReadOptions> = {}) =>
  Effect.gen(function* () {
    const path = yield* fileOf(bytes)
    const promised = kindOfExtension[name.slice(name.lastIndexOf("."))]
    return yield* Effect.tryPromise({
      try: () =>
        convert({
          path,
          name,
          promised,
          limitMillis: 20_000,
          options: {
            formats: ["markdown", "html", "rawHtml", "links", "images", "summary"],
            onlyMainContent: true,
            onlyCleanContent: false,
            includeTags: [],
            excludeTags: [],
            removeBase64Images: true,
            blockAds: true,
            budgetMillis: 20_000,
            ...options
          }
        }),
      catch: (error) => error as Refusal
    })
  })

/** Polls until the condition holds, for effects of other processes. */
export const until = (holds: () => boolean) =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry(Schedule.spaced("20 millis")),
    Effect.timeout("1 minute"),
    Effect.orDie
  )
