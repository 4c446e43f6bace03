/** Exceptions in callbacks: what they end, and that no callback in `src` is without a boundary. */
import { EventEmitter } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import ts from "typescript"
import { listen, on, reportTo, safely } from "../src/Callback.ts"
import { describe, expect, it, scoped, vi } from "./It.ts"
import { skipsLong } from "./Long.ts"

const root = fileURLToPath(new URL("../src/", import.meta.url))

/** Methods whose second argument is called by the platform. */
const listeners = new Set(["on", "once", "addListener", "addEventListener", "prependListener", "prependOnceListener"])
/** Functions whose first argument is. */
const timers = new Set(["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "nextTick"])
/** Methods whose last argument is, where it is a function. */
const completions = new Set(["end", "handleUpgrade", "listen", "lookup", "ping", "send", "write"])

/** The boundary itself. */
const exceptions = new Set(["Callback.ts"])

const nameOf = (callee: ts.Expression): string | undefined =>
  ts.isIdentifier(callee)
    ? callee.text
    : ts.isPropertyAccessExpression(callee)
      ? callee.name.text
      : ts.isElementAccessExpression(callee) && ts.isStringLiteral(callee.argumentExpression)
        ? callee.argumentExpression.text
        : undefined

const isGlobal = (callee: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(callee) && callee.expression.getText() === "globalThis"

const isWrapped = (node: ts.Expression): boolean => ts.isCallExpression(node) && nameOf(node.expression) === "safely"

/** Wrapped where it is handed over, or where its constant of the same file is declared: a listener that is removed again has a name. */
const isSafe = (node: ts.Expression): boolean => {
  if (!ts.isIdentifier(node)) return isWrapped(node)
  let isDeclaredSafe = false
  const visit = (each: ts.Node): void => {
    if (ts.isVariableDeclaration(each) && each.name.getText() === node.text)
      isDeclaredSafe = each.initializer !== undefined && isWrapped(each.initializer)
    ts.forEachChild(each, visit)
  }
  visit(node.getSourceFile())
  return isDeclaredSafe
}
const isFunction = (node: ts.Expression): boolean => ts.isArrowFunction(node) || ts.isFunctionExpression(node)

/** The callback that a call or an assignment hands to the platform. */
const callbackOf = (node: ts.Node): ts.Expression | undefined => {
  if (ts.isCallExpression(node)) {
    const name = nameOf(node.expression) ?? ""
    const [first, second] = node.arguments
    const isMethod = !ts.isIdentifier(node.expression)
    // A socket has a method of that name, which takes a number.
    if (timers.has(name) && first !== undefined && !(isMethod && name === "setTimeout" && !isGlobal(node.expression)))
      return first
    if (isMethod && listeners.has(name) && first !== undefined && !ts.isObjectLiteralExpression(first)) {
      return node.arguments.length === 2 || name === "addEventListener" ? second : undefined
    }
    const last = node.arguments.at(-1)
    if (name === "createServer") return last !== undefined && !ts.isObjectLiteralExpression(last) ? last : undefined
    return isMethod && completions.has(name) && last !== undefined && isFunction(last) ? last : undefined
  }
  const isHandler =
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isPropertyAccessExpression(node.left) &&
    /^on[a-z]+$/.test(node.left.name.text)
  return isHandler && isFunction(node.right) ? node.right : undefined
}

/** Files without any of these words, most of all files, need not be parsed. */
const mentions = new RegExp(
  `\\b(?:${[...timers, "createServer"].join("|")})\\b|[.\\["'](?:${[...listeners, ...completions].join("|")})\\b|\\.on[a-z]+ *=`
)

/** Callbacks in a source that are not wrapped in `safely`. */
const bareCallbacks = (file: string, text: string): ReadonlyArray<string> => {
  if (!mentions.test(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found: Array<string> = []
  const visit = (node: ts.Node) => {
    const callback = callbackOf(node)
    if (callback !== undefined && !isSafe(callback)) {
      found.push(`${file}:${source.getLineAndCharacterOfPosition(callback.getStart()).line + 1}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

describe("Callbacks in src", () => {
  it.skipIf(skipsLong)("are all behind the boundary", () => {
    // Scripts of pages run in the browsers of those who look at them.
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
      (file) => file.endsWith(".ts") && !/^Web\/(?:Live|Dashboard)\//.test(file) && !exceptions.has(file)
    )
    expect(files.length).toBeGreaterThan(500)
    expect(files.flatMap((file) => bareCallbacks(file, readFileSync(`${root}${file}`, "utf8")))).toEqual([])
  })

  it.each([
    'ws.on("message", (data) => read(data))',
    'ws?.once("close", ended)',
    "process.on(name, () => process.exit())",
    'ws["on"]("message", read)',
    'signal.addEventListener("abort", stop, { once: true })',
    "setTimeout(() => socket.destroy(), 500).unref()",
    "globalThis.setInterval(beat, 1000)",
    "process.nextTick(go)",
    "socket.onmessage = (event) => read(event)",
    "server.handleUpgrade(request, socket, head, (ws) => open(ws))"
  ])("are found where they are bare: %s", (text) => expect(bareCallbacks("a.ts", text)).toEqual(["a.ts:1"]))

  it.each([
    'ws.on("message", safely((data) => read(data), end))',
    "setTimeout(safely(() => socket.destroy()), 500).unref()",
    'const end = safely(() => close()); ws.once("close", end)',
    'context.once({ name: "list" }, () => list())'
  ])("are not found where they are wrapped: %s", (text) => expect(bareCallbacks("a.ts", text)).toEqual([]))
})

const reports = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const reported: Array<unknown> = []
      return { reported, stop: reportTo((cause) => void reported.push(cause)) }
    }),
    ({ stop }) => Effect.sync(stop)
  ),
  ({ reported }) => reported
)

describe("What a callback throws", () => {
  it("reaches standard error without what would steer a terminal", () => {
    const write = vi.spyOn(process.stderr, "write").mockReturnValue(true)
    safely(() => {
      throw new Error("\u001b]0;owned\u0007\u202e\u{e0041}seen")
    })()
    const said = String(write.mock.calls[0]?.[0])
    write.mockRestore()
    expect(said).toContain("error: a callback failed: Error: ]0;ownedseen\n")
  })

  scoped("is reported and ends what the callback belongs to, and no more", function* () {
    const reported = yield* reports
    const ended: Array<unknown> = []
    const emitter = new EventEmitter()
    const heard: Array<string> = []
    const remove = listen(
      emitter,
      {
        message: (text: string) => {
          if (text === "bad") throw new Error("not foreseen")
          heard.push(text)
        }
      },
      (cause) => void ended.push(cause)
    )
    for (const text of ["one", "bad", "two"]) emitter.emit("message", text)
    expect(heard).toEqual(["one", "two"])
    expect(ended).toEqual([new Error("not foreseen")])
    expect(reported).toEqual(ended)
    remove()
    expect(emitter.listenerCount("message")).toBe(0)
  })

  scoped("is reported from a single listener, which goes on; there may be no emitter", function* () {
    const reported = yield* reports
    const emitter = new EventEmitter()
    on(emitter, "message", (text: string) => {
      throw new Error(text)
    })
    for (const text of ["one", "two"]) emitter.emit("message", text)
    on(undefined, "message", () => undefined)
    expect(reported).toEqual([new Error("one"), new Error("two")])
  })

  scoped("goes no further where ending throws too, nor does what its promise is rejected with", function* () {
    const reported = yield* reports
    const broken = safely(
      () => Promise.reject(new Error("late")),
      () => {
        throw new Error("cannot end")
      }
    )
    broken()
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    expect(reported.map(String)).toEqual(["Error: late", "Error: cannot end"])
  })
})
