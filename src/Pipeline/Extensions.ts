/**
 * Registry of the steps and sinks that a definition may use: those of Sluice, and those of its extensions.
 *
 * - Extensions come from a program (`Pipeline.make(definition, { steps, sinks })`), or from the module that the definition names in
 *   its key `extensions`. Such a module is code of the project: it is imported only where code is allowed.
 * - The hash of the module, and of the files that it imports by relative paths, is part of the definition's hash. A run that is
 *   resumed, and a worker of a cluster, compare it before importing the module, and refuse one that has changed. Packages
 *   that the module imports are not compared.
 * - A schema in a TypeScript definition is an extension of its program: the text of the definition contains only its name.
 * - Sinks extend the step `write`, which accepts them beside `jsonl` and `csv`.
 * - Extensions of a program exist only in that program, and have no hash. Its definitions list their names, so that another program
 *   that reads such a definition can report which ones are missing.
 */
import { createRequire } from "node:module"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type Granted, Permissions } from "../Permissions.ts"
import { describeValue } from "../Row/Count.ts"
import { fields as sharedFields } from "../Sink/Destination.ts"
import * as Write from "../Sink/Write.ts"
import type * as Sink from "../Sink.ts"
import { readable } from "../Step/Access.ts"
import { all } from "../Step/All.ts"
import * as Extract from "../Step/Extract.ts"
import { withCurrentFlags } from "../Step/FormerFlags.ts"
import * as Join from "../Step/Join.ts"
import { current } from "../Step/ProjectCode.ts"
import * as Read from "../Step/Read.ts"
import { list, mapping } from "../Step/Requirements.ts"
import { isStandardSchema, type Schemas, type StandardSchema, vendorOf } from "../Step/StandardSchema.ts"
import type * as Step from "../Step.ts"
import { commonKeys, ExtensionsFile } from "./Definition.ts"
import { expectation } from "./Expectation.ts"
import type { Issue } from "./Issue.ts"

/** The steps that are part of Sluice. */
export const builtIn: ReadonlyArray<Step.Any> = [...all, Write.write]

/** Your own steps and sinks, in addition to those of Sluice. */
export interface Extensions {
  /** Steps made by `Step.make`; their keys become step keys of the definition. */
  readonly steps?: ReadonlyArray<Step.Any> | undefined
  /** Sinks made by `Sink.make`; their keys become fields of `write`. */
  readonly sinks?: ReadonlyArray<Sink.Any> | undefined
}

/** Extensions, including the schemas that `extract` may refer to. */
export interface Registered extends Extensions {
  readonly schemas?: Schemas | undefined
}

/** The steps that a definition may use. */
export interface Registry {
  /** The steps of Sluice, then the registered ones. */
  readonly steps: ReadonlyArray<Step.Any>
  /** Names of the registered extensions, for messages. */
  readonly added: ReadonlyArray<string>
  /** Hash of the extensions' code; undefined if they come from a program, or if there are none. */
  readonly hash?: string | undefined
}

/** Registry without extensions. */
export const noExtensions: Registry = { steps: builtIn, added: [] }

/** The part of a source needed to load its extensions. */
interface Extended {
  readonly value: unknown
  readonly folder: string
  /** Extensions of the program that passed the definition. */
  readonly extensions?: Registered | undefined
}

const property: unique symbol = Symbol.for("sluice/Pipeline/extensions")

/** Attaches extensions to a definition under a symbol: copies of the object keep it, JSON and YAML lose it. */
export const extend = <Definition extends object>(definition: Definition, extensions: Extensions): Definition => ({
  ...definition,
  [property]: extensions
})

const namesOf = ({ schemas = {}, sinks = [], steps = [] }: Registered): ReadonlyArray<string> => [
  ...steps.map(({ key }) => key),
  ...sinks.map(({ key }) => `write: ${key}`),
  ...Object.keys(schemas).map((name) => `schema: ${name}`)
]

const isFile = Schema.is(ExtensionsFile)

/** Replaces the schemas in a definition's steps by names. */
const nameSchemas = (definition: object): { readonly value: object; readonly schemas: Schemas } => {
  const schemas: Record<string, StandardSchema> = {}
  const { steps } = mapping(definition)
  if (!Array.isArray(steps)) return { value: definition, schemas }
  const named = steps.map((step: unknown, index): unknown => {
    const fields = mapping(mapping(step).extract)
    if (!isStandardSchema(fields.schema)) return step
    const name = `${vendorOf(fields.schema)} schema of step ${index + 1}`
    schemas[name] = fields.schema
    return { ...mapping(step), extract: { ...fields, schema: name } }
  })
  return { value: Object.keys(schemas).length === 0 ? definition : { ...definition, steps: named }, schemas }
}

/** Separates a program's definition into plain data, which names its extensions, and the extensions. */
export const unextend = (
  definition: unknown
): { readonly value: unknown; readonly extensions?: Registered | undefined } => {
  if (typeof definition !== "object" || definition === null) return { value: definition }
  const { schemas, value: plain } = nameSchemas(definition)
  if (!(property in plain) && plain === definition) return { value: definition }
  const { [property]: found, ...value } = plain as { readonly [property]?: Extensions }
  const extensions: Registered = { ...found, schemas }
  const program = namesOf(extensions)
  if (program.length === 0) return { value }
  // A module named beside the program's extensions stays, so that `load` can refuse it.
  return { value: isFile(mapping(value).extensions) ? value : { ...value, extensions: { program } }, extensions }
}

/** Name of the function that each kind of step must have. */
const acts: Readonly<Record<Step.Any["behaviour"]["kind"], string>> = {
  source: "read",
  item: "apply",
  transform: "make",
  sink: "open",
  value: "get"
}

/** True if all parts of a step are there: `instanceof` would fail if a module imports another copy of this package. */
const isStep = (value: unknown): value is Step.Any => {
  const { behaviour, config, example, key, summary } = mapping(value)
  const { kind } = mapping(behaviour)
  const act = typeof kind === "string" && Object.hasOwn(acts, kind) ? acts[kind as keyof typeof acts] : undefined
  return (
    [example, key, summary].every((text) => typeof text === "string") &&
    Schema.isSchema(config) &&
    act !== undefined &&
    typeof mapping(behaviour)[act] === "function" &&
    (kind !== "sink" || typeof mapping(behaviour).destination === "function")
  )
}

/** True if all parts of a sink are there, as in {@link isStep}. */
const isSink = (value: unknown): value is Sink.Any => {
  const { canAppend, config, example, key, open, ownFields, reader, sizes, summary } = mapping(value)
  return (
    [example, key, summary].every((text) => typeof text === "string") &&
    Schema.isSchema(config) &&
    (ownFields === undefined || Array.isArray(ownFields)) &&
    (reader === undefined || typeof reader === "function") &&
    [canAppend, open, sizes].every((part) => typeof part === "function")
  )
}

/** Advice if the project uses another major version of Effect than 3, which steps and sinks need; otherwise empty. */
const otherEffect = (path: string): string =>
  Either.match(
    Either.try(() => String((createRequire(path)("effect/package.json") as { readonly version?: unknown }).version)),
    {
      onLeft: () => "",
      onRight: (version) =>
        version.startsWith("3.")
          ? ""
          : `: steps and sinks need Effect 3, but this file imports effect ${version}. Run: npm install effect@3, or write a function for the step \`use\``
    }
  )

const isTaken = (sinks: ReadonlyArray<Sink.Any>, key: string): boolean => sinks.some((each) => each.key === key)

/** Reasons why the added sinks conflict with those of Sluice. */
const sinkConflicts = (added: ReadonlyArray<Sink.Any>): ReadonlyArray<string> =>
  added.flatMap(({ key, ownFields = [] }, index) => {
    if (!/^[a-zA-Z]\w{0,63}$/.test(key))
      return [`"${key}" is not a name for a sink: begin with a letter, then letters, digits and _`]
    if (isTaken(Write.sinks, key)) return [`"${key}" is a sink of Sluice: choose another key`]
    if (Object.hasOwn(sharedFields, key)) return [`"${key}" is a field of every sink: choose another key`]
    const field = ownFields.find(
      (name) => Object.hasOwn(sharedFields, name) || isTaken([...Write.sinks, ...added], name)
    )
    if (field !== undefined)
      return [`the sink "${key}" has a field "${field}", which is a sink or a field of every sink: choose another name`]
    return isTaken(added.slice(0, index), key)
      ? [`there are two sinks "${key}": choose another key for one of them`]
      : []
  })

/** Reasons why the added steps conflict with those of Sluice. */
const stepConflicts = (added: ReadonlyArray<Step.Any>): ReadonlyArray<string> =>
  added.flatMap(({ key }, index) => {
    if (!/^[a-zA-Z][\w-]{0,63}$/.test(key))
      return [`"${key}" is not a name for a step: begin with a letter, then letters, digits, - and _`]
    if (builtIn.some((each) => each.key === key)) return [`"${key}" is a step of Sluice: choose another key`]
    if (commonKeys.includes(key)) return [`"${key}" is a key that any step may have: choose another one`]
    const isTwice = added.slice(0, index).some((each) => each.key === key)
    return isTwice ? [`there are two steps "${key}": choose another key for one of them`] : []
  })

const refused = (message: string): Either.Either<never, ReadonlyArray<Issue>> =>
  Either.left([{ path: ["extensions"], message }])

const registry = (extensions: Registered, hash: string | undefined): Either.Either<Registry, ReadonlyArray<Issue>> => {
  const { schemas = {}, sinks = [], steps = [] } = extensions
  const [conflict] = [...stepConflicts(steps), ...sinkConflicts(sinks)]
  if (conflict !== undefined) return refused(conflict)
  const readers = sinks.flatMap(({ reader }) => reader?.({}) ?? [])
  const made: ReadonlyArray<Step.Any> = [
    ...(sinks.length === 0 ? [] : [Read.make(readers), Join.make(readers), Write.make([...Write.sinks, ...sinks])]),
    ...(Object.keys(schemas).length === 0 ? [] : [Extract.make(schemas)])
  ]
  const known = builtIn.map((step) => made.find(({ key }) => key === step.key) ?? step)
  // A step may come from an older copy of the library, whose flags have former names.
  return Either.right({ steps: [...known, ...steps.map(withCurrentFlags)], added: namesOf(extensions), hash })
}

const importSteps = (file: string, folder: string, isExpected: (hash: string) => boolean) =>
  Effect.gen(function* () {
    const path = yield* readable(file, folder)
    const { hash, load } = yield* Effect.mapError(current(path), () => ({
      message: `${file} cannot be read: check that the file exists`
    }))
    if (!isExpected(hash)) {
      return refused(
        `${file}, or a file that it imports, has changed since the run began: restore it, or resume the run with --with-current`
      )
    }
    const exported = yield* Effect.mapError(load, ({ message }) => ({
      message: `${file} ${message}${otherEffect(path)}`
    }))
    const values = [...new Set(Object.values(exported))]
    const named = Object.entries(exported).filter((entry): entry is [string, StandardSchema] =>
      isStandardSchema(entry[1])
    )
    const extensions = {
      steps: values.filter(isStep),
      sinks: values.filter(isSink),
      schemas: Object.fromEntries(named)
    }
    return namesOf(extensions).length === 0
      ? refused(
          `${file} exports no step, no sink and no schema: export one that Step.make, Sink.make or a schema library has made${otherEffect(path)}`
        )
      : registry(extensions, hash)
  }).pipe(Effect.catchAll(({ message }) => Effect.succeed(refused(message))))

export const defaultCodeAdvice = "read it, and allow it with --allow-code"

/** Conditions for importing a module. */
interface LoadOptions {
  readonly allowCode: boolean
  readonly permissions: Granted
  /** End of the message that code is not allowed: how to allow it. */
  readonly codeAdvice?: string | undefined
  /** Checks the hash of the module before importing it; default: accepts any. */
  readonly isExpected?: ((hash: string) => boolean) | undefined
}

/** Loads the steps that a definition may use; the left side are the issues of its key `extensions`. */
export const load = (
  { extensions, folder, value }: Extended,
  { allowCode, codeAdvice = defaultCodeAdvice, isExpected = () => true, permissions }: LoadOptions
): Effect.Effect<Either.Either<Registry, ReadonlyArray<Issue>>> => {
  const named = mapping(value).extensions
  if (extensions !== undefined) {
    const message = `${named} cannot be combined with extensions of the program: export those from that file, or pass its exports to Pipeline.make`
    return Effect.succeed(isFile(named) ? refused(message) : registry(extensions, undefined))
  }
  const program = list(mapping(named).program)
  if (program.length > 0) {
    const message = `${program.join(", ")}: only the program that made this definition has these extensions: start or resume it in that program, or move them to a file and name it (extensions: ./steps.ts)`
    return Effect.succeed(refused(message))
  }
  if (named === undefined) return Effect.succeed(Either.right(noExtensions))
  if (!isFile(named))
    return Effect.succeed(refused(`expected ${expectation(ExtensionsFile.ast)}, got ${describeValue(named)}`))
  if (!allowCode) return Effect.succeed(refused(`runs code of the project (${named}): ${codeAdvice}`))
  return Effect.provideService(importSteps(named, folder, isExpected), Permissions, permissions)
}

/** True if a definition uses extensions of the program that made it. */
export const needsProgram = (value: unknown): boolean => list(mapping(mapping(value).extensions).program).length > 0
