/** Checks before the first request that the connected service has the capabilities that the steps require. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { canParse } from "../Api/Url.ts"
import { catalogue } from "../Settings.ts"
import type { Need } from "../Step/Requirements.ts"
import { operationOf } from "../Step.ts"
import type { Checked } from "./Check.ts"
import { type Scope, settle } from "./Interpolate.ts"
import { type PlacedIssue, Unable, type Unmet } from "./Issue.ts"
import { decode } from "./Node.ts"
import { isSignedIn } from "./Rules.ts"

/** A service, and the capabilities it lacks: for each, the reason and the advice. */
export interface Service {
  /** `the local engine`, or the service's host. */
  readonly who: string
  readonly lackOf: (need: Need) => { readonly why: string; readonly todo: string } | undefined
}

/** True for a service on this machine, which can reach sites on this machine if its settings allow that. */
export const isHere = (baseUrl: string): boolean =>
  !canParse(baseUrl) || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname)

/** Host of a URL, for messages. */
export const hostOf = (baseUrl: string): string => (canParse(baseUrl) ? new URL(baseUrl).host : baseUrl)

/**
 * A service that is not Sluice's local engine. It is assumed to lack the paged lists of a crawl and, unless it runs on this machine, logins
 * and access to this machine; its other capabilities are unknown.
 */
export const hosted = (baseUrl: string): Service => ({
  who: hostOf(baseUrl),
  lackOf: ({ ability }) => {
    if (ability === "lists") {
      return {
        why: "works only with Sluice's own engine, and other services refuse it",
        todo: `use the local engine: ${catalogue.engine.env}=local, or read the list with urls: { list, next }`
      }
    }
    if (ability === "logins" && !isHere(baseUrl)) {
      return {
        why: "needs Sluice's own engine, because other services do not support logins",
        todo: `fetch the pages with the local engine (${catalogue.engine.env}=local), or write login: false into steps that need no login`
      }
    }
    return ability === "here" && !isHere(baseUrl)
      ? {
          why: "is on this machine only, and the service cannot reach it",
          todo: `use the local engine: ${catalogue.engine.env}=local`
        }
      : undefined
  }
})

/** Missing capabilities of all steps that run, in file order. */
const unmet = (checked: Checked, scope: Scope, service: Service): Effect.Effect<ReadonlyArray<Unmet>> =>
  Effect.gen(function* () {
    const { frame, nodes, source } = checked
    const found: Array<Unmet> = []
    const add = (
      need: Need,
      lack: ReturnType<Service["lackOf"]>,
      step: string | undefined,
      at: PlacedIssue["path"]
    ) => {
      if (lack === undefined) return
      const name = step === undefined ? "" : `step ${step}: `
      const message = `${name}${need.what} ${lack.why} (${service.who}): ${lack.todo}`
      const place = source.locate(at, at.length === 3 ? "key" : "value")
      found.push({ path: at, message, step, optional: need.optional === true, ...place })
    }
    if (frame.site !== undefined && nodes.some(({ config, step }) => operationOf(step, config) !== undefined)) {
      const need: Need = { ability: "here", path: [], what: "the pipeline serves its own site, which" }
      add(need, service.lackOf(need), undefined, ["site"])
    }
    if (frame.login !== undefined && nodes.some((node) => node.step.key !== "request" && isSignedIn(node))) {
      const need: Need = { ability: "logins", path: [], what: "a crawl or scrape with the login", optional: true }
      add(need, service.lackOf(need), undefined, ["login"])
      const browser: Need = { ability: "sessions", path: [], what: "the login by code" }
      if (frame.login.run !== undefined) add(browser, service.lackOf(browser), undefined, ["login"])
    }
    for (const node of nodes) {
      const { id, index, step } = node
      if (step.needs === undefined) continue
      const decoded = yield* decode(node, scope)
      // A pinned step sends no request.
      if (Either.isRight(decoded) && (decoded.right.common.when === false || decoded.right.common.pin)) continue
      const { value } = yield* settle(scope, node.config, [])
      for (const need of step.needs(value))
        add(need, service.lackOf(need), id, ["steps", index, step.key, ...need.path])
    }
    return found
  })

/** Missing capabilities: those that prevent the run, and optional ones. */
export interface Verdict {
  readonly refusal: Unable | undefined
  readonly notes: ReadonlyArray<Unmet>
}

/** Checks every step without sending a request. */
export const look = (checked: Checked, scope: Scope, service: Service): Effect.Effect<Verdict> =>
  Effect.map(unmet(checked, scope, service), (all) => {
    const missing = all.filter(({ optional }) => !optional)
    return {
      notes: all.filter(({ optional }) => optional),
      refusal:
        missing.length === 0 ? undefined : new Unable({ file: checked.source.file, who: service.who, unmet: missing })
    }
  })

/** Fails if a required capability is missing. */
export const ensure = (checked: Checked, scope: Scope, service: Service): Effect.Effect<void, Unable> =>
  Effect.flatMap(look(checked, scope, service), ({ refusal }) => refusal ?? Effect.void)
