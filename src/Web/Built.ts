/** Script and style of pages, as they are served. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"

export interface Built {
  readonly script: string
  readonly style: string
}

/** What a browser runs: a folder beside this file with its entries, and the name that both have when they are built. */
interface Sources {
  readonly folder: string
  readonly script: string
  readonly style: string
  readonly name: string
}

/** In the built package they lie beside the program; from the sources they are put together. */
export const read = ({ folder, name, script, style }: Sources): Effect.Effect<Built> =>
  import.meta.url.endsWith(".ts")
    ? Effect.promise(() =>
        import("esbuild")
          .then(({ build }) =>
            build({
              absWorkingDir: fileURLToPath(new URL(`./${folder}/`, import.meta.url)),
              entryPoints: [
                { in: script, out: name },
                { in: style, out: name }
              ],
              outdir: ".",
              bundle: true,
              format: "esm",
              jsx: "automatic",
              jsxImportSource: "preact",
              write: false
            })
          )
          .then(({ outputFiles }) => {
            const of = (ending: string) =>
              outputFiles.find(({ path }) => path.endsWith(`${name}.${ending}`))?.text ?? ""
            return { script: of("js"), style: of("css") }
          })
      )
    : Effect.sync(() => {
        const text = (ending: string) => readFileSync(new URL(`${name}.${ending}`, import.meta.url), "utf8")
        return { script: text("js"), style: text("css") }
      })
