/** Long-running verbs are replaced once by the same process with the trim threshold of the C library. */
import { describe, expect, it } from "@effect/vitest"
import { type Running, withTrimThreshold } from "../../src/Cli/Restart.ts"

const variable = "MALLOC_TRIM_THRESHOLD_"

/** The command that replaces the process; undefined when it is not replaced. */
const replacement = (change: Partial<Running> = {}) => {
  const replaced: Array<readonly [file: string, args: ReadonlyArray<string>, env: NodeJS.ProcessEnv]> = []
  withTrimThreshold({
    platform: "linux",
    argv: ["/usr/bin/node", "/app/bin.js", "serve", "--port", "0"],
    argv0: "node",
    execArgv: ["--import", "tsx"],
    execPath: process.execPath,
    env: { PATH: "/bin" },
    execve: (...call) => {
      replaced.push(call)
      // The real one does not return.
      return undefined as never
    },
    ...change
  })
  expect(replaced.length).toBeLessThan(2)
  return replaced[0]
}

const usesGlibc =
  process.platform === "linux" &&
  (process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } }).header
    .glibcVersionRuntime !== undefined

describe.runIf(usesGlibc)("a long-running verb", () => {
  it("is replaced by itself, with its loaders and arguments, and the variable", () => {
    expect(replacement()).toEqual([
      process.execPath,
      ["node", "--import", "tsx", "/app/bin.js", "serve", "--port", "0"],
      { PATH: "/bin", [variable]: "131072" }
    ])
  })

  it("is replaced once: a process with the variable goes on, whatever its value", () => {
    expect(replacement({ env: { [variable]: "131072" } })).toBeUndefined()
    expect(replacement({ env: { [variable]: "1" } })).toBeUndefined()
  })

  it("goes on as it is where the replacement would lose something or gain nothing", () => {
    const others: Readonly<Record<string, Partial<Running>>> = {
      "an older Node": { execve: undefined },
      "another system": { platform: "darwin" },
      "a debugger": { execArgv: ["--inspect-brk=0"] },
      "a debugger by NODE_OPTIONS": { env: { NODE_OPTIONS: "--enable-source-maps --inspect" } },
      "a parent that sends messages": { channel: {} },
      "the permission model": { permission: {} },
      "a program that was replaced meanwhile": { execPath: "/nowhere/node" },
      "a short verb": { argv: ["/usr/bin/node", "/app/bin.js", "check", "serve"] },
      "no verb": { argv: ["/usr/bin/node", "/app/bin.js"] }
    }
    for (const [name, change] of Object.entries(others)) expect(replacement(change), name).toBeUndefined()
  })
})
