/** The native TypeScript compiler, built with the rules of Effect's language service. */
import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const require = createRequire(createRequire(import.meta.url).resolve("@effect/tsgo/package.json"))

/** The executable for this machine. */
const program = () => {
  const name = `@effect/tsgo-${process.platform}-${process.arch}`
  const folder = dirname(require.resolve(`${name}/package.json`))
  return join(folder, "lib", process.platform === "win32" ? "tsc.exe" : "tsc")
}

/** Runs the compiler and resolves with its diagnostics, one text for each. Relative paths are of the working folder. */
export const compile = (...words) =>
  new Promise((resolve, reject) =>
    execFile(program(), ["--pretty", "false", ...words], { maxBuffer: 2 ** 26 }, (error, out, err) => {
      if (err !== "" || typeof error?.code === "string" || error?.signal) {
        return reject(new Error(`the compiler failed: ${err || error.message}`))
      }
      // Further lines of a diagnostic are indented.
      const found = out.split(/\n(?!\s)/).filter((text) => text.trim() !== "")
      if (error !== null && found.length === 0) return reject(new Error(`the compiler failed: ${error.message}`))
      resolve(found)
    })
  )
