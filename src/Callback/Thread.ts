/** Worker threads that run a program of this package. */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { Worker, type WorkerOptions } from "node:worker_threads"

export interface Program {
  readonly source: URL
  /** File name in the built package, where the program is a separate entry. */
  readonly built: string
  readonly options: WorkerOptions
}

export const spawn = ({ built, options, source }: Program): Worker => {
  if (!import.meta.url.endsWith(".ts")) return new Worker(new URL(`./${built}`, import.meta.url), options)
  // Running from source: the thread needs a TypeScript loader.
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx"))
  const loader = new URL("./esm/api/index.mjs", tsx).href
  const begin = `import("${loader}").then(({ register }) => { register(); return import("${source.href}") })`
  return new Worker(begin, { ...options, eval: true })
}
