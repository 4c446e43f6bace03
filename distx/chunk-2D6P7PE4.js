import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  table,
  wrap
} from "./chunk-UIAQCNUI.js";
import {
  everywhere
} from "./chunk-QWDGHURV.js";
import {
  allowCode
} from "./chunk-22T4FJR7.js";
import {
  loadVerbs,
  make,
  optional,
  text,
  toggle
} from "./chunk-FCWYZXNV.js";
import {
  paint
} from "./chunk-CZDJQLZL.js";
import {
  isForProfiles
} from "./chunk-Y3UV4EDE.js";
import {
  registryOf,
  runNames
} from "./chunk-3BWTLUFE.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import {
  Common,
  Frame,
  builtIn,
  catalogue,
  commonFields,
  expectation,
  flatten,
  ignoredKeys,
  isExpression,
  knownKeys,
  read2 as read,
  rowNames
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import {
  didYouMean
} from "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-4U3SQ3WC.js";
import {
  ExitCode
} from "./chunk-DUMKR6VQ.js";
import {
  TaggedError,
  getDefaultAnnotation,
  getDescriptionAnnotation,
  isRefinement,
  isTransformation,
  isTypeLiteral,
  isUndefinedKeyword,
  isUnion
} from "./chunk-PAQDWWDE.js";
import {
  flatMap5 as flatMap,
  gen,
  promise
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import {
  isSome,
  none2 as none,
  toArray
} from "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Row/Expression/Catalogue.ts
var of = (group, lines) => lines.trim().split(`
`).map((line) => {
  let [call = "", summary = ""] = line.trim().split(" :: ");
  return { group, name: call.slice(1).split("(", 1)[0] ?? "", call, summary };
}), catalogue2 = [
  ...of(
    "Web data",
    `
    $host(url) :: The host of a URL, without its port.
    $canonicalUrl(url) :: The URL without parts that do not identify the page: tracking parameters, fragment, order of parameters.
    $sha256(string) :: SHA-256 in hexadecimal.
    $slug(string) :: Letters and digits joined by dashes, for file names.
    $date(value) :: A date string or milliseconds as ISO 8601 in UTC.
    $json(string) :: The parsed JSON; nothing when the string is not JSON.
  `
  ),
  ...of(
    "Strings",
    `
    $string(value[, pretty]) :: The value as a string.
    $length(string) :: Number of characters.
    $substring(string, start[, length]) :: Part of a string; a negative start counts from the end.
    $substringBefore(string, chars) :: The part before the first occurrence.
    $substringAfter(string, chars) :: The part after the first occurrence.
    $lowercase(string) :: In lower case.
    $uppercase(string) :: In upper case.
    $trim(string) :: Without white space at both ends, and with single spaces inside.
    $pad(string, width[, char]) :: Filled to a width; on the left when the width is negative.
    $contains(string, pattern) :: True when a string or /pattern/ occurs.
    $match(string, pattern[, limit]) :: The matches of a /pattern/: match, index and groups.
    $replace(string, pattern, replacement[, limit]) :: With every match replaced.
    $split(string, separator[, limit]) :: The parts between separators.
    $join(array[, separator]) :: Strings joined to one.
    $base64encode(string) :: Encoded as Base64.
    $base64decode(string) :: Decoded from Base64.
    $encodeUrl(string) :: A URL with characters escaped that URLs must not contain.
    $encodeUrlComponent(string) :: Escaped as a part of a URL.
    $decodeUrl(string) :: A URL without escapes.
    $decodeUrlComponent(string) :: A part of a URL without escapes.
  `
  ),
  ...of(
    "Numbers",
    `
    $number(value) :: The value as a number.
    $floor(number) :: Rounded down.
    $ceil(number) :: Rounded up.
    $round(number[, digits]) :: Rounded, half to even.
    $abs(number) :: The absolute value.
    $sqrt(number) :: The square root.
    $power(base, exponent) :: The power.
    $random() :: A number from 0 to 1, the same when the run is repeated.
    $sum(array) :: The sum.
    $count(array) :: Number of values.
    $max(array) :: The maximum.
    $min(array) :: The minimum.
    $average(array) :: The mean.
    $formatNumber(number, picture[, options]) :: Formatted with a picture like #,##0.00.
    $formatBase(number[, radix]) :: In another base.
    $formatInteger(number, picture) :: Formatted with a picture like w or 01.
    $parseInteger(string, picture) :: The integer that a string contains, read with a picture.
  `
  ),
  ...of(
    "Arrays and objects",
    `
    $append(array, array) :: Two arrays joined.
    $distinct(array) :: Without duplicates.
    $reverse(array) :: In reverse order.
    $sort(array[, function]) :: Sorted; the function returns true when its two arguments have to be swapped.
    $shuffle(array) :: In random order.
    $zip(array, \u2026) :: Arrays of the first values, the second values, and so on.
    $map(array, function) :: The result of the function for each value.
    $filter(array, function) :: The values for which the function returns true.
    $single(array[, function]) :: The only value for which the function returns true.
    $reduce(array, function[, start]) :: The values combined to one.
    $keys(object) :: Its keys.
    $lookup(object, key) :: The value of a key.
    $merge(array) :: Objects merged; the last value of a key wins.
    $spread(object) :: An array of objects with one key each.
    $sift(object, function) :: The keys and values for which the function returns true.
    $each(object, function) :: The result of the function for each value and key.
    $clone(value) :: A copy.
  `
  ),
  ...of(
    "Tests",
    `
    $boolean(value) :: False for nothing, null, 0 and empty values, else true.
    $not(value) :: The opposite.
    $exists(value) :: True when there is a value.
    $type(value) :: Its type: null, number, string, boolean, array, object or function.
    $error([message]) :: Fails the row.
    $assert(condition[, message]) :: Fails the row unless the condition is true.
  `
  ),
  ...of(
    "Time",
    `
    $now([picture[, timezone]]) :: The start of the run, as ISO 8601.
    $millis() :: The start of the run, in milliseconds.
    $toMillis(string[, picture]) :: A time as milliseconds since 1970.
    $fromMillis(number[, picture[, timezone]]) :: Milliseconds since 1970 as ISO 8601.
  `
  )
];

// src/Pipeline/Reference.ts
var written = (ast) => {
  switch (ast._tag) {
    case "Refinement":
    case "Transformation":
      return written(ast.from);
    case "Suspend":
      return written(ast.f());
    default:
      return ast;
  }
}, isComputed = (ast) => {
  let inner = written(ast), [only, more] = isTypeLiteral(inner) ? inner.propertySignatures : [];
  return only?.name === "expr" && more === void 0 && isExpression(only.type);
}, formOf = (ast) => flatten(ast).every(isExpression) ? "expression" : flatten(ast).some(isComputed) ? "literal or expression" : "literal", literals = (ast) => {
  if (!isUnion(ast)) return [ast];
  let own = ast.types.filter((type) => !isUndefinedKeyword(type) && !isComputed(type));
  return own.length === ast.types.length ? [ast] : own.flatMap(literals);
}, typeOf = (ast) => literals(ast).map(expectation).join(" or "), aboutOf = (annotated) => annotated.flatMap((each) => toArray(getDescriptionAnnotation(each))).find((text3) => /[.]$/.test(text3)), layers = (ast) => [
  ast,
  ...isUnion(ast) ? ast.types.flatMap(layers) : [],
  ...isRefinement(ast) || isTransformation(ast) ? layers(ast.from) : []
], isJson = (value) => Array.isArray(value) ? value.every(isJson) : typeof value != "object" || value === null ? ["string", "number", "boolean"].includes(typeof value) : Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson), filledIn = (ast) => isRefinement(ast) ? filledIn(ast.from) : !isTransformation(ast) || ast.transformation._tag !== "TypeLiteralTransformation" ? {} : Object.fromEntries(
  ast.transformation.propertySignatureTransformations.flatMap(({ decode, from }) => {
    let value = decode(none());
    return isSome(value) && isJson(value.value) ? [[String(from), value.value]] : [];
  })
), nested = (ast) => {
  let found = literals(ast).flatMap(flatten).filter((type) => knownKeys(written(type)).length > 0);
  return found.length === 1 ? found[0] : void 0;
}, ofAnyName = (ast) => literals(ast).flatMap(flatten).map(written).flatMap((type) => isTypeLiteral(type) ? type.indexSignatures.map((index) => index.type) : []), fieldsOf = (ast, prefix = "") => {
  let inner = written(ast);
  if (!isTypeLiteral(inner)) return [];
  let defaults = filledIn(ast);
  return inner.propertySignatures.flatMap((signature) => {
    let { isOptional, type } = signature, name = `${prefix}${String(signature.name)}`, all = layers(type), annotated = all.flatMap((each) => toArray(getDefaultAnnotation(each))), fallback = defaults[String(signature.name)] ?? annotated[0], below = nested(type);
    return [
      {
        name,
        required: !isOptional,
        type: below !== void 0 && /^an object like /.test(typeOf(type)) ? "an object" : typeOf(type),
        form: formOf(type),
        ...fallback === void 0 ? {} : { default: fallback },
        about: aboutOf([signature, ...all])
      },
      ...below === void 0 ? [] : fieldsOf(below, `${name}.`),
      ...ofAnyName(type).flatMap((each) => fieldsOf(each, `${name}.NAME.`))
    ];
  });
}, shapesOf = (ast) => (formOf(ast) === "literal or expression" ? [ast] : flatten(ast)).flatMap(
  (each) => isUnion(each) && each !== ast && formOf(each) === "literal" ? shapesOf(each) : [{ type: typeOf(each), form: formOf(each), fields: fieldsOf(each) }]
), rows = {
  source: "0 \u2192 n, or n \u2192 n with `each: true`",
  item: "1 \u2192 1",
  transform: "n \u2192 n",
  sink: "n \u2192 n",
  value: "a value for ${{ steps.ID.output }}; rows pass by"
}, rejects = "`onError`: reject (the default) makes it a line of the reject file with step, place, reason and the row; keep lets the row go on as it came; drop leaves it out; fail ends the run.", failures = {
  source: `A call that fails, after its \`retry\`, ends the run; with \`each: true\` it is the row that fails. A single page, file or row that fails is settled by ${rejects}`,
  item: `A row that fails, after its \`retry\`, is settled by ${rejects}`,
  transform: `A row that fails is settled by ${rejects}`,
  sink: `A row that fails is settled by ${rejects}`,
  value: "When it fails, after its `retry`, the run ends."
}, entryOf = (step) => {
  let { behaviour, config, example, headers, key, summary } = step, idle = ignoredKeys(behaviour);
  return {
    key,
    kind: "step",
    summary,
    rows: rows[behaviour.kind],
    shapes: shapesOf(config.ast),
    commonKeys: Object.keys(commonFields).filter((each) => !idle.includes(each)),
    failures: failures[behaviour.kind],
    example,
    headers
  };
}, reference = (steps = builtIn) => {
  let entries = steps.map(entryOf), write = entries.find(({ key }) => key === "write");
  return {
    steps: entries,
    sinks: steps.flatMap(({ behaviour }) => behaviour.kind === "sink" ? behaviour.sinks ?? [] : []).map(({ config, example, key, summary }) => ({
      key,
      kind: "sink",
      summary,
      rows: "1 \u2192 1",
      shapes: shapesOf(config.ast),
      commonKeys: write?.commonKeys ?? [],
      failures: `A row that cannot be written is settled by ${rejects}`,
      example
    })),
    commonKeys: fieldsOf(Common.ast),
    frame: fieldsOf(Frame.ast),
    names: {
      settled: ["inputs.NAME", "env.NAME", ...runNames.map((name) => `run.${name}`), "steps.ID.output"],
      row: rowNames.map(
        (name) => name === "inputs" ? "$inputs.NAME" : name === "steps" ? "$steps.ID.output" : `$${name}`
      )
    },
    functions: catalogue2
  };
};

// src/Cli/Explain/Chapter.ts
var text2 = (text3) => ({ kind: "text", text: text3 }), formNote = {
  literal: "",
  "literal or expression": ", or { expr: \u2026 }",
  expression: ""
}, takes = ({ form, type }) => `${type}${formNote[form]}`, shapeSections = (key, shapes) => shapes.map((shape) => {
  let [first] = shape.fields, like = shape.fields.filter(({ required }) => required).slice(0, 2), mapping = (like.length === 0 && first !== void 0 ? [first] : like).map(({ name }) => `${name}: \u2026`), heading = shapes.length === 1 || shape.fields.length === 0 ? "" : ` of ${key}: { ${mapping.join(", ")} }`;
  return shape.fields.length === 0 ? { heading: "Value", blocks: [text2(`${takes(shape)}.`)] } : { heading: `Fields${heading}`, blocks: [{ kind: "fields", fields: shape.fields }] };
}), usesRow = (shapes) => shapes.some(
  ({ fields, form, type }) => /expression/.test(`${form} ${type}`) || fields.some((field) => field.form !== "literal")
), namesOf = (entry, { names }) => {
  let { headers } = entry, settled = `\${{ \u2026 }} may stand for any value but an expression; it is filled in once before the run and knows ${names.settled.join(", ")}.`, secrets = headers === void 0 ? "" : ` \${{ secrets.NAME }} may stand in ${headers.join(".")} and nowhere else.`, row = usesRow(entry.shapes) ? ` Expressions are JSONata over each row: they know its fields, ${names.row.join(", ")}, and the functions of \`sluice explain expressions\`.` : "";
  return settled + secrets + row;
}, entryChapter = (entry, reference2) => ({
  name: entry.key,
  title: entry.key,
  lead: entry.summary,
  sections: [
    { heading: "Rows", blocks: [text2(`${entry.rows}.`)] },
    ...shapeSections(entry.kind === "sink" ? "write" : entry.key, entry.shapes),
    { heading: "Values", blocks: [text2(namesOf(entry, reference2))] },
    { heading: "Keys beside it", blocks: [text2(`${entry.commonKeys.join(", ")}: see \`sluice explain keys\`.`)] },
    { heading: "What fails", blocks: [text2(entry.failures)] },
    { heading: "Example", blocks: [{ kind: "code", code: entry.example }] }
  ]
}), meanings = {
  0: "done",
  1: "failed",
  2: "wrong usage of the command line",
  3: "too many rejects",
  4: "the budget is reached; what was paid for is kept, and the run can be resumed",
  5: "another run holds the lock",
  6: "a check of the data failed",
  78: "a definition or a setting is invalid",
  129: "stopped, the terminal is gone; the run can be resumed",
  130: "stopped with Ctrl-C; the run can be resumed",
  143: "stopped by a signal; the run can be resumed"
}, expressions = (reference2) => {
  let groups = [...new Set(reference2.functions.map(({ group }) => group))];
  return {
    name: "expressions",
    title: "Expressions",
    lead: "JSONata, with a second of computing for each row (at most 5 s by the wall clock), a million values in an array and 16 million characters in a string that it makes; patterns take linear time, and $eval is switched off. An expression sees one row; a value that is missing is nothing, and no error.",
    sections: [
      {
        heading: "Names",
        blocks: [
          {
            kind: "entries",
            entries: [
              ["a.b", "a field of the row; metadata.title"],
              ["$key", "the row's identity: its canonical address, or the hash of a file"],
              ["$source", "the row that it was made from"],
              ["$run", "the run: id, site, startedAt, date"],
              ["$inputs.NAME", "an input of the pipeline, of its declared type; ${{ \u2026 }} is refused in expressions"],
              ["$steps.ID.output", "the value of a step above, such as crawlPreview"]
            ]
          }
        ]
      },
      {
        heading: "Examples",
        blocks: [
          {
            kind: "entries",
            entries: [
              ["metadata.statusCode = 200 and $length(markdown) > 200", "a condition"],
              ["metadata.title ?? $source.title", "the first that is there"],
              ["$count($split(markdown, /\\s+/))", "words"],
              ["links[$contains($, '.pdf')]", "a part of a list"]
            ]
          }
        ]
      },
      ...groups.map(
        (group) => ({
          heading: group,
          blocks: [
            {
              kind: "entries",
              entries: reference2.functions.filter((each) => each.group === group).map(({ call, summary }) => [call, summary])
            }
          ]
        })
      )
    ]
  };
}, topics = (reference2) => [
  {
    name: "frame",
    title: "Frame",
    lead: "The keys of a definition, around its steps.",
    sections: [{ heading: "Keys", blocks: [{ kind: "fields", fields: reference2.frame }] }]
  },
  {
    name: "keys",
    title: "Common keys",
    lead: "Keys that may stand beside a step's own. One that would do nothing on a step is refused.",
    sections: [{ heading: "Keys", blocks: [{ kind: "fields", fields: reference2.commonKeys }] }]
  },
  expressions(reference2),
  {
    name: "settings",
    title: "Settings",
    lead: "Read from the environment, or from a profile in `config/`.",
    sections: [
      {
        heading: "Variables",
        blocks: [
          {
            kind: "entries",
            entries: Object.entries(catalogue).map(
              ([name, setting]) => [
                setting.env,
                `${setting.description} ${isForProfiles(setting) ? `In a profile: \`${name}\`.` : "From the environment only."}`
              ]
            )
          }
        ]
      }
    ]
  },
  {
    name: "exit-codes",
    title: "Exit codes",
    lead: "What a command says with its exit code.",
    sections: [
      {
        heading: "Codes",
        blocks: [
          {
            kind: "entries",
            entries: Object.entries(ExitCode).map(([name, code2]) => [String(code2), meanings[code2] ?? name])
          }
        ]
      }
    ]
  }
], flagEntries = (parameters2) => ({
  kind: "entries",
  entries: Object.entries(parameters2).filter(([, { kind }]) => kind === "flag").map(([name, { description, short, value }]) => [
    `${short === void 0 ? "" : `-${short}, `}--${name}${value === void 0 ? "" : ` ${value}`}`,
    description
  ])
}), verbChapter = (verb) => {
  let { details, examples, name, parameters: parameters2, summary } = verb, operands = Object.values(parameters2).filter(({ kind }) => kind === "operand");
  return {
    name: `sluice ${name}`,
    title: `sluice ${name}`,
    lead: summary,
    sections: [
      {
        heading: "Usage",
        blocks: [
          { kind: "text", text: `\`${`sluice ${name} ${verb.operands}`.trim()}\`` },
          ...operands.length === 0 ? [] : [
            {
              kind: "entries",
              entries: operands.map(({ description, value = "" }) => [value, description])
            }
          ]
        ]
      },
      ...Object.values(parameters2).some(({ kind }) => kind === "flag") ? [{ heading: "Flags", blocks: [flagEntries(parameters2)] }] : [],
      { heading: "Examples", blocks: [{ kind: "entries", entries: examples.map(({ line, what }) => [line, what]) }] },
      ...details === void 0 ? [] : [{ heading: "More", blocks: [{ kind: "text", text: details }] }]
    ]
  };
}, commands = (verbs, everywhere2) => [
  {
    name: "every-verb",
    title: "Every verb",
    lead: "What every verb understands. Standard output is data, standard error is talk; what a command says with its exit code is under [exit codes](#exit-codes).",
    sections: [{ heading: "Flags", blocks: [flagEntries(everywhere2)] }]
  },
  ...verbs.map(verbChapter)
];

// src/Cli/Explain/Render.ts
var unmarked = (text3) => text3.replaceAll("`", ""), describe = (field) => {
  let fallback = "default" in field ? ` (default ${JSON.stringify(field.default)})` : "", about = field.about === void 0 ? "" : `. ${field.about}`;
  return unmarked(`${field.required ? "required: " : ""}${takes(field)}${fallback}${about}`);
}, indent = (lines) => lines.map((line) => `  ${line}`).join(`
`), drawBlock = (block, width, dye) => {
  switch (block.kind) {
    case "text":
      return indent(wrap(unmarked(block.text), width - 2));
    case "code":
      return indent(block.code.split(`
`));
    case "entries":
      return table(
        block.entries.map(([term, meaning]) => [term, unmarked(meaning)]),
        width,
        dye
      );
    case "fields":
      return table(
        block.fields.map((field) => [field.name, describe(field)]),
        width,
        dye
      );
  }
}, widthOf = (channel) => Math.min(channel.columns(), 100), page = ({ lead, sections, title }, channel) => {
  let dye = paint(channel), width = widthOf(channel), parts = sections.map(
    ({ blocks, heading }) => [dye.bold(heading), ...blocks.map((block) => drawBlock(block, width, dye))].join(`
`)
  );
  return `${[dye.bold(title), ...wrap(unmarked(lead), width)].join(`
`)}

${parts.join(`

`)}
`;
}, overview = ({ sinks, steps }, topics2, channel) => {
  let dye = paint(channel), width = widthOf(channel), list = (entries) => table(
    entries.map(({ key, summary }) => [key, summary]),
    width,
    dye
  );
  return [
    `${dye.bold("Steps")}
${list(steps)}`,
    `${dye.bold("Sinks, the values of write")}
${list(sinks)}`,
    `${dye.bold("Around them")}
${table(
      topics2.map(({ lead, name }) => [name, unmarked(lead)]),
      width,
      dye
    )}`,
    `${dye.dim("sluice explain NAME tells more.")}
`
  ].join(`

`);
}, cell = (text3) => text3.split(/(`[^`]*`)/).map((part) => part.startsWith("`") ? part : part.replaceAll("<", "&lt;").replaceAll("*", "\\*")).join("").replaceAll("|", "\\|").replace(/\s*\n\s*/g, " "), code = (text3) => text3.includes("`") ? `\`\` ${text3} \`\`` : `\`${text3}\``, tableRow = (cells) => `| ${cells.map(cell).join(" | ")} |`, tableOf = (head, rows2) => [tableRow(head), `|${head.map(() => "---").join("|")}|`, ...rows2.map(tableRow)].join(`
`), fieldRow = (field) => [
  `${code(field.name)}${field.required ? " (required)" : ""}`,
  takes(field).replace("{ expr: \u2026 }", "`{ expr: \u2026 }`"),
  "default" in field ? code(JSON.stringify(field.default)) : "",
  field.about ?? ""
], markdownBlock = (block) => {
  switch (block.kind) {
    case "text":
      return block.text.replace(/\$\{\{ [^}]* \}\}/g, (each) => code(each));
    case "code":
      return `\`\`\`yaml
${block.code}
\`\`\``;
    case "entries":
      return tableOf(
        ["", "what"],
        block.entries.map(([term, meaning]) => [code(term), meaning])
      );
    case "fields":
      return tableOf(["field", "takes", "default", "what"], block.fields.map(fieldRow));
  }
}, markdown = ({ lead, sections, title }, level) => [
  `${"#".repeat(level)} ${title}`,
  lead,
  ...sections.flatMap(({ blocks, heading }) => [`**${heading}**`, ...blocks.map(markdownBlock)])
].join(`

`), book = (parts) => {
  let anchor = (title) => title.toLowerCase().replace(/[^\w]+/g, "-");
  return `${[
    "# Reference",
    "Every step, sink, key, function, setting, exit code, verb and flag. Made by `npm run reference` from the schemas and verbs of the program; `sluice explain NAME` shows the same in a terminal.",
    parts.map(
      ({ chapters, title }) => `- [${title}](#${anchor(title)}): ${chapters.map((each) => `[${each.title}](#${anchor(each.title)})`).join(" \xB7 ")}`
    ).join(`
`),
    ...parts.flatMap(({ chapters, title }) => [`## ${title}`, ...chapters.map((each) => markdown(each, 3))])
  ].join(`

`)}
`;
};

// src/Cli/Explain.ts
var parameters = {
  name: optional("NAME", "A step or a sink, or one of keys, frame, expressions, settings, exit-codes."),
  definition: text("FILE", "Explains the language of this definition, with the steps of its extensions."),
  "allow-code": allowCode,
  json: toggle("Prints it as one JSON object on stdout."),
  markdown: toggle("Prints it as Markdown; without a name the whole reference.")
}, command = make({
  parameters,
  examples: [
    { line: "sluice explain", what: "everything that can be explained" },
    { line: "sluice explain crawl", what: "one step" },
    { line: "sluice explain expressions", what: "the functions of expressions" },
    { line: "sluice explain --definition shop.yaml --allow-code", what: "with the steps of a project's own" }
  ],
  run: (options, terminal, verbs) => run(options, terminal, verbs)
}), NothingToExplain = class extends TaggedError("NothingToExplain") {
  exitCode = ExitCode.usage;
  get message() {
    return `there is no step, sink or topic "${this.name}"${this.hint === "" ? ": `sluice explain` lists all of them" : this.hint}`;
  }
}, entriesOf = ({ sinks, steps }) => [...steps, ...sinks], wholeBook = (all, verbs) => {
  let [frame, keys, ...others] = topics(all), chapters = (entries) => entries.map((entry) => entryChapter(entry, all));
  return book([
    { title: "Definition", chapters: [frame, keys].filter((each) => each !== void 0) },
    { title: "Steps", chapters: chapters(all.steps) },
    { title: "Sinks", chapters: chapters(all.sinks) },
    { title: "Around them", chapters: others },
    { title: "Command line", chapters: commands(verbs, everywhere) }
  ]);
}, json = (value) => `${JSON.stringify(value, null, 2)}
`, run = (options, { out }, verbs) => gen(function* () {
  let { definition } = options, registry = definition === void 0 ? void 0 : yield* flatMap(read(definition), registryOf), all = reference(registry?.steps), around = topics(all), { name } = options;
  if (name === void 0)
    return options.markdown ? out.write(wholeBook(all, yield* promise(() => loadVerbs(verbs)))) : out.write(options.json ? json(all) : overview(all, around, out));
  let entry = entriesOf(all).find(({ key }) => key === name), chapter = entry === void 0 ? around.find((each) => each.name === name) : entryChapter(entry, all);
  if (chapter === void 0) {
    let names = [...entriesOf(all).map(({ key }) => key), ...around.map((each) => each.name)];
    return yield* new NothingToExplain({ name, hint: didYouMean(name, names) });
  }
  out.write(
    options.markdown ? `${markdown(chapter, 1)}
` : options.json ? json(entry ?? chapter) : page(chapter, out)
  );
});
export {
  command,
  wholeBook
};
