/** `check`: reports everything that can be known about a definition without a request. */
import * as NodePath from "node:path"
import * as PlatformPath from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { realPath } from "../Permissions/Paths.ts"
import { forDefinition, type Granted, Permissions } from "../Permissions.ts"
import { sha256 } from "../Row/Hash.ts"
import { OutputHealth } from "../Sink/HealthRules.ts"
import { mapping } from "../Step/Requirements.ts"
import * as Trace from "../Telemetry/Trace.ts"
import { type Frame, Input, State, settledFields, settledKeys, WrittenFrame } from "./Definition.ts"
import { cutExpressions, doubtfulExpressions, expressionIssues, type KnownSteps } from "./Expressions.ts"
import * as Extensions from "./Extensions.ts"
import { link } from "./Graph.ts"
import * as Inputs from "./Inputs.ts"
import { open, type Scope } from "./Interpolate.ts"
import { DefinitionInvalid, type Issue, isBelow, issuesOf, type Path, type PlacedIssue } from "./Issue.ts"
import { type DecodedNode, decode, decodePart, issuesInBroken, type Node } from "./Node.ts"
import { checkPageOptions } from "./PageOptions.ts"
import * as PermissionCheck from "./PermissionCheck.ts"
import type { WithRows } from "./RowType.ts"
import {
  changesWithoutHistory,
  cutOff,
  idleLogin,
  idleRetries,
  literalPasswords,
  lostIncrements,
  mayBeOff,
  sharedAddresses,
  targetOf,
  unmadeFields,
  unnamedState,
  type Written,
  writtenTwice
} from "./Rules.ts"
import type { Source } from "./Source.ts"
import { atTop, withoutEmptied } from "./UnknownKeys.ts"
import { sharedPath } from "./Windows.ts"

/** A definition without issues, ready to run or plan. */
export interface Checked {
  readonly source: Source
  readonly frame: Frame
  readonly nodes: ReadonlyArray<Node>
  /** All steps of the definition, if `nodes` contains only some of them. */
  readonly all?: ReadonlyArray<Node> | undefined
  readonly inputs: Readonly<Record<string, unknown>>
  /** The steps that the definition may use; undefined for only those of Sluice. */
  readonly registry?: Extensions.Registry | undefined
  /** Ids of the steps that keep state from run to run. */
  readonly remembering: ReadonlyArray<string>
  /** Paths to the steps that write to standard output ("-"), unless `when` switches them off. */
  readonly toStdout: ReadonlyArray<Path>
  /** Warnings: valid settings that probably do not have the intended effect, and secrets that are not set here. */
  readonly warnings: ReadonlyArray<PlacedIssue>
}

/** A checked definition with a known type of its final rows. */
export interface TypedChecked<out Content extends object> extends Checked, WithRows<Content> {}

/** Values and permissions used by a check. */
export interface CheckOptions {
  readonly inputs: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly secrets: Scope["secrets"]
  /** True for a run: every input must have a value. */
  readonly complete: boolean
  /** Reports a secret that is not set as an error, as in a run (the default), or as a warning. */
  readonly unsetSecrets?: "issue" | "warning" | undefined
  /** True if a schedule starts the run: its `inputs` replace the defaults. */
  readonly scheduled?: boolean | undefined
  /** True if the inputs come from an earlier run, already resolved: only defaults can still be relative paths. */
  readonly saved?: boolean | undefined
  /** Allows importing the module of `extensions`; default: the command's flags, false without a command. */
  readonly allowCode?: boolean | undefined
  /** End of the message that code is not allowed; default: `--allow-code`. */
  readonly codeAdvice?: string | undefined
  /** {@link definitionHash} of the run to resume: a module with different code is refused before it is imported. */
  readonly definitionHash?: string | undefined
  /** True for the definition of a run that has already begun: newer rules of later versions do not apply to it. */
  readonly begun?: boolean | undefined
}

/** Names in `${{ run.… }}`; their values are known once the run has begun. */
export const runNames = ["id", "site", "startedAt", "date", "scheduledTime", "scheduledFor"] as const

/** Maximum inputs and steps of a definition. */
const maxEntries = { inputs: 1_000, steps: 10_000 } as const

/** Issues for more inputs or steps than {@link maxEntries}, checked before anything else. */
const manyOf = (value: unknown): ReadonlyArray<Issue> =>
  (["inputs", "steps"] as const).flatMap((key): ReadonlyArray<Issue> => {
    const entries = typeof value === "object" && value !== null && key in value ? Reflect.get(value, key) : undefined
    const count = typeof entries === "object" && entries !== null ? Object.keys(entries).length : 0
    const most = maxEntries[key]
    return count <= most
      ? []
      : [{ path: [key], message: `there are ${count} ${key}, and a definition can have at most ${most}` }]
  })

const nameOf = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string"
    ? value.name
    : undefined

/** The permissions that a definition has. */
export const permissionsOf = ({ file, folder, value }: Pick<Source, "file" | "folder" | "value">) =>
  Effect.map(Permissions, (permissions) => ({
    ...forDefinition(permissions, NodePath.resolve(folder, NodePath.basename(file))),
    pipeline: nameOf(value)
  }))

/** Issues with their positions, without duplicates, in file order. */
const placed = (source: Source, issues: ReadonlyArray<PlacedIssue>): ReadonlyArray<PlacedIssue> =>
  [...new Map(issues.map((each) => [JSON.stringify([each.path.map(String), each.message]), each])).values()]
    .map(
      (issue): PlacedIssue =>
        issue.input !== undefined || issue.line !== undefined
          ? issue
          : { ...issue, ...source.locate(issue.path, issue.atKey ? "key" : "value") }
    )
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))

/** Declared inputs, with the schedule's values if the schedule starts the run, and the issues of these values. */
const declaredBy = (
  written: Readonly<Record<string, unknown>>,
  named: Readonly<Record<string, unknown>>,
  options: Pick<CheckOptions, "scheduled">
) => {
  const declared = declaredIn(written.inputs)
  const scheduled = Inputs.scheduledOf(written.schedule)
  const wrongSchedule = Inputs.scheduledIssues(declared, scheduled).filter(
    // An input whose declaration has issues is not reported as unknown as well.
    ({ path }) => !(Object.hasOwn(named, String(path[2])) && !Object.hasOwn(declared, String(path[2])))
  )
  const isScheduled = options.scheduled === true && wrongSchedule.length === 0
  return { own: isScheduled ? Inputs.withScheduled(declared, scheduled) : declared, wrongSchedule }
}

/** Decodes the parts of a definition whose values are known before the run. */
const settle = Effect.fnUntraced(function* (written: Readonly<Record<string, unknown>>, scope: Scope) {
  const settled: Record<string, unknown> = {}
  const unsettled: Array<PlacedIssue> = []
  for (const key of settledKeys) {
    if (!(key in written)) continue
    // Only `state` may contain values of the run.
    const names = key === "state" ? scope : { ...scope, run: {} }
    const part = yield* decodePart(settledFields[key] as Schema.Schema<unknown, unknown>, written[key], [key], names)
    if (Either.isLeft(part)) unsettled.push(...part.left)
    else if (part.right !== open) settled[key] = part.right
  }
  return { settled, unsettled }
})

/** Outputs that are not known before the run. */
const openOutputs = (ids: ReadonlyArray<string>): Scope["steps"] =>
  Object.fromEntries(ids.map((id) => [id, { output: open }]))

interface StepChecks {
  /** Ids of the steps that could not be parsed. */
  readonly brokenIds: ReadonlyArray<string>
  readonly isBegun: boolean
  readonly wrongExpressionsOf: (node: Node) => ReadonlyArray<Issue>
  readonly refusedPathsOf: (node: Node, decoded: DecodedNode) => ReadonlyArray<Issue>
}

/** Checks each step that could be parsed, with its values as far as they are known before the run. */
const checkSteps = Effect.fnUntraced(function* (nodes: ReadonlyArray<Node>, scope: Scope, checks: StepChecks) {
  const { brokenIds, isBegun, refusedPathsOf, wrongExpressionsOf } = checks
  const issues: Array<PlacedIssue> = []
  const warnings: Array<Issue> = []
  const remembering: Array<string> = []
  const targets: Array<Written> = []
  const toStdout: Array<Path> = []
  const configs = new Map<string, unknown>()
  /** Health rules by step. Placeholders are resolved here, as in the pipeline's rules: the health check reads them after the run. */
  const healthOf = new Map<string, unknown>()
  /** Outputs of the steps checked so far: a step can only refer to earlier ones, so none waits for itself. */
  let known = openOutputs(brokenIds)
  for (const node of nodes) {
    const steps = known
    if (node.step.behaviour.kind === "value") known = { ...known, [node.id]: { output: open } }
    const objections = isBegun ? [] : (node.step.objections?.(node.config) ?? [])
    for (const { message, path } of objections) {
      issues.push({ path: ["steps", node.index, node.step.key, ...path], message })
    }
    const pageOptions = checkPageOptions(node)
    warnings.push(...pageOptions.warnings)
    // A run that has begun keeps the definition's original meaning: newer checks do not apply to it.
    if (!isBegun) issues.push(...pageOptions.issues)
    const wrong = isBegun ? [] : wrongExpressionsOf(node)
    issues.push(...wrong)
    const decoded = yield* decode(node, { ...scope, steps })
    if (Either.isLeft(decoded)) {
      // Report a refused ${{ }} once, not also as a missing value.
      issues.push(...decoded.left.filter(({ path }) => !wrong.some((each) => isBelow(path, each.path))))
      // Other fields of this step are invalid, but its output path still counts for the check of duplicate outputs.
      const target = isBegun || mayBeOff(node) ? undefined : targetOf(node, open)
      if (target !== undefined) targets.push(target)
      continue
    }
    const { common, config } = decoded.right
    const { health } = mapping(node.config)
    if (node.step.behaviour.kind === "sink" && health !== undefined) {
      const at = ["steps", node.index, node.step.key, "health"]
      const rules = yield* decodePart(OutputHealth as Schema.Schema<unknown, unknown>, health, at, {
        ...scope,
        run: {}
      })
      if (Either.isLeft(rules)) issues.push(...rules.left)
      else if (rules.right !== open) healthOf.set(node.id, rules.right)
    }
    issues.push(...refusedPathsOf(node, decoded.right))
    if (common.when !== false) configs.set(node.id, config)
    const target = common.when === false ? undefined : targetOf(node, config)
    if (target !== undefined && !isBegun && !mayBeOff(node, common.when)) targets.push(target)
    if (target?.path === "-") toStdout.push(target.at)
    if (node.step.state?.(config === open ? node.config : config) !== undefined) remembering.push(node.id)
  }
  return { issues, warnings, configs, healthOf, remembering, targets, toStdout }
})

/** Checks the whole definition and reports every issue. */
export const check = Trace.fn("Pipeline.check")(function* (source: Source, options: CheckOptions) {
  const warnings: Array<Issue> = []
  const permissions = yield* permissionsOf(source)
  const { allowCode = permissions.code, codeAdvice, definitionHash: expected } = options
  const isExpected = (hash: string) =>
    expected === undefined || definitionHash({ source, registry: { hash } }) === expected
  const extended = yield* Extensions.load(source, { allowCode, codeAdvice, isExpected, permissions })
  const registry = Either.getOrElse(extended, () => Extensions.noExtensions)
  const tooMany = manyOf(source.value)
  const cut = tooMany.length > 0 ? [] : cutExpressions(source, registry.steps)
  const invalid = (issues: ReadonlyArray<PlacedIssue>) =>
    new DefinitionInvalid({
      file: source.file,
      // Reports an expression cut off by a YAML comment once; drops other issues at the same position.
      issues: placed(source, withoutEmptied(issues)).filter(
        ({ column, line, path }) =>
          path.length === 0 || !cut.some((each) => each.line === line && each.column === column)
      ),
      warnings: placed(source, warnings)
    })
  if (source.value === null) {
    return yield* invalid([{ path: [], message: "the file is empty: `sluice init` creates a first pipeline" }])
  }
  if (tooMany.length > 0) return yield* invalid(tooMany)
  const paths = yield* PlatformPath.Path
  const frame = Schema.decodeUnknownEither(WrittenFrame)(source.value)
  const issues: Array<PlacedIssue> = [
    ...cut,
    ...(Either.isLeft(frame) ? issuesOf(frame.left.issue).map(atTop(registry.steps)) : [])
  ]
  const written = mapping(source.value)
  /** Types of all inputs by name, including those whose declaration is invalid. */
  const named = typesOf(written.inputs)
  const { own, wrongSchedule } = declaredBy(written, named, options)
  issues.push(...wrongSchedule)
  const inputs = Inputs.resolve(own, options.inputs, {
    required: options.complete,
    toPath: options.saved === true ? (path) => path : paths.resolve
  })
  issues.push(
    ...inputs.issues.filter(({ input, path }) => input === undefined || Either.isRight(frame) || path.length > 1)
  )
  const items: ReadonlyArray<unknown> = Array.isArray(written.steps) ? written.steps : []
  // Without the extensions, the steps cannot be checked.
  if (Either.isLeft(extended)) return yield* invalid([...issues, ...extended.left])
  const { broken, brokenIds, nodes, issues: unlinked } = link(items, registry.steps)
  issues.push(...unlinked)
  const reached = PermissionCheck.refusedReaches(permissions, source.value)
  issues.push(
    ...reached.filter(({ isUnknown }) => !isUnknown).map(({ issue }) => issue),
    ...PermissionCheck.refusedNames(permissions, source.value),
    ...PermissionCheck.refusedInputs(permissions, own, inputs.values, { ...options, folder: source.folder })
  )
  const scope: Scope = {
    // Includes inputs whose declaration could not be read.
    inputs: { ...openAll(written.inputs), ...inputs.values },
    env: options.env,
    refusedEnv: PermissionCheck.refusedEnv(permissions, source.value),
    secrets: options.secrets,
    run: openRun("site" in written),
    steps: {},
    warn: options.unsetSecrets === "warning" ? (warning) => void warnings.push(warning) : undefined
  }
  const { settled, unsettled } = yield* settle(written, scope)
  issues.push(
    ...unsettled,
    ...PermissionCheck.refusedFile(permissions, source.folder, ["site"], settled.site),
    ...PermissionCheck.refusedTargets(permissions, written.notify, settled.notify),
    // Notifications are delivered only by a scheduler, so in any other run the commands of `notify` do no harm.
    ...(allowCode || options.scheduled !== true ? [] : PermissionCheck.commandTargets(settled.notify, codeAdvice)),
    ...changesWithoutHistory(nodes, settled.notify),
    ...PermissionCheck.refusedLogin(permissions, source.folder, written.login)
  )
  const shared = (settled.schedule as Frame["schedule"])?.backfill === undefined ? undefined : sharedPath(nodes)
  if (shared !== undefined) issues.push({ path: ["schedule", "backfill"], message: shared })
  warnings.push(...literalPasswords(written.login), ...idleLogin(nodes, written.login))
  for (const index of broken) {
    const names = { ...scope, steps: openOutputs(brokenIds) }
    issues.push(...(yield* issuesInBroken(items[index], index, names, registry.steps)))
  }
  const checkedSteps = yield* checkSteps(nodes, scope, {
    brokenIds,
    isBegun: options.begun === true,
    wrongExpressionsOf: (node) => wrongExpressions(node, named, stepsAround(node, nodes, brokenIds)),
    refusedPathsOf: (node, decoded) => PermissionCheck.refusedPaths(permissions, source.folder, node, decoded)
  })
  const { configs, healthOf, remembering, targets, toStdout } = checkedSteps
  issues.push(...checkedSteps.issues, ...cutOff(nodes, remembering), ...writtenTwice(targets, source))
  const unknown = reached.flatMap(({ issue, isUnknown }) => (isUnknown ? [issue] : []))
  // Keys that the permission check does not know are mostly typos, which were already reported with the nearest key.
  issues.push(...unknown.filter((issue) => !issues.some(({ path }) => isNear(issue.path, path))))
  warnings.push(
    ...checkedSteps.warnings,
    ...lostIncrements(nodes, configs),
    ...(Either.isRight(frame) ? unnamedState(nodes, remembering, frame.right.steps) : []),
    ...(options.begun === true ? [] : nodes.flatMap(expressionDoubts)),
    ...nodes.flatMap((node) => [...idleRetries(node), ...unmadeFields(node, nodes), ...sharedAddresses(node, nodes)])
  )
  if (issues.length > 0 || Either.isLeft(frame)) return yield* invalid(issues)
  const { name, version, description, inputs: declaredInputs, steps } = frame.right
  const checked: Checked = {
    source,
    frame: { name, version, description, inputs: declaredInputs, steps, ...settled },
    nodes: nodes.map((node) => {
      const health = healthOf.get(node.id)
      return health === undefined ? node : { ...node, config: { ...mapping(node.config), health } }
    }),
    inputs: inputs.values,
    registry,
    remembering,
    toStdout,
    warnings: placed(source, warnings)
  }
  return checked
})

/** The steps that a definition may use, even if the rest of it is invalid. Imports its extensions if permissions allow code. */
export const registryOf = (source: Source): Effect.Effect<Extensions.Registry, DefinitionInvalid> =>
  Effect.gen(function* () {
    const permissions = yield* permissionsOf(source)
    const extended = yield* Extensions.load(source, { allowCode: permissions.code, permissions })
    if (Either.isRight(extended)) return extended.right
    const issues = extended.left.map((issue) => ({ ...issue, ...source.locate(issue.path) }))
    return yield* new DefinitionInvalid({ file: source.file, issues })
  })

/** Hash of a definition and the code of its extensions; extensions passed by a program have no hash. */
export const definitionHash = ({
  registry,
  source
}: {
  readonly source: Pick<Source, "text">
  readonly registry?: Pick<Extensions.Registry, "hash"> | undefined
}): string => sha256(registry?.hash === undefined ? source.text : `${source.text}\n${registry.hash}`)

const isNear = (one: Path, other: Path): boolean => isBelow(one, other) || isBelow(other, one)

/** Which steps the expressions of a step may refer to. Broken steps are allowed, because it is unknown whether they give a value. */
const stepsAround = (node: Node, nodes: ReadonlyArray<Node>, brokenIds: ReadonlyArray<string>) => (): KnownSteps => {
  const isValue = ({ step }: Node) => step.behaviour.kind === "value"
  const above = nodes.filter(({ index }) => index < node.index)
  const idOf = ({ id }: Node) => id
  return {
    values: [...above.filter(isValue).map(idOf), ...brokenIds],
    others: above.filter((each) => !isValue(each)).map(idOf),
    below: nodes.filter(({ index }) => index >= node.index).map(idOf)
  }
}

const expressionDoubts = ({ config, index, step }: Node) =>
  doubtfulExpressions(step.config.ast, config, ["steps", index, step.key])

const wrongExpressions = (
  { config, index, step }: Node,
  declared: Readonly<Record<string, { readonly type: string }>>,
  steps: () => KnownSteps
) => expressionIssues((step.config as Schema.Schema<unknown>).ast, config, ["steps", index, step.key], declared, steps)

const openRun = (site: boolean): Scope["run"] =>
  Object.fromEntries(runNames.filter((name) => name !== "site" || site).map((name) => [name, open]))

/** Scope with the values known before the run; all others are {@link open}. */
export const scopeBefore = (
  { frame, inputs, nodes }: Checked,
  { env, secrets }: Pick<CheckOptions, "env" | "secrets">
): Scope => ({
  inputs,
  env,
  secrets,
  run: openRun(frame.site !== undefined),
  steps: openOutputs(nodes.filter(({ step }) => step.behaviour.kind === "value").map(({ id }) => id))
})

/** The validly declared inputs; ignores all others. */
const declaredIn = (inputs: unknown): Readonly<Record<string, Input>> =>
  typeof inputs === "object" && inputs !== null && !Array.isArray(inputs)
    ? Object.fromEntries(
        Object.entries(inputs).flatMap(([name, input]) => {
          const decoded = Schema.decodeUnknownEither(Input)(input)
          return Either.isRight(decoded) ? [[name, decoded.right]] : []
        })
      )
    : {}

/** The declared types of inputs; `string` if missing or invalid. */
const typesOf = (inputs: unknown): Readonly<Record<string, { readonly type: string }>> =>
  typeof inputs === "object" && inputs !== null
    ? Object.fromEntries(
        Object.entries(inputs).map(([name, input]) => {
          const { type } = (input ?? {}) as { readonly type?: unknown }
          return [name, { type: typeof type === "string" ? type : "string" }]
        })
      )
    : {}

const openAll = (inputs: unknown): Readonly<Record<string, unknown>> =>
  typeof inputs === "object" && inputs !== null
    ? Object.fromEntries(Object.keys(inputs).map((name) => [name, open]))
    : {}

/**
 * State key: names the state that a pipeline's runs share; one run at a time holds its lock. Default: the pipeline's name, or
 * undefined if no step keeps state and the definition has no `state`. {@link open} while it depends on a value of the run.
 */
export const stateKey = (
  checked: Checked,
  scope: Pick<Scope, "env" | "secrets" | "run">
): Effect.Effect<string | typeof open | undefined, DefinitionInvalid> =>
  Effect.gen(function* () {
    const { inputs, remembering, source } = checked
    const written = (source.value as { readonly state?: unknown }).state
    const own = stateName(yield* permissionsOf(source), checked)
    if (written === undefined) return remembering.length > 0 ? own : undefined
    const names: Scope = { ...scope, inputs, steps: {} }
    const state = yield* decodePart(State as Schema.Schema<State, unknown>, written, ["state"], names)
    if (Either.isLeft(state)) {
      const issues = state.left.map((issue) => ({ ...issue, ...source.locate(issue.path) }))
      return yield* new DefinitionInvalid({ file: source.file, issues })
    }
    return state.right === open ? open : (state.right.key ?? own)
  })

/**
 * Default name of the state. A definition from outside the project always gets its own state, whatever its name; names of drafts are
 * unique.
 */
const stateName = ({ isDraft, isOwn }: Granted, { frame, source: { file, folder } }: Checked): string =>
  isOwn || isDraft === true
    ? frame.name
    : `${frame.name}@${sha256(realPath(NodePath.resolve(folder, NodePath.basename(file)))).slice(0, 12)}`
