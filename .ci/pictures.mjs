/**
 * Makes the pictures of the documentation: `docs/images/dashboard.png`, a run in the dashboard, and `docs/images/run.svg`,
 * the same run in a terminal. Needs the built program and a Chromium (SLUICE_BROWSER_PATH): `node .ci/pictures.mjs`.
 */
import { execFile, spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { chromium } from "playwright-core"

const root = fileURLToPath(new URL("..", import.meta.url))
const bin = join(root, "dist/bin.js")
const images = join(root, "docs/images")
const installed = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
const executablePath = process.env.SLUICE_BROWSER_PATH ?? installed.find((path) => existsSync(path))

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

/** Lines of a terminal as an SVG; lines that begin with `$` are commands the user typed. */
const terminal = (lines) => {
  const [lineHeight, padding] = [20, 18]
  const width = Math.max(...lines.map((line) => line.length)) * 8.43 + 2 * padding
  const height = lines.length * lineHeight + 2 * padding + 18
  const rows = lines.map((line, index) => {
    const colour = line.startsWith("$") ? "#7fd1c7" : "#e6edf3"
    return `<text x="${padding}" y="${padding + 30 + index * lineHeight}" fill="${colour}" xml:space="preserve">${escape(line)}</text>`
  })
  const dots = ["#ff5f57", "#febc2e", "#28c840"].map(
    (colour, index) => `<circle cx="${padding + 6 + index * 18}" cy="16" r="5.5" fill="${colour}"/>`
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.ceil(width)}" height="${height}" viewBox="0 0 ${Math.ceil(width)} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">`,
    "<title>A run of the quickstart pipeline in a terminal</title>",
    `<rect width="100%" height="100%" rx="8" fill="#10191c"/>`,
    ...dots,
    ...rows,
    "</svg>",
    ""
  ].join("\n")
}

const folder = mkdtempSync(join(tmpdir(), "project-"))
cpSync(join(root, "pipelines"), join(folder, "pipelines"), { recursive: true })
mkdirSync(images, { recursive: true })
const servers = []
try {
  const words = [bin, "run", "pipelines/quickstart.yaml"]
  const { stderr, stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder })
  const said = `${stdout}${stderr}`.replaceAll(`${folder}/`, "").trimEnd().split("\n")
  writeFileSync(join(images, "run.svg"), terminal(["$ npx sluice run pipelines/quickstart.yaml", ...said]))

  const ports = ["--port", "0", "--ui-port", "0"]
  const server = spawn(process.execPath, [bin, "serve", "--ui", "--json", ...ports], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"]
  })
  servers.push(server)
  const [line] = await new Promise((done) => createInterface(server.stdout).once("line", (text) => done([text])))
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: "light" })
    await page.goto(JSON.parse(line).ui)
    await page.locator("tbody a.name").first().click()
    await page.locator("h1 [data-state=completed]").waitFor()
    await page.locator(".graph > svg").waitFor()
    await page.screenshot({ path: join(images, "dashboard.png") })
  } finally {
    await browser.close()
  }
} finally {
  for (const server of servers) server.kill("SIGINT")
  rmSync(folder, { recursive: true, force: true })
}
