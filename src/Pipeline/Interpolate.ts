/** Resolves `${{ … }}` in the fields of a step, once, before they are decoded. Values known only during the run stay {@link open}. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Redacted from "effect/Redacted"
import { compile } from "../Row/Expression.ts"
import { didYouMean } from "../Row/Nearest.ts"
import { open } from "../Step/Estimate.ts"
import type { Issue, Path } from "./Issue.ts"

/** Values that `${{ }}` can use; {@link open} if a value is known only at a later stage. */
export interface Scope {
  readonly inputs: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Variables that the definition may not read, as reported by another check. They are {@link open}, so no message shows their values. */
  readonly refusedEnv?: ReadonlyArray<string> | undefined
  readonly secrets: (name: string) => Redacted.Redacted | undefined
  readonly run: Readonly<Record<string, unknown>>
  readonly steps: Readonly<Record<string, { readonly output: unknown }>>
  /** Path of the headers in the step's fields, and name of its credentials field: the only places where secrets are allowed. */
  readonly headers?: ReadonlyArray<string> | undefined
  readonly credentials?: string | undefined
  /** True for a path that takes `{ expr: … }`: a value for each row. */
  readonly takesRows?: ((path: Path) => boolean) | undefined
  /** Called for a secret that is empty or not set, whose value is then {@link open}. Without it, such a secret is an error. */
  readonly warn?: ((warning: Issue) => void) | undefined
}

export { open }

const names = ["inputs", "env", "secrets", "run", "steps"] as const

/** Functions that return the start time of the run. */
const clock = ["now", "millis"]

/** Matches each `${{ … }}`, with the expression in it. */
export const filled = /\$\{\{([\s\S]*?)\}\}/g

export interface Settled {
  readonly value: unknown
  readonly issues: ReadonlyArray<Issue>
  /** Paths whose value was computed; such a value may be converted to another type. */
  readonly filled: ReadonlyArray<Path>
  /** Paths whose computed value contains a secret and must not be shown. */
  readonly secret: ReadonlyArray<Path>
  /** Paths whose value is not known yet. */
  readonly open: ReadonlyArray<Path>
}

interface State {
  readonly issues: Array<Issue>
  readonly filled: Array<Path>
  readonly secret: Array<Path>
  readonly open: Array<Path>
}

/** Matches step references and skips string literals. `steps.my-plan` is one name, not a subtraction. */
const stepNames = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?<![\w$.`-])steps\s*\.\s*(?:`([^`]*)`|([A-Za-z][\w-]*))/g

/** The expression for JSONata, with backquotes around step ids that contain a hyphen. */
const quoteIds = (expression: string): string =>
  expression.replace(stepNames, (text, _quoted, id?: string) => (id?.includes("-") ? `steps.\`${id}\`` : text))

/** Ids of the steps whose output is used by a `${{ }}` in a value. */
export const referencedSteps = (value: unknown): ReadonlySet<string> => {
  if (typeof value === "string") {
    const expressions = Array.from(value.matchAll(filled), ([, expression = ""]) => expression)
    const ids = expressions.flatMap((each) => Array.from(each.matchAll(stepNames), ([, quoted, id]) => quoted ?? id))
    return new Set(ids.filter((id) => id !== undefined))
  }
  if (typeof value !== "object" || value === null) return new Set()
  return new Set(Object.values(value).flatMap((each) => [...referencedSteps(each)]))
}

/** A variable or secret that a definition uses, with its position. */
export interface Named {
  readonly kind: "env" | "secrets"
  readonly name: string
  readonly path: Path
}

/** All variables and secrets used by a `${{ }}` in a value. */
export const namedIn = (value: unknown, path: Path = []): ReadonlyArray<Named> => {
  if (typeof value === "string") {
    return Array.from(value.matchAll(filled)).flatMap(([, expression = ""]) => {
      const compiled = compile(quoteIds(expression).trim(), { names: clock })
      if (Either.isLeft(compiled)) return []
      return compiled.right.paths.flatMap((each): ReadonlyArray<Named> => {
        const [kind, name] = each.split(".")
        return name !== undefined && (kind === "env" || kind === "secrets") ? [{ kind, name, path }] : []
      })
    })
  }
  if (typeof value !== "object" || value === null) return []
  return Array.isArray(value)
    ? value.flatMap((item, index) => namedIn(item, [...path, index]))
    : Object.entries(value).flatMap(([key, item]) => namedIn(item, [...path, key]))
}

/** Headers that a client also sends to other hosts, for example after a redirect: they must not contain a secret. */
const sharedHeaders: ReadonlySet<string> = new Set([
  "accept",
  "accept-language",
  "cache-control",
  "dnt",
  "pragma",
  "user-agent"
])

/** Beginning of the message about a secret in a place where none is allowed. */
export const secretPlaces =
  "a secret is only allowed in headers, in the auth of a request, in a login and in the webhook of notify"

/** True where secrets are allowed: in a request header's value, in credentials, in a `login`, or in a webhook of `notify`. */
const secretAllowed = (
  [part, second, key, ...below]: Path,
  { credentials, headers }: Pick<Scope, "credentials" | "headers">
): boolean => {
  if (part === "notify") return below.length === 0 && (key === "webhook" || key === "secret" || key === "slack")
  if (part === "login") return second === "fields" || second === "basic"
  if (credentials !== undefined && below[0] === credentials) return true
  return headers !== undefined && below.length === headers.length + 1 && headers.every((each, at) => below[at] === each)
}

/** True for variable names that look like secrets: these are refused, because values of `env` may appear in paths, rows and messages. */
export const soundsSecret = (variable: string): boolean =>
  /(^|_)(TOKEN|SECRET|CREDENTIALS?|COOKIE|DSN|(API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION)_?KEYS?)(_|$)|(PASSWORD|PASSWD|PASSPHRASE)(_|$)/i.test(
    variable
  )

/** True for a URL with a user name and password, like that of a database. */
const holdsPassword = (value: string | undefined): boolean =>
  /[a-z][\w+.-]*:\/\/[^\s/?#@]*:[^\s/?#]*@/i.test(value ?? "")

/** Reduces the environment to the variables that an expression names; it can read no others. */
const only = (env: Scope["env"], paths: ReadonlyArray<string>): Scope["env"] =>
  Object.fromEntries(Object.entries(env).filter(([name]) => paths.some((path) => path === `env.${name}`)))

const namesSecret = (expression: string): boolean => /^\s*secrets\b/.test(expression)

interface Asked {
  readonly expression: string
  /** Parts before and after the first dot, if the expression is only a path. */
  readonly root: string
  readonly rest: string
}

type Unsettled = string | Pick<Issue, "message" | "missing">

/** Error for an expression without a value. */
const whyNothing = (scope: Scope, { expression, rest, root }: Asked, path: Path): Unsettled => {
  if (root === "env") {
    return { message: `environment variable ${rest} is not set`, missing: { kind: "variable", name: rest } }
  }
  if (root === "run" && rest === "site") {
    return "${{ run.site }} needs the key `site:` beside `steps:`, with a folder of pages"
  }
  if (root === "run" && path[0] !== "steps" && path[0] !== "state") {
    return `\${{ ${expression} }} can only be used in steps and in the key of the state`
  }
  const known = root === "inputs" ? scope.inputs : root === "steps" ? scope.steps : root === "run" ? scope.run : {}
  const name = rest.replace(/^`|(?:`?\s*\..*|`)$/gs, "")
  if (root === "steps" && Object.hasOwn(scope.steps, name)) {
    const output = scope.steps[name]?.output
    if (output === undefined) {
      return `the step "${name}" has no output, because its \`when\` is false: give this step the same \`when\``
    }
    const has = typeof output === "object" && output !== null ? Object.keys(output).join(", ") : ""
    return `\${{ ${expression} }} has no value: the output of "${name}" has ${has === "" ? "no fields" : has}`
  }
  const others = Object.keys(known)
  if (root === "inputs" && others.length === 0 && /^[\w-]+$/.test(name))
    return `there is no input "${name}": declare it beside steps: inputs: { ${name}: { type: string } }`
  const hint = others.includes(name)
    ? ""
    : didYouMean(name, others) || (others.length === 0 ? "" : `: there are ${others.join(", ")}`)
  return `\${{ ${expression} }} has no value${hint}`
}

const lookUp = (scope: Scope, expression: string, path: Path): Effect.Effect<unknown, Unsettled> =>
  Effect.gen(function* () {
    const [, root = "", rest = ""] = /^\s*([A-Za-z_$][\w$]*)\s*(?:\.\s*([\s\S]*))?$/.exec(expression) ?? []
    const compiled = compile(quoteIds(expression).trim(), { names: clock })
    if (Either.isLeft(compiled)) return yield* Effect.fail(compiled.left.message)
    const roots = compiled.right.paths.map((each) => each.split(".")[0] ?? "")
    const stranger = roots.find((each) => !names.includes(each as (typeof names)[number]))
    if (stranger !== undefined) {
      const near = didYouMean(stranger, names)
      return yield* Effect.fail(
        near === "" && path[0] !== "steps"
          ? `\${{ }} can use inputs, env, secrets, run and steps, not "${stranger}": fields of rows can be used only in steps`
          : near === ""
            ? `"${stranger}" is a field of a row, and \${{ }} is filled in before the run: ${
                scope.takesRows?.(path) === false
                  ? "this place takes no value of a row"
                  : `write { expr: ${expression.trim()} }`
              }`
            : `\${{ }} can use inputs, env, secrets, run and steps, not "${stranger}"${near}`
      )
    }
    if (roots.includes("secrets")) {
      if (root !== "secrets" || !/^\w+$/.test(rest.trim())) {
        return yield* Effect.fail("a secret cannot be part of an expression: write only ${{ secrets.NAME }}")
      }
      if (!secretAllowed(path, scope))
        return yield* Effect.fail(
          `${secretPlaces}: write headers: { NAME: \${{ secrets.NAME }} }, or in a request auth: { query: { api_key: \${{ secrets.NAME }} } }`
        )
      const header = String(path.at(-1))
      if (path[0] === "steps" && sharedHeaders.has(header.toLowerCase())) {
        return yield* Effect.fail(
          `the header ${header} is sent on to other hosts after a redirect: put the secret into a header of another name, like Authorization`
        )
      }
      const secret = scope.secrets(rest.trim())
      // CI services give the empty string for a secret that is missing.
      if (secret !== undefined && Redacted.value(secret) !== "") return Redacted.value(secret)
      const problem = secret === undefined ? "is not set" : "is empty"
      const message = `secret "${rest.trim()}" ${problem}: set the environment variable ${rest.trim()}`
      if (scope.warn === undefined) return yield* Effect.fail(message)
      scope.warn({ path, message })
      return open
    }
    if (compiled.right.paths.includes("env")) {
      return yield* Effect.fail("env needs the name of one variable: ${{ env.NAME }}")
    }
    const variables = compiled.right.paths.flatMap((each) => (each.startsWith("env.") ? [each.slice(4)] : []))
    if (variables.some((each) => scope.refusedEnv?.includes(each) === true)) return open
    const exposed = variables.find((each) => soundsSecret(each) || holdsPassword(scope.env[each]))
    if (exposed !== undefined) {
      const why = soundsSecret(exposed) ? "sounds like a secret" : "holds a password"
      return yield* Effect.fail(
        `${exposed} ${why}, and values of env are not masked: write \${{ secrets.${exposed} }} in a header`
      )
    }
    const { startedAt } = scope.run
    if (startedAt === open && compiled.right.names.length > 0) return open
    for (const read of compiled.right.paths) {
      const value = read
        .split(".")
        .reduce<unknown>(
          (at, key) =>
            at === open || typeof at !== "object" || at === null ? at : (at as Record<string, unknown>)[key],
          scope
        )
      if (value === open) return open
    }
    const value = yield* compiled.right
      .evaluate(
        { inputs: scope.inputs, env: only(scope.env, compiled.right.paths), run: scope.run, steps: scope.steps },
        { names: {}, now: typeof startedAt === "string" ? new Date(startedAt) : undefined }
      )
      .pipe(Effect.mapError((error) => error.message))
    if (value !== undefined) return value
    return yield* Effect.fail(whyNothing(scope, { expression: expression.trim(), root, rest: rest.trim() }, path))
  })

const settleText = (scope: Scope, text: string, path: Path, state: State): Effect.Effect<unknown> =>
  Effect.gen(function* () {
    const parts: Array<unknown> = []
    let end = 0
    for (const match of text.matchAll(filled)) {
      if (match.index > end) parts.push(text.slice(end, match.index))
      end = match.index + match[0].length
      const value = yield* Effect.either(lookUp(scope, match[1] ?? "", path))
      if (Either.isLeft(value)) {
        state.issues.push({ path, ...(typeof value.left === "string" ? { message: value.left } : value.left) })
        parts.push(open)
      } else {
        if (namesSecret(match[1] ?? "")) state.secret.push(path)
        parts.push(value.right)
      }
    }
    if (end === 0) return text
    if (end < text.length) parts.push(text.slice(end))
    if (parts.includes(open)) {
      state.open.push(path)
      return open
    }
    state.filled.push(path)
    return parts.length === 1
      ? parts[0]
      : parts.map((part) => (typeof part === "string" ? part : JSON.stringify(part))).join("")
  })

const walk = (scope: Scope, value: unknown, path: Path, state: State): Effect.Effect<unknown> => {
  if (typeof value === "string")
    return value.includes("${{") ? settleText(scope, value, path, state) : Effect.succeed(value)
  if (Array.isArray(value)) return Effect.forEach(value, (item, index) => walk(scope, item, [...path, index], state))
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) {
    return Effect.succeed(value)
  }
  return Effect.map(
    Effect.forEach(Object.entries(value), ([key, item]) =>
      Effect.map(walk(scope, item, [...path, key], state), (settled) => [key, settled] as const)
    ),
    Object.fromEntries
  )
}

/** Resolves every string within `value`; keys stay unchanged. */
export const settle = (scope: Scope, value: unknown, path: Path): Effect.Effect<Settled> =>
  Effect.suspend(() => {
    const state: State = { issues: [], filled: [], secret: [], open: [] }
    return Effect.map(walk(scope, value, path, state), (settled) => ({ value: settled, ...state }))
  })
