/** Where a page lies: host in an order that makes "under this domain" a range, file extension, kind. */
import type { Category } from "../../Api/Search.ts"
import { canParse } from "../../Api/Url.ts"

export interface Place {
  /** `docs.example.com` as `com.example.docs.`; empty for what is no web address. */
  readonly host: string
  readonly extension: string
  /** Sum of {@link bits}. */
  readonly kinds: number
}

export const bits: Readonly<Record<Category, number>> = { github: 1, research: 2, pdf: 4 }

/** The host's labels from the top down, each followed by a dot. */
export const reverse = (host: string): string =>
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

/** The hosts of a category, for those who search the web by hosts. */
export const hostsOf: Readonly<Record<Category, ReadonlyArray<string>>> = {
  github: githubHosts,
  research: researchHosts,
  pdf: []
}

const [github, research] = [githubHosts.map(reverse), researchHosts.map(reverse)]

const under = (domains: ReadonlyArray<string>, host: string) => domains.some((domain) => host.startsWith(domain))

const academic = /^[a-z]{2}\.(ac|edu)\./

/** Any string is some place; `known` is the extension of a file that was found there, whatever it is called. */
export const locate = (address: string, known?: string): Place => {
  const url = canParse(address) ? new URL(address) : undefined
  const web = url !== undefined && (url.protocol === "http:" || url.protocol === "https:")
  const host = web ? reverse(url.hostname) : ""
  const path = web ? url.pathname : address
  const extension = known ?? /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? ""
  return {
    host,
    extension,
    kinds:
      (under(github, host) ? bits.github : 0) |
      (under(research, host) || academic.test(host) ? bits.research : 0) |
      (extension === "pdf" ? bits.pdf : 0)
  }
}
