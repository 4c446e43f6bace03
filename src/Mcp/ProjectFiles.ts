/**
 * Definitions and runs that agents may use: definitions in the folder, in YAML or JSON, and runs of the project.
 *
 * - Files are named as in `list`. Links out of the folder, other paths and definitions in code do not exist here.
 * - A definition that an agent wrote is not trusted: it cannot use variables, secrets or files (`Permissions/Untrusted.ts`).
 * - No code of the project runs, whatever flags allow for other commands.
 */
import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import * as Definitions from "../Dashboard/Definitions.ts"
import * as Runs from "../Dashboard/Runs.ts"
import { Ledger } from "../Ledger.ts"
import { isBelow, realPath } from "../Permissions/Paths.ts"
import { Permissions } from "../Permissions.ts"
import { type CheckOptions, check } from "../Pipeline/Check.ts"
import type { DefinitionInvalid, PlacedIssue } from "../Pipeline/Issue.ts"
import { read, type Source } from "../Pipeline/Source.ts"
import { sha256 } from "../Row/Hash.ts"
import { shown } from "./Answer.ts"
import { McpSetup } from "./Session.ts"
import { refuse, type ToolRefused } from "./Tool.ts"

/** Maximum characters of a definition. */
export const maxDefinition = 64 * 1024

const codeAdvice = "agents run no code: a person starts this pipeline with sluice run --allow-code"

/** Fails if a folder or file is outside the project. */
export const ensureInside = (path: string) =>
  Effect.flatMap(McpSetup, ({ project }) =>
    isBelow(realPath(path), project)
      ? Effect.void
      : refuse(`${NodePath.basename(path)} is not in the folder of the project`)
  )

/** Absolute path of a definition in the folder. */
export const pathOf = (file: string) =>
  Definitions.pathOf(file).pipe(
    Effect.mapError(({ message }) => refuse(`${shown(message)}: \`list\` names them`)),
    Effect.tap(ensureInside)
  )

/** True if an agent wrote the file, even if a person has changed it since. */
export const isDraft = (path: string) =>
  Effect.flatMap(Ledger, ({ agents }) => Effect.map(agents.draftOf(realPath(path)), (hash) => hash !== undefined))

/** Checks a definition; if an agent wrote it, like one from outside the project. */
export const checkSource = (
  source: Source,
  isOfAgent: boolean,
  options: Pick<CheckOptions, "complete" | "inputs" | "unsetSecrets">
) =>
  Effect.gen(function* () {
    const { out, scope } = yield* McpSetup
    const permissions = yield* Permissions
    return yield* Effect.provideService(
      check(source, { ...scope, ...options, allowCode: false, codeAdvice }),
      Permissions,
      { ...permissions, code: false, isOwn: !isOfAgent, isDraft: isOfAgent, out }
    )
  })

/** Reads and checks a definition in the folder. */
export const load = (file: string, options: Pick<CheckOptions, "complete" | "inputs" | "unsetSecrets">) =>
  Effect.gen(function* () {
    const path = yield* pathOf(file)
    const isOfAgent = yield* isDraft(path)
    const source = yield* read(path)
    return { path, isOfAgent, source, checked: yield* checkSource(source, isOfAgent, options) }
  })

export const hashOf = (text: string): string => sha256(text)

/** An error in a definition, with its position. */
export const mistake = ({ column, line, message, path }: PlacedIssue) => ({
  line,
  column,
  at: path.map(String).join(".") || undefined,
  message: shown(message, 400)
})

const maxMistakes = 30

/** The first errors of a definition. */
export const mistakes = ({ issues }: Pick<DefinitionInvalid, "issues">) => issues.slice(0, maxMistakes).map(mistake)

/** Refusal that lists the errors. */
export const refusedBy = (invalid: DefinitionInvalid): ToolRefused => {
  const lines = mistakes(invalid).map(
    ({ column, line, message }) => `${line === undefined ? "" : `${line}:${column} `}${message}`
  )
  return refuse(`the definition or its inputs are wrong: ${lines.join("; ").slice(0, 4_000)}`)
}

/** Finds a run whose definition belongs to the project. */
export const runOf = (id: string) =>
  Effect.gen(function* () {
    const { dataDir, project } = yield* McpSetup
    const run = yield* Runs.find(id)
    // Compare paths: the file may be deleted, and a run on another machine had a different path.
    if (isBelow(run.file, project) || isBelow(realPath(run.file), project)) return { run, project, dataDir }
    return yield* refuse(`run ${id} belongs to another project`)
  })
