/**
 * Outputs of the definitions that agents write: files below `out/` that carry the name of the pipeline.
 *
 * - Two definitions never share a name, and none can write a file of another. Paths are compared with everything that stands for
 *   `{name}` and `${{ }}`; manifests count.
 * - Definitions in code are not executed: their names and paths are looked for in the text.
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
import { collide, isFileOf, literalPrefix, manifestName } from "../Sink/Destination.ts"
import type { Destination } from "../Step/Output.ts"
import { McpSetup } from "./Session.ts"
import { ToolRefused } from "./Tool.ts"

const refuse = (reason: string) => new ToolRefused({ reason })

/** Fields of `write` that hold a word, and no path. */
const wordFields = ["mode", "order"]

/** Outputs of the steps of a definition, with their manifests. */
const destinationsOf = (value: unknown): ReadonlyArray<Destination> => {
  const steps = Predicate.isReadonlyRecord(value) && Array.isArray(value.steps) ? value.steps : []
  return steps.flatMap((step) => {
    const write = Predicate.isReadonlyRecord(step) && Predicate.isReadonlyRecord(step.write) ? step.write : {}
    const mode = typeof write.mode === "string" ? write.mode : "replace"
    const partitions = Predicate.isReadonlyRecord(write.partitionBy) ? Object.keys(write.partitionBy) : []
    return Object.entries(write).flatMap(([format, path]): ReadonlyArray<Destination> => {
      if (typeof path !== "string" || wordFields.includes(format)) return []
      const manifest = NodePath.join(literalPrefix(path, "/"), manifestName).slice(1)
      return [
        { format, path, mode, partitions },
        ...(write.manifest === true ? [{ format: "json", path: manifest, mode: "replace", partitions: [] }] : [])
      ]
    })
  })
}

/** The first output that is not one of the pipeline's own; undefined when all are. */
export const foreignOutput = (value: unknown, name: string): string | undefined =>
  destinationsOf(value).find(({ path }) => !isOwnOutput(path, name))?.path

/** The destination with any text in place of values that only a run knows. */
const anyValue = ({ path, ...rest }: Destination, out: string): Destination => {
  const open = path.replace(/\$\{\{.*?\}\}|\{date\}/gs, "{any}")
  return { ...rest, path: NodePath.resolve(out, open), partitions: [...rest.partitions, "any"] }
}

/** Name and outputs of a definition of the project, as far as they can be known without running it. */
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
      // An ending alone is put behind a name, and a name alone behind a folder.
      const whole = /^\.\w/.test(path) ? `{any}${path}` : path
      return { format, path: whole.includes("/") ? whole : `out/${whole}`, mode: "replace", partitions: ["any"] }
    })
  }
}

/** Files of a project in which definitions are looked for. */
const maxFiles = 2_000

/** All definitions of the project but the one at a path. */
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
    // Files of a run have its id, which no other has.
    const replaced = destinations.filter(({ mode, path }) => mode !== "perRun" && !path.includes("{runId}"))
    return names.find((each) => {
      const lower = each.toLowerCase()
      return lower === name
        ? destinations.some(({ path }) => path.startsWith(`out/${name}/`))
        : replaced.some((one) => isFileOf(one, out, { format: one.format, path: NodePath.join(folder, lower) }))
    })
  })

/**
 * Fails when another definition has the name, or when a file that the definition can write is, or can become, one of another pipeline.
 * Outputs that the definition `before` had are its own.
 */
export const ensureOwn = (name: string, path: string, value: unknown, before: unknown) =>
  Effect.gen(function* () {
    const { out } = yield* McpSetup
    const had = destinationsOf(before).map(({ path }) => path)
    const fresh = destinationsOf(value).filter((each) => !had.includes(each.path))
    for (const other of yield* others(path)) {
      if (other.hasName(name)) return yield* refuse(`${other.file} has the name ${name}: choose another`)
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
