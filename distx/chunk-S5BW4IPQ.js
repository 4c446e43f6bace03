import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  imagePlaceholder
} from "./chunk-PZIVWCHK.js";
import {
  isElement,
  startOf,
  textOf
} from "./chunk-REEM7JGU.js";
import {
  getOrUndefined,
  try_
} from "./chunk-FWQRLSGQ.js";

// src/Engine/Html/Metadata.ts
var camel = (key) => key.replace(/[:_-]+([a-z0-9])/gi, (_, letter) => letter.toUpperCase()), squeeze = (text) => text.replace(/\s+/g, " ").trim(), maxKeys = 200, maxKey = 200, maxLength = 1e4, reserved = /* @__PURE__ */ new Set([
  "error",
  "statusCode",
  "sourceURL",
  "url",
  "contentType",
  "cacheState",
  "cachedAt",
  "numPages",
  "creditsUsed",
  "concurrencyLimited",
  "concurrencyQueueDurationMs",
  "ogLocaleAlternate"
]), times = /* @__PURE__ */ new Map([
  ["article:published_time", "publishedTime"],
  ["article:modified_time", "modifiedTime"]
]), isIcon = ({ attributes }) => /(?:^|\s)icon(?:\s|$)/i.test(attributes.rel ?? ""), readMetadata = (tree, resolve) => {
  let found = {}, put = (key, value) => {
    value === void 0 || value === "" || reserved.has(key) || Object.hasOwn(found, key) || (found[key] = value);
  };
  put("title", squeeze(tree.titles[0] === void 0 ? "" : textOf(tree.titles[0])).slice(0, maxLength)), put("language", tree.html?.attributes.lang ?? tree.html?.attributes["xml:lang"]);
  let localeAlternates = [];
  for (let { attributes } of tree.metas.slice(0, maxKeys)) {
    let value = attributes.content === void 0 ? "" : squeeze(attributes.content.slice(0, maxLength));
    if (attributes["http-equiv"]?.toLowerCase() === "content-language" && put("language", value), value !== "")
      for (let key of /* @__PURE__ */ new Set([attributes.name, attributes.property ?? attributes.itemprop])) {
        if (key === void 0 || key === "" || key.length > maxKey) continue;
        let lower = key.toLowerCase();
        lower === "og:locale:alternate" ? localeAlternates.push(value) : lower.startsWith("og:") ? (put(lower, value), put(camel(lower), value)) : put(usual.has(lower) ? lower : key, value);
        let time = times.get(lower);
        time !== void 0 && put(time, value);
      }
  }
  localeAlternates.length > 0 && (found["og:locale:alternate"] = localeAlternates, found.ogLocaleAlternate = localeAlternates);
  let favicon = tree.relations.find(isIcon)?.attributes.href;
  put("favicon", favicon === void 0 ? void 0 : resolve(favicon));
  let canonical = tree.relations.find(({ attributes }) => attributes.rel?.toLowerCase() === "canonical")?.attributes.href;
  return put("canonical", canonical === void 0 ? void 0 : resolve(canonical)), put("title", first(found["og:title"] ?? found["twitter:title"])), put("description", first(found["og:description"] ?? found["twitter:description"])), found;
}, usual = /* @__PURE__ */ new Set(["description", "keywords", "author", "robots", "viewport", "generator", "theme-color"]), first = (value) => typeof value == "string" ? value : value?.[0], [maxPictures, maxNodes, maxCaption] = [200, 500, 500], pixels = (text) => {
  let found = typeof text == "string" ? /^\s*(\d{1,5})(?:\.\d+)?(?:px)?\s*$/.exec(text) : null;
  return found === null ? void 0 : Number(found[1]);
}, ancestor = (element, test, levels) => {
  let above = element.parent;
  for (let at = 0; at < levels && above !== void 0; at++, above = above.parent) if (test(above.name)) return above;
}, below = (element) => {
  let caption = ancestor(element, (name) => name === "figure", 4)?.children.find((child) => isElement(child) && child.name === "figcaption");
  return caption === void 0 ? "" : startOf(caption, 2 * maxCaption);
}, pictureOf = (element, urls) => {
  let { attributes } = element, url = urls.image(element);
  if (url === void 0 || url === imagePlaceholder) return [];
  let parts = [attributes.alt, attributes.title, below(element)].map(
    (part) => (part ?? "").slice(0, 2 * maxCaption).trim()
  ), caption = [...new Set(parts)].filter((part) => part !== "").join(" \u2014 ");
  return [
    {
      url,
      caption: caption.slice(0, maxCaption),
      width: pixels(attributes.width),
      height: pixels(attributes.height)
    }
  ];
}, picturesOf = (tree, urls, metadata) => {
  let shared = metadata["og:image"], url = typeof shared == "string" ? urls.resolve(shared) : void 0, alt = metadata["og:image:alt"], first2 = url === void 0 ? [] : [
    {
      url,
      caption: typeof alt == "string" ? alt.slice(0, maxCaption) : "",
      width: pixels(metadata["og:image:width"]),
      height: pixels(metadata["og:image:height"])
    }
  ], rest = tree.images.slice(0, maxPictures).flatMap((element) => pictureOf(element, urls)), said = new Map(rest.map((picture) => [picture.url, picture]));
  return [...first2.map((picture) => picture.caption === "" ? said.get(picture.url) ?? picture : picture), ...rest];
}, own = /article|posting|report|page|creativework|^blog$/i, isObject = (value) => typeof value == "object" && value !== null && !Array.isArray(value), nodesOf = (data) => {
  let found = [], open = [data];
  for (let at = 0; at < open.length && at < maxNodes; at++) {
    let value = open[at];
    if (Array.isArray(value)) for (let each of value.slice(0, maxNodes)) open.push(each);
    else isObject(value) && (found.push(value), open.push(value["@graph"], value.mainEntity));
  }
  return found.filter((node) => [node["@type"]].flat().some((type) => typeof type == "string" && own.test(type)));
}, structured = (elements) => {
  let nodes = linkedData(elements, '"date').flatMap(nodesOf), first2 = (name) => nodes.map((node) => node[name]).find((value) => typeof value == "string");
  return { published: first2("datePublished"), modified: first2("dateModified") };
}, margins = /^(?:aside|footer|nav|form)$/, isRemark = /comment|related|sidebar|footer/i, isMarginal = (element) => {
  for (let above = element.parent; above !== void 0; above = above.parent) {
    let { class: classes, id } = above.attributes;
    if (margins.test(above.name) || isRemark.test(`${classes ?? ""} ${id ?? ""}`)) return !0;
  }
  return !1;
}, datesOf = (dated) => {
  let times2 = dated.filter(({ name, attributes }) => name === "time" && attributes.datetime !== void 0), marked = times2.find(
    ({ attributes }) => attributes.itemprop?.toLowerCase() === "datepublished" || attributes.pubdate !== void 0
  ), shown = times2.slice(0, 20).find((element) => !isMarginal(element));
  return {
    ...structured(dated),
    marked: marked?.attributes.datetime,
    shown: shown?.attributes.datetime
  };
}, factsOf = (tree, urls, metadata) => ({
  pictures: picturesOf(tree, urls, metadata),
  dates: datesOf(tree.dated)
}), [maxScripts, maxScriptLength] = [20, 2e5], isLinkedData = ({ attributes, name }) => name === "script" && /^application\/ld\+json/i.test(attributes.type?.trim() ?? ""), linkedData = (elements, word) => elements.filter(isLinkedData).slice(0, maxScripts).map(textOf).filter((text) => text.length <= maxScriptLength && text.includes(word)).map((text) => getOrUndefined(try_(() => JSON.parse(text))));

export {
  readMetadata,
  factsOf,
  linkedData
};
