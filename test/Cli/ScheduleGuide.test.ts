import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { parse } from "yaml"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { signatureOf } from "../../src/Schedule/WebhookDelivery.ts"
import { describe, expect, it, scoped } from "../It.ts"

const guide = readFileSync(fileURLToPath(new URL("../../docs/schedule.md", import.meta.url)), "utf8")

const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\\b[^\\n]*\\n(.*?)^\`\`\``, "gms"))].map(([, text = ""]) => text)

describe("docs/schedule.md", () => {
  scoped("shows a pipeline that can be run", function* () {
    const [definition = ""] = blocks("yaml")
    const secrets = () => Redacted.make("https://hooks.example.com/T0")
    const source = yield* parseText("docs-watch.yaml", ".", definition)
    const { frame } = yield* check(source, { inputs: {}, env: {}, secrets, complete: true })
    expect(frame.schedule).toMatchObject({ catchUp: "latest", retry: { times: 2 } })
    expect(frame.notify?.[0]?.on).toEqual(["failed", "budget", "quality", "health", "missed"])
  })

  scoped("shows how a receiver tells whom a notice is from", function* () {
    const code = `data:text/javascript,${encodeURIComponent(blocks("js")[0] ?? "")}`
    const { isGenuine } = yield* Effect.promise(() => import(/* @vite-ignore */ code))
    const body = JSON.stringify({ id: "1", event: "failed", reason: "ü" })
    const signature = signatureOf(body, Redacted.make("hush"))
    expect(isGenuine(body, signature, "hush")).toBe(true)
    for (const [said, secret] of [
      [signature, "another"],
      [signature.slice(0, -1), "hush"],
      [undefined, "hush"]
    ]) {
      expect(isGenuine(body, said, secret)).toBe(false)
    }
    expect(isGenuine(`${body} `, signature, "hush")).toBe(false)
  })

  it("shows a deployment and a unit that give runs more time than their grace", () => {
    const deployment = parse(blocks("yaml").find((text) => text.includes("kind: Deployment")) ?? "")
    const { containers, terminationGracePeriodSeconds } = deployment.spec.template.spec
    const { command, livenessProbe } = containers[0]
    expect(command.slice(command.indexOf("--grace"), command.indexOf("--grace") + 2)).toEqual(["--grace", "60s"])
    expect(terminationGracePeriodSeconds).toBeGreaterThan(60)
    expect(command[command.indexOf("--health") + 1]).toBe(String(livenessProbe.httpGet.port))
    const [unit = ""] = blocks("ini")
    expect(unit).toMatch(/^ExecStart=\S+ .* schedule --grace 60s$/m)
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(60)
  })
})
