/** SECURITY.md, and the files for deployment: no workload in any of them has rights that it does not need. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { parseAllDocuments } from "yaml"
import { k8s } from "../../src/Cli/Schedule/Kubernetes.ts"
import { Schedule } from "../../src/Pipeline/Schedule.ts"

const root = new URL("../../", import.meta.url)
const text = (name: string): string => readFileSync(new URL(name, root), "utf8")

/** Every file under `docs/deploy`, with the compose file. */
const files = ["compose.yaml", ...readdirSync(new URL("docs/deploy", root)).map((name) => `docs/deploy/${name}`)]

interface Container {
  readonly name: string
  readonly securityContext?: object
  readonly resources?: { readonly requests?: object; readonly limits?: object }
  readonly livenessProbe?: object
  readonly volumeMounts?: ReadonlyArray<{ readonly name: string; readonly mountPath: string }>
  readonly env?: ReadonlyArray<{ readonly name: string; readonly value?: string }>
}

interface Pod {
  readonly automountServiceAccountToken?: boolean
  readonly hostNetwork?: boolean
  readonly hostPID?: boolean
  readonly hostIPC?: boolean
  readonly securityContext?: object
  readonly containers: ReadonlyArray<Container>
  readonly initContainers?: ReadonlyArray<Container>
  readonly volumes?: ReadonlyArray<Readonly<Record<string, unknown>>>
}

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly template?: { readonly metadata: { readonly labels: object }; readonly spec: Pod }
    readonly jobTemplate?: { readonly spec: { readonly template: { readonly spec: Pod } } }
    readonly podSelector?: { readonly matchLabels: object }
    readonly policyTypes?: ReadonlyArray<string>
    readonly ingress?: ReadonlyArray<object>
    readonly egress?: ReadonlyArray<{
      readonly to: ReadonlyArray<{
        readonly ipBlock?: { readonly cidr: string; readonly except?: ReadonlyArray<string> }
      }>
    }>
  }
}

const read = (yaml: string): ReadonlyArray<Manifest> => parseAllDocuments(yaml).map((document) => document.toJS())

const manifests = read(text("docs/deploy/kubernetes.yaml"))
const workloads = manifests.flatMap(({ spec: { template } }) => (template === undefined ? [] : [template]))

const guide = /```yaml needs=kubernetes\n([\s\S]*?)```/.exec(text("docs/schedule.md"))?.[1] ?? ""

const printed = [true, false].flatMap((onCluster) => {
  const job = {
    name: "watch",
    description: undefined,
    file: "/srv/watch.yaml",
    schedule: Schema.decodeUnknownSync(Schedule)({ cron: "0 1 * * *" }),
    secrets: [],
    variables: []
  }
  const [bin, folder, data, out] = ["/srv/sluice.js", "/srv", "/srv/.sluice", "/srv/out"]
  const around = { node: "/usr/bin/node", bin, folder, data, out, flags: [], onCluster, image: "sluice:1", now: 0 }
  return k8s([job], around).files.flatMap(({ text }) => read(text))
})

/** Pods of all manifests: those that stay, and those of printed CronJobs. */
const deployed = [...manifests, ...read(guide)].flatMap(({ spec: { template } }) => template?.spec ?? [])
const begun = printed.flatMap(({ spec: { jobTemplate } }) => jobTemplate?.spec.template.spec ?? [])
const pods = [...deployed, ...begun]

describe("the files for deployment", () => {
  it("are of kinds that a test here or beside it reads", () => {
    for (const file of files) expect(file).toMatch(/^compose\.yaml$|\.(service|yaml|json)$/)
    // The seccomp profile and compose.yaml are read by Docker.test.ts, the kinds of units by SchedulePrint.test.ts.
    expect(files.filter((file) => file.endsWith(".yaml"))).toEqual(["compose.yaml", "docs/deploy/kubernetes.yaml"])
    expect(manifests.map(({ kind }) => kind)).toEqual(["PersistentVolumeClaim", "Deployment", "NetworkPolicy"])
  })

  it("give pods of Kubernetes no root, no capability, no writable root, no token and no namespace of the host", () => {
    expect([deployed.length, begun.length]).toEqual([2, 2])
    for (const pod of pods) {
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } }
      })
      expect([pod.hostNetwork, pod.hostPID, pod.hostIPC]).toEqual([undefined, undefined, undefined])
      for (const volume of pod.volumes ?? []) expect(volume).not.toHaveProperty("hostPath")
      for (const { name, securityContext } of [...pod.containers, ...(pod.initContainers ?? [])]) {
        expect(securityContext, name).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] }
        })
      }
    }
  })

  it("bound what pods of Kubernetes take, give them folders to write to, and probe those that go on running", () => {
    for (const pod of pods) {
      for (const { env = [], livenessProbe, name, resources, volumeMounts = [] } of pod.containers) {
        expect(resources?.requests, name).toMatchObject({ cpu: expect.anything(), memory: expect.anything() })
        expect(resources?.limits, name).toMatchObject({ memory: expect.anything() })
        if (deployed.includes(pod)) expect(livenessProbe, name).toBeDefined()
        expect(
          volumeMounts.map(({ mountPath }) => mountPath),
          name
        ).toContain("/tmp")
        for (const each of env) if (/KEY|PASSWORD|SECRET|URL/.test(each.name)) expect(each.value).toBeUndefined()
      }
      for (const { emptyDir } of pod.volumes ?? []) {
        if (emptyDir !== undefined) expect(emptyDir).toHaveProperty("sizeLimit")
      }
    }
  })

  it("let no pod connect to the workers, and the workers only to the private networks that are named", () => {
    const policies = manifests.filter(({ kind }) => kind === "NetworkPolicy")
    for (const { metadata } of workloads) {
      const policy = policies.find(
        ({ spec }) => JSON.stringify(spec.podSelector?.matchLabels) === JSON.stringify(metadata.labels)
      )
      expect(policy?.spec).toMatchObject({ policyTypes: ["Ingress", "Egress"], ingress: [] })
      const blocks = policy?.spec.egress?.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock ?? [])) ?? []
      const open = blocks.find(({ cidr }) => cidr === "0.0.0.0/0")
      expect(open?.except).toEqual(
        expect.arrayContaining(["10.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"])
      )
      expect(blocks.filter(({ cidr }) => cidr.includes(":")).map(({ cidr }) => cidr)).toEqual(["2000::/3"])
    }
  })
})

describe("SECURITY.md", () => {
  it("names tests that are there, and commands that package.json has", () => {
    const policy = text("SECURITY.md")
    const named = [...policy.matchAll(/`((?:test|docs|\.ci)\/[^`\s]+\.\w+)`/g)].map(([, name = ""]) => name)
    expect(named.length).toBeGreaterThan(60)
    expect(named.filter((name) => !existsSync(new URL(name, root)))).toEqual([])
    const { scripts } = JSON.parse(text("package.json"))
    for (const [, name = ""] of policy.matchAll(/`npm run (\w+)`/g)) expect(scripts).toHaveProperty(name)
  })

  it("says for each attack what shows that it is held off", () => {
    const rows =
      text("SECURITY.md")
        .match(/^\|.*\|$/gm)
        ?.slice(2) ?? []
    expect(rows.length).toBeGreaterThan(25)
    for (const row of rows) expect(row.split(" | ").at(-1), row).toMatch(/`test\/\S+\.test\.ts`/)
  })
})
