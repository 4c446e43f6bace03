/** Lets everything run together for as many minutes as `--minutes` says, and prints one table. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { print } from "../Figures.ts"
import { soak } from "./Soak.ts"

const { values } = parseArgs({ options: { minutes: { type: "string", default: "10" } } })
const root = fileURLToPath(new URL("../..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "sluice-soak-"))
symlinkSync(`${root}node_modules`, `${folder}/node_modules`)
execFileSync(process.execPath, [`${root}build.mjs`, `${folder}/dist`], { stdio: "inherit" })
console.error(`${values.minutes} minutes, in ${folder}`)

const isWell = print(await soak({ folder, minutes: Number(values.minutes), told: (line) => console.error(line) }))
if (isWell) rmSync(folder, { recursive: true, force: true })
else console.log(`what is left is in ${folder}`)
process.exit(isWell ? 0 : 1)
