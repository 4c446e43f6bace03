/** A project with the files of `docs/integrations`, for the tools that they are for. */
import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { root } from "./Pages.ts"
import { project } from "./Session.ts"

export const source = `${root}docs/integrations`
export const text = (name: string): string => readFileSync(`${source}/${name}`, "utf8")

/** The project in a temporary folder, which `remove` removes. */
export const workplace = () => {
  const place = mkdtempSync(`${tmpdir()}/sluice-integrations-`)
  const folder = project(place)
  cpSync(source, folder, { recursive: true })
  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    PATH: `${place}/bin:${process.env.PATH}`,
    NO_COLOR: "1",
    ...more
  })
  /** Runs a program in the project. */
  const run = (name: string, words: ReadonlyArray<string>, more?: Readonly<Record<string, string>>) => {
    const { status, stderr, stdout } = spawnSync(name, words, { cwd: folder, env: environment(more), encoding: "utf8" })
    return { status, stderr, stdout }
  }
  const rows = (file: string): ReadonlyArray<{ readonly sku: string; readonly price: number }> =>
    readFileSync(`${folder}/${file}`, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
  return { place, folder, environment, run, rows, remove: () => rmSync(place, { recursive: true, force: true }) }
}
