/** Where compiled code is kept between processes. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { keepCompiledCode, ofProcess, type Surroundings } from "../../src/Cli/CompileCache.ts"

const own = { exists: () => true, isOwn: () => true }

const folderOf = (surroundings: Pick<Surroundings, "env" | "platform"> & Partial<Surroundings>): string | undefined => {
  let folder: string | undefined
  keepCompiledCode({
    ...own,
    ...surroundings,
    enableCompileCache: (given) => {
      folder = given
    }
  })
  return folder
}

describe.runIf(process.platform !== "win32")("compiled code", () => {
  it("is kept in the user's own folder for caches", () => {
    expect(folderOf({ env: { HOME: "/home/ada" }, platform: "linux" })).toBe("/home/ada/.cache/sluice/compiled")
    expect(folderOf({ env: { HOME: "/home/ada", XDG_CACHE_HOME: "/fast" }, platform: "linux" })).toBe(
      "/fast/sluice/compiled"
    )
    expect(folderOf({ env: { HOME: "/Users/ada" }, platform: "darwin" })).toBe(
      "/Users/ada/Library/Caches/sluice/compiled"
    )
  })

  it("is never kept below the current folder", () => {
    expect(folderOf({ env: { HOME: "/home/ada", XDG_CACHE_HOME: "cache" }, platform: "linux" })).toBe(
      "/home/ada/.cache/sluice/compiled"
    )
    expect(folderOf({ env: { HOME: "." }, platform: "linux" })).toBeUndefined()
  })

  it("is not kept where another user could put code", () => {
    const home = { env: { HOME: "/home/ada" }, platform: "linux" } as const
    const asked: Array<string> = []
    const isOwn = (folder: string) => {
      asked.push(folder)
      return false
    }
    expect(folderOf({ ...home, isOwn })).toBeUndefined()
    expect(folderOf({ ...home, isOwn, exists: (folder) => folder === "/home/ada" })).toBeUndefined()
    expect(asked).toEqual(["/home/ada/.cache/sluice/compiled", "/home/ada"])
    const { exists, isOwn: isOwnHere } = ofProcess()
    const folder = mkdtempSync(join(tmpdir(), "shared-"))
    expect([exists(folder), exists(`${folder}/none`), isOwnHere(folder)]).toEqual([true, false, true])
    chmodSync(folder, 0o777)
    expect([isOwnHere(folder), isOwnHere(`${folder}/none`)]).toEqual([false, false])
    rmSync(folder, { recursive: true })
  })

  it("is not kept for a user without a home, or by a Node that cannot", () => {
    expect(folderOf({ env: {}, platform: "linux" })).toBeUndefined()
    expect(folderOf({ env: { HOME: "" }, platform: "linux" })).toBeUndefined()
    expect(() => keepCompiledCode({ ...own, env: { HOME: "/home/ada" }, platform: "linux" })).not.toThrow()
  })
})
