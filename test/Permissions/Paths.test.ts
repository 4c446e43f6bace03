/** The home folder in the rules for paths, also where it is not known: a container may run as a user without an entry. */
import { createRequire, syncBuiltinESMExports } from "node:module"
import { afterEach, expect, it } from "@effect/vitest"
import { homeFolder, isShared, projectOf, realPath } from "../../src/Permissions/Paths.ts"
import { Permissions, whyNotRead } from "../../src/Permissions.ts"

const os: typeof import("node:os") = createRequire(import.meta.url)("node:os")
const own = os.homedir

/** Replaces the function of Node, for modules that have been loaded already, too. */
const setHome = (homedir: () => string): void => {
  os.homedir = homedir
  syncBuiltinESMExports()
}

afterEach(() => setHome(own))

/** Makes the home folder unknown, as for a user without an entry. */
const withoutHome = () =>
  setHome(() => {
    throw new Error("A system error occurred: uv_os_homedir returned ENOENT (no such file or directory)")
  })

const permissions = { ...Permissions.defaultValue(), project: realPath("/somewhere/project") }

it("takes the home folder for no project, and never suggests to allow it", () => {
  setHome(() => "/users/ada")
  expect([homeFolder(), isShared("/users/ada"), isShared("/users")]).toEqual(["/users/ada", true, false])
  expect(whyNotRead(permissions, "/users/rows.jsonl")).toMatch(/allow it with --allow-path \/users\/rows.jsonl$/)
  expect(whyNotRead(permissions, "/users/ada/data/rows.jsonl")).toMatch(/--allow-path \/users\/ada\/data$/)
})

it("works where the home folder is not known", () => {
  withoutHome()
  expect([homeFolder(), isShared("/users/ada"), isShared("/")]).toEqual([undefined, false, true])
  expect(projectOf("/users/ada").folder).toBe("/users/ada")
  expect(whyNotRead(permissions, "/users/rows.jsonl")).toMatch(/allow it with --allow-path \/users$/)
})

it("takes an empty HOME for none, not for the working folder", () => {
  setHome(() => "")
  expect([homeFolder(), isShared(realPath("."))]).toEqual([undefined, false])
})
