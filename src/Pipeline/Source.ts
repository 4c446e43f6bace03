/** A definition as written: YAML, JSON or TypeScript, with the position of every value. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as PlatformPath from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, visit } from "yaml"
import { readText } from "../Files/BesideFile.ts"
import { parseYaml } from "../Files/Yaml.ts"
import { isOfProject, originOf, Permissions } from "../Permissions.ts"
import { nearFiles } from "../Row/NearFiles.ts"
import { valueOf } from "../Row/YamlOrder.ts"
import { current } from "../Step/ProjectCode.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { type Registered, unextend } from "./Extensions.ts"
import { DefinitionInvalid, type Path } from "./Issue.ts"
import { isCut, syntaxIssues, tooDeep } from "./YamlErrors.ts"

/** A plain value that ends before a YAML comment (` #`), with its path in the definition and its position in the text. */
export interface Cut {
  readonly path: Path
  readonly line: number
  readonly column: number
}

/** The value of a definition, with the positions of its parts. */
export interface Source {
  /** File name as given by the user. */
  readonly file: string
  /** Text as written; for code, the value as JSON. */
  readonly text: string
  /** Folder that relative paths start from. */
  readonly folder: string
  readonly value: unknown
  /** Text of the contract if another machine has read it; null if there was none, undefined if it was not read. */
  readonly contract?: string | null | undefined
  /** Extensions of the program that passed the definition. */
  readonly extensions?: Registered | undefined
  /** Plain values that a comment seems to have cut off; these are issues if the values are expressions. */
  readonly cuts?: ReadonlyArray<Cut> | undefined
  /** Line and column, counted from 1; undefined if the file has no positions (TypeScript). */
  readonly locate: (
    path: Path,
    part?: "key" | "value"
  ) => { readonly line: number; readonly column: number } | undefined
}

/** Parses YAML, which includes JSON. */
export const parseText = (file: string, folder: string, text: string): Effect.Effect<Source, DefinitionInvalid> =>
  Effect.suspend(() => {
    const lines = new LineCounter()
    const document = parseYaml(text, lines)
    const place = (offset: number) => {
      const { line, col } = lines.linePos(offset)
      return { line, column: col }
    }
    const issues = syntaxIssues(document, text, place)
    if (issues.length > 0) return Effect.fail(new DefinitionInvalid({ file, issues }))
    const cuts: Array<Cut> = []
    if (/[ \t]#/.test(text))
      visit(document, {
        Scalar: (part, node, above) => {
          const comment = /^[ \t]+#(.*)/.exec(text.slice(node.range?.[1] ?? text.length))?.[1]
          if (part === "key" || node.type !== "PLAIN" || comment === undefined || !isCut(String(node.value), comment))
            return
          const path = [...above, node].flatMap((each, depth): Path => {
            const parent = above[depth - 1]
            if (isPair(each)) return isScalar(each.key) ? [String(each.key.value)] : []
            return isSeq(parent) ? [parent.items.indexOf(each)] : []
          })
          cuts.push({ path, ...place(node.range?.[0] ?? 0) })
        }
      })
    const keyAt = (path: Path) => {
      const mapping = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
      return isMap(mapping)
        ? mapping.items.find(({ key }) => isScalar(key) && key.value === path.at(-1))?.key
        : undefined
    }
    const locate: Source["locate"] = (path, part = "value") => {
      const key = part === "key" ? keyAt(path) : undefined
      if (isNode(key) && key.range) return place(key.range[0])
      // A missing key is located at its object, an unknown key at its name.
      for (let length = path.length; length >= 0; length--) {
        const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
        if (isNode(node) && node.range) return place(node.range[0])
      }
      return undefined
    }
    return Effect.try({
      try: (): Source => {
        const value = valueOf(document, text)
        return { file, text, folder, value, cuts, locate }
      },
      catch: (error) =>
        new DefinitionInvalid({
          file,
          issues: [{ path: [], message: `not valid YAML: ${(error as Error).message}` }]
        })
    })
  }).pipe(
    Effect.catchSomeDefect((defect) =>
      defect instanceof RangeError
        ? Option.some(new DefinitionInvalid({ file, issues: [{ path: [], message: tooDeep, line: 1, column: 1 }] }))
        : Option.none()
    )
  )

/** Unwraps the default export of a module loaded by CommonJS: `import definition from "./pipeline.ts"` then returns all its exports. */
const withoutWrapper = (given: unknown): unknown => {
  const isModule = typeof given === "object" && given !== null && "__esModule" in given && "default" in given
  return isModule ? withoutWrapper(given.default) : given
}

/** Source for a definition given as a value. Its text contains only the names of the program's extensions. */
export const ofValue = (file: string, folder: string, given: unknown): Effect.Effect<Source, DefinitionInvalid> =>
  Effect.try({
    try: (): Source => {
      const { extensions, value } = unextend(withoutWrapper(given))
      const text = JSON.stringify(value, undefined, 2) ?? ""
      return { file, text, folder, value, extensions, locate: () => undefined }
    },
    catch: (error) => {
      const reason = whyNotPlain(given) ?? (error as Error).message
      return new DefinitionInvalid({ file, issues: [{ path: [], message: `is not plain data: ${reason}` }] })
    }
  })

/** Loads a TypeScript or JavaScript definition: its default export. */
const importDefinition = (file: string, path: string, folder: string) =>
  Effect.flatMap(current(path), ({ load }) => load).pipe(
    Effect.mapError(({ message }) => new DefinitionInvalid({ file, issues: [{ path: [], message }] })),
    Effect.flatMap((module) =>
      module.default === undefined
        ? Effect.fail(
            new DefinitionInvalid({
              file,
              issues: [
                {
                  path: [],
                  message: "has no default export: write `export default definePipeline({ … })`, of sluice/promise"
                }
              ]
            })
          )
        : ofValue(file, folder, module.default)
    )
  )

/** False for the tests, contracts and lock files beside definitions. */
const isDefinition = (name: string): boolean => /(?<!\.test|\.lock|\.contract)\.(ya?ml|json|m?[jt]s)$/.test(name)

/** Reads a definition, by its file extension: .yaml .yml .json .ts .mts .js .mjs. */
export const read = Trace.fn("Pipeline.read")(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* PlatformPath.Path
  const path = paths.resolve(file)
  const folder = paths.dirname(path)
  const refuse = (message: string) => new DefinitionInvalid({ file, issues: [{ path: [], message }] })
  const missing = Effect.flatMap(nearFiles(file, { isCandidate: isDefinition }), (near) =>
    refuse(`there is no such file${near}`)
  )
  const isMissing = Effect.map(
    Effect.orElseSucceed(files.exists(path), () => true),
    (isThere) => !isThere
  )
  const isFolder = Effect.map(
    Effect.option(files.stat(path)),
    Option.exists(({ type }) => type === "Directory")
  )
  switch (paths.extname(path)) {
    case ".yaml":
    case ".yml":
    case ".json": {
      const text = yield* Effect.catchAll(readText(path), ({ isMissing, reason }) =>
        isMissing ? missing : refuse(`cannot be read: ${reason}`)
      )
      return yield* parseText(file, folder, text)
    }
    case ".ts":
    case ".mts":
    case ".js":
    case ".mjs": {
      if (yield* isMissing) return yield* missing
      const permissions = yield* Permissions
      if (!permissions.code && !isOfProject(permissions, path)) {
        return yield* refuse(
          `is code that would run with all rights of your account, and ${originOf(permissions)}: read it, and allow it with --allow-code`
        )
      }
      return yield* importDefinition(file, path, folder)
    }
    default:
      if (yield* isMissing) return yield* missing
      if (yield* isFolder) return yield* refuse("is a folder: name a definition in it")
      return yield* refuse("is not a definition: expected .yaml, .yml, .json, .ts, .mts, .js or .mjs")
  }
})

/** Reason why a value is not plain data; undefined if it is. */
export const whyNotPlain = (value: unknown, above: ReadonlyArray<object> = []): string | undefined => {
  if (typeof value === "number" && !Number.isFinite(value)) return `it contains the number ${value}`
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint")
    return `it holds a ${typeof value}`
  if (typeof value !== "object" || value === null) return undefined
  if (above.includes(value)) return "it contains itself"
  const plain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  if (!plain) return `it contains a value that is not plain data (${value.constructor?.name ?? "without a name"})`
  for (const each of Object.values(value)) {
    const found = whyNotPlain(each, [...above, value])
    if (found !== undefined) return found
  }
  return undefined
}
