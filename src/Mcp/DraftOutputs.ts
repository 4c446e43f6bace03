/**
 * Outputs of the definitions that agents write: files below `out/` whose paths contain the pipeline's name.
 *
 * - Two definitions never share a name, and none can write a file of another. The comparison allows any text in place of
 *   `{name}` and `${{ }}`, and includes manifests.
 * - Definitions in code are not executed: their names and paths are found in the text.
 */

import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Definitions from "../Dashboard/Definitions.ts"
import { realPath } from "../Permissions/Paths.ts"
import { isOwnOutput } from "../Permissions/Untrusted.ts"
import { parseText } from "../Pipeline/Source.ts"
import { collide, isFileOf, literalPrefix, manifestName, fields as sharedFields } from "../Sink/Destination.ts"
import { sinks } from "../Sink/Write.ts"
import type { Destination } from "../Step/Output.ts"
import { list, mapping } from "../Step/Requirements.ts"
import { McpSetup } from "./Session.ts"
import { refuse } from "./Tool.ts"

/** Fields of a `write` that hold a path: those of Sluice's sinks, or, for a sink of the project, all that sinks do not share. */
const pathFields = (write: object): ReadonlyArray<string> => {
  const own = sinks.map(({ key }) => key as string).filter((key) => Object.hasOwn(write, key))
  return own.length > 0 ? own : Object.keys(write).filter((key) => !Object.hasOwn(sharedFields, key))
}

/** Outputs of the steps of a definition, with their manifests. */
const destinationsOf = (value: unknown): ReadonlyArray<Destination> =>
  list(mapping(value).steps).flatMap((step) => {
    const write = mapping(mapping(step).write)
    const mode = typeof write.mode === "string" ? write.mode : "replace"
    const partitions = Object.keys(mapping(write.partitionBy))
    return pathFields(write).flatMap((format): ReadonlyArray<Destination> => {
      const { [format]: path } = write
      if (typeof path !== "string") return []
      const manifest = NodePath.join(literalPrefix(path, "/"), manifestName).slice(1)
      return [
        { format, path, mode, partitions },
        ...(write.manifest === true ? [{ format: "json", path: manifest, mode: "replace", partitions: [] }] : [])
      ]
    })
  })

/** The first output of a definition that does not belong to the pipeline; undefined if all do. */
export const foreignOutput = (value: unknown, name: string): string | undefined =>
  destinationsOf(value).find(({ path }) => !isOwnOutput(path, name))?.path

/** The destination with placeholders for values known only during a run, which match any text. */
const anyValue = ({ path, ...rest }: Destination, out: string): Destination => {
  const open = path.replace(/\$\{\{.*?\}\}|\{date\}/gs, "{any}")
  return { ...rest, path: NodePath.resolve(out, open), partitions: [...rest.partitions, "any"] }
}

/** Name and outputs of a definition in the project, as far as known without running it. */
interface OtherDefinition {
  readonly file: string
  readonly hasName: (name: string) => boolean
  readonly destinations: ReadonlyArray<Destination>
}

const isCode = (file: string): boolean => /\.[cm]?[jt]s$/.test(file)

const codeOf = (file: string, text: string): OtherDefinition => {
  const paths = text.replace(/\$\{[^}]*\}/g, "{any}").matchAll(/[\w{}./\\-]{0,300}\.(jsonl|csv)(\.gz)?(?=["'`])/g)
  return {
    file,
    hasName: (name) => new RegExp(`\\bname["']?\\s*:\\s*["'\`]${name}["'\`]`).test(text),
    destinations: Array.from(paths, ([path, format = ""]): Destination => {
      // If the text contains only an extension, any file name may precede it. A file name without a folder is in `out/`.
      const whole = /^\.\w/.test(path) ? `{any}${path}` : path
      return { format, path: whole.includes("/") ? whole : `out/${whole}`, mode: "replace", partitions: ["any"] }
    })
  }
}

/** Maximum files of a project that are searched for definitions. */
const maxFiles = 2_000

/** All definitions of the project except the one at this path. */
const others = (except: string) =>
  Effect.gen(function* () {
    const { project } = yield* McpSetup
    const files = yield* FileSystem.FileSystem
    const found = yield* Definitions.filesBelow(project, {
      accepts: (name) => Definitions.isDefinition(name) || (isCode(name) && !/\.(test|spec|d|config)\.\w+$/.test(name)),
      skips: (name) => Definitions.isSkipped(name) || name === "out",
      most: maxFiles
    })
    return yield* Effect.forEach(found, ({ file }) =>
      Effect.gen(function* () {
        const path = NodePath.join(project, file)
        if (realPath(path) === except) return []
        const text = yield* Effect.orElseSucceed(files.readFileString(path), () => "")
        if (!/\bsteps\b/.test(text) && !(isCode(file) && text.includes("Pipeline"))) return []
        if (isCode(file)) return [codeOf(file, text)]
        const source = yield* Effect.either(parseText(file, project, text))
        const value = Either.isRight(source) && Predicate.isReadonlyRecord(source.right.value) ? source.right.value : {}
        return [{ file, hasName: (name: string) => value.name === name, destinations: destinationsOf(value) }]
      })
    ).pipe(Effect.map((all): ReadonlyArray<OtherDefinition> => all.flat()))
  })

/** The first file below `out/` that a destination would replace. */
const existing = (destinations: ReadonlyArray<Destination>, name: string) =>
  Effect.gen(function* () {
    const { out } = yield* McpSetup
    const files = yield* FileSystem.FileSystem
    const folder = NodePath.join(out, "out")
    const names = yield* Effect.orElseSucceed(files.readDirectory(folder), () => [])
    // These paths contain the run's id, which no other run has.
    const replaced = destinations.filter(({ mode, path }) => mode !== "perRun" && !path.includes("{runId}"))
    return names.find((each) => {
      const lower = each.toLowerCase()
      return lower === name
        ? destinations.some(({ path }) => path.startsWith(`out/${name}/`))
        : replaced.some((one) => isFileOf(one, out, { format: one.format, path: NodePath.join(folder, lower) }))
    })
  })

/**
 * Fails if another definition has the name, or if a file that the definition can write is, or can become, a file of another pipeline.
 * Outputs that the previous definition (`before`) had are allowed.
 */
export const ensureOwn = (name: string, path: string, value: unknown, before: unknown) =>
  Effect.gen(function* () {
    const { out } = yield* McpSetup
    const had = destinationsOf(before).map(({ path }) => path)
    const fresh = destinationsOf(value).filter((each) => !had.includes(each.path))
    for (const other of yield* others(path)) {
      if (other.hasName(name)) return yield* refuse(`${other.file} already has the name ${name}: choose another name`)
      for (const one of fresh) {
        const same = other.destinations.find((each) => collide(anyValue(one, out), anyValue(each, out)))
        if (same !== undefined) {
          const reason = `${one.path} can be the same file as ${same.path} of ${other.file}: choose another name, or a file in out/${name}/`
          return yield* refuse(reason)
        }
      }
    }
    const taken = yield* existing(fresh, name)
    if (taken !== undefined) {
      return yield* refuse(`out/${taken} exists, and the pipeline would replace it: choose another name`)
    }
  })
