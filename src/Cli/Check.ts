/** `sluice check`: reports every mistake in definitions with its position, without any request. */

import * as NodePath from "node:path"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as Contract from "../Contract/Contract.ts"
import { type Checked, check } from "../Pipeline/Check.ts"
import { DefinitionInvalid, type Path, type PlacedIssue, renderPath } from "../Pipeline/Issue.ts"
import { commandTargets } from "../Pipeline/PermissionCheck.ts"
import { targetOf } from "../Pipeline/Rules.ts"
import { read } from "../Pipeline/Source.ts"
import { MistakesFound, wrongUsage } from "./CommandErrors.ts"
import { expand, isBeside } from "./DefinitionFiles.ts"
import { count } from "./Format.ts"
import * as Parameter from "./Parameter.ts"
import { alsoNamed } from "./Schedule/Definitions.ts"
import * as SharedFlags from "./SharedFlags.ts"
import { emphasise, paint, type Terminal } from "./Terminal.ts"
import { scopeOf } from "./Trust.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  files: Parameter.many(
    "FILE",
    "A definition, or a folder: every YAML and JSON definition in it. Test and lock files among the arguments are ignored."
  ),
  complete: Parameter.toggle("Reports missing secrets as mistakes, as a run does; otherwise they are warnings."),
  json: Parameter.toggle("Prints one JSON object with every mistake and warning on stdout."),
  "allow-code": SharedFlags.allowCode,
  ...SharedFlags.trust
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details: "Exit code 78 when there is a mistake; warnings do not change it.",
  parameters,
  examples: [
    { line: "sluice check pipelines", what: "every definition of a folder" },
    { line: "sluice check pipelines/*.yaml --json", what: "for an editor or a build" }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Mistakes and warnings of one definition. */
interface Judged {
  readonly file: string
  /** Undefined for an invalid definition. */
  readonly checked?: Checked
  readonly mistakes: ReadonlyArray<PlacedIssue>
  readonly warnings: ReadonlyArray<PlacedIssue>
}

const judge = (file: string, options: Options, env: Terminal["env"]) =>
  Effect.gen(function* () {
    const source = yield* read(file)
    const checked = yield* check(source, {
      ...scopeOf(env),
      inputs: {},
      complete: false,
      unsetSecrets: options.complete ? "issue" : "warning"
    })
    // A run would refuse an invalid contract.
    const contract = yield* Effect.either(Contract.load(source))
    const mistakes = contract._tag === "Left" ? [{ path: [], message: contract.left.message }] : []
    const { notify, schedule } = checked.frame
    const refused = options["allow-code"] || schedule === undefined ? [] : commandTargets(notify)
    const programs = refused.map((issue) => ({ ...issue, ...source.locate(issue.path) }))
    return { file, checked, mistakes, warnings: [...checked.warnings, ...programs] } satisfies Judged
  }).pipe(Effect.catchTag("DefinitionInvalid", (invalid) => Effect.succeed(judgedOf(invalid))))

const judgedOf = ({ file, issues: mistakes, warnings = [] }: DefinitionInvalid): Judged => ({
  file,
  mistakes,
  warnings
})

/**
 * Adds what is wrong with definitions together: a name that an earlier one in the same folder has, which a scheduler refuses, and a file
 * that an earlier one replaces.
 */
const together = (all: ReadonlyArray<Judged>): ReadonlyArray<Judged> => {
  const owners = new Map<string, string>()
  /** File of an earlier definition with this key. */
  const earlier = (key: string, file: string): string | undefined => {
    const owner = owners.get(key) ?? file
    owners.set(key, owner)
    return NodePath.resolve(owner) === NodePath.resolve(file) ? undefined : owner
  }
  return all.map((judged) => {
    const { checked, file } = judged
    if (checked === undefined) return judged
    const { frame, nodes, source } = checked
    const issue = (path: Path, message: string): PlacedIssue => ({ path, message, ...source.locate(path) })
    const key = `${NodePath.dirname(NodePath.resolve(file))} ${frame.name}`
    const scheduled = frame.schedule && earlier(`scheduled ${key}`, file)
    const named = scheduled ?? earlier(key, file)
    const twice = named === undefined ? [] : [issue(["name"], alsoNamed(named, frame.name))]
    const replaced = nodes.flatMap((node) => {
      const target = targetOf(node, node.config)
      if (target?.mode !== "replace" || /^-$|[{}]/.test(target.path) || node.common.when !== undefined) return []
      const other = earlier(`output ${NodePath.resolve(target.path)}`, file)
      return other === undefined ? [] : [issue(target.at, `${other} writes the same file: the later run replaces it`)]
    })
    return {
      ...judged,
      mistakes: [...judged.mistakes, ...(scheduled === undefined ? [] : twice)],
      warnings: [...judged.warnings, ...(scheduled === undefined ? twice : []), ...replaced]
    }
  })
}

/** Prints each mistake and warning on its own line: `file:line:column  what`. */
const show = ({ file, mistakes, warnings }: Judged, { out }: Terminal) => {
  const dye = paint(out)
  const all = [
    ...mistakes,
    ...warnings.map(({ message, path, ...place }) => ({
      ...place,
      path: [],
      message: `warning: ${renderPath(path)}${message}`
    }))
  ].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))
  if (all.length === 0) return
  const { lines } = new DefinitionInvalid({ file, issues: all })
  out.write(`${lines.map((line) => emphasise(line, dye)).join("\n")}\n`)
}

/** JSON form of a mistake, for scripts. */
const toReport = (issue: PlacedIssue & { readonly file: string }) => ({
  ...Struct.pick(issue, "file", "line", "column", "message"),
  path: issue.path.map(String)
})

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    const named = options.files.filter((file) => !isBeside(file))
    const [first = ""] = options.files
    if (named.length === 0) {
      return yield* wrongUsage(
        first.endsWith(".lock.json")
          ? `${first} is a lock file, not a definition: name the definition that pins it`
          : `${first} is a test file, not a definition: run it with sluice test ${first}`
      )
    }
    const [unreadable, readable] = yield* Effect.partition(named, expand)
    const files = readable.flat()
    const judged = together([
      ...unreadable.map(judgedOf),
      ...(yield* Effect.forEach(files, (file) => judge(file, options, terminal.env)))
    ])
    const invalid = judged.filter(({ mistakes }) => mistakes.length > 0)
    const listed = (of: "mistakes" | "warnings") =>
      judged.flatMap((each) => each[of].map((mistake) => toReport({ ...mistake, file: each.file })))
    const [mistakes, warnings] = [listed("mistakes"), listed("warnings")]
    if (options.json) terminal.out.write(`${JSON.stringify({ files: files.length, mistakes, warnings })}\n`)
    else for (const each of judged) show(each, terminal)
    if (mistakes.length > 0) {
      const fine = files.length + unreadable.length - invalid.length
      return yield* new MistakesFound({ mistakes: mistakes.length, invalid: invalid.length, fine })
    }
    if (!options.json) {
      const also = warnings.length === 0 ? "" : `, with ${count(warnings.length, "warning")}`
      const verdict = `${count(files.length, "pipeline")} ${files.length === 1 ? "is" : "are"} fine${also}`
      terminal.out.write(`${paint(terminal.out).green(verdict)}\n`)
    }
  })
