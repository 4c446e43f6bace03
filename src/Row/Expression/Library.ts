/**
 * The JSONata library in a V8 context of its own, and a deadline for synchronous code.
 *
 * - JSONata is written with promises. The context has its own queue for them, which is emptied before a call returns: an
 *   evaluation is synchronous. A promise from outside of the context would never be awaited in it, so functions that
 *   expressions call are synchronous, or JSONata's own.
 * - JSONata checks the clock between the nodes of an expression, and never inside a function of its own: those that take more
 *   than linear time are replaced (`Linear.ts`). A watchdog cannot end them, see `within`.
 * - The globals that JSONata uses are parameters of its wrapper: names that are looked up in a context's global object cost five
 *   times as much.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { type Context, compileFunction, createContext, runInContext, Script } from "node:vm"
import type jsonata from "jsonata"
import { Refusal } from "./Errors.ts"

interface Library {
  readonly parse: typeof jsonata
  readonly drive: Drive
}

/** Evaluates rows one after the other, from `from`, until `begin` says no. */
type Drive = (
  expression: jsonata.Expression,
  rows: ReadonlyArray<unknown>,
  from: number,
  begin: (index: number) => boolean,
  given: (index: number) => Readonly<Record<string, unknown>>,
  settle: (index: number, value: unknown) => void,
  refuse: (index: number, cause: unknown) => void
) => void

const driver = `return (async () => {
  for (let index = from; index < rows.length && begin(index); index++) {
    try {
      settle(index, await expression.evaluate(rows[index], given(index)))
    } catch (cause) {
      refuse(index, cause)
    }
  }
})()`

const globals =
  "Array Boolean Date Error JSON Math Number Object Promise RangeError RegExp String Symbol TypeError decodeURI decodeURIComponent encodeURI encodeURIComponent isFinite isNaN parseFloat parseInt".split(
    " "
  )

let context: Context | undefined
let library: Library | undefined
const call = new Script("call()")

const contextOf = (): Context => {
  context ??= createContext(Object.create(null), { microtaskMode: "afterEvaluate", name: "expressions" })
  return context
}

/** The library, read at its first use. */
export const load = (): Library => {
  if (library !== undefined) return library
  const parsingContext = contextOf()
  const path = createRequire(import.meta.url).resolve("jsonata")
  const values: ReadonlyArray<unknown> = runInContext(`[${globals.join()}]`, parsingContext)
  const module: { exports: unknown } = { exports: {} }
  compileFunction(readFileSync(path, "utf8"), ["module", "exports", "global", ...globals], {
    filename: path,
    parsingContext
  })(module, module.exports, { Buffer }, ...values)
  const parameters = ["expression", "rows", "from", "begin", "given", "settle", "refuse"]
  library = {
    parse: module.exports as typeof jsonata,
    drive: compileFunction(driver, parameters, { parsingContext }) as Drive
  }
  return library
}

const isTimeout = (cause: unknown): boolean =>
  typeof cause === "object" && cause !== null && "code" in cause && cause.code === "ERR_SCRIPT_EXECUTION_TIMEOUT"

/** Calls `f` in the context and returns its value, when every promise that it has made there is settled. */
const callWithin = <A>(options: { readonly timeout?: number }, f: () => A): A => {
  const scope = contextOf()
  const outer: unknown = scope.call
  let value: { readonly of: A } | undefined
  scope.call = () => {
    value = { of: f() }
  }
  try {
    call.runInContext(scope, options)
  } catch (cause) {
    throw isTimeout(cause) ? new Refusal("D1012", undefined) : cause
  } finally {
    scope.call = outer
  }
  if (value === undefined) throw new Refusal("D1012", undefined)
  return value.of
}

/** Calls `f`, which makes promises of the context, and returns its value when they are settled. */
export const synchronously = <A>(f: () => A): A => callWithin({}, f)

/**
 * Calls `f` and returns its value; fails with D1012 when that takes longer. A call costs about a tenth of a millisecond.
 *
 * `f` must not await anything: a promise that is ended in mid-work leaves Node's stack of asynchronous calls unbalanced, and
 * Node aborts the process where it follows them, as with AsyncLocalStorage.
 */
export const within = <A>(milliseconds: number, f: () => A): A => callWithin({ timeout: milliseconds }, f)
