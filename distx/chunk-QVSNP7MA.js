import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  canParse
} from "./chunk-X7W2U4JF.js";

// src/Engine/Search/Words.ts
var unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u, eachUnspaced = new RegExp(unspaced, "gu"), eachWord = /[\p{L}\p{N}]+/gu, eachWordOrLetter = new RegExp(`${unspaced.source}|(?:(?!${unspaced.source})[\\p{L}\\p{N}])+`, "gu"), wordsIn = (text) => text.matchAll(unspaced.test(text) ? eachWordOrLetter : eachWord), isSpaced = (text) => unspaced.test(text), space = (text) => unspaced.test(text) ? text.replace(eachUnspaced, " $& ") : text, clean = (text) => text.replace(/[\0\p{Surrogate}]/gu, " "), fold = (text) => /^[\0-\x7f\u4e00-\u9fff]*$/.test(text) ? text.toLowerCase() : text.normalize("NFD").replace(new RegExp("\\p{M}+", "gu"), "").toLowerCase(), split = (text) => fold(space(text)).match(eachWord) ?? [], quote = (text) => `"${space(clean(text)).replaceAll('"', " ")}"`, phrase = (text) => {
  let words = split(text);
  if (words.length === 0) return () => !0;
  let spaced = unspaced.test(text), pattern = words.join(spaced ? "[^\\p{L}\\p{N}]*" : "[^\\p{L}\\p{N}]+"), expression = new RegExp(spaced ? pattern : `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "u");
  return (folded) => expression.test(folded);
}, frequent = new Set(
  "a an and are as at be by can did do does for from had has have how i if in is it its me my of on or our that the their them there these they this to was we were what when where which who why will with you your".split(
    " "
  )
), telling = (words) => {
  let kept = words.filter((word) => !frequent.has(word.toLowerCase()));
  return kept.length === 0 ? words : kept;
};

// src/Engine/Search/Place.ts
var bits = { github: 1, research: 2, pdf: 4 }, reverse = (host) => host.toLowerCase().split(".").filter((label) => label !== "").reverse().map((label) => `${label}.`).join(""), githubHosts = ["github.com", "githubusercontent.com", "github.io", "github.dev"], researchHosts = [
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
], hostsOf = {
  github: githubHosts,
  research: researchHosts,
  pdf: []
}, [github, research] = [githubHosts.map(reverse), researchHosts.map(reverse)], under = (domains, host) => domains.some((domain) => host.startsWith(domain)), academic = /^[a-z]{2}\.(ac|edu)\./, locate = (address, known) => {
  let url = canParse(address) ? new URL(address) : void 0, web = url !== void 0 && (url.protocol === "http:" || url.protocol === "https:"), host = web ? reverse(url.hostname) : "", path = web ? url.pathname : address, extension = known ?? /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? "";
  return {
    host,
    extension,
    kinds: (under(github, host) ? bits.github : 0) | (under(research, host) || academic.test(host) ? bits.research : 0) | (extension === "pdf" ? bits.pdf : 0)
  };
};

export {
  wordsIn,
  isSpaced,
  space,
  clean,
  fold,
  split,
  quote,
  phrase,
  telling,
  bits,
  reverse,
  hostsOf,
  locate
};
