import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  bits,
  fold,
  hostsOf,
  locate,
  phrase,
  reverse
} from "./chunk-QVSNP7MA.js";
import {
  require_undici
} from "./chunk-MVJRAPNE.js";
import {
  BadRequest,
  Forbidden,
  TimedOut,
  Unprocessable,
  catalogue
} from "./chunk-PGOM52WJ.js";
import {
  fromAsyncIterable,
  runFoldEffect
} from "./chunk-4U3SQ3WC.js";
import {
  TaggedError,
  make,
  scoped,
  value
} from "./chunk-PAQDWWDE.js";
import {
  Reference,
  acquireRelease,
  currentTimeMillis,
  either,
  fn,
  fnUntraced2 as fnUntraced,
  gen,
  map9 as map,
  promise,
  succeed4 as succeed,
  sync3 as sync,
  tryPromise
} from "./chunk-JGKSI326.js";
import {
  all,
  flatMap,
  isLeft,
  left,
  right,
  try_
} from "./chunk-FWQRLSGQ.js";
import {
  canParse
} from "./chunk-X7W2U4JF.js";
import {
  getOrElse,
  liftThrowable
} from "./chunk-ANBJACJV.js";
import {
  __toESM
} from "./chunk-E2DHRGUQ.js";

// src/Engine/Search/Provider/Json.ts
var at = (value2, ...path) => path.reduce(
  (inner, key) => typeof inner == "object" && inner !== null && Object.hasOwn(inner, key) ? inner[key] : void 0,
  value2
), list = (value2, ...path) => {
  let found = at(value2, ...path);
  return Array.isArray(found) ? found : void 0;
}, longest = 4e3, text = (value2, ...path) => {
  let found = at(value2, ...path);
  return typeof found == "string" && found.trim() !== "" ? found.trim().slice(0, longest) : void 0;
}, number = (value2, ...path) => {
  let found = at(value2, ...path), read7 = typeof found == "string" && found.trim() !== "" ? Number(found) : found;
  return typeof read7 == "number" && Number.isFinite(read7) ? read7 : void 0;
}, marks = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  "#39": "'",
  "#x27": "'"
}, plain = (html) => html?.replace(/<\/?(?:b|em|i|mark|span|strong)\b[^>]{0,200}>/gi, "").replace(/&(amp|lt|gt|quot|apos|nbsp|#39|#x27);/gi, (whole, name) => marks[name.toLowerCase()] ?? whole), lengths = {
  second: 1e3,
  minute: 6e4,
  min: 6e4,
  hour: 36e5,
  day: 864e5,
  week: 7 * 864e5,
  month: 30 * 864e5,
  year: 365 * 864e5
}, when = (date, now) => {
  if (date === void 0 || date.length > 60) return;
  let ago = /^(\d{1,4}|an?)\s+(second|minute|min|hour|day|week|month|year)s?\s+ago$/i.exec(date);
  if (ago !== null) {
    let [, amount = "", unit = ""] = ago;
    return now - (/^an?$/i.test(amount) ? 1 : Number(amount)) * (lengths[unit.toLowerCase()] ?? 0);
  }
  if (/^yesterday$/i.test(date)) return now - (lengths.day ?? 0);
  if (!/\d{4}/.test(date)) return;
  let zoned = /(?:z|gmt|utc|[ecmp][sd]t|[+-]\d{2}:?\d{2})$/i.test(date), isDay = /^\d{4}-\d{2}-\d{2}$/.test(date), read7 = Date.parse(zoned || isDay ? date : /^\d{4}-\d{2}-\d{2}T/.test(date) ? `${date}Z` : `${date} UTC`);
  return Number.isFinite(read7) ? read7 : void 0;
}, isWeb = (url) => url !== void 0 && canParse(url) && /^https?:$/.test(new URL(url).protocol), hit = (found) => {
  let { date, description = "", imageUrl, now, url, title = url ?? "", ...rest } = found;
  return isWeb(url) ? [
    {
      ...rest,
      url,
      title,
      description,
      date,
      published: when(date, now),
      imageUrl: isWeb(imageUrl) ? imageUrl : void 0
    }
  ] : [];
};

// src/Engine/Search/Provider/Timing.ts
var recent = ({ tbs }) => {
  let [, unit, count] = /(?:^|,)\s*qdr:([hdwmy])(\d*)/.exec(tbs ?? "") ?? [];
  return unit === void 0 ? void 0 : { unit, count: count ? Number(count) : 1 };
}, ranged = ({ tbs }) => /(?:^|,)\s*cd_(?:min|max):/.test(tbs ?? ""), isBounded = ({ period }) => period.from !== void 0 || period.to !== void 0, day = (time) => new Date(clamp(time)).toISOString().slice(0, 10), clamp = (time) => Math.min(Math.max(time, 0), 253402300799999), days = ({ period }) => ({
  first: period.from === void 0 ? void 0 : day(period.from),
  last: period.to === void 0 ? void 0 : day(period.to - 1)
});

// src/Engine/Search/Provider/Brave.ts
var official = "https://api.search.brave.com", units = { d: "pd", w: "pw", m: "pm", y: "py" }, timing = (wish) => {
  if (!isBounded(wish)) return { values: {}, exact: !0 };
  let said = recent(wish);
  if (wish.source === "images") return { values: {}, exact: !1 };
  if (said !== void 0 && said.count === 1 && said.unit !== "h" && !ranged(wish))
    return { values: { freshness: units[said.unit] }, exact: !0 };
  let { first = "1970-01-01", last = "9999-12-31" } = days(wish);
  return { values: { freshness: `${first}to${last}` }, exact: said?.unit !== "h" };
}, countries = new Set(
  "AR AU AT BE BR CA CL DK FI FR DE GR HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US".split(
    " "
  )
), inHeader = (text2) => text2 === void 0 || !/^[\x20-\x7e]{1,100}$/.test(text2) ? void 0 : text2, whereabouts = ({ country, location }) => {
  let [city, state, ...rest] = (location ?? "").split(",").map((part) => inHeader(part.trim()));
  if (rest.length === 0 || city === void 0 || state === void 0) return {};
  let code = /^[A-Z]{2}$/.test(country ?? "") ? country : void 0;
  return {
    "x-loc-city": city,
    "x-loc-state-name": state,
    ...code === void 0 ? {} : { "x-loc-country": code }
  };
}, read = (result, now) => hit({
  url: text(result, "url"),
  title: plain(text(result, "title")),
  description: plain(text(result, "description")),
  date: text(result, "page_age") ?? text(result, "age"),
  imageUrl: text(result, "thumbnail", "src"),
  now
}), picture = (result, now) => hit({
  url: text(result, "url"),
  title: plain(text(result, "title")),
  imageUrl: text(result, "properties", "url") ?? text(result, "thumbnail", "src"),
  width: number(result, "properties", "width"),
  height: number(result, "properties", "height"),
  now
}), most = { web: 20, images: 200, news: 50 }, brave = (key, base = official) => ({
  name: "brave",
  base,
  sources: ["web", "images", "news"],
  operators: /* @__PURE__ */ new Set(["phrase", "minus", "site", "filetype", "intitle", "or"]),
  hostParameters: !1,
  longest: 400,
  mostWords: 50,
  pageSize: (source) => most[source],
  pages: (source) => source === "images" ? 1 : 10,
  timing,
  sorts: !1,
  places: (wish) => ({
    location: Object.keys(whereabouts(wish)).length > 0,
    country: countries.has(wish.country ?? "")
  }),
  call: (wish, { page, size, text: text2 }) => ({
    path: `/res/v1/${wish.source}/search`,
    headers: { "x-subscription-token": key, ...whereabouts(wish) },
    query: {
      q: text2,
      count: size,
      country: wish.country === void 0 ? void 0 : countries.has(wish.country) ? wish.country : "ALL",
      // A phrase is to be found as it is written.
      ...text2.includes('"') ? { spellcheck: "false" } : {},
      ...wish.source === "images" ? {} : { offset: page, ...timing(wish).values },
      ...wish.source === "web" ? { text_decorations: "false", result_filter: "web" } : {}
    }
  }),
  read: (source, body, now) => {
    if (text(body, "type") === "ErrorResponse") return;
    let known2 = at(body, "query") !== void 0 || at(body, "type") !== void 0, results = source === "web" ? list(body, "web", "results") : list(body, "results");
    return results === void 0 ? known2 ? { hits: [], more: !1 } : void 0 : {
      hits: results.flatMap((result) => source === "images" ? picture(result, now) : read(result, now)),
      more: source === "web" ? at(body, "query", "more_results_available") !== !1 : results.length > 0
    };
  }
});

// src/Engine/Search/Sift.ts
var isPicture = (source) => source === "images", under = (host, domain) => host.startsWith(reverse(domain.replace(/^\*?\./, ""))), onSite = (hit2, value2) => {
  let bare = value2.replace(/^https?:\/\//, ""), [host = ""] = bare.split("/");
  return under(locate(hit2.url).host, host) && (host === bare || hit2.url.toLowerCase().includes(bare));
}, has = (text2, words, exact) => {
  let folded = fold(text2);
  return exact ? phrase(words.join(" "))(folded) : words.every((word) => phrase(word)(folded));
}, decoded = (url) => url.toLowerCase().replace(/(?:%[0-9a-f]{2})+/g, (part) => Buffer.from(part.replaceAll("%", ""), "hex").toString("utf8")), checkOf = (clause, wish, knows) => {
  let { negated } = clause, unless = (check) => negated ? (hit2) => !check(hit2) : check;
  switch (clause._tag) {
    case "Site":
    case "FileType":
    case "Related":
      return;
    case "ImageSize":
    case "Larger": {
      if (!isPicture(wish.source)) return;
      let { height, width } = clause, larger = clause._tag === "Larger";
      return unless(
        (hit2) => larger ? (hit2.width ?? 0) > width && (hit2.height ?? 0) > height : hit2.width === width && hit2.height === height
      );
    }
    case "Text": {
      let { exact, place, words } = clause;
      if (place === "url") {
        let check = (hit2) => words.every((word) => decoded(hit2.url).includes(word.toLowerCase()));
        return knows("inurl") ? void 0 : unless(check);
      }
      return place === "title" ? knows("intitle") ? void 0 : unless((hit2) => has(hit2.title, words, exact)) : !negated || knows("minus") ? void 0 : (hit2) => !has(`${hit2.title}
${hit2.description}`, words, exact);
    }
  }
}, oneOf = (clauses, tag, check) => {
  let values = (negated) => clauses.flatMap((clause) => clause._tag === tag && clause.negated === negated ? [clause.value] : []), [wanted, unwanted] = [values(!1), values(!0)];
  return (hit2) => (wanted.length === 0 || wanted.some((value2) => check(hit2, value2))) && !unwanted.some((value2) => check(hit2, value2));
}, sieve = (wish, operators, isTimed) => {
  let knows = (operator) => operators.has(operator), { categories: categories2, clauses, excludeDomains, includeDomains, period } = wish, kinds = knows("filetype") && categories2.every((category) => category === "pdf") ? 0 : categories2.reduce((sum, category) => sum | bits[category], 0), bySite = oneOf(clauses, "Site", onSite), byType = knows("filetype") ? () => !0 : oneOf(clauses, "FileType", (hit2, value2) => {
    let address = isPicture(wish.source) ? hit2.imageUrl ?? hit2.url : hit2.url;
    return locate(address).extension === value2.replace(/^\./, "");
  }), checks = clauses.flatMap((clause) => checkOf(clause, wish, knows) ?? []);
  return (hit2) => {
    let { host, kinds: kind } = locate(hit2.url), { published } = hit2;
    return (includeDomains.length === 0 || includeDomains.some((domain) => under(host, domain))) && !excludeDomains.some((domain) => under(host, domain)) && (kinds === 0 || (kind & kinds) !== 0) && bySite(hit2) && byType(hit2) && (isTimed || published === void 0 || published >= (period.from ?? Number.NEGATIVE_INFINITY) && published < (period.to ?? Number.POSITIVE_INFINITY)) && checks.every((check) => check(hit2));
  };
};

// src/Engine/Search/Provider/Wording.ts
var quoted = (words) => `"${words.join(" ").replaceAll('"', " ")}"`, textOf = (clause, knows) => {
  let { exact, negated, place, words } = clause;
  if (negated && !knows("minus")) return "";
  let sign = negated ? "-" : "";
  if (place !== "page" && knows(place === "url" ? "inurl" : "intitle")) {
    let name = place === "url" ? "inurl" : "intitle";
    return exact && knows("phrase") ? `${sign}${name}:${quoted(words)}` : words.map((word) => `${sign}${name}:${word}`).join(" ");
  }
  return place !== "page" ? negated ? "" : words.join(" ") : exact && knows("phrase") ? `${sign}${quoted(words)}` : negated && exact ? "" : `${sign}${words.join(" ")}`;
}, any = (parts, knows) => parts.length > 1 ? knows("or") ? `(${parts.join(" OR ")})` : "" : parts.join(""), scopesOf = (wish, provider) => {
  let knows = (operator) => provider.operators.has(operator), { categories: categories2, clauses, excludeDomains, includeDomains } = wish, values = (tag, negated) => clauses.flatMap((clause) => clause._tag === tag && clause.negated === negated ? [clause.value] : []), files = (negated) => values("FileType", negated).map((value2) => `filetype:${value2.replace(/^\./, "")}`), site = (host) => `site:${host}`, sites = knows("site") && !provider.hostParameters, kinds = categories2.flatMap(
    (category) => category === "pdf" ? knows("filetype") ? ["filetype:pdf"] : [] : principal[category].map(site)
  );
  return [
    ...sites ? [any(values("Site", !1).map(site), knows), any(includeDomains.map(site), knows)] : [],
    ...sites || categories2.every((category) => category === "pdf") ? [any(kinds, knows)] : [],
    ...knows("filetype") ? [any(files(!1), knows)] : [],
    ...knows("minus") && sites ? [...values("Site", !0), ...excludeDomains].map((host) => `-site:${host}`) : [],
    ...knows("minus") && knows("filetype") ? files(!0).map((part) => `-${part}`) : []
  ].filter((part) => part !== "");
}, principal = {
  github: ["github.com"],
  research: ["arxiv.org", "ncbi.nlm.nih.gov", "nature.com", "ieee.org", "acm.org", "springer.com", "edu"]
}, hosts = (wish, most2) => {
  let { categories: categories2, clauses, excludeDomains, includeDomains } = wish, sites = (negated) => clauses.flatMap(
    (clause) => clause._tag === "Site" && clause.negated === negated ? [clause.value.replace(/^https?:\/\//, "").replace(/[/?#].*$/, "")] : []
  ), kinds = categories2.includes("pdf") ? [] : categories2.flatMap((category) => hostsOf[category]), wanted = [includeDomains, sites(!1), kinds].find((some) => some.length > 0) ?? [];
  return {
    wanted: wanted.length > most2 ? [] : wanted,
    unwanted: [...excludeDomains, ...sites(!0)].slice(0, most2)
  };
}, named = (clauses, provider, source) => {
  let knows = (operator) => provider.operators.has(operator);
  return clauses.flatMap((clause) => {
    if (clause._tag === "Related") return ["related:"];
    if (clause._tag === "ImageSize" || clause._tag === "Larger") {
      let name = clause._tag === "Larger" ? "larger:" : "imagesize:";
      return isPicture(source) ? [] : [`${name} (it is for the source images)`];
    }
    return clause._tag !== "Text" || clause.place !== "page" ? [] : clause.exact && !knows("phrase") ? ["quoted phrases"] : clause.negated && !knows("minus") ? ["-word (judged by title and description)"] : [];
  });
}, write = (wish, provider) => {
  let knows = (operator) => provider.operators.has(operator), words = wish.clauses.flatMap((clause) => clause._tag === "Text" ? [textOf(clause, knows)] : []), unmet = [...named(wish.clauses, provider, wish.source)], said = words.filter((word) => word !== "").join(" "), { longest: longest2, mostWords = Number.POSITIVE_INFINITY } = provider, fits = (text3) => text3.length <= longest2 && text3.split(" ").length <= mostWords, text2 = said.slice(0, longest2);
  fits(said) || (text2 = text2.split(" ").slice(0, mostWords).join(" "), unmet.push("the end of the query"));
  let full = !1;
  for (let scope of new Set(scopesOf(wish, provider)))
    fits(`${text2} ${scope}`) ? text2 = text2 === "" ? scope : `${text2} ${scope}` : full = !0;
  return full && unmet.push("some of the sites (the query has no room for them; other results were left out afterwards)"), text2 === "" && (text2 = [...hosts(wish, 20).wanted, ...wish.clauses.flatMap((clause) => "value" in clause ? [clause.value] : [])].join(" ").slice(0, provider.longest)), { text: text2, unmet };
};

// src/Engine/Search/Provider/Exa.ts
var official2 = "https://api.exa.ai", timing2 = ({ period: { from, to } }) => ({
  values: {
    ...from === void 0 ? {} : { startPublishedDate: new Date(Math.max(0, from)).toISOString() },
    ...to === void 0 ? {} : { endPublishedDate: new Date(Math.max(0, to - 1)).toISOString() }
  },
  exact: !0
}), shown = 300, read2 = (result, now) => hit({
  url: text(result, "url"),
  title: text(result, "title"),
  description: (text(result, "summary") ?? text(result, "highlights", 0) ?? text(result, "text"))?.replace(/\s+/g, " ").slice(0, shown),
  date: text(result, "publishedDate"),
  imageUrl: text(result, "image"),
  now
}), categoryOf = ({ categories: categories2, source }) => source === "news" ? "news" : categories2.length === 1 && categories2[0] === "research" ? "research paper" : void 0, exa = (key, base = official2) => ({
  name: "exa",
  base,
  sources: ["web", "news"],
  operators: /* @__PURE__ */ new Set([]),
  hostParameters: !0,
  longest: 500,
  pageSize: () => 100,
  pages: () => 1,
  timing: timing2,
  sorts: !1,
  places: (wish) => ({ location: !1, country: /^[A-Z]{2}$/.test(wish.country ?? "") }),
  call: (wish, { size, text: text2 }) => {
    let category = categoryOf(wish), { unwanted, wanted } = hosts(category === void 0 ? wish : { ...wish, categories: [] }, 1e3);
    return {
      path: "/search",
      headers: { "x-api-key": key },
      body: {
        query: text2,
        type: "auto",
        numResults: size,
        ...timing2(wish).values,
        ...category === void 0 ? {} : { category },
        ...wanted.length === 0 ? {} : { includeDomains: wanted },
        ...unwanted.length === 0 ? {} : { excludeDomains: unwanted },
        ...wish.country === void 0 ? {} : { userLocation: wish.country },
        contents: { text: { maxCharacters: shown } }
      }
    };
  },
  read: (_, body, now) => {
    let results = list(body, "results");
    if (!(results === void 0 || at(body, "error") !== void 0))
      return { hits: results.flatMap((result) => read2(result, now)), more: !1 };
  }
});

// src/Engine/Search/Provider/Google.ts
var official3 = "https://customsearch.googleapis.com", compact = (date) => (date ?? "").replaceAll("-", ""), timing3 = (wish) => {
  let { newestFirst: newestFirst2 } = wish.period, sorted = newestFirst2 ? { sort: "date" } : {};
  if (!isBounded(wish)) return { values: sorted, exact: !0 };
  let said = recent(wish);
  if (said !== void 0 && said.unit !== "h" && !ranged(wish))
    return { values: { ...sorted, dateRestrict: `${said.unit}${said.count}` }, exact: !0 };
  let { first, last } = days(wish);
  return {
    values: { sort: `date:r:${compact(first ?? day(0))}:${compact(last ?? day(Number.MAX_VALUE))}` },
    exact: said?.unit !== "h" && !newestFirst2
  };
}, dated = ["article:published_time", "datepublished", "date", "og:updated_time"], read3 = (result, now) => hit({
  url: text(result, "link"),
  title: text(result, "title"),
  description: text(result, "snippet")?.replace(/\s+/g, " "),
  date: dated.flatMap((name) => text(result, "pagemap", "metatags", 0, name) ?? [])[0],
  now
}), picture2 = (result, now) => hit({
  url: text(result, "image", "contextLink") ?? text(result, "link"),
  title: text(result, "title"),
  imageUrl: text(result, "link"),
  width: number(result, "image", "width"),
  height: number(result, "image", "height"),
  now
}), google = (value2, base = official3) => {
  let sign = value2.indexOf(":"), [key, engine] = [value2.slice(0, Math.max(0, sign)), value2.slice(sign + 1)];
  return key === "" || engine === "" ? "is not google=KEY:CX" : {
    name: "google",
    base,
    sources: ["web", "images"],
    operators: /* @__PURE__ */ new Set(["phrase", "minus", "site", "filetype", "inurl", "intitle", "or"]),
    hostParameters: !1,
    longest: 2e3,
    pageSize: () => 10,
    // Of any search it gives the first hundred.
    pages: () => 10,
    timing: timing3,
    sorts: !0,
    places: () => ({ location: !1, country: !0 }),
    call: (wish, { page, size, text: text2 }) => ({
      path: "/customsearch/v1",
      query: {
        key,
        cx: engine,
        q: text2,
        num: size,
        start: Math.min(page * size + 1, 101 - size),
        gl: wish.country?.toLowerCase(),
        ...wish.source === "images" ? { searchType: "image" } : {},
        ...timing3(wish).values
      }
    }),
    read: (source, body, now) => {
      let items = list(body, "items"), known2 = at(body, "searchInformation") !== void 0 || text(body, "kind") === "customsearch#search";
      return items === void 0 ? known2 ? { hits: [], more: !1 } : void 0 : {
        hits: items.flatMap((item) => source === "images" ? picture2(item, now) : read3(item, now)),
        more: at(body, "queries", "nextPage") !== void 0
      };
    }
  };
};

// src/Engine/Search/Provider/Searxng.ts
var categories = { web: "general", images: "images", news: "news" }, units2 = { d: "day", w: "week", m: "month", y: "year" }, sizeOf = (resolution) => {
  let [, width, height] = /(\d{1,6})\s*[x×*]\s*(\d{1,6})/i.exec(resolution ?? "") ?? [];
  return width === void 0 ? {} : { width: Number(width), height: Number(height) };
}, read4 = (result, now) => hit({
  url: text(result, "url"),
  title: plain(text(result, "title")),
  description: plain(text(result, "content")),
  date: text(result, "publishedDate") ?? text(result, "pubdate"),
  // Some of its engines leave the scheme out.
  imageUrl: (text(result, "img_src") ?? text(result, "thumbnail"))?.replace(/^\/\//, "https://"),
  ...sizeOf(text(result, "resolution")),
  now
}), timing4 = (wish) => {
  let said = recent(wish), simple = said !== void 0 && !ranged(wish) && (said.count === 1 || said.unit === "h" && said.count <= 24);
  return {
    values: simple ? { time_range: units2[said.unit === "h" ? "d" : said.unit] } : {},
    exact: !isBounded(wish) || simple && said.unit !== "h"
  };
}, searxng = (value2) => !canParse(value2) || !/^https?:$/.test(new URL(value2).protocol) ? "has no http:// or https:// address" : {
  name: "searxng",
  base: value2.replace(/\/(?:search\/?)?$/, ""),
  sources: ["web", "images", "news"],
  // Which of its engines know an operator nobody can say; these most of them know.
  operators: /* @__PURE__ */ new Set(["phrase", "minus", "site", "filetype", "or"]),
  hostParameters: !1,
  longest: 500,
  pageSize: () => 100,
  pages: () => 10,
  timing: timing4,
  sorts: !1,
  places: () => ({ location: !1, country: !1 }),
  call: (wish, { text: text2, page }) => ({
    path: "/search",
    query: { q: text2, format: "json", categories: categories[wish.source], pageno: page + 1, ...timing4(wish).values }
  }),
  read: (_, body, now) => {
    let results = list(body, "results");
    if (results === void 0) return;
    let hits = results.flatMap((result) => read4(result, now)), silent = (list(body, "unresponsive_engines") ?? []).flatMap((engine) => text(engine, 0) ?? []);
    return {
      hits,
      more: hits.length > 0,
      trouble: silent.length === 0 ? void 0 : `these of its engines did not answer: ${silent.slice(0, 10).join(", ")}`
    };
  }
};

// src/Engine/Search/Provider/Serper.ts
var official4 = "https://google.serper.dev", paths = { web: "/search", images: "/images", news: "/news" }, keys = { web: "organic", images: "images", news: "news" }, read5 = (result, now) => hit({
  url: text(result, "link"),
  title: text(result, "title"),
  description: text(result, "snippet"),
  date: text(result, "date"),
  imageUrl: text(result, "imageUrl"),
  width: number(result, "imageWidth"),
  height: number(result, "imageHeight"),
  now
}), serper = (key, base = official4) => ({
  name: "serper",
  base,
  sources: ["web", "images", "news"],
  operators: /* @__PURE__ */ new Set(["phrase", "minus", "site", "filetype", "inurl", "intitle", "or"]),
  hostParameters: !1,
  longest: 2e3,
  // More than ten at once costs more, and is not always given.
  pageSize: () => 10,
  pages: () => 10,
  // The filter is written as Google writes it.
  timing: ({ tbs }) => ({ values: tbs === void 0 ? {} : { tbs }, exact: !0 }),
  sorts: !0,
  places: () => ({ location: !0, country: !0 }),
  call: (wish, { page, text: text2 }) => ({
    path: paths[wish.source],
    headers: { "x-api-key": key },
    body: {
      q: text2,
      num: 10,
      page: page + 1,
      ...wish.country === void 0 ? {} : { gl: wish.country.toLowerCase() },
      ...wish.location === void 0 ? {} : { location: wish.location },
      ...wish.tbs === void 0 ? {} : { tbs: wish.tbs },
      // A phrase is to be found as it is written.
      ...text2.includes('"') ? { autocorrect: !1 } : {}
    }
  }),
  read: (source, body, now) => {
    let results = list(body, keys[source]);
    return results === void 0 ? at(body, "searchParameters") === void 0 ? void 0 : { hits: [], more: !1 } : { hits: results.flatMap((result) => read5(result, now)), more: results.length > 5 };
  }
});

// src/Engine/Search/Provider/Tavily.ts
var official5 = "https://api.tavily.com", units3 = { d: "day", w: "week", m: "month", y: "year" }, timing5 = (wish) => {
  if (!isBounded(wish)) return { values: {}, exact: !0 };
  let said = recent(wish);
  if (said !== void 0 && said.count === 1 && said.unit !== "h" && !ranged(wish))
    return { values: { time_range: units3[said.unit] }, exact: !0 };
  let { first, last } = days(wish);
  return {
    values: {
      ...first === void 0 ? {} : { start_date: first },
      ...last === void 0 ? {} : { end_date: last }
    },
    exact: said?.unit !== "h"
  };
}, countryOf = ({ country, countryAsked, source }) => {
  if (source !== "web" || !countryAsked || country === void 0 || !/^[A-Z]{2}$/.test(country)) return;
  let name = new Intl.DisplayNames(["en"], { type: "region" }).of(country);
  return name === void 0 || name === country ? void 0 : name.toLowerCase();
}, read6 = (result, now) => hit({
  url: text(result, "url"),
  title: text(result, "title"),
  description: text(result, "content"),
  date: text(result, "published_date"),
  now
}), picture3 = (image, now) => {
  let imageUrl = typeof image == "string" ? image : text(image, "url");
  return hit({ url: imageUrl, imageUrl, title: text(image, "description") ?? text(image, "title"), now });
}, tavily = (key, base = official5) => ({
  name: "tavily",
  base,
  sources: ["web", "images", "news"],
  operators: /* @__PURE__ */ new Set(["phrase"]),
  hostParameters: !0,
  longest: 400,
  pageSize: () => 20,
  pages: () => 1,
  timing: timing5,
  sorts: !1,
  places: (wish) => ({ location: !1, country: countryOf(wish) !== void 0 }),
  call: (wish, { size, text: text2 }) => {
    let { unwanted, wanted } = hosts(wish, 150), country = countryOf(wish);
    return {
      path: "/search",
      headers: { authorization: `Bearer ${key}` },
      body: {
        query: text2,
        topic: wish.source === "news" ? "news" : "general",
        search_depth: "basic",
        max_results: wish.source === "images" ? 10 : size,
        ...text2.includes('"') ? { exact_match: !0 } : {},
        ...timing5(wish).values,
        ...wanted.length === 0 ? {} : { include_domains: wanted },
        ...unwanted.length === 0 ? {} : { exclude_domains: unwanted },
        ...country === void 0 ? {} : { country },
        ...wish.source === "images" ? { include_images: !0, include_image_descriptions: !0 } : {}
      }
    };
  },
  read: (source, body, now) => {
    let results = list(body, source === "images" ? "images" : "results");
    if (results !== void 0)
      return {
        hits: results.flatMap((result) => source === "images" ? picture3(result, now) : read6(result, now)),
        more: !1
      };
  }
});

// src/Engine/Search/Provider/All.ts
var makers = new Map(
  Object.entries({ brave, exa, google, searxng, serper, tavily })
);

// src/Engine/Search/Provider/Exchange.ts
var import_undici = __toESM(require_undici(), 1);

// src/Engine/Basic.ts
var decoded2 = (text2) => getOrElse(liftThrowable(decodeURIComponent)(text2), () => text2), basicOf = ({ password, username }) => username === "" && password === "" ? void 0 : `Basic ${Buffer.from(`${decoded2(username)}:${decoded2(password)}`).toString("base64")}`;

// src/Engine/Scrape/FetchFailure.ts
var codeOf = (cause) => {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ("code" in error && typeof error.code == "string") return error.code;
    if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  }
  return "";
}, dropped = /* @__PURE__ */ new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]), isDropped = (cause) => dropped.has(codeOf(cause)), refusalIn = (cause) => {
  for (let error = cause; error instanceof Error; error = error.cause) if (error instanceof Forbidden) return error;
}, textOf2 = (cause) => cause instanceof AggregateError && cause.message === "" && cause.errors.length > 0 ? textOf2(cause.errors[0]) : cause instanceof Error ? cause.message : String(cause), closed = "the site closed it before its answer was whole. Try again later, or more slowly", noWay = "there is no way to it from this machine. Check its network, or a firewall between", reasons = {
  ECONNREFUSED: "nothing listens there. Check the address and its port, or whether the site is down",
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
  UND_ERR_HEADERS_OVERFLOW: "its headers are larger than 16 KB, which is what is read"
}, TargetRefused = class extends Error {
  constructor(cause) {
    super("the host was not resolved", { cause });
  }
}, TunnelRefused = class extends Error {
  status;
  constructor(status) {
    super(`no tunnel (${status})`), this.status = status;
  }
}, targetRefusedIn = (cause) => {
  for (let error = cause; error instanceof Error; error = error.cause) if (error instanceof TargetRefused) return error;
}, proxyFailure = (url, proxy, cause) => {
  let ours = targetRefusedIn(cause);
  if (ours !== void 0) return connectionFailure(url, ours.cause);
  let code = codeOf(cause), answer = /\(\d{3}\)/.exec(textOf2(cause))?.[0];
  if (answer === void 0 && (code === "UND_ERR_INVALID_ARG" || code === "ERR_INVALID_CHAR"))
    return new BadRequest({
      error: `The request to ${url.href} cannot be sent: one of its headers is not valid.`,
      code: "BAD_REQUEST"
    });
  if (tls.test(code) && url.protocol === "https:")
    return new Unprocessable({
      error: `No secure connection to ${url.host} through the proxy "${proxy}" (${code}). If you trust the site, set "skipTlsVerification".`,
      code: "SCRAPE_SSL_ERROR"
    });
  let status = answer ?? (code === "" ? "" : `(${code})`), hint = answer === void 0 || answer === "(407)" || !(cause instanceof TunnelRefused) ? "" : " It was asked to connect to the checked address of the site; if it takes only names, add ?dns=proxy to its address there.";
  return new Unprocessable({
    error: `The proxy "${proxy}" did not get through to ${url.host}${status === "" ? "" : ` ${status}`}. Check it in ${catalogue.proxies.env}, or use another.${hint}`,
    code: "SCRAPE_PROXY_ERROR"
  });
}, tls = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_CERT|HOSTNAME_MISMATCH|EPROTO)/, connectionFailure = (url, cause) => {
  let refusal = refusalIn(cause);
  if (refusal !== void 0) return refusal;
  let code = codeOf(cause);
  return code === "UND_ERR_INVALID_ARG" || code === "ERR_INVALID_CHAR" ? new BadRequest({
    error: `The request to ${url.href} cannot be sent: ${textOf2(cause)}.`,
    code: "BAD_REQUEST"
  }) : code === "UND_ERR_CONNECT_TIMEOUT" ? new TimedOut({
    error: `${url.host} did not accept a connection within 10 s. Check the address, or whether a firewall is between.`,
    code: "SCRAPE_TIMEOUT"
  }) : code === "ETIMEDOUT" ? new TimedOut({
    error: `The connection to ${url.host} timed out (ETIMEDOUT): the site stopped answering. Try again later.`,
    code: "SCRAPE_TIMEOUT"
  }) : code === "ENOTFOUND" || code === "EAI_AGAIN" || code === "ENODATA" ? new Unprocessable({
    error: `${url.hostname} could not be resolved (${code}). ${code === "EAI_AGAIN" ? "Check this machine's DNS, and try again" : "Check the spelling of the address"}.`,
    code: "SCRAPE_DNS_RESOLUTION_ERROR"
  }) : tls.test(code) ? new Unprocessable({
    error: `No secure connection to ${url.host} (${code}). If you trust the site, set "skipTlsVerification".`,
    code: "SCRAPE_SSL_ERROR"
  }) : new Unprocessable({
    error: `The connection to ${url.host} failed${code === "" ? "" : ` (${code})`}: ${reasons[code] ?? textOf2(cause)}.`,
    code: "SCRAPE_CONNECTION_ERROR"
  });
};

// src/Engine/Search/Provider/Exchange.ts
var ProviderFailure = class extends TaggedError("ProviderFailure") {
  get message() {
    return `${this.provider}: ${this.reason}`;
  }
}, maxBytes = 8 * 1024 * 1024, spent = /* @__PURE__ */ new Set([402, 429, 432, 433]), exhausted = /\b(?:credits?|quota\w*|dailyLimit\w*|rateLimit\w*|usageLimits|RESOURCE_EXHAUSTED)\b/i, unknownKey = /\b(?:SUBSCRIPTION_TOKEN_INVALID|API_KEY_INVALID|keyInvalid|(?:invalid|valid) api[ _-]?key|api[ _-]?key (?:is )?(?:not valid|invalid))\b/i, whyNot = (status, body) => status === 401 || (status === 400 || status === 403 || status === 422) && unknownKey.test(body) ? `it refused the key (${status})` : spent.has(status) || (status === 400 || status === 403) && exhausted.test(body) ? `its quota is used up (${status})` : status === 403 ? "it refused the request (403): the key, the quota, or its own settings (SearXNG: format json)" : status >= 300 && status < 400 ? `it redirects (${status}), and the key is not sent after it` : `it answered ${status}`, readText = (provider, body) => fromAsyncIterable(
  body,
  () => new ProviderFailure({ provider, reason: "the connection broke off" })
).pipe(
  runFoldEffect({ parts: [], size: 0 }, ({ parts, size }, bytes) => size + bytes.length > maxBytes ? new ProviderFailure({ provider, reason: `its answer is longer than ${maxBytes} bytes` }) : (parts.push(bytes), succeed({ parts, size: size + bytes.length }))),
  map(({ parts }) => Buffer.concat(parts).toString("utf8"))
), waitOf = (headers) => {
  let listed = (name) => String(headers[name] ?? "").split(",").map((part) => part.trim() === "" ? Number.NaN : Number(part)), [remaining, resets] = [listed("x-ratelimit-remaining"), listed("x-ratelimit-reset")], waits = resets.filter((wait, at2) => remaining[at2] === 0 && wait > 0), [seconds = Number.NaN] = [...listed("retry-after"), Math.max(...waits)].filter(
    (wait) => Number.isFinite(wait) && wait > 0
  );
  return Number.isFinite(seconds) ? Math.min(seconds, 86400) : void 0;
}, addressOf = (base, { path, query = {} }) => {
  let url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}${path}`;
  for (let [name, value2] of Object.entries(query))
    value2 !== void 0 && url.searchParams.set(name, String(value2));
  let authorization = basicOf(url);
  return {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    headers: authorization === void 0 ? {} : { authorization }
  };
}, make2 = gen(function* () {
  let agent = yield* acquireRelease(
    sync(() => new import_undici.Agent({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 1e4 } })),
    (agent2) => promise(() => agent2.destroy())
  );
  return fnUntraced(function* (provider, base, call) {
    let { headers, origin, path } = addressOf(base, call), response = yield* tryPromise({
      try: (signal) => agent.request({
        origin,
        path,
        method: call.body === void 0 ? "GET" : "POST",
        headers: {
          accept: "application/json",
          ...call.body === void 0 ? {} : { "content-type": "application/json" },
          ...headers,
          ...call.headers
        },
        ...call.body === void 0 ? {} : { body: JSON.stringify(call.body) },
        signal
      }),
      catch: (cause) => new ProviderFailure({ provider, reason: `it cannot be reached (${codeOf(cause) || "no reason given"})` })
    }), text2 = yield* readText(provider, response.body);
    return response.statusCode !== 200 ? yield* new ProviderFailure({
      provider,
      reason: whyNot(response.statusCode, text2.slice(0, 2e3)),
      retryAfter: waitOf(response.headers)
    }) : yield* try_({
      try: () => JSON.parse(text2),
      catch: () => new ProviderFailure({ provider, reason: "its answer is not JSON" })
    });
  });
});

// src/Engine/Search/Remote.ts
var unmetOf = (provider, wish, undated) => {
  let takes = provider.places(wish), timed = provider.timing(wish).exact;
  return [
    ...wish.location !== void 0 && !takes.location ? ["location"] : [],
    ...wish.countryAsked && !takes.country ? ["country"] : [],
    ...timed || !undated ? [] : ["tbs for results without a date"],
    ...wish.period.newestFirst && !provider.sorts ? ["sbd (only these results were sorted)"] : []
  ];
}, newestFirst = (hits) => [...hits].sort((one, other) => (other.published ?? 0) - (one.published ?? 0)), tooMuch = (wish) => (wish.categories.length > 0 || wish.clauses.length > 1 ? 3 : 1) * wish.limit, ended = ({ pages, pageSize }, { limit, source }, seen) => {
  let most2 = pages(source) * pageSize(source);
  return seen >= most2 && most2 < limit ? [`limit ${limit} (it gives ${most2} results at most)`] : [];
}, ask = (exchange) => fn("Remote.ask")(function* (provider, wish) {
  let { base, name } = provider, { text: text2, unmet } = write(wish, provider), { exact } = provider.timing(wish), fits = sieve(wish, provider.operators, exact), size = Math.min(provider.pageSize(wish.source), Math.max(10, tooMuch(wish))), seen = /* @__PURE__ */ new Set(), hits = [], trouble;
  for (let page = 0; page < provider.pages(wish.source) && hits.length < wish.limit; page++) {
    let asked = provider.call(wish, { text: text2, page, size }), outcome = yield* either(
      gen(function* () {
        let body = yield* exchange(name, base, asked);
        return provider.read(wish.source, body, yield* currentTimeMillis) ?? (yield* new ProviderFailure({ provider: name, reason: "its answer has another form than its API says" }));
      })
    );
    if (isLeft(outcome)) {
      if (page === 0) return yield* outcome.left;
      trouble = `${outcome.left.message}; these are the results until then`;
      break;
    }
    let { hits: found, more, trouble: said } = outcome.right;
    if (said !== void 0) {
      if (page === 0 && found.length === 0) return yield* new ProviderFailure({ provider: name, reason: said });
      trouble = `${name}: ${said}`;
    }
    let fresh = found.filter((hit2) => {
      let key = wish.source === "images" ? `${hit2.url} ${hit2.imageUrl}` : hit2.url;
      return seen.has(key) ? !1 : seen.add(key) !== void 0;
    });
    if (hits.push(...fresh.filter(fits)), !more || fresh.length === 0) break;
  }
  let kept = (wish.period.newestFirst && !provider.sorts ? newestFirst(hits) : hits).slice(0, wish.limit), undated = kept.some(({ published }) => published === void 0);
  return {
    hits: kept,
    unmet: [...unmet, ...unmetOf(provider, wish, undated), ...ended(provider, wish, seen.size)],
    trouble
  };
});

// src/Engine/Search/Providers.ts
var Providers = class extends Reference()("sluice/Engine/Search/Providers", {
  defaultValue: () => [{ name: "local" }]
}) {
}, known = ["local", ...makers.keys()], isAddress = (text2) => canParse(text2) && /^https?:$/.test(new URL(text2).protocol), makeOne = (entry, at2) => {
  if (entry.toLowerCase() === "local") return right("local");
  let sign = entry.indexOf("="), name = entry.slice(0, Math.max(0, sign)).toLowerCase(), make3 = makers.get(name);
  if (make3 === void 0) return left(`entry ${at2 + 1} is not name=value with one of ${known.join(", ")}`);
  let whole = entry.slice(sign + 1), [, value2 = whole, base] = /^(?!https?:)(.*)@(https?:\/\/.*)$/.exec(whole) ?? [];
  if (base !== void 0 && !isAddress(base)) return left(`entry ${at2 + 1}, "${name}", has a wrong address`);
  if (value2 === "" || !/^[\x21-\x7e]+$/.test(value2)) return left(`entry ${at2 + 1}, "${name}", has no value`);
  let made = make3(value2, base);
  return typeof made == "string" ? left(`entry ${at2 + 1}, "${name}", ${made}`) : right(made);
}, nameOf = (link) => typeof link == "string" ? link : link.name, parse = (text2) => {
  let entries = value(text2).split(/[,\s]+/).filter((entry) => entry !== "");
  return flatMap(all(entries.map(makeOne)), (chain) => {
    let names = chain.map(nameOf), twice = names.find((name, at2) => names.indexOf(name) !== at2);
    return twice !== void 0 ? left(`"${twice}" is there twice`) : right(chain.length === 0 ? ["local"] : chain);
  });
}, only = (text2, names) => {
  let entries = (text2 === void 0 ? "" : value(text2)).split(/[,\s]+/), chosen = names.map((name) => entries.find((entry2) => entry2.toLowerCase() === name || entry2.toLowerCase().startsWith(`${name}=`)) ?? (name === "local" ? "local" : void 0)), missing = names[chosen.indexOf(void 0)];
  return missing === void 0 ? right(make(chosen.join(","))) : left(missing);
}, layer = (chain) => scoped(
  Providers,
  map(make2, (exchange) => {
    let ask2 = ask(exchange);
    return chain.map(
      (link) => typeof link == "string" ? { name: "local" } : { name: link.name, provider: link, ask: (wish) => ask2(link, wish) }
    );
  })
);

export {
  isDropped,
  TargetRefused,
  TunnelRefused,
  proxyFailure,
  connectionFailure,
  basicOf,
  ProviderFailure,
  Providers,
  parse,
  only,
  layer
};
