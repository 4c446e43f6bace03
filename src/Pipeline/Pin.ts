/** Lock files (`pin`): a reviewed answer of the service that every run uses instead of calling it. */

import * as NodePath from "node:path"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { CrawlParams } from "../Api/CrawlParams.ts"
import { readSidecar } from "../Files/BesideFile.ts"
import { forDefinition, Permissions } from "../Permissions.ts"
import { readable } from "../Step/Access.ts"
import { PinUnusable } from "../Step/StepError.ts"
import type { StepError } from "../Step.ts"
import { type Checked, type CheckOptions, scopeBefore } from "./Check.ts"
import { open, type Scope } from "./Interpolate.ts"
import { issuesOf } from "./Issue.ts"
import { decode, type Node } from "./Node.ts"

/** Content of a lock file: the request, the service and date, and the answer. */
export const Lock = Schema.Struct({
  version: Schema.Literal(1),
  url: Schema.String,
  prompt: Schema.String,
  /** Host of the service, or `local`. */
  service: Schema.String,
  /** What gave the answer, `model` or `rules`, if the service reports it. */
  answeredBy: Schema.optional(Schema.String),
  /** Date such as `2026-03-01`. */
  date: Schema.String,
  answer: CrawlParams
})
export type Lock = typeof Lock.Type

/** The request that a lock file must match. */
export interface Question {
  readonly url: string
  readonly prompt: string
}

/** Result of comparing a lock file with the request of the definition. */
export type Standing =
  | { readonly is: "held"; readonly lock: Lock }
  | { readonly is: "missing" }
  | { readonly is: "stale"; readonly lock: Lock; readonly differs: ReadonlyArray<keyof Question> }
  | { readonly is: "broken"; readonly reason: string }

/** Absolute path of a lock file, given relative to the definition; fails with `NotAllowed`. */
export const fileOf = ({ source: { file, folder } }: Checked, pin: string): Effect.Effect<string, StepError> =>
  Effect.flatMap(Permissions, (permissions) =>
    Effect.provideService(
      readable(pin, folder),
      Permissions,
      forDefinition(permissions, NodePath.resolve(folder, NodePath.basename(file)))
    )
  )

const sorted = (_: string, value: unknown): unknown =>
  Predicate.isReadonlyRecord(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value

/** Matches characters that a reviewer cannot see. */
const unseen = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Text of a lock file: sorted keys, one value per line, invisible characters escaped. */
export const render = (lock: Lock): string =>
  `${JSON.stringify(lock, sorted, 2).replace(unseen, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`

const parse = (text: string): Either.Either<Lock, string> =>
  Either.flatMap(
    Either.mapLeft(
      Either.try(() => JSON.parse(text) as unknown),
      () => "it is not valid JSON"
    ),
    (value) =>
      Either.mapLeft(
        Schema.decodeUnknownEither(Lock, { errors: "first", onExcessProperty: "error" })(value),
        (error) => {
          const [issue] = issuesOf(error.issue)
          if (issue === undefined) return "it is not in the format of a lock file"
          const path = issue.atKey === true ? "" : issue.path.map(String).join(".")
          return path === "" ? issue.message : `${path}: ${issue.message}`
        }
      )
  )

/** Reads the lock file for a request. If the request is undefined, because its values are not known yet, any valid lock matches. */
export const inspect = (file: string, question: Question | undefined): Effect.Effect<Standing> =>
  readSidecar(file).pipe(
    Effect.map((text): Standing => {
      const parsed = parse(text)
      if (Either.isLeft(parsed)) return { is: "broken", reason: parsed.left }
      const lock = parsed.right
      const differs = (["url", "prompt"] as const).filter(
        (key) => question !== undefined && lock[key] !== question[key]
      )
      return differs.length === 0 ? { is: "held", lock } : { is: "stale", lock, differs }
    }),
    Effect.catchAll(({ isMissing, reason }) =>
      Effect.succeed<Standing>(isMissing ? { is: "missing" } : { is: "broken", reason })
    )
  )

/** Reason why a lock cannot be used, with what to do about it; undefined if it can. */
export const objection = (standing: Standing, pin: string, definition: string): string | undefined => {
  switch (standing.is) {
    case "held":
      return undefined
    case "missing":
      return `the lock file ${pin} is missing: create it with \`sluice pin ${definition}\``
    case "stale":
      return `the lock file ${pin} was made for another ${standing.differs.join(" and ")}: \`sluice pin ${definition}\` requests it again and shows what changes`
    case "broken":
      return `the lock file ${pin} cannot be used, ${standing.reason}: \`sluice pin ${definition} --update\` replaces it`
  }
}

/** A step with a `pin`, as far as known before the run. */
export interface Pinned {
  readonly node: Node
  /** Path as written, relative to the definition. */
  readonly pin: string
  /** Undefined while it depends on a value known only during the run. */
  readonly question: Question | undefined
}

/** The request of a pinned step, with the values of `scope`; undefined if the step does not run. */
export const questionOf = (node: Node, scope: Scope): Effect.Effect<Pinned | undefined> =>
  Effect.map(decode(node, scope), (decoded) => {
    if (node.common.pin === undefined || Either.isLeft(decoded)) return undefined
    const { common, config } = decoded.right
    if (common.when === false || common.pin === undefined) return undefined
    return { node, pin: common.pin, question: config === open ? undefined : (config as Question) }
  })

/** The pinned steps of a run, in order. */
export const pinned = (
  checked: Checked,
  options: Pick<CheckOptions, "env" | "secrets">
): Effect.Effect<ReadonlyArray<Pinned>> =>
  Effect.map(
    Effect.forEach(checked.nodes, (node) => questionOf(node, scopeBefore(checked, options))),
    (found) => found.filter((each) => each !== undefined)
  )

/** Checks before a run's first request that every lock file exists and matches, as far as known. */
export const require = (
  checked: Checked,
  options: Pick<CheckOptions, "env" | "secrets">
): Effect.Effect<void, StepError, FileSystem.FileSystem | Path.Path> =>
  Effect.flatMap(pinned(checked, options), (all) =>
    Effect.forEach(all, ({ node, pin, question }) => answer(checked, node, pin, question), { discard: true })
  )

/** The answer in a lock file; fails with advice if the file does not match. */
export const answer = (
  checked: Checked,
  node: Node,
  pin: string,
  question: Question | undefined
): Effect.Effect<CrawlParams, StepError, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const standing = yield* inspect(yield* fileOf(checked, pin), question)
    if (standing.is === "held") return standing.lock.answer
    const place = checked.source.locate(["steps", node.index, "pin"])
    const { file } = checked.source
    return yield* new PinUnusable({
      message: objection(standing, pin, file) ?? pin,
      step: node.id,
      definedAt: place === undefined ? file : `${file}:${place.line}:${place.column}`
    })
  })
