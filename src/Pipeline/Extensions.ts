/**
 * Registry of the steps and sinks that a definition may use: those of Sluice, and those of its extensions.
 *
 * - Extensions come from a program (`Pipeline.make(definition, { steps, sinks })`), or from the module that the key `extensions` of
 *   the definition names. Such a module is code of the project: it is imported only where code is allowed.
 * - The module's hash is part of the definition's hash. A run that is resumed, and a worker of a cluster, import the module
 *   again and refuse one that has changed.
 * - Sinks extend the step `write`, which takes them beside `jsonl` and `csv`.
 * - Extensions of a program exist in that program only. Its definitions name them, so that whoever reads the definition elsewhere
 *   can say what is missing.
 */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type Granted, Permissions } from "../Permissions.ts"
import { sha256 } from "../Row/Hash.ts"
import { fields as sharedFields } from "../Sink/Destination.ts"
import * as Write from "../Sink/Write.ts"
import type * as Sink from "../Sink.ts"
import { readable } from "../Step/Access.ts"
import { all } from "../Step/All.ts"
import { importModule } from "../Step/Module.ts"
import { list, mapping } from "../Step/Need.ts"
import type * as Step from "../Step.ts"
import { commonKeys, ExtensionsFile } from "./Definition.ts"
import { expectation } from "./Expectation.ts"
import { describeValue, type Mistake } from "./Mistake.ts"

/** The steps of Sluice. */
export const builtIn: ReadonlyArray<Step.Any> = [...all, Write.write]

/** The steps of Sluice with their types, for definitions in TypeScript. */
export type BuiltIn = (typeof all)[number] | typeof Write.write

/** Steps and sinks of your own, beside those of Sluice. */
export interface Extensions {
  /** Steps made by `Step.make`; their keys become step keys of the definition. */
  readonly steps?: ReadonlyArray<Step.Any> | undefined
  /** Sinks made by `Sink.make`; their keys become fields of `write`. */
  readonly sinks?: ReadonlyArray<Sink.Any> | undefined
}

/** The steps that a definition may use. */
export interface Registry {
  /** Those of Sluice, then the registered ones. */
  readonly steps: ReadonlyArray<Step.Any>
  /** Names of the registered steps and sinks, for messages. */
  readonly added: ReadonlyArray<string>
  /** SHA-256 of the module that they come from; undefined when they come from a program, or when there are none. */
  readonly hash?: string | undefined
}

/** Without extensions. */
export const noExtensions: Registry = { steps: builtIn, added: [] }

/** What the loading of extensions needs of a source. */
interface Extended {
  readonly value: unknown
  readonly folder: string
  /** Extensions of the program that made the definition. */
  readonly extensions?: Extensions | undefined
}

const property: unique symbol = Symbol.for("sluice/Pipeline/extensions")

/** The same definition with extensions under a symbol, which copies keep and texts lose. */
export const extend = <Definition extends object>(definition: Definition, extensions: Extensions): Definition => ({
  ...definition,
  [property]: extensions
})

const namesOf = ({ sinks = [], steps = [] }: Extensions): ReadonlyArray<string> => [
  ...steps.map(({ key }) => key),
  ...sinks.map(({ key }) => `write: ${key}`)
]

/** A definition in a program as plain data that names the program's extensions, and these extensions. */
export const unextend = (
  definition: unknown
): { readonly value: unknown; readonly extensions?: Extensions | undefined } => {
  if (typeof definition !== "object" || definition === null || !(property in definition)) return { value: definition }
  const { [property]: found, ...rest } = definition
  const extensions = found as Extensions
  return { value: { ...rest, extensions: { program: namesOf(extensions) } }, extensions }
}

/** The key by which each kind of step acts. */
const acts: Readonly<Record<Step.Any["behaviour"]["kind"], string>> = {
  source: "read",
  item: "apply",
  transform: "make",
  sink: "open",
  value: "get"
}

/** By its parts: a module may import another copy of this package. */
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

/** By its parts, like {@link isStep}. */
const isSink = (value: unknown): value is Sink.Any => {
  const { canAppend, config, example, key, open, ownFields, sizes, summary } = mapping(value)
  return (
    [example, key, summary].every((text) => typeof text === "string") &&
    Schema.isSchema(config) &&
    (ownFields === undefined || Array.isArray(ownFields)) &&
    [canAppend, open, sizes].every((part) => typeof part === "function")
  )
}

const isTaken = (sinks: ReadonlyArray<Sink.Any>, key: string): boolean => sinks.some((each) => each.key === key)

/** Why sinks cannot stand beside those of Sluice. */
const sinkConflicts = (added: ReadonlyArray<Sink.Any>): ReadonlyArray<string> =>
  added.flatMap(({ key, ownFields = [] }, index) => {
    if (!/^[a-zA-Z]\w{0,63}$/.test(key))
      return [`"${key}" is no name of a sink: begin with a letter, then letters, digits and _`]
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

/** Why steps cannot stand beside those of Sluice. */
const stepConflicts = (added: ReadonlyArray<Step.Any>): ReadonlyArray<string> =>
  added.flatMap(({ key }, index) => {
    if (!/^[a-zA-Z][\w-]{0,63}$/.test(key))
      return [`"${key}" is no step key: begin with a letter, then letters, digits, - and _`]
    if (builtIn.some((each) => each.key === key)) return [`"${key}" is a step of Sluice: choose another key`]
    if (commonKeys.includes(key)) return [`"${key}" is a key that any step may have: choose another one`]
    const isTwice = added.slice(0, index).some((each) => each.key === key)
    return isTwice ? [`there are two steps "${key}": choose another key for one of them`] : []
  })

const isFile = Schema.is(ExtensionsFile)

const refused = (message: string): Either.Either<never, ReadonlyArray<Mistake>> =>
  Either.left([{ path: ["extensions"], message }])

const registry = (
  extensions: Extensions,
  hash: string | undefined
): Either.Either<Registry, ReadonlyArray<Mistake>> => {
  const { sinks = [], steps = [] } = extensions
  const [conflict] = [...stepConflicts(steps), ...sinkConflicts(sinks)]
  if (conflict !== undefined) return refused(conflict)
  const write = sinks.length === 0 ? Write.write : Write.make([...Write.sinks, ...sinks])
  return Either.right({ steps: [...all, write, ...steps], added: namesOf(extensions), hash })
}

/** The first hash under which each module was imported: Node keeps that version, and others need a name. */
const imported = new Map<string, string>()

/** Imports a module as it is now. */
const importNow = (path: string) =>
  Effect.gen(function* () {
    const hash = yield* Effect.try({
      try: () => sha256(readFileSync(path, "utf8")),
      catch: () => ({ message: "cannot be read: is there such a file?" })
    })
    const first = imported.get(path) ?? hash
    imported.set(path, first)
    return { exported: yield* importModule(path, hash === first ? undefined : hash), hash }
  })

const importSteps = (file: string, folder: string) =>
  Effect.gen(function* () {
    const path = yield* readable(file, folder)
    const { exported, hash } = yield* Effect.mapError(importNow(path), ({ message }) => ({
      message: `${file} ${message}`
    }))
    const values = [...new Set(Object.values(exported))]
    const extensions = { steps: values.filter(isStep), sinks: values.filter(isSink) }
    return namesOf(extensions).length === 0
      ? refused(`${file} exports no step and no sink: export one that Step.make or Sink.make has made`)
      : registry(extensions, hash)
  }).pipe(Effect.catchAll(({ message }) => Effect.succeed(refused(message))))

/**
 * The steps that a definition may use, or the mistakes at its key `extensions`. `allowCode` and `permissions` decide whether
 * a module may be imported.
 */
export const load = (
  { extensions, folder, value }: Extended,
  { allowCode, permissions }: { readonly allowCode: boolean; readonly permissions: Granted }
): Effect.Effect<Either.Either<Registry, ReadonlyArray<Mistake>>> => {
  if (extensions !== undefined) return Effect.succeed(registry(extensions, undefined))
  const named = mapping(value).extensions
  const program = list(mapping(named).program)
  if (program.length > 0) {
    const message = `${program.join(", ")}: extensions of the program that made this definition, which are not here: start or resume it in that program, or move them to a file and name it (extensions: ./steps.ts)`
    return Effect.succeed(refused(message))
  }
  if (named === undefined) return Effect.succeed(Either.right(noExtensions))
  if (!isFile(named))
    return Effect.succeed(refused(`expected ${expectation(ExtensionsFile.ast)}, got ${describeValue(named)}`))
  if (!allowCode) {
    return Effect.succeed(
      refused(`extensions runs code of the project (${named}): read it, and allow it with --allow-code`)
    )
  }
  return Effect.provideService(importSteps(named, folder), Permissions, permissions)
}
