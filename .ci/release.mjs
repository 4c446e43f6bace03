#!/usr/bin/env node
/**
 * Makes a release in a folder, and uploads nothing: the tarball, a CycloneDX list of what it installs (`sbom.cdx.json`) and checksums.
 *
 *   node .ci/release.mjs FOLDER             fails if something that the public would see is missing
 *   node .ci/release.mjs --dry-run FOLDER   says so, and goes on: CI
 *
 * The address of the repository is written in one place, `repository` of package.json. The tarball's `homepage`, `bugs` and the links of
 * its README follow from it, so that they work on the page of a registry; inside the tarball, README and docs lead to each other.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, posix, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const isDryRun = process.argv.includes("--dry-run")
const target = resolve(process.argv.slice(2).find((word) => !word.startsWith("--")) ?? "release")

const call = (program, words, cwd = root) =>
  execFileSync(program, words, { cwd, encoding: "utf8", maxBuffer: 64 * 2 ** 20, stdio: ["ignore", "pipe", "pipe"] })

/** Why this may not be released yet. */
const objections = []

const read = (file) => readFileSync(join(root, file), "utf8")

/** `https://host/owner/name` of the `repository` field; undefined while it is unset. */
const repositoryOf = ({ repository }) => {
  const url = typeof repository === "string" ? repository : repository?.url
  return url?.replace(/^git\+/, "").replace(/\.git$/, "")
}

const manifest = JSON.parse(read("package.json"))
const { version } = manifest
const repository = repositoryOf(manifest)
if (repository === undefined) {
  objections.push(
    "package.json has no repository, so the package has no homepage, no page for bugs, no provenance, and links in its README lead nowhere on a registry: npm pkg set repository.type=git repository.url=git+https://HOST/OWNER/NAME.git"
  )
}
if (!new RegExp(`^## \\[?${version.replaceAll(".", "\\.")}\\b`, "m").test(read("CHANGELOG.md"))) {
  objections.push(`CHANGELOG.md has no heading for ${version}: what is under Unreleased belongs below it`)
}
if (call("git", ["status", "--porcelain"]).trim() !== "")
  objections.push("the work tree has changes that are not committed")
if (call("git", ["tag", "--list", `v${version}`]).trim() !== "") objections.push(`the tag v${version} exists`)

const work = mkdtempSync(join(tmpdir(), "sluice-release-"))
process.on("exit", () => rmSync(work, { recursive: true, force: true }))

const pack = (cwd, words = []) => {
  const [{ filename }] = JSON.parse(
    call("npm", ["pack", "--json", "--silent", "--pack-destination", work, ...words], cwd)
  )
  return join(work, filename)
}

/** Relative links of a page, as they are written. */
const linksIn = (text) =>
  [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/\]\((?![a-z]+:|#)([^)\s]+)\)/g)].map(([, link]) => link)

call("tar", ["-xzf", pack(root), "-C", work])
const folder = join(work, "package")

const pages = ["README.md", ...readdirSync(join(folder, "docs"), { recursive: true }).map((name) => `docs/${name}`)]
for (const page of pages.filter((name) => name.endsWith(".md"))) {
  for (const link of linksIn(readFileSync(join(folder, page), "utf8"))) {
    const file = posix.join(posix.dirname(page), link.replace(/#.*/, ""))
    if (link.startsWith("#") || existsSync(join(folder, file))) continue
    // Sources and tests are not in the package; they are on the page of the repository.
    if (!existsSync(join(root, file))) objections.push(`${page} links to ${link}, which is nowhere`)
  }
}

if (repository !== undefined) {
  const packed = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  packed.homepage ??= `${repository}#readme`
  packed.bugs ??= { url: `${repository}/issues` }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(packed, undefined, 2)}\n`)
  const page = join(folder, "README.md")
  const absolute = (link) => {
    const [file, anchor] = link.split("#")
    const kind = /\.(png|svg)$/.test(file) ? "raw" : "blob"
    return `${repository}/${kind}/v${version}/${file}${anchor === undefined ? "" : `#${anchor}`}`
  }
  const text = readFileSync(page, "utf8").replace(/\]\((?![a-z]+:|#)([^)\s]+)\)/g, (_, link) => `](${absolute(link)})`)
  writeFileSync(page, text)
}

mkdirSync(target, { recursive: true })
const tarball = pack(folder, ["--ignore-scripts"])
const name = `${manifest.name}-${version}.tgz`
writeFileSync(join(target, name), readFileSync(tarball))

/** npm's own writer of CycloneDX, from the lock file. */
const sbom = (...words) =>
  JSON.parse(call("npm", ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", ...words]))

// What `npm install` of the package brings, and the packages whose code is in its bundles.
const bom = sbom("--omit", "dev")
const installed = new Set(bom.components.map((component) => component["bom-ref"]))
const notices = readFileSync(join(folder, "dist/third-party.txt"), "utf8")
const bundled = new Set(
  [...notices.matchAll(/^(\S+) (\d\S*) \(.+\)$/gm)].map(([, name, version]) => `${name}@${version}`)
)
const all = sbom()
bom.components.push(
  ...all.components.filter((component) => bundled.has(component["bom-ref"]) && !installed.has(component["bom-ref"]))
)
const listed = new Set([bom.metadata.component["bom-ref"], ...bom.components.map((component) => component["bom-ref"])])
bom.dependencies = all.dependencies
  .filter(({ ref }) => listed.has(ref))
  .map(({ dependsOn = [], ref }) => ({ ref, dependsOn: dependsOn.filter((name) => listed.has(name)) }))
for (const name of bundled) if (!listed.has(name)) objections.push(`the SBOM lacks ${name}, which is bundled`)
// npm names it after the folder of the work tree.
bom.metadata.component.name = manifest.name
const components = bom.components.length
if (components < 50) objections.push(`the SBOM has ${components} components only`)
writeFileSync(join(target, "sbom.cdx.json"), `${JSON.stringify(bom, undefined, 2)}\n`)

const sums = [name, "sbom.cdx.json"].map(
  (file) =>
    `${createHash("sha256")
      .update(readFileSync(join(target, file)))
      .digest("hex")}  ${file}`
)
writeFileSync(join(target, "SHA256SUMS"), `${sums.join("\n")}\n`)

console.log(`${dirname(join(target, name))}: ${name}, sbom.cdx.json (${components} components), SHA256SUMS`)
for (const objection of objections) console.error(`${isDryRun ? "unset" : "error"}: ${objection}`)
if (objections.length === 0 || isDryRun) {
  console.log(
    `Not uploaded. In a workflow with an OpenID Connect token: npm publish --provenance ${join(target, name)}`
  )
} else process.exitCode = 1
