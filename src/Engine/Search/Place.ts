/** Fields that the index derives from a page's URL: the reversed host (so that a domain is a range), file extension and categories. */
import type { Category } from "../../Api/SearchRequest.ts"
import { canParse } from "../../Api/Url.ts"

export interface Place {
  /** `docs.example.com` as `com.example.docs.`; empty when the address is not a web address. */
  readonly host: string
  readonly extension: string
  /** Sum of {@link categoryBits}. */
  readonly kinds: number
}

export const categoryBits: Readonly<Record<Category, number>> = { github: 1, research: 2, pdf: 4 }

/** Labels of the host in reverse order, each followed by a dot. */
export const reverseHost = (host: string): string =>
  host
    .toLowerCase()
    .split(".")
    .filter((label) => label !== "")
    .reverse()
    .map((label) => `${label}.`)
    .join("")

const githubHosts = ["github.com", "githubusercontent.com", "github.io", "github.dev"]

const researchHosts = [
  "aclanthology.org",
  "acm.org",
  "arxiv.org",
  "biorxiv.org",
  "cell.com",
  "chemrxiv.org",
  "core.ac.uk",
  "doaj.org",
  "doi.org",
  "eartharxiv.org",
  "edu",
  "europepmc.org",
  "frontiersin.org",
  "hal.science",
  "ieee.org",
  "jmlr.org",
  "jstor.org",
  "mdpi.com",
  "medrxiv.org",
  "nature.com",
  "ncbi.nlm.nih.gov",
  "neurips.cc",
  "openalex.org",
  "openreview.net",
  "osf.io",
  "oup.com",
  "paperswithcode.com",
  "plos.org",
  "pnas.org",
  "researchgate.net",
  "sagepub.com",
  "science.org",
  "sciencedirect.com",
  "semanticscholar.org",
  "springer.com",
  "ssrn.com",
  "tandfonline.com",
  "wiley.com",
  "zenodo.org"
]

/** Hosts of a category, for providers that filter by host. */
export const hostsOf: Readonly<Record<Category, ReadonlyArray<string>>> = {
  github: githubHosts,
  research: researchHosts,
  pdf: []
}

const [github, research] = [githubHosts.map(reverseHost), researchHosts.map(reverseHost)]

const under = (domains: ReadonlyArray<string>, host: string) => domains.some((domain) => host.startsWith(domain))

const academic = /^[a-z]{2}\.(ac|edu)\./

/** Derives the location from any string. `known` is the actual extension of a file, whatever its URL says. */
export const locate = (address: string, known?: string): Place => {
  const url = canParse(address) ? new URL(address) : undefined
  const web = url !== undefined && (url.protocol === "http:" || url.protocol === "https:")
  const host = web ? reverseHost(url.hostname) : ""
  const path = web ? url.pathname : address
  const extension = known ?? /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? ""
  return {
    host,
    extension,
    kinds:
      (under(github, host) ? categoryBits.github : 0) |
      (under(research, host) || academic.test(host) ? categoryBits.research : 0) |
      (extension === "pdf" ? categoryBits.pdf : 0)
  }
}
