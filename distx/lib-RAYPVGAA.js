import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  parse
} from "./lib-UHVBXRJH.js";
import {
  canParse
} from "./lib-GGME65E2.js";
import {
  __export
} from "./lib-URHN3MKJ.js";

// src/Api.ts
import * as HttpApi from "@effect/platform/HttpApi";
import * as OpenApi13 from "@effect/platform/OpenApi";

// src/Api/ActiveCrawls.ts
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as OpenApi2 from "@effect/platform/OpenApi";
import * as Schema3 from "effect/Schema";

// src/Api/Auth.ts
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware";
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity";
import * as OpenApi from "@effect/platform/OpenApi";
import * as Context from "effect/Context";

// src/Api/Errors.ts
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as Data from "effect/Data";
import * as Schema from "effect/Schema";
var ErrorBody = Schema.Struct({
  success: Schema.Literal(false),
  error: Schema.String,
  code: Schema.optional(Schema.String),
  details: Schema.optional(Schema.Unknown)
}).annotations({ identifier: "Error", description: "Why the call failed, and what to do about it." });
var failure = (tag, status2, description) => {
  class Failed extends Data.TaggedError(tag) {
    static status = status2;
    static schema = Schema.transform(ErrorBody, Schema.instanceOf(Failed), {
      strict: true,
      decode: ({ error, code, details }) => new Failed({ error, code, details }),
      encode: ({ error, code, details }) => ({
        success: false,
        error,
        ...code === void 0 ? {} : { code },
        ...details === void 0 ? {} : { details }
      })
    }).annotations({ ...HttpApiSchema.annotations({ status: status2 }), description });
    get message() {
      return this.error;
    }
  }
  return Failed;
};
var BadRequest = class extends failure("BadRequest", 400, "The request breaks the contract.") {
};
var Unauthorized = class extends failure("Unauthorized", 401, "The key is missing or wrong.") {
};
var PaymentRequired = class extends failure("PaymentRequired", 402, "The team's credits are used up.") {
};
var Forbidden = class extends failure("Forbidden", 403, "The operation is not allowed here.") {
};
var NotFound = class extends failure("NotFound", 404, "It does not exist, has expired, or is another team's.") {
};
var TimedOut = class extends failure("TimedOut", 408, "It took longer than the request allowed.") {
};
var Conflict = class extends failure("Conflict", 409, "The state of the thing does not allow it.") {
};
var Gone = class extends failure("Gone", 410, "It existed and has ended.") {
};
var TooLarge = class extends failure("TooLarge", 413, "The body is larger than the limit.") {
};
var UnsupportedType = class extends failure("UnsupportedType", 415, "The file type is not supported.") {
};
var Unprocessable = class extends failure("Unprocessable", 422, "The content cannot be processed.") {
};
var RateLimited = class extends failure("RateLimited", 429, "Too many requests; Retry-After says when.") {
};
var Internal = class extends failure("Internal", 500, "Unforeseen; the id in the text is in the log.") {
};
var NotImplemented = class extends failure("NotImplemented", 501, "This server does not do it.") {
};
var InsufficientStorage = class extends failure(
  "InsufficientStorage",
  507,
  "What the engine may keep on disk is used up; the text says what to remove."
) {
};
var Unavailable = class extends failure("Unavailable", 503, "Something the operation needs is not there.") {
};

// src/Api/Auth.ts
var Team = class extends Context.Tag("sluice/Api/Team")() {
};
var Auth = class extends HttpApiMiddleware.Tag()("sluice/Api/Auth", {
  failure: Unauthorized.schema,
  provides: Team,
  security: {
    bearer: HttpApiSecurity.bearer.pipe(
      HttpApiSecurity.annotate(OpenApi.Description, "The team's API key: `Authorization: Bearer fc-\u2026`.")
    )
  }
}) {
};

// src/Api/Field.ts
import * as Context2 from "effect/Context";
import * as Option from "effect/Option";
import * as Schema2 from "effect/Schema";
import * as AST from "effect/SchemaAST";
var maybe = (schema) => Schema2.optional(Schema2.NullOr(schema));
var numeric = Schema2.Union(Schema2.Number, Schema2.NumberFromString.pipe(Schema2.finite())).annotations({
  jsonSchema: { type: "number" }
});
var boundsOf = (ast) => AST.isRefinement(ast) ? { ...boundsOf(ast.from), ...Option.getOrElse(AST.getJSONSchemaAnnotation(ast), () => ({})) } : {};
var expectation = (ast, unit) => {
  const { maxLength: maxLength7, maximum, minLength: minLength3, minimum, type } = boundsOf(ast);
  const range = (low, high, of = " of") => high === void 0 ? `${of} at least ${low}` : low === void 0 ? `${of} at most ${high}` : ` from ${low} to ${high}`;
  if (minimum !== void 0 || maximum !== void 0) {
    const number2 = type === "integer" ? "a whole number" : "a number";
    return unit === void 0 ? `${number2}${range(minimum, maximum)}` : `${number2} of ${unit}${range(minimum, maximum, ",")}`;
  }
  if (minLength3 !== void 0 || maxLength7 !== void 0) return `a text${range(minLength3, maxLength7)} characters`;
  return Option.getOrElse(AST.getDescriptionAnnotation(ast), () => String(ast));
};
var maxShown = 1e3;
var shown = (value) => {
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "string" ? JSON.stringify(value.slice(0, maxShown)) : String(value);
};
var described = (schema, description) => {
  const unit = /\b(?:milli)?seconds\b/i.exec(description)?.[0].toLowerCase();
  const title = expectation(schema.ast, unit);
  return schema.annotations({
    title,
    description,
    // Of a bounded value the description would be told, which says nothing of the bounds.
    parseIssueTitle: (issue) => issue._tag === "Type" ? `Expected ${title}, actual ${shown(issue.actual)}` : void 0
  });
};
var OptionalBody = class extends Context2.Reference()("sluice/Api/OptionalBody", {
  defaultValue: () => false
}) {
};
var list = (item, most = 100) => Schema2.Array(item).pipe(Schema2.maxItems(most));
var defaulted = (schema, defaultValue) => Object.assign(Schema2.optional(schema.annotations({ default: defaultValue })), { defaultValue });
var settle = (fields3, value) => {
  const settled = { ...value };
  for (const [key, field] of Object.entries(fields3)) {
    if ("defaultValue" in field && settled[key] === void 0) settled[key] = field.defaultValue;
  }
  return settled;
};
var senderFields = {
  origin: Schema2.optional(Schema2.String),
  integration: Schema2.optional(Schema2.NullOr(Schema2.String))
};
var strict = { parseOptions: { errors: "all", onExcessProperty: "error" } };
var lenient = { parseOptions: { errors: "all", onExcessProperty: "ignore" } };
var open = { parseOptions: { onExcessProperty: "preserve", propertyOrder: "original" } };
var PageUrl = Schema2.NonEmptyTrimmedString.pipe(
  Schema2.filter((text3) => {
    const url = canParse(text3) ? new URL(text3) : void 0;
    return url !== void 0 && (url.protocol === "http:" || url.protocol === "https:") && url.hostname !== "" ? true : "Invalid URL: expected an absolute http:// or https:// address";
  })
).annotations({
  identifier: "PageUrl",
  description: "an absolute http:// or https:// address",
  jsonSchema: { type: "string", format: "uri" }
});
var JobId = Schema2.UUID.annotations({
  identifier: "JobId",
  description: "the id of a job, a UUID",
  message: () => ({ message: "Invalid job ID format. Job ID must be a valid UUID.", override: true })
});

// src/Api/ActiveCrawls.ts
var ActiveCrawl = Schema3.Struct({
  id: Schema3.String,
  teamId: maybe(Schema3.String),
  url: maybe(Schema3.String),
  created_at: maybe(Schema3.String),
  options: maybe(
    Schema3.Struct({ scrapeOptions: maybe(Schema3.Record({ key: Schema3.String, value: Schema3.Unknown })) }).annotations(
      open
    )
  )
}).annotations({ identifier: "ActiveCrawl", ...open });
var ActiveCrawls = Schema3.Struct({
  success: Schema3.Boolean,
  crawls: Schema3.Array(ActiveCrawl)
}).annotations({ identifier: "ActiveCrawls", ...open });
var ActiveCrawlsGroup = class extends HttpApiGroup.make("activeCrawls").add(
  HttpApiEndpoint.get("active", "/v2/crawl/active").annotate(OpenApi2.Summary, "The crawls that run now").addSuccess(ActiveCrawls)
).add(
  HttpApiEndpoint.get("activeV1", "/v1/crawl/active").annotate(OpenApi2.Summary, "The crawls that run now").addSuccess(ActiveCrawls)
).middleware(Auth).annotate(OpenApi2.Title, "Active crawls") {
};

// src/Api/BatchScrape.ts
import * as HttpApiGroup2 from "@effect/platform/HttpApiGroup";
import * as OpenApi4 from "@effect/platform/OpenApi";
import * as Schema9 from "effect/Schema";

// src/Api/JobEndpoint.ts
import * as HttpApiEndpoint2 from "@effect/platform/HttpApiEndpoint";
import * as OpenApi3 from "@effect/platform/OpenApi";
import * as Schema7 from "effect/Schema";

// src/Api/Idempotency.ts
import * as Schema4 from "effect/Schema";
var Key = Schema4.String.pipe(
  Schema4.filter(
    (text3) => /^[ -~]{0,255}$/.test(text3) || "expected at most 255 characters, all of them printable ASCII",
    { jsonSchema: { maxLength: 255 } }
  )
);
var headers = (description) => Schema4.Struct({ "x-idempotency-key": Schema4.optional(Key.annotations({ description })) });
var StartHeaders = headers(
  "A start that is repeated under the same key with the same body is answered with the job that the first one started; with another body it is a 409. Keys are the team's own."
);
var CallHeaders = headers(
  "For 24 hours, a call that is repeated under the same key with the same request (for an upload: file, name and options) is answered with the first answer, byte for byte, and nothing is booked; while the first is under way, the repeat waits for it. With another request it is a 409. Keys are the team's own. Calls that failed may be repeated at will. An answer over 20 MiB is not stored: the repeat does the work again and books nothing. Nothing is stored for a request with zeroDataRetention: its key is left unread."
);

// src/Api/JobStatus.ts
import * as Schema6 from "effect/Schema";

// src/Api/Document.ts
import * as Schema5 from "effect/Schema";
var Text = Schema5.Union(Schema5.String, Schema5.Array(Schema5.String));
var Metadata = Schema5.Struct({
  title: maybe(Text),
  description: maybe(Text),
  language: maybe(Text),
  sourceURL: maybe(Schema5.String),
  url: maybe(Schema5.String),
  keywords: maybe(Text),
  ogLocaleAlternate: maybe(Schema5.Array(Schema5.String)),
  statusCode: maybe(numeric),
  contentType: maybe(Schema5.String),
  numPages: maybe(numeric),
  error: maybe(Schema5.String),
  creditsUsed: maybe(numeric),
  concurrencyLimited: maybe(Schema5.Boolean),
  concurrencyQueueDurationMs: maybe(numeric)
}).annotations({ identifier: "Metadata", ...open });
var ActionResults = Schema5.Struct({
  screenshots: maybe(Schema5.Array(Schema5.String)),
  scrapes: maybe(Schema5.Array(Schema5.Struct({ url: Schema5.String, html: Schema5.String }))),
  javascriptReturns: maybe(Schema5.Array(Schema5.Struct({ type: Schema5.String, value: Schema5.Unknown }))),
  pdfs: maybe(Schema5.Array(Schema5.String))
}).annotations(open);
var ChangeTracking = Schema5.Struct({
  previousScrapeAt: maybe(Schema5.String),
  changeStatus: maybe(Schema5.String),
  visibility: maybe(Schema5.String),
  diff: maybe(Schema5.Unknown),
  json: maybe(Schema5.Unknown)
}).annotations(open);
var strings = (...keys) => Schema5.Struct(
  Object.fromEntries(keys.map((key) => [key, maybe(Schema5.String)]))
).annotations(open);
var Branding = Schema5.Struct({
  colorScheme: maybe(Schema5.String),
  logo: maybe(Schema5.String),
  colors: maybe(
    strings(
      "primary",
      "secondary",
      "accent",
      "background",
      "textPrimary",
      "textSecondary",
      "link",
      "success",
      "warning",
      "error"
    )
  ),
  fonts: maybe(Schema5.Array(Schema5.Struct({ family: maybe(Schema5.String) }).annotations(open))),
  typography: maybe(
    Schema5.Struct({
      fontFamilies: maybe(strings("primary", "heading", "code")),
      fontSizes: maybe(strings("h1", "h2", "h3", "body")),
      fontWeights: maybe(Schema5.Record({ key: Schema5.String, value: Schema5.Unknown })),
      lineHeights: maybe(strings("heading", "body"))
    }).annotations(open)
  ),
  spacing: maybe(
    Schema5.Struct({
      baseUnit: maybe(numeric),
      borderRadius: maybe(Schema5.String),
      padding: maybe(Schema5.Unknown),
      margins: maybe(Schema5.Unknown)
    }).annotations(open)
  ),
  components: maybe(
    Schema5.Struct({
      buttonPrimary: maybe(strings("background", "textColor", "borderRadius")),
      buttonSecondary: maybe(strings("background", "textColor", "borderColor", "borderRadius")),
      input: maybe(Schema5.Unknown)
    }).annotations(open)
  ),
  icons: maybe(Schema5.Unknown),
  animations: maybe(Schema5.Unknown),
  layout: maybe(Schema5.Unknown),
  personality: maybe(Schema5.Unknown),
  images: maybe(strings("logo", "favicon", "ogImage"))
}).annotations(open);
var contentFields = {
  markdown: maybe(Schema5.String),
  summary: maybe(Schema5.String),
  html: maybe(Schema5.String),
  rawHtml: maybe(Schema5.String),
  screenshot: maybe(Schema5.String),
  audio: maybe(Schema5.String),
  links: maybe(Schema5.Array(Schema5.String)),
  metadata: maybe(Metadata)
};
var Document = Schema5.Struct({
  ...contentFields,
  images: maybe(Schema5.Array(Schema5.String)),
  json: maybe(Schema5.Unknown),
  /** What v1 calls `json`. */
  extract: maybe(Schema5.Unknown),
  attributes: maybe(
    Schema5.Array(
      Schema5.Struct({ selector: Schema5.String, attribute: Schema5.String, values: Schema5.Array(Schema5.String) })
    )
  ),
  actions: maybe(ActionResults),
  changeTracking: maybe(ChangeTracking),
  branding: maybe(Branding),
  warning: maybe(Schema5.String)
}).annotations({ identifier: "Document", ...open });

// src/Api/JobStatus.ts
var statuses = ["scraping", "completed", "failed", "cancelled"];
var ended = /* @__PURE__ */ new Set(["completed", "failed", "cancelled"]);
var pageSize = { default: 100, max: 1e3, bytes: 10485760 };
var statusFields = {
  success: maybe(Schema6.Boolean),
  status: Schema6.String.annotations({ description: `One of ${statuses.join(", ")}.`, examples: [...statuses] }),
  total: maybe(numeric),
  completed: maybe(numeric),
  creditsUsed: maybe(numeric),
  expiresAt: maybe(Schema6.String),
  next: maybe(Schema6.String),
  error: maybe(Schema6.String),
  code: maybe(Schema6.String)
};
var JobEnvelope = Schema6.Struct({
  ...statusFields,
  data: maybe(Schema6.Array(Schema6.Unknown))
}).annotations({ identifier: "JobEnvelope", ...open });
var JobStatus = Schema6.Struct({
  ...statusFields,
  data: maybe(Schema6.Array(Document))
}).annotations({ identifier: "JobStatus", ...open });
var PageQuery = Schema6.Struct({
  skip: Schema6.optional(Schema6.NumberFromString.pipe(Schema6.int(), Schema6.nonNegative())),
  limit: Schema6.optional(Schema6.NumberFromString.pipe(Schema6.int(), Schema6.between(1, pageSize.max)))
});
var CancelQuery = Schema6.Struct({
  results: Schema6.optional(
    Schema6.Literal("delete").annotations({
      description: "Also removes the results of the job, running or ended, so that they no longer count for its team: once pages that are being read are sent, and webhooks delivered."
    })
  )
});
var JobStarted = Schema6.Struct({
  success: Schema6.Boolean,
  id: Schema6.String,
  url: maybe(Schema6.String),
  invalidURLs: maybe(Schema6.Array(Schema6.String))
}).annotations({ identifier: "JobStarted", ...open });
var JobCancelled = Schema6.Struct({
  success: maybe(Schema6.Boolean),
  status: Schema6.String
}).annotations({ identifier: "JobCancelled", ...open });
var leftOut = ["limit", "depth", "sitemap"];
var JobErrors = Schema6.Struct({
  errors: Schema6.Array(
    Schema6.Struct({
      id: maybe(Schema6.String),
      timestamp: maybe(Schema6.String),
      url: maybe(Schema6.String),
      code: maybe(Schema6.String),
      error: maybe(Schema6.String)
    }).annotations(open)
  ),
  robotsBlocked: maybe(Schema6.Array(Schema6.String)),
  leftOut: Schema6.optional(
    Schema6.Array(Schema6.String).annotations({
      description: `Why pages are missing that the job would have had otherwise: ${leftOut.join(", ")}. An empty list means that no page is missing.`
    })
  )
}).annotations({ identifier: "JobErrors", ...open });
var Webhook = Schema6.Union(
  Schema6.String,
  Schema6.Struct({
    url: Schema6.String,
    headers: Schema6.optional(Schema6.Record({ key: Schema6.String, value: Schema6.String })),
    metadata: Schema6.optional(Schema6.Record({ key: Schema6.String, value: Schema6.Unknown })),
    events: Schema6.optional(Schema6.Array(Schema6.String)),
    secret: Schema6.optional(
      Schema6.String.annotations({ description: "What is sent is signed with it: X-Firecrawl-Signature." })
    )
  })
).annotations({ identifier: "Webhook" });

// src/Api/JobEndpoint.ts
var path = Schema7.Struct({ id: JobId });
var start = (name, url, payload) => HttpApiEndpoint2.post(name, url).setPayload(payload).setHeaders(StartHeaders).addSuccess(JobStarted).addError(NotFound.schema).addError(Conflict.schema).addError(TooLarge.schema).addError(InsufficientStorage.schema).annotate(OpenApi3.Summary, "Start a job");
var status = (name, url) => HttpApiEndpoint2.get(name, url).setPath(path).setUrlParams(PageQuery).addSuccess(JobStatus).addError(NotFound.schema).annotate(OpenApi3.Summary, "Where a job stands, and a page of its documents").annotate(OpenApi3.Description, "Follow `next` until it is absent; a page ends before its JSON passes 10 MiB.");
var cancel = (name, url) => HttpApiEndpoint2.del(name, url).setPath(path).setUrlParams(CancelQuery).addSuccess(JobCancelled).addError(NotFound.schema).addError(Conflict.schema).annotate(OpenApi3.Summary, "Cancel a job that runs, or delete what a job has");
var errors = (name, url) => HttpApiEndpoint2.get(name, url).setPath(path).addSuccess(JobErrors).addError(NotFound.schema).annotate(OpenApi3.Summary, "The pages of a job that failed");

// src/Api/ScrapeOptions.ts
import * as Schema8 from "effect/Schema";
var formats = [
  "markdown",
  "html",
  "rawHtml",
  "links",
  "images",
  "summary",
  "json",
  "extract",
  "branding",
  "changeTracking",
  "attributes",
  "screenshot"
];
var rareFormats = ["audio", "video", "query", "question", "highlights"];
var named = (identifier, examples) => Schema8.Union(
  Schema8.String.annotations({ examples }),
  Schema8.Struct({ type: Schema8.String }, Schema8.Record({ key: Schema8.String, value: Schema8.Unknown }))
).annotations({ identifier });
var Format = named("Format", formats);
var Parser = named("Parser", ["pdf"]);
var formatName = (format) => typeof format === "string" ? format : format.type;
var selector = Schema8.String.pipe(Schema8.maxLength(1e3));
var milliseconds = Schema8.Int.pipe(Schema8.nonNegative());
var commonFields = {
  formats: defaulted(described(list(Format), `What to make of it: ${formats.join(", ")}; some services make more.`), [
    "markdown"
  ]),
  onlyMainContent: defaulted(described(Schema8.Boolean, "Leave out navigation, headers and footers."), true),
  includeTags: Schema8.optional(described(list(selector), "CSS selectors; nothing else is kept.")),
  excludeTags: Schema8.optional(described(list(selector), "CSS selectors of what is left out.")),
  headers: Schema8.optional(
    described(Schema8.Record({ key: Schema8.String, value: Schema8.String }), "Sent along with the request for the page.")
  ),
  timeout: defaulted(described(milliseconds.pipe(Schema8.between(1e3, 3e5)), "Milliseconds."), 3e4),
  skipTlsVerification: defaulted(described(Schema8.Boolean, "Accept certificates that do not hold."), false),
  removeBase64Images: defaulted(described(Schema8.Boolean, "Leave out images that are part of the text."), true),
  blockAds: defaulted(described(Schema8.Boolean, "Leave out advertisements and cookie banners."), true),
  proxy: Schema8.optional(described(Schema8.String, "The kind of proxy, as the service names them.")),
  zeroDataRetention: defaulted(described(Schema8.Boolean, "Keep nothing of it in the service."), false)
};
var storeInCache = defaulted(described(Schema8.Boolean, "Let the service keep a copy."), true);
var cleanContent = defaulted(described(Schema8.Boolean, "Keep running text only."), false);
var pageFields = {
  ...commonFields,
  maxAge: Schema8.optional(
    described(
      milliseconds,
      "Milliseconds that a stored copy may be old; without it, or with 0, the local engine fetches the page."
    )
  ),
  waitFor: defaulted(described(milliseconds, "Milliseconds to wait before the page is read."), 0),
  mobile: defaulted(described(Schema8.Boolean, "Ask as a phone does."), false),
  location: Schema8.optional(
    Schema8.Struct({
      country: Schema8.optional(described(Schema8.String, "ISO country code to ask from.")),
      languages: Schema8.optional(described(list(Schema8.String), "Preferred languages, best first."))
    }).annotations(lenient)
  ),
  storeInCache,
  actions: Schema8.optional(
    described(
      list(Schema8.Struct({ type: Schema8.String }, Schema8.Record({ key: Schema8.String, value: Schema8.Unknown }))),
      "What to do on the page before it is read."
    )
  )
};
var fields = {
  ...pageFields,
  onlyCleanContent: cleanContent,
  minAge: Schema8.optional(
    described(milliseconds, "Take stored copies only, and only one that is at least so many milliseconds old.")
  ),
  parsers: Schema8.optional(
    described(
      list(Parser),
      "How files are read: pdf, or { type: pdf, mode: auto, maxPages: \u2026 }; an empty list hands a PDF out unread, in base64."
    )
  ),
  lockdown: defaulted(described(Schema8.Boolean, "Answer from stored copies only."), false),
  profile: Schema8.optional(
    Schema8.Struct({
      name: described(Schema8.String.pipe(Schema8.length({ min: 1, max: 128 })), "Of the browser profile."),
      saveChanges: Schema8.optional(described(Schema8.Boolean, "Keep what the page changes in it."))
    }).annotations(lenient)
  )
};
var fieldsV1 = {
  ...pageFields,
  parsePDF: defaulted(Schema8.Boolean, true),
  jsonOptions: Schema8.optional(
    Schema8.Struct({
      schema: Schema8.optional(Schema8.Unknown),
      systemPrompt: Schema8.optional(Schema8.String),
      prompt: Schema8.optional(Schema8.String)
    }).annotations(lenient)
  ),
  changeTrackingOptions: Schema8.optional(
    Schema8.Struct({
      modes: Schema8.optional(list(Schema8.String)),
      schema: Schema8.optional(Schema8.Unknown),
      prompt: Schema8.optional(Schema8.String),
      tag: Schema8.optional(Schema8.NullOr(Schema8.String))
    }).annotations(lenient)
  )
};
var ScrapeOptions = Schema8.Struct(fields).annotations({ identifier: "ScrapeOptions", ...lenient });
var ScrapeOptionsV1 = Schema8.Struct(fieldsV1).annotations({ identifier: "ScrapeOptionsV1", ...lenient });

// src/Api/BatchScrape.ts
var mostUrls = 1e5;
var batchFields = {
  urls: list(Schema9.String, mostUrls).pipe(Schema9.minItems(1)),
  ignoreInvalidURLs: defaulted(
    described(Schema9.Boolean, "Leave invalid URLs out and list them, instead of refusing the job."),
    true
  ),
  maxConcurrency: Schema9.optional(Schema9.Int.pipe(Schema9.positive())),
  appendToId: Schema9.optional(Schema9.UUID),
  webhook: Schema9.optional(Webhook),
  ...senderFields
};
var startFields = { ...fields, ...batchFields };
var startFieldsV1 = { ...fieldsV1, ...batchFields };
var BatchRequest = Schema9.Struct(startFields).annotations({ identifier: "BatchRequest", ...strict });
var BatchRequestV1 = Schema9.Struct(startFieldsV1).annotations({ identifier: "BatchRequestV1", ...lenient });
var BatchScrapeGroup = class extends HttpApiGroup2.make("batchScrape").add(start("start", "/v2/batch/scrape", BatchRequest)).add(start("startV1", "/v1/batch/scrape", BatchRequestV1)).add(status("status", "/v2/batch/scrape/:id")).add(status("statusV1", "/v1/batch/scrape/:id")).add(cancel("cancel", "/v2/batch/scrape/:id")).add(cancel("cancelV1", "/v1/batch/scrape/:id")).add(errors("errors", "/v2/batch/scrape/:id/errors")).add(errors("errorsV1", "/v1/batch/scrape/:id/errors")).middleware(Auth).annotate(OpenApi4.Title, "Batch scrape") {
};

// src/Api/Browser.ts
import * as HttpApiEndpoint3 from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup3 from "@effect/platform/HttpApiGroup";
import * as OpenApi5 from "@effect/platform/OpenApi";
import * as Schema10 from "effect/Schema";
var profileFields = {
  name: described(Schema10.String.pipe(Schema10.length({ min: 1, max: 128 })), "Sessions of the same name share storage."),
  saveChanges: defaulted(
    described(Schema10.Boolean, "Save the state on close; one saver at a time for each profile."),
    true
  )
};
var Profile = Schema10.Struct(profileFields).annotations({ identifier: "BrowserProfile", ...lenient });
var createFields = {
  ttl: defaulted(described(Schema10.Int.pipe(Schema10.between(30, 3600)), "Lifetime in seconds."), 600),
  activityTtl: defaulted(
    described(Schema10.Int.pipe(Schema10.between(10, 3600)), "Seconds without activity before the end."),
    300
  ),
  streamWebView: defaulted(Schema10.Boolean, true),
  profile: Schema10.optional(Profile),
  ...senderFields
};
var CreateSession = Schema10.Struct(createFields).annotations({ identifier: "CreateBrowserSession", ...lenient });
var sessionFields = {
  id: Schema10.String,
  cdpUrl: maybe(Schema10.String),
  liveViewUrl: maybe(Schema10.String),
  interactiveLiveViewUrl: maybe(Schema10.String),
  expiresAt: maybe(Schema10.String)
};
var Session = Schema10.Struct({ success: Schema10.Boolean, ...sessionFields }).annotations({
  identifier: "BrowserSession",
  ...open
});
var ListedSession = Schema10.Struct({
  ...sessionFields,
  status: maybe(Schema10.String),
  streamWebView: maybe(Schema10.Boolean),
  createdAt: maybe(Schema10.String),
  lastActivity: maybe(Schema10.String)
}).annotations(open);
var sessionStatuses = ["active", "destroyed"];
var ListQuery = Schema10.Struct({
  status: Schema10.optional(
    Schema10.Literal(...sessionStatuses).annotations({
      description: "Only sessions of this status: active by default; destroyed are those that ended within half an hour."
    })
  )
});
var Sessions = Schema10.Struct({
  success: Schema10.Boolean,
  sessions: Schema10.Array(ListedSession)
}).annotations({ identifier: "BrowserSessions", ...open });
var Deleted = Schema10.Struct({ success: Schema10.Boolean }).annotations({ identifier: "Deleted", ...open });
var executeFields = {
  code: Schema10.String.pipe(Schema10.minLength(1), Schema10.maxLength(1e5)),
  language: defaulted(Schema10.Literal("node", "python", "bash"), "node"),
  timeout: defaulted(described(Schema10.Int.pipe(Schema10.between(1, 300)), "Seconds."), 30),
  ...senderFields
};
var Execute = Schema10.Struct(executeFields).annotations({ identifier: "BrowserExecute", ...lenient });
var Executed = Schema10.Struct({
  success: Schema10.Boolean,
  stdout: maybe(Schema10.String),
  stderr: maybe(Schema10.String),
  result: maybe(Schema10.Unknown),
  exitCode: maybe(numeric),
  killed: maybe(Schema10.Boolean),
  error: maybe(Schema10.String)
}).annotations({ identifier: "BrowserExecuted", ...open });
var path2 = Schema10.Struct({ id: Schema10.String });
var BrowserGroup = class extends HttpApiGroup3.make("browser").add(
  HttpApiEndpoint3.post("create", "/v2/browser").annotate(OpenApi5.Summary, "Open a browser session").annotate(OptionalBody, true).setPayload(CreateSession).addSuccess(Session).addError(Conflict.schema).addError(InsufficientStorage.schema).addError(RateLimited.schema).addError(Unavailable.schema)
).add(
  HttpApiEndpoint3.get("list", "/v2/browser").annotate(OpenApi5.Summary, "The open sessions").setUrlParams(ListQuery).addSuccess(Sessions)
).add(
  HttpApiEndpoint3.del("delete", "/v2/browser/:id").annotate(OpenApi5.Summary, "End a session").setPath(path2).addSuccess(Deleted).addError(NotFound.schema).addError(Gone.schema)
).add(
  HttpApiEndpoint3.post("execute", "/v2/browser/:id/execute").annotate(OpenApi5.Summary, "Run code in a session").setPath(path2).setPayload(Execute).addSuccess(Executed).addError(BadRequest.schema).addError(NotFound.schema).addError(Gone.schema).addError(Forbidden.schema).addError(RateLimited.schema)
).middleware(Auth).annotate(OpenApi5.Title, "Browser") {
};

// src/Api/Crawl.ts
import * as HttpApiGroup4 from "@effect/platform/HttpApiGroup";
import * as OpenApi6 from "@effect/platform/OpenApi";
import * as Schema12 from "effect/Schema";

// src/Api/CrawlParams.ts
import * as Schema11 from "effect/Schema";
var pattern = Schema11.String.pipe(Schema11.maxLength(1e3));
var longestDelay = 3600;
var count = Schema11.Int.pipe(Schema11.nonNegative());
var fields2 = {
  includePaths: Schema11.optional(described(list(pattern), "Regular expressions over the path; one must match.")),
  excludePaths: Schema11.optional(described(list(pattern), "Regular expressions over the path; none may match.")),
  maxDepth: Schema11.optional(described(count, "Path segments below the start.")),
  maxDiscoveryDepth: Schema11.optional(described(count, "Links followed from the start.")),
  crawlEntireDomain: defaulted(
    described(Schema11.Boolean, "Also follow links to siblings and parents of the start."),
    false
  ),
  allowExternalLinks: defaulted(described(Schema11.Boolean, "Follow links to other sites."), false),
  allowSubdomains: defaulted(described(Schema11.Boolean, "Follow links to subdomains."), false),
  sitemap: defaulted(
    described(Schema11.String, "The site's own list of pages: skip, include or only.").annotations({
      examples: ["skip", "include", "only"]
    }),
    "include"
  ),
  ignoreQueryParameters: defaulted(
    described(Schema11.Boolean, "Addresses that differ in their query alone are one page."),
    false
  ),
  ignoreRobotsTxt: defaulted(described(Schema11.Boolean, "Visit what robots.txt asks to leave alone."), false),
  robotsUserAgent: Schema11.optional(described(Schema11.String, "The name to look for in robots.txt.")),
  deduplicateSimilarURLs: defaulted(
    described(Schema11.Boolean, "Addresses with and without www, index.html and the like are one page."),
    true
  ),
  delay: Schema11.optional(
    described(Schema11.Number.pipe(Schema11.between(0, longestDelay)), "Seconds between two requests to a host.")
  ),
  limit: defaulted(described(Schema11.Int.pipe(Schema11.positive()), "Pages at most."), 1e4)
};
var fieldsV12 = {
  ...fields2,
  ignoreSitemap: Schema11.optional(Schema11.Boolean),
  allowBackwardLinks: Schema11.optional(Schema11.Boolean)
};
var CrawlParams = Schema11.Struct({ url: maybe(Schema11.String), ...fields2 }).annotations({
  identifier: "CrawlParams",
  ...open
});

// src/Api/Crawl.ts
var crawlFields = {
  url: PageUrl,
  prompt: Schema12.optional(Schema12.String.pipe(Schema12.maxLength(1e4))),
  maxConcurrency: Schema12.optional(Schema12.Int.pipe(Schema12.positive())),
  webhook: Schema12.optional(Webhook),
  zeroDataRetention: Schema12.optional(Schema12.Boolean),
  ...senderFields
};
var startFields2 = { ...fields2, ...crawlFields, scrapeOptions: Schema12.optional(ScrapeOptions) };
var startFieldsV12 = { ...fieldsV12, ...crawlFields, scrapeOptions: Schema12.optional(ScrapeOptionsV1) };
var CrawlRequest = Schema12.Struct(startFields2).annotations({ identifier: "CrawlRequest", ...strict });
var CrawlRequestV1 = Schema12.Struct(startFieldsV12).annotations({ identifier: "CrawlRequestV1", ...lenient });
var CrawlGroup = class extends HttpApiGroup4.make("crawl").add(start("start", "/v2/crawl", CrawlRequest)).add(start("startV1", "/v1/crawl", CrawlRequestV1)).add(status("status", "/v2/crawl/:id")).add(status("statusV1", "/v1/crawl/:id")).add(cancel("cancel", "/v2/crawl/:id")).add(cancel("cancelV1", "/v1/crawl/:id")).add(errors("errors", "/v2/crawl/:id/errors")).add(errors("errorsV1", "/v1/crawl/:id/errors")).middleware(Auth).annotate(OpenApi6.Title, "Crawl") {
};

// src/Api/CrawlPreview.ts
import * as HttpApiEndpoint4 from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup5 from "@effect/platform/HttpApiGroup";
import * as OpenApi7 from "@effect/platform/OpenApi";
import * as Schema13 from "effect/Schema";
var PreviewRequest = Schema13.Struct({
  url: PageUrl,
  prompt: Schema13.String.pipe(Schema13.maxLength(1e4)),
  ...senderFields
}).annotations({ identifier: "CrawlPreviewRequest", ...lenient });
var PreviewResponse = Schema13.Struct({
  success: Schema13.Boolean,
  data: CrawlParams,
  warning: maybe(Schema13.String),
  answeredBy: maybe(described(Schema13.String, "`model` or `rules`; services elsewhere may not say it."))
}).annotations({ identifier: "CrawlPreview", ...open });
var CrawlPreviewGroup = class extends HttpApiGroup5.make("crawlPreview").add(
  HttpApiEndpoint4.post("preview", "/v2/crawl/params-preview").annotate(OpenApi7.Summary, "Crawl parameters from a prompt").setPayload(PreviewRequest).addSuccess(PreviewResponse).addError(TimedOut.schema)
).middleware(Auth).annotate(OpenApi7.Title, "Crawl preview") {
};

// src/Api/Map.ts
import * as HttpApiEndpoint5 from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup6 from "@effect/platform/HttpApiGroup";
import * as OpenApi8 from "@effect/platform/OpenApi";
import * as Schema14 from "effect/Schema";
var requestFields = {
  url: PageUrl,
  search: Schema14.optional(described(Schema14.String, "Links that match come first.")),
  sitemap: defaulted(Schema14.Literal("skip", "include", "only"), "include"),
  includeSubdomains: defaulted(Schema14.Boolean, true),
  ignoreQueryParameters: defaulted(Schema14.Boolean, true),
  limit: defaulted(Schema14.Int.pipe(Schema14.between(1, 1e5)), 5e3),
  timeout: Schema14.optional(described(Schema14.Int.pipe(Schema14.positive()), "Milliseconds.")),
  ...senderFields
};
var MapRequest = Schema14.Struct(requestFields).annotations({ identifier: "MapRequest", ...strict });
var requestFieldsV1 = {
  ...requestFields,
  ignoreSitemap: Schema14.optional(Schema14.Boolean),
  sitemapOnly: Schema14.optional(Schema14.Boolean)
};
var MapRequestV1 = Schema14.Struct(requestFieldsV1).annotations({ identifier: "MapRequestV1", ...lenient });
var MapResponse = Schema14.Struct({
  success: Schema14.Boolean,
  links: Schema14.Array(
    Schema14.Union(
      Schema14.Struct({
        url: Schema14.String,
        title: maybe(Schema14.String),
        description: maybe(Schema14.String)
      }).annotations(open),
      Schema14.String
    )
  ),
  leftOut: Schema14.optional(
    Schema14.Array(Schema14.String).annotations({
      description: "Why addresses may be missing: `sitemap`, as a sitemap of the site could not be read."
    })
  )
}).annotations({ identifier: "MapResponse", ...open });
var MapGroup = class extends HttpApiGroup6.make("map").add(
  HttpApiEndpoint5.post("map", "/v2/map").annotate(OpenApi8.Summary, "The addresses of a site").setPayload(MapRequest).setHeaders(CallHeaders).addSuccess(MapResponse).addError(Conflict.schema).addError(Forbidden.schema).addError(TimedOut.schema).addError(TooLarge.schema).addError(Unprocessable.schema)
).add(
  HttpApiEndpoint5.post("mapV1", "/v1/map").annotate(OpenApi8.Summary, "The addresses of a site").setPayload(MapRequestV1).setHeaders(CallHeaders).addSuccess(MapResponse).addError(Conflict.schema).addError(Forbidden.schema).addError(TimedOut.schema).addError(TooLarge.schema).addError(Unprocessable.schema)
).middleware(Auth).annotate(OpenApi8.Title, "Map") {
};

// src/Api/Parse.ts
import * as HttpApiEndpoint6 from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup7 from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema2 from "@effect/platform/HttpApiSchema";
import * as Multipart2 from "@effect/platform/Multipart";
import * as OpenApi9 from "@effect/platform/OpenApi";
import * as Option2 from "effect/Option";
import * as Schema15 from "effect/Schema";
var extensions = [".html", ".htm", ".pdf", ".docx", ".doc", ".odt", ".rtf", ".xlsx", ".xls"];
var maxFileSize = 50 * 1024 * 1024;
var optionFields = {
  ...commonFields,
  onlyCleanContent: cleanContent,
  storeInCache,
  parsers: Schema15.optional(list(Parser)),
  ...senderFields
};
var ParseOptions = Schema15.Struct(optionFields).annotations({ identifier: "ParseOptions", ...lenient });
var unsupportedOptions = [
  "actions",
  "waitFor",
  "mobile",
  "location",
  "minAge",
  "lockdown",
  "profile",
  "jsonOptions",
  "changeTracking",
  "changeTrackingOptions",
  "branding"
];
var unsupportedFormats = ["screenshot", "changeTracking", "branding"];
var uploadLimits = {
  maxParts: Option2.some(16),
  maxFileSize: Option2.some(maxFileSize),
  maxFieldSize: 1024 * 1024
};
var Upload = HttpApiSchema2.Multipart(
  Schema15.Struct({
    file: Multipart2.SingleFileSchema.annotations({
      description: `One file of at most 50 MB: ${extensions.join(", ")}.`
    }),
    options: Schema15.optional(Schema15.String.annotations({ description: "ParseOptions as JSON text." }))
  }),
  uploadLimits
);
var Parsed = Schema15.Struct({ success: Schema15.Boolean, data: Document }).annotations({
  identifier: "Parsed",
  ...open
});
var ParseGroup = class extends HttpApiGroup7.make("parse").add(
  HttpApiEndpoint6.post("parse", "/v2/parse").annotate(OpenApi9.Summary, "Turn a file into a document").setPayload(Upload).setHeaders(CallHeaders).addSuccess(Parsed).addError(Conflict.schema).addError(TimedOut.schema).addError(TooLarge.schema).addError(UnsupportedType.schema).addError(Unprocessable.schema).annotate(OpenApi9.Description, "Upload a file of at most 50 MB and get its content.")
).middleware(Auth).annotate(OpenApi9.Title, "Parse") {
};

// src/Api/Scrape.ts
import * as HttpApiEndpoint7 from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup8 from "@effect/platform/HttpApiGroup";
import * as OpenApi10 from "@effect/platform/OpenApi";
import * as Schema16 from "effect/Schema";
var requestFields2 = { url: PageUrl, ...fields, ...senderFields };
var ScrapeRequest = Schema16.Struct(requestFields2).annotations({ identifier: "ScrapeRequest", ...strict });
var requestFieldsV12 = { url: PageUrl, ...fieldsV1, ...senderFields };
var ScrapeRequestV1 = Schema16.Struct(requestFieldsV12).annotations({ identifier: "ScrapeRequestV1", ...lenient });
var Scraped = Schema16.Struct({
  success: Schema16.Boolean,
  data: Document,
  warning: maybe(Schema16.String)
}).annotations({ identifier: "Scraped", ...open });
var scrape = (name, path3) => HttpApiEndpoint7.post(name, path3).setHeaders(CallHeaders).addSuccess(Scraped).addError(Conflict.schema).addError(InsufficientStorage.schema).addError(Forbidden.schema).addError(NotFound.schema).addError(TimedOut.schema).addError(TooLarge.schema).addError(UnsupportedType.schema).addError(Unprocessable.schema).addError(Unavailable.schema);
var ScrapeGroup = class extends HttpApiGroup8.make("scrape").add(
  scrape("scrape", "/v2/scrape").annotate(OpenApi10.Summary, "Turn a page into a document").setPayload(ScrapeRequest)
).add(
  scrape("scrapeV1", "/v1/scrape").annotate(OpenApi10.Summary, "Turn a page into a document").setPayload(ScrapeRequestV1)
).middleware(Auth).annotate(OpenApi10.Title, "Scrape") {
};

// src/Api/Search.ts
import * as HttpApiEndpoint8 from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup9 from "@effect/platform/HttpApiGroup";
import * as OpenApi11 from "@effect/platform/OpenApi";
import * as Schema17 from "effect/Schema";
var sources = ["web", "images", "news"];
var categories = ["github", "research", "pdf"];
var Tbs = Schema17.String.pipe(
  Schema17.filter((text3) => {
    const parts = text3.split(",").map((part) => part.trim());
    const wrong = parts.find(
      (part) => !/^(qdr:[hdwmy]\d*|cdr:1|cd_(min|max):(0?[1-9]|1[0-2])\/(0?[1-9]|[12]\d|3[01])\/\d{4}|sbd:[01])$/.test(part)
    );
    if (wrong !== void 0) {
      return `"${wrong}" is not a time filter: use qdr:h|d|w|m|y, cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY or sbd:1`;
    }
    const ranged = parts.some((part) => part.startsWith("cd_"));
    if (ranged && !parts.includes("cdr:1")) return "a date range needs cdr:1 before cd_min and cd_max";
    return true;
  })
).annotations({
  identifier: "Tbs",
  description: "Time filter: qdr:h|d|w|m|y, cdr:1,cd_min:MM/DD/YYYY,cd_max:MM/DD/YYYY or sbd:1.",
  examples: ["qdr:w", "sbd:1,qdr:w"]
});
var Hostname = Schema17.String.pipe(
  Schema17.filter(
    (text3) => /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(text3) || `"${text3}" is not a host name: give it without protocol, port or path, like docs.example.com`
  )
).annotations({ identifier: "Hostname", description: "a host name like docs.example.com" });
var SourceObject = Schema17.Struct({
  type: Schema17.Literal(...sources),
  limit: Schema17.optional(Schema17.Int.pipe(Schema17.between(1, 100))),
  tbs: Schema17.optional(Tbs),
  location: Schema17.optional(Schema17.String)
}).annotations(lenient);
var Sources = Schema17.Union(list(Schema17.Literal(...sources)), list(SourceObject)).annotations({
  identifier: "Sources"
});
var Categories = Schema17.Union(
  list(Schema17.Literal(...categories)),
  list(Schema17.Struct({ type: Schema17.Literal(...categories) }).annotations(lenient))
).annotations({ identifier: "Categories" });
var SearchScrapeOptions = Schema17.Struct({
  ...fields,
  formats: Schema17.optional(fields.formats.from),
  headers: Schema17.optional(
    fields.headers.from.annotations({
      description: "Sent to the hosts of the results, which nobody named beforehand. So those that may be secrets are not, and `warning` says which: Authorization, Cookie, and names with auth, token, secret, session, password or api-key in them."
    })
  )
}).annotations({ identifier: "SearchScrapeOptions", ...lenient });
var requestFields3 = {
  query: described(
    Schema17.String.pipe(Schema17.minLength(1), Schema17.maxLength(500)),
    "Words, exact phrases in quotes, -word, and operators like site: and filetype:."
  ),
  limit: defaulted(described(Schema17.Int.pipe(Schema17.between(1, 100)), "For each source."), 10),
  sources: defaulted(Sources, ["web"]),
  categories: defaulted(Categories, []),
  includeDomains: Schema17.optional(described(list(Hostname, 500), "Only results from these hosts.")),
  excludeDomains: Schema17.optional(described(list(Hostname, 500), "No results from these hosts.")),
  tbs: Schema17.optional(Tbs),
  location: Schema17.optional(described(Schema17.String, "`<city>,<state>,<country>` or a country's name.")),
  country: Schema17.optional(described(Schema17.String, "ISO country code; US when `location` is absent too.")),
  timeout: defaulted(described(Schema17.Int.pipe(Schema17.between(1, 3e5)), "Milliseconds."), 6e4),
  ignoreInvalidURLs: defaulted(described(Schema17.Boolean, "Leave out results that cannot be scraped."), false),
  enterprise: Schema17.optional(described(list(Schema17.Literal("zdr", "anon", "default")), "What the service may keep.")),
  scrapeOptions: Schema17.optional(SearchScrapeOptions),
  ...senderFields
};
var SearchRequest = Schema17.Struct(requestFields3).pipe(
  Schema17.filter(
    (request) => (request.includeDomains?.length ?? 0) > 0 && (request.excludeDomains?.length ?? 0) > 0 ? "includeDomains and excludeDomains cannot both be specified" : true
  )
).annotations({ identifier: "SearchRequest", ...strict });
var text = maybe(Schema17.String);
var WebResult = Schema17.Struct({
  title: text,
  description: text,
  url: text,
  category: text,
  position: maybe(numeric),
  ...contentFields
}).annotations({ identifier: "WebResult", ...open });
var ImageResult = Schema17.Struct({
  title: text,
  imageUrl: text,
  imageWidth: maybe(numeric),
  imageHeight: maybe(numeric),
  url: text,
  position: maybe(numeric)
}).annotations({ identifier: "ImageResult", ...open });
var NewsResult = Schema17.Struct({
  title: text,
  snippet: text,
  url: text,
  date: text,
  imageUrl: text,
  position: maybe(numeric),
  category: text,
  ...contentFields
}).annotations({ identifier: "NewsResult", ...open });
var SearchResponse = Schema17.Struct({
  success: Schema17.Boolean,
  data: Schema17.Struct({
    web: maybe(Schema17.Array(WebResult)),
    images: maybe(Schema17.Array(ImageResult)),
    news: maybe(Schema17.Array(NewsResult))
  }).annotations(open),
  warning: text,
  id: text,
  creditsUsed: maybe(numeric)
}).annotations({ identifier: "SearchResponse", ...open });
var SearchGroup = class extends HttpApiGroup9.make("search").add(
  HttpApiEndpoint8.post("search", "/v2/search").annotate(OpenApi11.Summary, "Search, and on request scrape the results").setPayload(SearchRequest).setHeaders(CallHeaders).addSuccess(SearchResponse).addError(Conflict.schema).addError(TimedOut.schema).addError(Unavailable.schema).annotate(
    OpenApi11.Description,
    'Operators in `query`: "exact phrase", -word, site:, filetype:, inurl:, allinurl:, intitle:, allintitle:, related:, imagesize:, larger:.'
  )
).middleware(Auth).annotate(OpenApi11.Title, "Search") {
};

// src/Api/TokenUsage.ts
import * as HttpApiEndpoint9 from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup10 from "@effect/platform/HttpApiGroup";
import * as OpenApi12 from "@effect/platform/OpenApi";
import * as Schema18 from "effect/Schema";
var tokensPerCredit = 15;
var wireFields = {
  startDate: Schema18.String,
  endDate: maybe(Schema18.String),
  apiKey: maybe(Schema18.String)
};
var UsagePeriod = Schema18.transform(
  Schema18.Struct({
    ...wireFields,
    totalTokens: Schema18.optional(numeric),
    tokensUsed: Schema18.optional(numeric)
  }).annotations(open),
  Schema18.Struct({ ...wireFields, totalTokens: Schema18.Number }).annotations(open),
  {
    strict: true,
    decode: (period) => ({ ...period, totalTokens: period.totalTokens ?? period.tokensUsed ?? 0 }),
    encode: (period) => ({ ...period, tokensUsed: period.totalTokens })
  }
).annotations({ identifier: "UsagePeriod" });
var HistoricalQuery = Schema18.Struct({
  byApiKey: Schema18.optionalWith(Schema18.BooleanFromString, { default: () => false }).annotations({
    description: "Break the usage down by API key (the key's name, never the secret). Default: false."
  })
});
var HistoricalUsage = Schema18.Struct({
  success: Schema18.Boolean,
  periods: Schema18.Array(UsagePeriod)
}).annotations({ identifier: "HistoricalUsage", ...open });
var HistoricalCredits = Schema18.Struct({
  success: Schema18.Boolean,
  periods: Schema18.Array(
    Schema18.Struct({ ...wireFields, totalCredits: maybe(numeric), creditsUsed: maybe(numeric) }).annotations(open)
  )
}).annotations({ identifier: "HistoricalCredits", ...open });
var balance = {
  billingPeriodStart: maybe(Schema18.String),
  billingPeriodEnd: maybe(Schema18.String)
};
var TokenBalance = Schema18.Struct({
  success: Schema18.Boolean,
  data: Schema18.Struct({
    remainingTokens: numeric,
    planTokens: maybe(numeric),
    ...balance
  }).annotations(open)
}).annotations({ identifier: "TokenBalance", ...open });
var CreditBalance = Schema18.Struct({
  success: Schema18.Boolean,
  data: Schema18.Struct({
    remainingCredits: numeric,
    planCredits: maybe(numeric),
    ...balance
  }).annotations(open)
}).annotations({ identifier: "CreditBalance", ...open });
var Concurrency = Schema18.Struct({
  success: Schema18.Boolean,
  concurrency: numeric,
  maxConcurrency: numeric
}).annotations({ identifier: "Concurrency", ...open });
var QueueStatus = Schema18.Struct({
  success: Schema18.Boolean,
  jobsInQueue: numeric,
  activeJobsInQueue: numeric,
  waitingJobsInQueue: numeric,
  maxConcurrency: numeric,
  mostRecentSuccess: maybe(Schema18.String),
  storage: Schema18.optional(
    Schema18.Struct({
      usedBytes: numeric,
      maxBytes: numeric,
      warning: maybe(Schema18.String)
    }).annotations({ description: "Bytes that are kept on disk for the team, as the local engine says it." })
  )
}).annotations({ identifier: "QueueStatus", ...open });
var get5 = (name, path3) => HttpApiEndpoint9.get(name, path3);
var TokenUsageGroup = class extends HttpApiGroup10.make("tokenUsage").add(
  get5("historical", "/v2/team/token-usage/historical").annotate(OpenApi12.Summary, "Tokens used, month by month").setUrlParams(HistoricalQuery).addSuccess(HistoricalUsage).annotate(OpenApi12.Description, "Tokens by month, all endpoints together; one credit is 15 tokens.")
).add(
  get5("historicalV1", "/v1/team/token-usage/historical").annotate(OpenApi12.Summary, "Tokens used, month by month").setUrlParams(HistoricalQuery).addSuccess(HistoricalUsage)
).add(get5("balance", "/v2/team/token-usage").annotate(OpenApi12.Summary, "Tokens left").addSuccess(TokenBalance)).add(get5("balanceV1", "/v1/team/token-usage").annotate(OpenApi12.Summary, "Tokens left").addSuccess(TokenBalance)).add(get5("credits", "/v2/team/credit-usage").annotate(OpenApi12.Summary, "Credits left").addSuccess(CreditBalance)).add(get5("creditsV1", "/v1/team/credit-usage").annotate(OpenApi12.Summary, "Credits left").addSuccess(CreditBalance)).add(
  get5("historicalCredits", "/v2/team/credit-usage/historical").annotate(OpenApi12.Summary, "Credits used, month by month").setUrlParams(HistoricalQuery).addSuccess(HistoricalCredits)
).add(
  get5("historicalCreditsV1", "/v1/team/credit-usage/historical").annotate(OpenApi12.Summary, "Credits used, month by month").setUrlParams(HistoricalQuery).addSuccess(HistoricalCredits)
).add(
  get5("concurrency", "/v2/concurrency-check").annotate(OpenApi12.Summary, "Requests that run, and how many may").addSuccess(Concurrency)
).add(
  get5("queueStatus", "/v2/team/queue-status").annotate(OpenApi12.Summary, "Jobs that wait and run").addSuccess(QueueStatus)
).add(
  get5("queueStatusV1", "/v1/team/queue-status").annotate(OpenApi12.Summary, "Jobs that wait and run").addSuccess(QueueStatus)
).middleware(Auth).annotate(OpenApi12.Title, "Team usage") {
};

// src/Api.ts
var Api = class extends HttpApi.make("sluice").add(ScrapeGroup).add(ParseGroup).add(SearchGroup).add(MapGroup).add(CrawlPreviewGroup).add(CrawlGroup).add(ActiveCrawlsGroup).add(BatchScrapeGroup).add(BrowserGroup).add(TokenUsageGroup).addError(BadRequest.schema).addError(PaymentRequired.schema).addError(RateLimited.schema).addError(Internal.schema).addError(NotImplemented.schema).annotate(OpenApi13.Title, "Web data extraction").annotate(
  OpenApi13.Description,
  "Scrape, parse, search, crawl and batch scrape over HTTP. Every request carries `Authorization: Bearer <key>`."
) {
};

// src/Settings.ts
var Settings_exports = {};
__export(Settings_exports, {
  Settings: () => Settings,
  catalogue: () => catalogue,
  engines: () => engines,
  layer: () => layer,
  read: () => read,
  secretNames: () => secretNames
});
import * as Config from "effect/Config";
import * as ConfigError from "effect/ConfigError";
import * as Context3 from "effect/Context";
import * as Either from "effect/Either";
import * as Layer from "effect/Layer";
import * as Option3 from "effect/Option";
var setting = (env, description, read2) => ({
  env,
  description,
  config: read2(env),
  isSecret: read2 === secret || read2 === database
});
var given = (parse2) => (name) => Config.nonEmptyString(name).pipe(
  Config.mapOrFail(
    (text3) => Either.mapLeft(parse2(text3), (expected) => ConfigError.InvalidData([], `${expected}, got "${text3}"`))
  ),
  Config.option,
  Config.map(Option3.getOrUndefined)
);
var text2 = given(Either.right);
var secret = (name) => Config.redacted(Config.nonEmptyString(name)).pipe(Config.option, Config.map(Option3.getOrUndefined));
var yes = ["1", "true", "yes", "on"];
var no = ["0", "false", "no", "off"];
var database = (name) => Config.redacted(Config.nonEmptyString(name)).pipe(
  Config.mapOrFail(
    (url) => Either.mapBoth(parse(url), {
      onLeft: ({ message }) => ConfigError.InvalidData([name], message),
      onRight: () => url
    })
  ),
  Config.option,
  Config.map(Option3.getOrUndefined)
);
var flag = (name) => given(
  (text3) => yes.includes(text3) || no.includes(text3) ? Either.right(yes.includes(text3)) : Either.left("Expected 1 or 0")
)(name).pipe(Config.map((isOn) => isOn ?? false));
var number = (message, isRight) => given((text3) => {
  const value = text3.trim() === "" ? Number.NaN : Number(text3);
  return isRight(value) ? Either.right(value) : Either.left(message);
});
var whole = (least, message) => number(message, (value) => Number.isSafeInteger(value) && value >= least);
var count2 = whole(1, "Expected a number from 1 on");
var bytes = whole(0, "Expected a number of bytes, 0 or more");
var list2 = (name) => Config.string(name).pipe(
  Config.withDefault(""),
  Config.map((line) => line.split(/[,\s]+/).filter((item) => item !== ""))
);
var word = (words) => given(
  (text3) => Either.fromNullable(
    words.find((each) => each === text3.toLowerCase()),
    () => `Expected ${words.join(", ")}`
  )
);
var engines = ["local", "hosted", "auto"];
var catalogue = {
  engine: setting(
    "SLUICE_ENGINE",
    "Who does the work: local, hosted, or auto, which is hosted where SLUICE_BASE_URL is set.",
    (name) => Config.map(word(engines)(name), (engine) => engine ?? "auto")
  ),
  baseUrl: setting("SLUICE_BASE_URL", "Address of a hosted service; without one the local engine answers.", text2),
  apiKey: setting("SLUICE_API_KEY", "Key for that service.", secret),
  dataDir: setting(
    "SLUICE_DATA",
    "Folder of the engine's store, its keys and the run ledger.",
    (name) => Config.nonEmptyString(name).pipe(Config.withDefault(".sluice"))
  ),
  databaseUrl: setting(
    "SLUICE_DATABASE_URL",
    "Postgres that keeps the run ledger in place of the data folder, for several machines: postgres://user:password@host:5432/database, with ?schema=NAME where sluice will not do.",
    database
  ),
  engineKeys: setting(
    "SLUICE_ENGINE_KEYS",
    "Keys the local engine accepts: name:fc-<32 hex>, comma separated.",
    secret
  ),
  allowNetworks: setting(
    "SLUICE_ALLOW_NETWORKS",
    "Private networks the local engine may reach, as CIDR, comma separated.",
    list2
  ),
  modelUrl: setting(
    "SLUICE_LLM_URL",
    "OpenAI-compatible endpoint of a language model, for the format json and crawl previews; up to and with /v1.",
    text2
  ),
  modelKey: setting("SLUICE_LLM_KEY", "Key for that endpoint.", secret),
  model: setting("SLUICE_LLM_MODEL", "Name of the model there.", text2),
  proxies: setting(
    "SLUICE_PROXIES",
    "Proxies the local engine may fetch through: name=url, comma separated; stealth, enhanced and country codes are asked for by name. A proxy gets the checked address of a site; ?dns=proxy after its address gives it the name.",
    secret
  ),
  searchProviders: setting(
    "SLUICE_SEARCH_PROVIDERS",
    "Who the local engine asks for a search, in order until one answers: brave=KEY, exa=KEY, google=KEY:CX, searxng=URL, serper=KEY, tavily=KEY, local; comma separated. Without it: local, which is what was gathered here.",
    secret
  ),
  webhookSecret: setting(
    "SLUICE_WEBHOOK_SECRET",
    "Signs what the local engine's webhooks send, where a job brings no secret of its own. With keys of several teams each team has a secret that is derived from it: set a new one when you add a second team.",
    secret
  ),
  rateLimit: setting(
    "SLUICE_RATE_LIMIT",
    "Requests that a key of the local engine may make in a minute; any number without it.",
    count2
  ),
  quota: setting(
    "SLUICE_ENGINE_QUOTA",
    "Credits that teams of the local engine may use in a month (UTC): 1000 for every team, or default=1000,other=500; any number without it.",
    text2
  ),
  weights: setting(
    "SLUICE_ENGINE_WEIGHTS",
    "How much of the local engine teams get beside each other: other=3 gives the team other three times the share of a team that is not named. Without it all teams have equal shares.",
    text2
  ),
  copyBytes: setting(
    "SLUICE_COPY_BYTES",
    "Bytes of stored copies of pages the local engine keeps for maxAge; 0 keeps none.",
    bytes
  ),
  jobBytes: setting(
    "SLUICE_JOB_BYTES",
    "Bytes of results that one job of the local engine may keep; default: 2 GB. A job that reaches it ends as failed, and what it has stays readable.",
    count2
  ),
  teamBytes: setting(
    "SLUICE_TEAM_BYTES",
    "Bytes that the local engine keeps for one team: results, errors and addresses of its jobs, repeatable answers, browser profiles; default: 8 GB. Then its jobs end, and new ones get 507.",
    count2
  ),
  chromium: setting("SLUICE_CHROMIUM", "Path of a Chromium for rendering and browser sessions.", text2),
  chromiumNoSandbox: setting(
    "SLUICE_CHROMIUM_NO_SANDBOX",
    "1 runs that Chromium without its sandbox, for machines where it has none and every page is trusted.",
    flag
  ),
  browserSessions: setting(
    "SLUICE_BROWSER_SESSIONS",
    "Browser sessions of the local engine at once, in all; 0 turns them off. Without it as many as there is memory for.",
    whole(0, "Expected a number of sessions, 0 or more")
  ),
  allowExecute: setting(
    "SLUICE_ALLOW_EXECUTE",
    "1 lets keys of the local engine run code of theirs beside a browser session, as the engine's user.",
    flag
  ),
  metricsKey: setting(
    "SLUICE_METRICS_KEY",
    "Key of /metrics, and of nothing else; without it the engine's metrics are for its own key, where it has one team.",
    secret
  ),
  log: setting(
    "SLUICE_LOG",
    "How stderr is written: text, for people, or json, for machines, an object a line; default: text.",
    word(["text", "json"])
  ),
  logLevel: setting(
    "SLUICE_LOG_LEVEL",
    "What is worth a line: debug, info, warning or error; by default warning, with json info.",
    word(["debug", "info", "warning", "error"])
  ),
  otlpEndpoint: setting(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "Collector that takes traces, metrics and logs as OTLP over HTTP, without /v1/traces; without one nothing is sent.",
    text2
  ),
  otlpHeaders: setting(
    "OTEL_EXPORTER_OTLP_HEADERS",
    "Headers for that collector, such as a key: name=value, comma separated.",
    secret
  ),
  serviceName: setting(
    "OTEL_SERVICE_NAME",
    "What this process is called there; default: sluice.",
    (name) => Config.nonEmptyString(name).pipe(Config.withDefault("sluice"))
  ),
  resourceAttributes: setting(
    "OTEL_RESOURCE_ATTRIBUTES",
    "What else is said of this process there: name=value, comma separated.",
    (name) => Config.string(name).pipe(Config.withDefault(""))
  ),
  traceShare: setting(
    "OTEL_TRACES_SAMPLER_ARG",
    "Share of the traces that begin here and are sent, from 0 to 1; default: 1.",
    (name) => Config.map(
      number("Expected a number from 0 to 1", (share) => share >= 0 && share <= 1)(name),
      (share) => share ?? 1
    )
  )
};
var secretNames = new Set(
  Object.values(catalogue).flatMap(({ env, isSecret }) => isSecret ? [env] : [])
);
var Settings = class extends Context3.Tag("sluice/Settings")() {
};
var all2 = Config.all(
  Object.fromEntries(Object.entries(catalogue).map(([name, { config }]) => [name, config]))
);
var read = all2;
var layer = Layer.effect(Settings, read);

// src/Telemetry/Trace.ts
import * as Context4 from "effect/Context";
import * as DefaultServices from "effect/DefaultServices";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Option4 from "effect/Option";
import * as Tracer from "effect/Tracer";
var untraced = Context4.get(DefaultServices.liveServices, Tracer.Tracer);
var isTraced = Effect.map(Effect.tracer, (tracer2) => tracer2 !== untraced);
var within = (name, options) => (effect2) => Effect.flatMap(
  isTraced,
  (traced) => traced ? Effect.withSpan(effect2, name, { captureStackTrace: false, ...options }) : effect2
);
var shared = (name, fibers, attributes) => Effect.map(
  Effect.flatMap(
    isTraced,
    (traced) => traced ? Effect.makeSpan(name, { captureStackTrace: false, attributes }) : Effect.succeed(void 0)
  ),
  (span) => {
    let left2 = fibers;
    return (work) => span === void 0 ? work : Effect.onExit(
      Effect.withParentSpan(work, span),
      (exit) => Effect.map(Effect.clock, (clock2) => {
        if (--left2 === 0 || Exit.isFailure(exit)) {
          if (span.status._tag === "Started") span.end(clock2.unsafeCurrentTimeNanos(), exit);
        }
      })
    );
  }
);
var apart = (effect2) => Effect.mapInputContext(effect2, (context) => {
  const services = new Map(context.unsafeMap);
  services.delete(Tracer.ParentSpan.key);
  return Context4.unsafeMake(services);
});
var note = (attributes) => Effect.flatMap(isTraced, (traced) => traced ? Effect.annotateCurrentSpan(attributes) : Effect.void);
var traceId = /^(?!0+$)[0-9a-f]{32}$/;
var spanId = /^(?!0+$)[0-9a-f]{16}$/;
var idsOf = (span) => span !== void 0 && traceId.test(span.traceId) && spanId.test(span.spanId) ? { traceId: span.traceId, spanId: span.spanId } : void 0;
var here = Effect.map(
  Effect.option(Effect.currentParentSpan),
  (span) => idsOf(Option4.getOrUndefined(span))
);
var traceparent = Effect.map(
  Effect.option(Effect.currentParentSpan),
  Option4.match({
    onNone: () => void 0,
    onSome: (span) => {
      const ids = idsOf(span);
      return ids && `00-${ids.traceId}-${ids.spanId}-${span.sampled ? "01" : "00"}`;
    }
  })
);
var parentOf = (traceparent2) => {
  const [, traceId2, spanId2, flags = "00"] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(traceparent2 ?? "") ?? [];
  return traceId2 === void 0 || spanId2 === void 0 ? void 0 : Tracer.externalSpan({ traceId: traceId2, spanId: spanId2, sampled: (Number.parseInt(flags, 16) & 1) === 1 });
};

// src/Version.ts
var version = "0.1.0";

// src/Telemetry/Metric.ts
import * as Effect2 from "effect/Effect";
import * as EffectMetric from "effect/Metric";
import * as MetricBoundaries from "effect/MetricBoundaries";
import * as MetricLabel from "effect/MetricLabel";
var declared = /* @__PURE__ */ new Map();
var mostSeries = 200;
var longest = 100;
var none = [];
var make13 = (declaration, base, most = mostSeries) => {
  declared.set(declaration.name, declaration);
  const { labels } = declaration;
  const known = /* @__PURE__ */ new Map();
  const tagged = (values) => labels.length === 0 ? base : EffectMetric.taggedWithLabels(
    base,
    labels.map((label, at) => MetricLabel.make(label, String(values[at] ?? "").slice(0, longest)))
  );
  return (values) => {
    const key = values.join("\0");
    let series = known.get(key);
    if (series === void 0) {
      const isFull = known.size >= most;
      const place = isFull ? "\0other" : key;
      series = known.get(place) ?? tagged(isFull ? labels.map(() => "other") : values);
      known.set(place, series);
    }
    return series;
  };
};
var counter2 = (name, help, labels, most) => {
  const find = make13(
    { name, kind: "counter", help, labels },
    EffectMetric.counter(name, { description: help, incremental: true }),
    most
  );
  return { add: (amount, ...values) => find(values).unsafeUpdate(amount, none) };
};
var gauge2 = (name, help, labels) => {
  const find = make13({ name, kind: "gauge", help, labels }, EffectMetric.gauge(name, { description: help }));
  return {
    set: (value, ...values) => find(values).unsafeUpdate(value, none),
    /** For what begins and ends. */
    add: (amount, ...values) => find(values).unsafeModify(amount, none)
  };
};
var seconds = [1e-3, 5e-3, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
var histogram2 = (name, help, labels, boundaries = seconds) => {
  const find = make13(
    { name, kind: "histogram", help, labels },
    EffectMetric.histogram(name, MetricBoundaries.fromIterable(boundaries), help)
  );
  return { record: (value, ...values) => find(values).unsafeUpdate(value, none) };
};
var observers = /* @__PURE__ */ new Map();
var want = (look, more) => Effect2.sync(() => {
  const count3 = (observers.get(look) ?? 0) + more;
  if (count3 > 0) observers.set(look, count3);
  else observers.delete(look);
});
var observe = (look) => Effect2.acquireRelease(want(look, 1), () => want(look, -1));
var sample = Effect2.suspend(
  () => Effect2.forEach(
    [...observers.keys()],
    (look) => Effect2.catchAllCause(Effect2.timeoutOption(look, "2 seconds"), () => Effect2.void),
    { discard: true, concurrency: 4 }
  )
);

// src/Api/Depth.ts
var deepest = 1e3;
var isDeep = (value, limit) => {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const next = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      for (const inner of Object.values(item)) if (typeof inner === "object" && inner !== null) next.push(inner);
    }
    level = next;
  }
  return false;
};
var [quote, backslash, comma, colon, openArray, closeArray, openObject, closeObject] = [
  34,
  92,
  44,
  58,
  91,
  93,
  123,
  125
];
var excessOf = (json, bounds) => {
  const at = typeof json === "string" ? (index) => json.charCodeAt(index) : (index) => json[index];
  const quoteFrom = typeof json === "string" ? (index) => json.indexOf('"', index) : (index) => json.indexOf(quote, index);
  let [levels, containers, keys, values] = [0, 0, 0, 1];
  for (let index = 0; index < json.length; index++) {
    const byte = at(index);
    if (byte === quote) {
      for (; ; ) {
        index = quoteFrom(index + 1);
        if (index === -1) return void 0;
        let escapes = 0;
        while (at(index - 1 - escapes) === backslash) escapes += 1;
        if (escapes % 2 === 0) break;
      }
    } else if (byte === comma) {
      values += 1;
      if (values > bounds.values) return "values";
    } else if (byte === colon) {
      keys += 1;
      if (keys > bounds.keys) return "keys";
    } else if (byte === openObject || byte === openArray) {
      levels += 1;
      containers += 1;
      if (levels > bounds.levels) return "levels";
      if (containers > bounds.containers) return "containers";
    } else if (byte === closeObject || byte === closeArray) levels -= 1;
  }
  return void 0;
};
var excessText = (of, limit) => {
  if (of === "levels") return `is nested more than ${limit} levels deep`;
  return `has more than ${limit} ${of === "containers" ? "objects and arrays" : of}`;
};
var any = Number.POSITIVE_INFINITY;
var mayHoldMore = (json, limit) => {
  const nextOf = (code, from) => typeof json === "string" ? json.indexOf(code === openArray ? "[" : "{", from) : json.indexOf(code, from);
  let count3 = 0;
  for (const code of [openArray, openObject])
    for (let at = nextOf(code, 0); at !== -1; at = nextOf(code, at + 1)) if (++count3 > limit) return true;
  return false;
};
var isDeepJson = (json, limit) => json.length > limit && mayHoldMore(json, limit) && excessOf(json, { levels: limit, containers: any, keys: any, values: any }) !== void 0;
var parseShallow = (text3) => {
  return isDeepJson(text3, deepest) ? void 0 : JSON.parse(text3);
};

export {
  BadRequest,
  Unauthorized,
  PaymentRequired,
  Forbidden,
  NotFound,
  TimedOut,
  Conflict,
  Gone,
  TooLarge,
  UnsupportedType,
  Unprocessable,
  RateLimited,
  Internal,
  NotImplemented,
  InsufficientStorage,
  Unavailable,
  Team,
  Auth,
  boundsOf,
  OptionalBody,
  list,
  settle,
  PageUrl,
  JobId,
  Document,
  statuses,
  ended,
  pageSize,
  JobEnvelope,
  formats,
  rareFormats,
  formatName,
  fields,
  fieldsV1,
  mostUrls,
  createFields,
  longestDelay,
  fields2,
  CrawlParams,
  startFields2 as startFields,
  PreviewRequest,
  requestFields,
  MapResponse,
  extensions,
  maxFileSize,
  optionFields,
  ParseOptions,
  unsupportedOptions,
  unsupportedFormats,
  uploadLimits,
  Upload,
  Parsed,
  requestFields2,
  Scraped,
  sources,
  requestFields3,
  SearchResponse,
  tokensPerCredit,
  Api,
  catalogue,
  Settings,
  Settings_exports,
  isTraced,
  within,
  shared,
  apart,
  note,
  idsOf,
  here,
  traceparent,
  parentOf,
  version,
  counter2 as counter,
  gauge2 as gauge,
  histogram2 as histogram,
  observe,
  sample,
  deepest,
  isDeep,
  excessOf,
  excessText,
  isDeepJson,
  parseShallow
};
