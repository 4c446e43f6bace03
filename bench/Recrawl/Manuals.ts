/**
 * The HTML manuals of PostgreSQL and Python as packages of Debian have them, served by nginx on loopback: a site whose validators are
 * those of a real server. `apt-get` downloads the packages, nginx included; nothing is installed.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { ended } from "../Measure/Programs.ts"
import { download } from "../Search/Manuals.ts"

const packages = ["nginx", "postgresql-doc-15", "python3.11-doc"]

/** Folders of the manuals in their packages. */
const manuals = { postgresql: "postgresql-doc-15/html", python: "python3.11/html" }

export interface ManualSite {
  /** Addresses at which the crawls start. */
  readonly starts: ReadonlyArray<string>
  /** Bytes sent so far, and requests. */
  readonly sent: () => { readonly bytes: number; readonly requests: number }
  /**
   * Changes 2 % of these pages, adds 0.5 % and removes 0.5 %. Returns a test for each of them: true for a crawl that shows it. It gets the
   * Markdown of the page; undefined for one that the crawl does not have.
   */
  readonly next: (known: Iterable<string>) => ReadonlyMap<string, (markdown: string | undefined) => boolean>
  readonly stop: () => Promise<void>
}

/** The same numbers in every run. */
const randomFrom = (start: number) => {
  let seed = start
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
    return seed / 4_294_967_296
  }
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const configOf = (folder: string, port: number) => `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  types { text/html html; text/css css; application/javascript js; image/png png; image/svg+xml svg; text/plain txt; }
  default_type application/octet-stream;
  gzip on;
  gzip_types text/css application/javascript;
  log_format sent "$status $bytes_sent $request_uri";
  access_log ${folder}/access.log sent;
  client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
  server { listen 127.0.0.1:${port}; root ${folder}/www; }
}
`

const answers = async (url: string, child: ChildProcess): Promise<boolean> => {
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt++) {
    const isThere = await fetch(url).then(
      ({ status }) => status === 404 || status === 200,
      () => false
    )
    if (isThere) return true
    await new Promise((done) => setTimeout(done, 100))
  }
  return false
}

/** Undefined where the packages cannot be downloaded. `kept`: folder of the packages. */
export const serveManuals = async (folder: string, kept: string): Promise<ManualSite | undefined> => {
  if (!download(kept, packages) || !existsSync(join(kept, "usr/sbin/nginx"))) return undefined
  mkdirSync(join(folder, "www"), { recursive: true })
  for (const [name, path] of Object.entries(manuals)) {
    // The files keep their times, of which nginx makes its validators.
    cpSync(join(kept, "usr/share/doc", path), join(folder, "www", name), {
      recursive: true,
      preserveTimestamps: true,
      filter: (source) => existsSync(source)
    })
  }
  const port = await freePort()
  writeFileSync(join(folder, "nginx.conf"), configOf(folder, port))
  // As root, nginx would give its workers to a user who may not read the folder.
  const own = process.getuid?.() === 0 ? ["-g", "user root;"] : []
  const words = ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "error.log"), ...own]
  const child = spawn(join(kept, "usr/sbin/nginx"), words, { stdio: "ignore" })
  process.once("exit", () => child.kill())
  const origin = `http://127.0.0.1:${port}`
  if (!(await answers(`${origin}/none`, child))) {
    throw new Error(`nginx did not start: ${readFileSync(join(folder, "error.log"), "utf8")}`)
  }
  const random = randomFrom(20_240_229)
  let turn = 0
  return {
    starts: Object.keys(manuals).map((name) => `${origin}/${name}/index.html`),
    sent: () => {
      const lines = readFileSync(join(folder, "access.log"), "utf8").trimEnd().split("\n")
      return { bytes: lines.reduce((sum, line) => sum + Number(line.split(" ")[1]), 0), requests: lines.length }
    },
    next: (known) => {
      turn++
      const all = [...known]
      const changes = new Map<string, (markdown: string | undefined) => boolean>()
      for (const name of Object.keys(manuals)) {
        const root = join(folder, "www", name)
        const base = `${origin}/${name}/`
        const pages = all
          .flatMap((url) => (url.startsWith(base) ? [url.slice(base.length)] : []))
          .filter((page) => page.endsWith(".html") && page !== "index.html" && existsSync(join(root, page)))
          .toSorted()
        const some = (share: number) =>
          Array.from(
            { length: Math.ceil(pages.length * share) },
            () => pages[Math.floor(random() * pages.length)] ?? ""
          )
        const append = (page: string, html: string) => {
          const text = readFileSync(join(root, page), "latin1")
          const end = text.lastIndexOf("</body>")
          const at = name === "python" ? text.lastIndexOf("</section>") : text.lastIndexOf("</div><div", end)
          const place = at === -1 ? end : at
          writeFileSync(join(root, page), `${text.slice(0, place)}${html}${text.slice(place)}`, "latin1")
        }
        for (const page of some(0.02)) {
          append(page, `<p>Changed in turn ${turn}: herons nest here.</p>`)
          changes.set(`${base}${page}`, (markdown) => markdown?.includes(`Changed in turn ${turn}`) === true)
        }
        for (const page of some(0.005)) {
          rmSync(join(root, page), { force: true })
          changes.set(`${base}${page}`, (markdown) => markdown === undefined)
        }
        const added = Array.from({ length: Math.ceil(pages.length * 0.005) }, (_, at) => `new-${turn}-${at}.html`)
        for (const page of added) {
          writeFileSync(join(root, page), `<!doctype html><title>${page}</title><h1>${page}</h1><p>A new page.</p>`)
          changes.set(`${base}${page}`, (markdown) => markdown !== undefined)
        }
        append("index.html", added.map((page) => `<p><a href="${page}">${page}</a></p>`).join(""))
      }
      return changes
    },
    stop: async () => {
      child.kill("SIGTERM")
      await ended(child)
    }
  }
}
