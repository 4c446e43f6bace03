/** The hosts that secrets are bound to: `secrets: { TOKEN: { hosts: [api.example.com] } }` in the files of `config/`. */
import { readdirSync, readFileSync } from "node:fs"
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { DefinitionInvalid, mistakesOf } from "../Pipeline/Mistake.ts"
import { parseText } from "../Pipeline/Source.ts"

const Host = Schema.String.pipe(
  Schema.pattern(/^(\*\.)?[^\s/:*@?#]+$|^\[[0-9a-f:.]+\]$/i, {
    message: () => "write the name of a host, like api.example.com, or *.example.com for all below it"
  })
)

const Bound = Schema.Struct({
  secrets: Schema.Record({
    key: Schema.String,
    value: Schema.Struct({
      hosts: Schema.NonEmptyArray(Host).annotations({ description: "an array of hosts like api.example.com" })
    })
  })
})

type Hosts = ReadonlyMap<string, ReadonlyArray<string>>

const readable = <A>(read: () => A, otherwise: A): A => {
  try {
    return read()
  } catch {
    // Whoever needs the file says why it cannot be read.
    return otherwise
  }
}

const textOf = (file: string): string => readable(() => readFileSync(file, "utf8"), "")

/** The bindings in a file of settings; fails where they are written in another way, because they would bind nothing. */
const inFile = (file: string) =>
  Effect.gen(function* () {
    const text = textOf(file)
    if (!/\bsecrets\b/.test(text)) return []
    const source = yield* parseText(file, NodePath.dirname(file), text)
    const { value } = source
    if (typeof value !== "object" || value === null || !("secrets" in value)) return []
    const decoded = Schema.decodeUnknownEither(Bound, { errors: "all" })({ secrets: value.secrets })
    if (Either.isRight(decoded)) return Object.entries(decoded.right.secrets)
    const mistakes = mistakesOf(decoded.left.issue).map((mistake) => ({ ...mistake, ...source.locate(mistake.path) }))
    return yield* new DefinitionInvalid({ file, mistakes })
  })

/** The bindings of a project, and of a profile; a secret of several files may go to the hosts of each. */
export const read = (project: string, profile: string | undefined) =>
  Effect.gen(function* () {
    const folder = NodePath.join(project, "config")
    const names = readable(() => readdirSync(folder), []).filter((name) => name.endsWith(".yaml"))
    const own = names.map((name) => NodePath.join(folder, name))
    const found = yield* Effect.forEach(new Set([...own, ...(profile === undefined ? [] : [profile])]), inFile)
    const bound = new Map<string, ReadonlyArray<string>>()
    for (const [name, { hosts }] of found.flat()) {
      bound.set(name, [...(bound.get(name) ?? []), ...hosts.map((host) => host.toLowerCase())])
    }
    return bound satisfies Hosts
  })

/** The data folder that a profile names. */
export const dataFolderIn = (profile: string): string | undefined =>
  /^["']?dataDir["']?\s*:\s*["']?([^"'#\n]+?)["']?\s*(?:#.*)?$/m.exec(textOf(profile))?.[1]
