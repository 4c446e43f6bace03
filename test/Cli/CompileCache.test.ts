/** Where compiled code is kept between processes. */
import { describe, expect, it } from "@effect/vitest"
import { keepCompiledCode, type Surroundings } from "../../src/Cli/CompileCache.ts"

const folderOf = (surroundings: Omit<Surroundings, "enableCompileCache">): string | undefined => {
  let folder: string | undefined
  keepCompiledCode({
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

  it("is not kept for a user without a home, or by a Node that cannot", () => {
    expect(folderOf({ env: {}, platform: "linux" })).toBeUndefined()
    expect(folderOf({ env: { HOME: "" }, platform: "linux" })).toBeUndefined()
    expect(() => keepCompiledCode({ env: { HOME: "/home/ada" }, platform: "linux" })).not.toThrow()
  })
})
