/** A pipeline in a folder of its own, whose runs are replayed. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import { sluice } from "./Console.ts"
import { folderOf, readText } from "./Project.ts"

export const open = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }

export interface Report {
  readonly runId: string
  readonly status: string
  readonly rows: number
  readonly rejects: number
  readonly resumable: boolean
  readonly error?: { readonly code: string; readonly message: string }
}

/** A folder with a pipeline in it, and the verbs on it; what they print on stdout is read as JSON. */
export const project = (
  steps: string,
  files: Readonly<Record<string, string>> = {},
  flags: ReadonlyArray<string> = []
) =>
  Effect.gen(function* () {
    const system = yield* FileSystem.FileSystem
    const root = yield* folderOf(files)
    const define = (steps: string) => system.writeFileString(`${root}/p.yaml`, `version: 1\nname: p\n${steps}`)
    yield* define(steps)
    const data = ["--data", `${root}/data`, "--json", ...flags]
    const act = (words: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
      Effect.map(sluice([...words, ...data], { env }), ({ code, err, out }) => ({
        code,
        err,
        report: JSON.parse(out) as Report
      }))
    return {
      root,
      define,
      run: (env?: Readonly<Record<string, string>>) => act(["run", `${root}/p.yaml`, "--out", `${root}/out`], env),
      replay: (id?: string, env?: Readonly<Record<string, string>>) =>
        act(["replay", ...(id === undefined ? [] : [id])], env),
      rejects: (id: string) =>
        Effect.map(sluice(["show", id, "--rejects", "--data", `${root}/data`]), ({ out }) =>
          out
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => JSON.parse(line) as Record<string, unknown>)
        ),
      lines: (name: string) => Effect.map(readText(`${root}/out/${name}`), (text) => text.trimEnd().split("\n"))
    }
  })
