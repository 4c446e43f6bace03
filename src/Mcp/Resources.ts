/** Resources: the guide, the reference, the definitions of the project, and its newest runs. */

import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Dashboard from "../Dashboard/Definitions.ts"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { fitIn, part, render, shown } from "./Answer.ts"
import { guide } from "./Guide.ts"
import * as ProjectFiles from "./ProjectFiles.ts"
import * as Results from "./Results.ts"
import { McpSetup } from "./Session.ts"
import { refuse } from "./Tool.ts"

export interface Resource {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly mimeType: string
}

export interface Template {
  readonly uriTemplate: string
  readonly name: string
  readonly title: string
  readonly mimeType: string
}

const markdown = "text/markdown"
const yaml = "application/yaml"
const json = "application/json"

export const templates: ReadonlyArray<Template> = [
  {
    uriTemplate: "sluice://reference/{name}",
    name: "reference",
    title: "A step or topic of the reference",
    mimeType: markdown
  },
  {
    uriTemplate: "sluice://definitions/{file}",
    name: "definition",
    title: "A definition of the project",
    mimeType: yaml
  },
  { uriTemplate: "sluice://runs/{run}", name: "run", title: "A run of the project", mimeType: json }
]

/** Maximum characters of a resource URI. Definitions with a longer one are listed only by the tool `list`. */
const maxUri = 400

const all = Effect.gen(function* () {
  const { chapters } = yield* McpSetup
  const { definitions } = yield* Dashboard.list
  return [
    { uri: "sluice://guide", name: "guide", title: "How to draft, check, plan and run", mimeType: markdown },
    { uri: "sluice://reference", name: "reference", title: "Contents of the reference", mimeType: markdown },
    { uri: "sluice://runs", name: "runs", title: "The newest runs", mimeType: json },
    ...chapters.map((name) => ({
      uri: `sluice://reference/${name}`,
      name,
      title: `Reference: ${name}`,
      mimeType: markdown
    })),
    ...definitions
      .map(({ file, name }) => ({
        uri: `sluice://definitions/${encodeURIComponent(file)}`,
        name: shown(file, 200),
        title: `Definition ${shown(name, 100)}`,
        mimeType: yaml
      }))
      .filter(({ uri }) => uri.length <= maxUri)
  ] satisfies ReadonlyArray<Resource>
})

/** A page of the resource list. The cursor is a position in the list. */
export const list = (cursor: string | undefined) =>
  Effect.gen(function* () {
    if (cursor !== undefined && !/^\d{1,7}$/.test(cursor)) {
      return yield* refuse(`${shown(cursor, 60)} is not a cursor of this list`)
    }
    const resources = yield* all
    const after = Number(cursor ?? 0)
    const { isCut, shown: page } = fitIn(resources.slice(after), {})
    return { resources: page, nextCursor: isCut ? String(after + page.length) : undefined }
  })

/** Cuts a long text; `rest` says how to get what follows the position. */
const cut = (text: string, length: number, rest: (after: number) => string): string => {
  const { next, text: first } = part(text, 0)
  return next === null ? first : `${first}\n[cut at character ${next} of ${length}: ${rest(next)}]\n`
}

/** Decodes a name in the path of a URI. */
const nameIn = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

export const read = (uri: string) =>
  Effect.gen(function* () {
    const { explain } = yield* McpSetup
    const unknown = refuse(`there is no resource ${shown(uri, 200)}`)
    const [, kind, path] = /^sluice:\/\/(\w+)(?:\/(.+))?$/.exec(uri) ?? []
    const name = path === undefined ? undefined : nameIn(path)
    if (path !== undefined && name === undefined) return yield* unknown
    if (kind === "guide" && path === undefined) return { mimeType: markdown, text: guide }
    if (kind === "reference") {
      const text = explain(name)
      return text === undefined
        ? yield* unknown
        : {
            mimeType: markdown,
            text: cut(text, text.length, (after) => `call the tool explain with after: ${after} for the rest`)
          }
    }
    if (kind === "runs") {
      const given = name === undefined ? {} : { run: name }
      return { mimeType: json, text: render(yield* Results.status.call(given)) }
    }
    if (kind !== "definitions" || name === undefined) return yield* unknown
    const files = yield* FileSystem.FileSystem
    const file = yield* ProjectFiles.pathOf(name)
    const text = yield* Effect.mapError(files.readFileString(file), (cause) =>
      refuse(`${name} cannot be read: ${fileErrorReason(cause)}`)
    )
    return { mimeType: yaml, text: cut(shown(text, 60_000), text.length, () => "open the file for the rest") }
  })
