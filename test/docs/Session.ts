/** The commands of one page, in its order, as one session of a shell in a folder of its own. */
import { spawn } from "node:child_process"
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname } from "node:path"
import { program } from "../Programs.ts"
import { at, type Block, type Page, root } from "./Pages.ts"

/** Result of a block of commands. */
interface Outcome {
  readonly block: Block
  readonly failed: number
  readonly said: string
}

const mark = "@@ end of block"

/** The shell does what people do: files are saved where they are shown, commands are typed in. */
const typed = (block: Block): string =>
  block.language === "sh"
    ? `failed=0\n${block.text}\nprintf '\\n${mark} %s\\n' "$failed"\n`
    : `mkdir -p '${dirname(block.title ?? ".")}'\ncat > '${block.title}' <<'END OF FILE'\n${block.text}END OF FILE\n`

/** A job of the background has a group of its own, as in a terminal; none outlives the session. */
const beginning = `set -m
trap 'failed=$?' ERR
trap 'for job in $(jobs -p); do kill -9 -- -$job; done 2>/dev/null' EXIT
exec 2>&1
`

/** Programs by the names that pages call them by. */
const shims = (folder: string, bin: string): void => {
  const write = (name: string, text: string) => {
    writeFileSync(`${folder}/${name}`, `#!/bin/sh\n${text}\n`)
    chmodSync(`${folder}/${name}`, 0o755)
  }
  mkdirSync(folder)
  // Whatever stays is to say what it needs: it is ended here.
  write("sluice", `exec timeout --foreground --kill-after 10 90 "${process.execPath}" "${bin}" "$@"`)
  write("npx", `[ "$1" = --no-install ] && shift\n[ "$1" = sluice ] || exit 127\nshift\nexec "${folder}/sluice" "$@"`)
}

/** A folder in which `sluice` is installed. */
export const project = (place: string): string => {
  const folder = `${place}/project`
  const installed = `${folder}/node_modules/sluice`
  symlinkSync(`${root}node_modules`, `${place}/node_modules`)
  cpSync(dirname(program("bin")), `${installed}/dist`, { recursive: true })
  copyFileSync(`${root}package.json`, `${installed}/package.json`)
  shims(`${place}/bin`, `${installed}/dist/bin.js`)
  return folder
}

/** Carries out what can be carried out. */
const carryOut = (blocks: ReadonlyArray<Block>): Promise<ReadonlyArray<Outcome>> => {
  const place = mkdtempSync(`${tmpdir()}/sluice-docs-`)
  const folder = project(place)
  const done = blocks.filter(
    ({ language, needs, title }) => needs === undefined && (language === "sh" || title !== undefined)
  )
  writeFileSync(`${place}/session.sh`, `${beginning}${done.map(typed).join("")}`)
  return new Promise<ReadonlyArray<Outcome>>((resolve) => {
    const env = {
      PATH: `${place}/bin:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: place,
      LANG: "C.UTF-8",
      NO_COLOR: "1"
    }
    const shell = spawn("bash", [`${place}/session.sh`], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 220_000
    })
    let said = ""
    for (const stream of [shell.stdout, shell.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text))
    shell.on("close", () => {
      const parts = said.split(new RegExp(`\n${mark} (\\d+)\n`))
      resolve(
        done
          .filter(({ language }) => language === "sh")
          .map((block, index) => ({
            block,
            failed: Number(parts[2 * index + 1] ?? Number.NaN),
            said: parts[2 * index] ?? ""
          }))
      )
    })
  }).finally(() => rmSync(place, { recursive: true, force: true, maxRetries: 3 }))
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

/** Removes what differs from run to run: durations and column widths. */
const steady = (text: string): string =>
  text
    .replace(/(?:\b\d+(?:\.\d+)?|…) (?:ms|s|min)\b/g, "a moment")
    .replace(/[ \t]+/g, " ")
    .replace(/ $/gm, "")
    .trim()

/** True if the output is as a page shows it: `…` stands for anything, on a line of its own for any number of lines. */
export const isShown = (shown: string, said: string): boolean => {
  const lines = steady(shown)
    .split("\n")
    .map((line) => (line.trim() === "…" ? "(?:.*\n)*?" : `${escaped(line).replaceAll("…", ".*?")}\n`))
  return new RegExp(`^${lines.join("")}$`).test(`${steady(said)}\n`)
}

const sorted = (text: string): string => steady(text).split("\n").sort().join("\n")

/** Output that a page shows behind a block of commands, if any. */
const shownBehind = ({ blocks }: Page, block: Block): Block | undefined => {
  const next = blocks[blocks.indexOf(block) + 1]
  return next?.isOutput === true ? next : undefined
}

const isShownBy = ({ isUnordered, text }: Block, said: string): boolean =>
  isUnordered ? isShown(sorted(text), sorted(said)) : isShown(text, said)

/** Differences between a page and what its commands really do; empty for a correct page. */
export const faultsOf = (page: Page): Promise<ReadonlyArray<string>> =>
  carryOut(page.blocks).then((outcomes) =>
    outcomes.flatMap(({ block, failed, said }) => {
      const shown = shownBehind(page, block)
      if (failed !== block.exit) return [`${at(block)} ends with ${failed}\n${block.text}${said}`]
      return shown === undefined || isShownBy(shown, said)
        ? []
        : [`${at(block)} shows\n${shown.text}\nand it is\n${said}`]
    })
  )

/** True if the page has commands to run. */
export const isSession = ({ blocks }: Page): boolean =>
  blocks.some(({ language, needs }) => language === "sh" && needs === undefined)
