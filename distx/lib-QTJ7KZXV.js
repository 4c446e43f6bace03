import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  imagePlaceholder,
  isElement,
  startOf,
  textOf
} from "./lib-KFUPWAUT.js";

// src/Engine/Html/Metadata.ts
import * as Either from "effect/Either";
var camel = (key) => key.replace(/[:_-]+([a-z0-9])/gi, (_, letter) => letter.toUpperCase());
var squeeze = (text) => text.replace(/\s+/g, " ").trim();
var maxKeys = 200;
var maxKey = 200;
var maxLength = 1e4;
var reserved = /* @__PURE__ */ new Set([
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
]);
var times = /* @__PURE__ */ new Map([
  ["article:published_time", "publishedTime"],
  ["article:modified_time", "modifiedTime"]
]);
var isIcon = ({ attributes }) => /(?:^|\s)icon(?:\s|$)/i.test(attributes.rel ?? "");
var readMetadata = (tree, resolve) => {
  const found = {};
  const put = (key, value) => {
    if (value === void 0 || value === "" || reserved.has(key) || Object.hasOwn(found, key)) return;
    found[key] = value;
  };
  put("title", squeeze(tree.titles[0] === void 0 ? "" : textOf(tree.titles[0])).slice(0, maxLength));
  put("language", tree.html?.attributes.lang ?? tree.html?.attributes["xml:lang"]);
  const localeAlternates = [];
  for (const { attributes } of tree.metas.slice(0, maxKeys)) {
    const value = attributes.content === void 0 ? "" : squeeze(attributes.content.slice(0, maxLength));
    if (attributes["http-equiv"]?.toLowerCase() === "content-language") put("language", value);
    if (value === "") continue;
    for (const key of /* @__PURE__ */ new Set([attributes.name, attributes.property ?? attributes.itemprop])) {
      if (key === void 0 || key === "" || key.length > maxKey) continue;
      const lower = key.toLowerCase();
      if (lower === "og:locale:alternate") localeAlternates.push(value);
      else if (lower.startsWith("og:")) {
        put(lower, value);
        put(camel(lower), value);
      } else put(usual.has(lower) ? lower : key, value);
      const time = times.get(lower);
      if (time !== void 0) put(time, value);
    }
  }
  if (localeAlternates.length > 0) {
    found["og:locale:alternate"] = localeAlternates;
    found.ogLocaleAlternate = localeAlternates;
  }
  const favicon = tree.relations.find(isIcon)?.attributes.href;
  put("favicon", favicon === void 0 ? void 0 : resolve(favicon));
  const canonical = tree.relations.find(({ attributes }) => attributes.rel?.toLowerCase() === "canonical")?.attributes.href;
  put("canonical", canonical === void 0 ? void 0 : resolve(canonical));
  put("title", first(found["og:title"] ?? found["twitter:title"]));
  put("description", first(found["og:description"] ?? found["twitter:description"]));
  return found;
};
var usual = /* @__PURE__ */ new Set(["description", "keywords", "author", "robots", "viewport", "generator", "theme-color"]);
var first = (value) => typeof value === "string" ? value : value?.[0];
var [maxPictures, maxNodes, maxCaption] = [200, 500, 500];
var pixels = (text) => {
  const found = typeof text === "string" ? /^\s*(\d{1,5})(?:\.\d+)?(?:px)?\s*$/.exec(text) : null;
  return found === null ? void 0 : Number(found[1]);
};
var ancestor = (element, test, levels) => {
  let above = element.parent;
  for (let at = 0; at < levels && above !== void 0; at++, above = above.parent) if (test(above.name)) return above;
  return void 0;
};
var below = (element) => {
  const figure = ancestor(element, (name) => name === "figure", 4);
  const caption = figure?.children.find((child) => isElement(child) && child.name === "figcaption");
  return caption === void 0 ? "" : startOf(caption, 2 * maxCaption);
};
var pictureOf = (element, urls) => {
  const { attributes } = element;
  const url = urls.image(element);
  if (url === void 0 || url === imagePlaceholder) return [];
  const parts = [attributes.alt, attributes.title, below(element)].map(
    (part) => (part ?? "").slice(0, 2 * maxCaption).trim()
  );
  const caption = [...new Set(parts)].filter((part) => part !== "").join(" \u2014 ");
  return [
    {
      url,
      caption: caption.slice(0, maxCaption),
      width: pixels(attributes.width),
      height: pixels(attributes.height)
    }
  ];
};
var picturesOf = (tree, urls, metadata) => {
  const shared = metadata["og:image"];
  const url = typeof shared === "string" ? urls.resolve(shared) : void 0;
  const alt = metadata["og:image:alt"];
  const first2 = url === void 0 ? [] : [
    {
      url,
      caption: typeof alt === "string" ? alt.slice(0, maxCaption) : "",
      width: pixels(metadata["og:image:width"]),
      height: pixels(metadata["og:image:height"])
    }
  ];
  const rest = tree.images.slice(0, maxPictures).flatMap((element) => pictureOf(element, urls));
  const said = new Map(rest.map((picture) => [picture.url, picture]));
  return [...first2.map((picture) => picture.caption === "" ? said.get(picture.url) ?? picture : picture), ...rest];
};
var own = /article|posting|report|page|creativework|^blog$/i;
var isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
var nodesOf = (data) => {
  const found = [];
  const open = [data];
  for (let at = 0; at < open.length && at < maxNodes; at++) {
    const value = open[at];
    if (Array.isArray(value)) for (const each of value.slice(0, maxNodes)) open.push(each);
    else if (isObject(value)) {
      found.push(value);
      open.push(value["@graph"], value.mainEntity);
    }
  }
  return found.filter((node) => [node["@type"]].flat().some((type) => typeof type === "string" && own.test(type)));
};
var structured = (elements) => {
  const nodes = linkedData(elements, '"date').flatMap(nodesOf);
  const first2 = (name) => nodes.map((node) => node[name]).find((value) => typeof value === "string");
  return { published: first2("datePublished"), modified: first2("dateModified") };
};
var margins = /^(?:aside|footer|nav|form)$/;
var isRemark = /comment|related|sidebar|footer/i;
var isMarginal = (element) => {
  for (let above = element.parent; above !== void 0; above = above.parent) {
    const { class: classes, id } = above.attributes;
    if (margins.test(above.name) || isRemark.test(`${classes ?? ""} ${id ?? ""}`)) return true;
  }
  return false;
};
var datesOf = (dated) => {
  const times2 = dated.filter(({ name, attributes }) => name === "time" && attributes.datetime !== void 0);
  const marked = times2.find(
    ({ attributes }) => attributes.itemprop?.toLowerCase() === "datepublished" || attributes.pubdate !== void 0
  );
  const shown = times2.slice(0, 20).find((element) => !isMarginal(element));
  return {
    ...structured(dated),
    marked: marked?.attributes.datetime,
    shown: shown?.attributes.datetime
  };
};
var factsOf = (tree, urls, metadata) => ({
  pictures: picturesOf(tree, urls, metadata),
  dates: datesOf(tree.dated)
});
var [maxScripts, maxScriptLength] = [20, 2e5];
var isLinkedData = ({ attributes, name }) => name === "script" && /^application\/ld\+json/i.test(attributes.type?.trim() ?? "");
var linkedData = (elements, word) => elements.filter(isLinkedData).slice(0, maxScripts).map(textOf).filter((text) => text.length <= maxScriptLength && text.includes(word)).map((text) => Either.getOrUndefined(Either.try(() => JSON.parse(text))));

export {
  readMetadata,
  factsOf,
  linkedData
};
