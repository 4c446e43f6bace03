import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { parseAllDocuments } from "yaml"
import { version } from "../../src/Version.ts"
import { readNow } from "../Cli/Loaded.ts"

const text = (name: string): string => readFileSync(new URL(`../../docs/deploy/${name}`, import.meta.url), "utf8")

/** The command line is one that this program takes. */
const isTaken = (words: ReadonlyArray<string>): void => {
  expect(words[0]).toBe("sluice")
  expect(readNow(words.slice(1)).ask).toBe("act")
}

describe("the examples of workers", () => {
  it("for systemd is a unit that restarts a worker, and gives it time to release its shards", () => {
    const sections = new Map<string, Map<string, string>>()
    let section = new Map<string, string>()
    for (const line of text("sluice-worker.service").split("\n")) {
      const head = /^\[(\w+)\]$/.exec(line)?.[1]
      const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? []
      expect(line === "" || line.startsWith("#") || head !== undefined || name !== undefined, line).toBe(true)
      if (head !== undefined) {
        section = new Map()
        sections.set(head, section)
      }
      if (name !== undefined) section.set(name, value ?? "")
    }
    const service = sections.get("Service") ?? new Map()
    expect([...sections.keys()]).toEqual(["Unit", "Service", "Install"])
    expect(service.get("Restart")).toBe("always")
    expect(Number(service.get("TimeoutStopSec"))).toBeGreaterThanOrEqual(20)
    isTaken((service.get("ExecStart") ?? "").split(" ").slice(1))
  })

  it("for Kubernetes is a Deployment whose pods share a volume, with the database's address from a secret", () => {
    const [claim, deployment] = parseAllDocuments(text("kubernetes.yaml")).map((document) => {
      expect(document.errors).toEqual([])
      return document.toJS()
    })
    expect([claim.kind, claim.spec.accessModes]).toEqual(["PersistentVolumeClaim", ["ReadWriteMany"]])
    const { containers, terminationGracePeriodSeconds, volumes } = deployment.spec.template.spec
    expect(deployment.spec.template.metadata.labels).toEqual(deployment.spec.selector.matchLabels)
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(20)
    expect(volumes[0].persistentVolumeClaim.claimName).toBe(claim.metadata.name)
    const [{ args, env, image, volumeMounts }] = containers
    isTaken(args)
    // Pods that start tomorrow are those of today.
    expect(image).toBe(`registry.example.com/sluice:${version}`)
    const guide = readFileSync(new URL("../../docs/schedule.md", import.meta.url), "utf8")
    for (const [line] of guide.matchAll(/image: .*/g)) expect(line).toBe(`image: sluice:${version}`)
    expect(env).toEqual([{ name: "SLUICE_DATABASE_URL", valueFrom: { secretKeyRef: expect.anything() } }])
    expect(volumeMounts.map(({ name }: { readonly name: string }) => name)).toEqual(
      volumes.map(({ name }: { readonly name: string }) => name)
    )
  })
})
