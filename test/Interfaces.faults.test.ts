import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "@effect/vitest"
import { files } from "../.ci/interfaces.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

it("the interfaces that editors show are written in a fresh clone, which has none of them yet", () => {
  const clone = mkdtempSync(join(tmpdir(), "sluice-clone-"))
  for (const part of ["src", ".ci/interfaces.ts", "package.json", "tsconfig.json"]) {
    cpSync(join(root, part), join(clone, part), { recursive: true, filter: (file) => !file.endsWith("/Generated") })
  }
  symlinkSync(join(root, "node_modules"), join(clone, "node_modules"))
  execFileSync(process.execPath, ["--import", "tsx", ".ci/interfaces.ts"], { cwd: clone })
  for (const [file, print] of Object.entries(files)) expect(readFileSync(join(clone, file), "utf8")).toBe(print().text)
  rmSync(clone, { recursive: true })
})
