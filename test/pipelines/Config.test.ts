import { fileURLToPath } from "node:url"
import * as FileSystem from "@effect/platform/FileSystem"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { parse } from "yaml"
import { catalogue, read } from "../../src/Settings.ts"
import { describe, expect, scoped } from "../It.ts"

const folder = fileURLToPath(new URL("../../config", import.meta.url))

const names = Object.keys(catalogue) as ReadonlyArray<keyof typeof catalogue>
const environment = names.map((name) => catalogue[name].env)

const readText = (name: string) =>
  Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString(`${folder}/${name}`))

const readProfile = (name: string) =>
  Effect.map(readText(name), (text) => parse(text) as Readonly<Record<string, string | ReadonlyArray<string>>>)

/** The settings as a process would have them that took the profile for its environment. */
const settingsOf = (profile: Readonly<Record<string, string | ReadonlyArray<string>>>) =>
  Effect.withConfigProvider(
    read,
    ConfigProvider.fromMap(
      new Map(
        Object.entries(profile).map(([name, value]) => [
          catalogue[name as keyof typeof catalogue].env,
          typeof value === "string" ? value : value.join(",")
        ])
      )
    )
  )

const isSecret = (name: keyof typeof catalogue) =>
  Effect.map(
    Effect.withConfigProvider(read, ConfigProvider.fromMap(new Map([[catalogue[name].env, "1"]]))),
    (settings) => Redacted.isRedacted(settings[name])
  ).pipe(Effect.orElseSucceed(() => false))

describe("config/", () => {
  scoped("explains every setting in example.env, and none that does not exist", function* () {
    const lines = (yield* readText("example.env")).split("\n")
    const named = lines.flatMap((line) => /^#?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? [])
    expect([...named].sort()).toEqual([...environment].sort())
    for (const name of named) {
      const at = lines.findIndex((line) => line.startsWith(`#${name}=`))
      expect(lines[at - 1], name).toMatch(/^# .*\.$/)
    }
  })

  scoped("has profiles whose names and values are settings", function* () {
    const local = yield* readProfile("local.yaml")
    const hosted = yield* readProfile("hosted.yaml")
    for (const profile of [local, hosted]) {
      expect(Object.keys(profile).filter((name) => !(names as ReadonlyArray<string>).includes(name))).toEqual([])
    }
    const defaults = yield* settingsOf({})
    expect(yield* settingsOf(local)).toEqual({ ...defaults, engine: "local" })
    const settings = yield* settingsOf(hosted)
    expect(settings.baseUrl).toBe("https://api.example.com")
    expect({ ...settings, baseUrl: undefined }).toEqual({ ...defaults, engine: "hosted" })
  })

  scoped("never holds a secret", function* () {
    const example = yield* readText("example.env")
    const profiles = { ...(yield* readProfile("local.yaml")), ...(yield* readProfile("hosted.yaml")) }
    const secrets: Array<string> = []
    for (const name of names) if (yield* isSecret(name)) secrets.push(name)
    expect(secrets).toEqual(expect.arrayContaining(["apiKey", "engineKeys"]))
    for (const name of secrets) {
      expect(profiles).not.toHaveProperty(name)
      expect(example).toMatch(new RegExp(`^#${catalogue[name as keyof typeof catalogue].env}=$`, "m"))
    }
  })
})
