import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  startOf
} from "./chunk-REEM7JGU.js";
import {
  canParse
} from "./chunk-X7W2U4JF.js";

// src/Engine/Html/PageUrls.ts
var imagePlaceholder = "<Base64-Image-Removed>", plainPath = /^\/(?!\/)[\w\-/~%!$&*+,;=:@?]*$/, dotSegment = /\/\.|\.\/|%2e/i, plainAddress = /^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}\/[\w\-/~%!$&*+,;=:@?#.]*$/, httpScheme = /^https?:/i, nowhere = /^(?:javascript|vbscript|data|about|blob):/i, unseen = /[\p{Cc}\s]+/gu, longestText = 2e3, PageUrls = class {
  #base;
  #origin;
  #known = /* @__PURE__ */ new Map();
  #removeInlined;
  constructor(tree, url, removeInlined) {
    let page = url !== void 0 && canParse(url) ? url : void 0, declared = tree.bases.find(({ attributes }) => attributes.href !== void 0)?.attributes.href, base = declared !== void 0 && canParse(declared, page) ? new URL(declared, page).href : void 0;
    this.#base = base === void 0 || /^(?:data|javascript):/.test(base) ? page : base, this.#origin = this.#base === void 0 ? void 0 : new URL(this.#base).origin, this.#removeInlined = removeInlined;
  }
  /** Absolute where the page's own address is known; undefined for `javascript:` and what is no address. */
  resolve(href) {
    let known = this.#known.get(href);
    if (known !== void 0 || this.#known.has(href)) return known;
    let resolved = this.#work(href.trim());
    return this.#known.set(href, resolved), resolved;
  }
  #work(href) {
    if (!(href === "" || nowhere.test(href.replace(unseen, ""))))
      return plainAddress.test(href) && !dotSegment.test(href) && !href.includes("xn--") ? href : this.#base === void 0 ? canParse(href) ? new URL(href).href : href : plainPath.test(href) && !dotSegment.test(href) && this.#origin !== "null" ? this.#origin + href : canParse(href, this.#base) ? new URL(href, this.#base).href : void 0;
  }
  /** Where a link leads; a jump within the page leads nowhere. */
  link = (href) => {
    let trimmed = href.trim();
    return trimmed.startsWith("#") ? void 0 : this.resolve(trimmed);
  };
  /** The picture that is meant, also where a script would have put it in place later. */
  image = ({ attributes }) => {
    let { src, "data-src": lazy, "data-original": original, srcset, "data-srcset": lazySet } = attributes, isInlined = src?.startsWith("data:") === !0, delayed = lazy ?? original ?? firstOfSet(lazySet ?? (src === void 0 || isInlined ? srcset : void 0));
    if (delayed !== void 0 && (src === void 0 || isInlined || lazy !== void 0)) return this.resolve(delayed);
    if (!(src === void 0 || src === ""))
      return isInlined ? this.#removeInlined ? imagePlaceholder : src : this.resolve(src);
  };
  /** Every link of the page that leads out of it, whatever its scheme, in order, without repeats. */
  links(anchors) {
    let found = /* @__PURE__ */ new Set();
    for (let { attributes } of anchors) {
      let address = attributes.href === void 0 ? void 0 : this.link(attributes.href);
      address !== void 0 && found.add(address);
    }
    return [...found];
  }
  /** What the page calls the places it links to. */
  linkTexts(anchors) {
    let found = /* @__PURE__ */ new Map();
    for (let anchor of anchors) {
      let address = anchor.attributes.href === void 0 ? void 0 : this.link(anchor.attributes.href);
      if (address === void 0 || found.has(address)) continue;
      let text = startOf(anchor, longestText).replace(/\s+/g, " ").trim().slice(0, 200);
      text !== "" && found.set(address, text);
    }
    return found;
  }
  /** Every image, in order, without repeats; inlined ones are not addresses. */
  images(elements) {
    let found = /* @__PURE__ */ new Set();
    for (let element of elements) {
      let address = this.image(element);
      address !== void 0 && address !== imagePlaceholder && !address.startsWith("data:") && found.add(address);
    }
    return [...found];
  }
}, firstOfSet = (set) => /^[\s,]*([^\s,](?:\S*[^\s,])?)/.exec(set ?? "")?.[1], detach = (address) => ` ${address}`.slice(1), crawlable = (links) => {
  let found = /* @__PURE__ */ new Set();
  for (let link of links) {
    if (!httpScheme.test(link)) continue;
    let hash = link.indexOf("#");
    found.add(hash === -1 ? link : link.slice(0, hash));
  }
  return Array.from(found, detach);
};

export {
  imagePlaceholder,
  PageUrls,
  crawlable
};
