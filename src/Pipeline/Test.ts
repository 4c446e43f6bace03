/** Reads the test file beside a definition, checks it against the steps, and returns each test with its definition and inputs. */
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { nowhere } from "../Client/Recording/Replay.ts"
import { readText } from "../Files/BesideFile.ts"
import { forDefinition, type Granted, Permissions, whyNotRead, whyNotWritten } from "../Permissions.ts"
import { didYouMean } from "../Row/Nearest.ts"
import { nearFiles } from "../Row/NearFiles.ts"
import { open } from "../Step/Read/Input.ts"
import { type Format, formatIssue, rowsOf } from "../Step/Read/Rows.ts"
import type { StepError } from "../Step.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { type Checked, check } from "./Check.ts"
import { wrongInputs } from "./Expressions.ts"
import {
  DefinitionInvalid,
  type Issue,
  type Path as IssuePath,
  inputFlag,
  issuesOf,
  type PlacedIssue
} from "./Issue.ts"
import { parseText, read as readDefinition, type Source } from "./Source.ts"
import { defaultNow, type Row, type RowsExpectation, type TestCase, TestFrame } from "./TestFile.ts"

type Files = FileSystem.FileSystem | Path.Path

/** All rows of a JSONL or CSV file, plain or gzipped; fails with the reason as a string. */
export const readRows = (format: Format, folder: string): Effect.Effect<ReadonlyArray<Row>, string, Files> =>
  Effect.gen(function* () {
    const issue = formatIssue(format)
    if (issue !== undefined) return yield* Effect.fail(issue.message)
    const fail = (error: StepError) => error.message
    const input = yield* Effect.mapError(open(format.file, folder), fail)
    const batches = Chunk.toReadonlyArray(yield* Effect.mapError(Stream.runCollect(rowsOf(input, format)), fail))
    const malformed = batches.flatMap(({ failures }) => failures)[0]
    if (malformed !== undefined) return yield* Effect.fail(malformed[1].message)
    return batches.flatMap(({ rows }) => rows.map(({ data }) => data as Row))
  })

/** The rows of a test, given in the test itself or in a file. */
export const loadRows = (
  rows: ReadonlyArray<Row> | string,
  folder: string
): Effect.Effect<ReadonlyArray<Row>, string, Files> =>
  typeof rows === "string" ? readRows({ file: rows }, folder) : Effect.succeed(rows)

/** Errors in a test that its schema cannot detect. */
export const issuesAgainst = ({ frame, nodes }: Checked, test: TestCase, index: number): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  const at = (...path: IssuePath): IssuePath => ["tests", index, ...path]
  const giving = nodes.filter(({ step }) => step.behaviour.kind !== "value").map(({ id }) => id)
  const needStep = (id: string, path: IssuePath) => {
    if (giving.includes(id)) return
    issues.push({
      path,
      atKey: true,
      message: nodes.some((node) => node.id === id)
        ? `"${id}" gives a value and no rows`
        : `there is no step "${id}"${didYouMean(id, giving) || `: there are ${giving.join(", ")}`}`
    })
  }
  const judgeRows = (expected: RowsExpectation, path: IssuePath) => {
    const { count, equals, order } = expected
    if (order !== undefined && equals === undefined) {
      issues.push({ path: [...path, "order"], atKey: true, message: "has no effect without `equals`" })
    }
    if (typeof count === "object" && (count.min ?? 0) > (count.max ?? Number.POSITIVE_INFINITY)) {
      issues.push({ path: [...path, "count"], message: "min is more than max" })
    }
    for (const key of ["every", "some", "none", "list"] as const) {
      for (const expression of expected[key] ?? []) {
        for (const message of wrongInputs(expression, frame.inputs ?? {}))
          issues.push({ path: [...path, key], message })
      }
    }
    if (Object.keys(expected).length === 0) issues.push({ path, message: "checks nothing: write count, equals, …" })
  }

  for (const id of Object.keys(test.given?.rows ?? {})) needStep(id, at("given", "rows", id))
  for (const [id, expected] of Object.entries(test.expect.rows ?? {})) {
    needStep(id, at("expect", "rows", id))
    judgeRows(expected, at("expect", "rows", id))
  }
  for (const [path, expected] of Object.entries(test.expect.outputs ?? {})) {
    judgeRows(expected, at("expect", "outputs", path))
  }
  const { error, rejects, status } = test.expect
  if (rejects !== undefined) judgeRows(rejects, at("expect", "rejects"))
  if (error !== undefined && status !== undefined && status !== "failed") {
    issues.push({ path: at("expect", "error"), atKey: true, message: `a run that is ${status} has no error` })
  }
  return issues
}

/** A test that is ready to run. */
export interface Test {
  readonly name: string
  /** Index of the test in the file. */
  readonly index: number
  /** The definition with the test's inputs. */
  readonly checked: Checked
  /** The same definition, with the URL at which the site is served. */
  readonly checkAt: (site: string) => Effect.Effect<Checked, DefinitionInvalid, Path.Path>
  /** Absolute path of the folder served as the site, if the test has one. */
  readonly site: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly limit: number | undefined
  readonly now: Date
  /** Absolute path of the recording. */
  readonly recording: string | undefined
  /** Rows that replace the rows of steps, by step id. */
  readonly instead: ReadonlyMap<string, ReadonlyArray<Row>>
  readonly expect: TestCase["expect"]
}

/** The tests of a file. */
export interface Tests {
  readonly source: Source
  /** Name of the pipeline. */
  readonly pipeline: string
  readonly tests: ReadonlyArray<Test>
}

/** True for names like `NAME.test.yaml`. */
export const isTestFile = (name: string): boolean => /\.test\.(ya?ml|json)$/.test(name)

/** Placeholder for secrets: tests need none, and recordings contain none. */
export const markOf = (name: string): string => `{secrets.${name}}`
export const markedSecrets = (name: string) => Redacted.make(markOf(name))

const definitionEndings = ["yaml", "yml", "json", "ts", "mts", "js", "mjs"]

/** The definition for a test file: the one it names, otherwise the one with the same name. */
const findDefinition = Effect.fnUntraced(function* (file: string, folder: string, named: string | undefined) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  if (named !== undefined)
    return paths.isAbsolute(file) ? paths.resolve(folder, named) : paths.join(paths.dirname(file), named)
  const stem = file.replace(/\.test\.\w+$/, "")
  for (const ending of definitionEndings) {
    const candidate = `${stem}.${ending}`
    if (yield* Effect.orElseSucceed(files.exists(candidate), () => false)) return candidate
  }
  return undefined
})

/** The test files of a definition: those in its folder that have its name. */
export const filesOf = Trace.fn("Test.filesOf")(function* (definition: string) {
  const files = yield* FileSystem.FileSystem
  const stem = definition.replace(/\.\w+$/, "")
  return yield* Effect.filter(
    ["yaml", "yml", "json"].map((ending) => `${stem}.test.${ending}`),
    (name) => Effect.orElseSucceed(files.exists(name), () => false)
  )
})

/** Resolves inputs of type `path` relative to the test file, and replaces `{site}` by the URL of the site. */
const placeInputs = (
  definition: Source,
  inputs: TestCase["inputs"],
  { resolve, site }: { readonly resolve: (path: string) => string; readonly site: string }
) => {
  const frame = definition.value as { readonly inputs?: Readonly<Record<string, { readonly type?: unknown }>> } | null
  return Object.fromEntries(
    Object.entries(inputs ?? {}).map(([name, value]) => {
      if (typeof value !== "string") return [name, value]
      return [name, frame?.inputs?.[name]?.type === "path" ? resolve(value) : value.replaceAll("{site}", site)]
    })
  )
}

/** Reports an error of the definition at the test that causes it: a missing or invalid input or variable. */
const asOwn = ({ input, message, missing }: Issue, index: number): Issue | undefined => {
  if (input !== undefined) {
    return { path: ["tests", index, "inputs", input], message: message.slice(inputFlag(input).length) }
  }
  if (missing === undefined) return undefined
  const { kind, name } = missing
  return kind === "input"
    ? { path: ["tests", index, "inputs"], message: `the input "${name}" is missing, and has no default` }
    : { path: ["tests", index, "env"], message: `${name} is missing: a test sees only the variables of its env` }
}

/** Errors for files that a test may not read, or may not write with `--record` and `--update`. */
const refusedIn = ({ expect, given, site }: TestCase, folder: string, permissions: Granted): ReadonlyArray<Issue> => {
  const judge = (path: Issue["path"], file: unknown, mayWrite: boolean): ReadonlyArray<Issue> => {
    if (typeof file !== "string") return []
    const place = NodePath.resolve(folder, file)
    const why = whyNotRead(permissions, place) ?? (mayWrite ? whyNotWritten(permissions, place, folder) : undefined)
    return why === undefined ? [] : [{ path, message: why }]
  }
  const expected = (["rows", "outputs"] as const).flatMap((kind) =>
    Object.entries(expect[kind] ?? {}).flatMap(([name, { equals }]) =>
      judge(["expect", kind, name, "equals"], equals, true)
    )
  )
  return [
    ...Object.entries(given?.rows ?? {}).flatMap(([id, rows]) => judge(["given", "rows", id], rows, false)),
    ...judge(["given", "recording"], given?.recording, true),
    ...judge(["site"], site, false),
    ...expected,
    ...judge(["expect", "rejects", "equals"], expect.rejects?.equals, true)
  ]
}

/** The permissions that a test file has. */
export const permissionsOf = (file: string): Effect.Effect<Granted> =>
  Effect.map(Permissions, (permissions) => forDefinition(permissions, NodePath.resolve(file)))

/** Reads a test file and its definition, and reports all errors in both. */
export const read = (file: string) => Effect.provideServiceEffect(readWithin(file), Permissions, permissionsOf(file))

const readWithin = Trace.fn("Test.read")(function* (file: string) {
  const paths = yield* Path.Path
  const refuse = (message: string) => new DefinitionInvalid({ file, issues: [{ path: [], message }] })
  const text = yield* Effect.catchAll(readText(file, { within: NodePath.dirname(file) }), ({ isMissing, reason }) =>
    isMissing
      ? Effect.flatMap(nearFiles(file, { isCandidate: isTestFile }), (near) => refuse(`there is no such file${near}`))
      : refuse(`cannot be read: ${reason}`)
  )
  const folder = paths.dirname(paths.resolve(file))
  const source = yield* parseText(file, folder, text)
  const invalid = (issues: ReadonlyArray<Issue>) =>
    new DefinitionInvalid({
      file,
      issues: issues
        .map((each): PlacedIssue => ({ ...each, ...source.locate(each.path, each.atKey ? "key" : "value") }))
        .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
    })
  const frame = Schema.decodeUnknownEither(TestFrame)(source.value)
  if (Either.isLeft(frame)) return yield* invalid(issuesOf(frame.left.issue))

  const path = yield* findDefinition(file, folder, frame.right.pipeline)
  if (path === undefined) {
    const stem = paths.basename(file).replace(/\.test\.\w+$/, "")
    return yield* refuse(`there is no ${stem}.yaml beside it: name the definition with \`pipeline: FILE\``)
  }
  const permissions = yield* Permissions
  const named = frame.right.pipeline === undefined ? undefined : whyNotRead(permissions, paths.resolve(path))
  if (named !== undefined) return yield* invalid([{ path: ["pipeline"], message: named }])
  const definition = yield* readDefinition(path)
  const issues: Array<Issue> = []
  const tests: Array<Test> = []
  for (const [index, test] of frame.right.tests.entries()) {
    if (frame.right.tests.findIndex(({ name }) => name === test.name) < index) {
      issues.push({ path: ["tests", index, "name"], message: `there is already a test "${test.name}"` })
    }
    const refused = refusedIn(test, folder, permissions)
    issues.push(...refused.map(({ message, path }) => ({ path: ["tests", index, ...path], message })))
    if (refused.length > 0) continue
    const env = test.env ?? {}
    const checkAt = (site: string) => {
      const inputs = placeInputs(definition, test.inputs, { resolve: (each) => paths.resolve(folder, each), site })
      const options = { inputs, env, secrets: markedSecrets, complete: true }
      return Effect.provideService(check(definition, options), Permissions, permissions)
    }
    const checked = yield* Effect.either(checkAt(nowhere.site))
    if (Either.isLeft(checked)) {
      const own = checked.left.issues.map((each) => asOwn(each, index))
      // Errors of the definition itself are reported at their positions in the definition.
      if (own.some((each) => each === undefined)) return yield* checked.left
      issues.push(...own.filter((each) => each !== undefined))
      continue
    }
    issues.push(...issuesAgainst(checked.right, test, index))
    const instead = new Map<string, ReadonlyArray<Row>>()
    for (const [id, rows] of Object.entries(test.given?.rows ?? {})) {
      const loaded = yield* Effect.either(loadRows(rows, folder))
      if (Either.isRight(loaded)) instead.set(id, loaded.right)
      else issues.push({ path: ["tests", index, "given", "rows", id], message: loaded.left })
    }
    tests.push({
      name: test.name,
      index,
      checked: checked.right,
      checkAt,
      site: test.site === undefined ? undefined : paths.resolve(folder, test.site),
      env,
      limit: test.limit,
      now: new Date(test.now ?? defaultNow),
      recording: test.given?.recording === undefined ? undefined : paths.resolve(folder, test.given.recording),
      instead,
      expect: test.expect
    })
  }
  if (issues.length > 0) return yield* invalid(issues)
  const pipeline = tests[0]?.checked.frame.name ?? ""
  return { source, pipeline, tests } satisfies Tests
})
