import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  testSchema
} from "./chunk-ZDDOVD4E.js";
import {
  makeFolder
} from "./chunk-4D2OEZ5S.js";
import {
  allowCode
} from "./chunk-22T4FJR7.js";
import {
  make,
  text,
  toggle
} from "./chunk-FCWYZXNV.js";
import {
  FileUnusable
} from "./chunk-BMNGXVO7.js";
import {
  registryOf
} from "./chunk-3BWTLUFE.js";
import {
  Common,
  builtIn,
  frameFields,
  make2,
  read2 as read
} from "./chunk-PGOM52WJ.js";
import {
  FileSystem,
  Path
} from "./chunk-4U3SQ3WC.js";
import {
  fileErrorReason
} from "./chunk-DUMKR6VQ.js";
import {
  Struct
} from "./chunk-PAQDWWDE.js";
import {
  flatMap5 as flatMap,
  gen,
  mapError2 as mapError
} from "./chunk-JGKSI326.js";

// src/Pipeline/JsonSchema.ts
var settled = { type: "string", pattern: "\\$\\{\\{[\\s\\S]*\\}\\}", description: "settled before the run" }, isJson = (value) => typeof value == "object" && value !== null && !Array.isArray(value), interpolable = (schema) => {
  if (Array.isArray(schema)) return schema.map(interpolable);
  if (!isJson(schema)) return schema;
  let inner = Object.fromEntries(
    Object.entries(schema).filter(([key]) => key !== "$id").map(([key, value]) => key === "properties" || key === "$defs" || key === "patternProperties" ? [
      key,
      isJson(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, interpolable(each)])) : value
    ] : [
      key,
      ["items", "anyOf", "oneOf", "allOf", "additionalProperties"].includes(key) ? interpolable(value) : value
    ])
  );
  return typeof schema.type == "string" && schema.type !== "string" || schema.type === "string" && ("enum" in schema || "pattern" in schema || "format" in schema) ? { anyOf: [inner, settled] } : inner;
}, draft = (schema) => {
  let { $schema: _, ...rest } = make2(schema);
  return rest;
}, pipelineSchema = (steps = builtIn) => {
  let defs = {}, gather = (schema) => {
    let { $defs, ...rest } = schema;
    if (isJson($defs)) for (let [name, each] of Object.entries($defs)) defs[name] = interpolable(each);
    return interpolable(rest);
  }, common = gather(draft(Common)), commonProperties = isJson(common.properties) ? common.properties : unwrapProperties(common), item = {
    type: "object",
    properties: {
      ...Object.fromEntries(
        steps.map((step) => [
          step.key,
          { ...gather(draft(step.config)), description: `${step.summary}

${step.example}` }
        ])
      ),
      ...commonProperties
    },
    additionalProperties: !1,
    oneOf: steps.map((step) => ({ required: [step.key] }))
  }, frame = gather(draft(Struct(frameFields))), frameProperties = isJson(frame.properties) ? frame.properties : unwrapProperties(frame);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Sluice pipeline",
    type: "object",
    required: ["version", "name", "steps"],
    properties: { ...frameProperties, steps: { type: "array", minItems: 1, items: item } },
    additionalProperties: !1,
    $defs: defs
  };
}, unwrapProperties = (schema) => {
  let member = Array.isArray(schema.anyOf) ? schema.anyOf.find((each) => isJson(each) && isJson(each.properties)) : void 0;
  return isJson(member) && isJson(member.properties) ? member.properties : {};
};

// src/Cli/Schema.ts
var parameters = {
  definition: text("FILE", "The schema of this definition, with the steps of its extensions."),
  "allow-code": allowCode,
  test: toggle("The schema of test files (NAME.test.yaml) instead."),
  write: toggle(
    "Writes .sluice/pipeline.schema.json and .sluice/test.schema.json, with --test only the latter, instead of stdout."
  )
}, command = make({
  details: "The first line of a definition (of a test, with test.schema.json) names it: # yaml-language-server: $schema=../.sluice/pipeline.schema.json",
  parameters,
  examples: [
    { line: "sluice schema --write", what: "where the definitions that init makes look for it" },
    { line: "sluice schema > pipeline.schema.json", what: "anywhere else" }
  ],
  run: (options, terminal) => run(options, terminal)
}), schemaFile = ".sluice/pipeline.schema.json", schemaText = (steps) => `${JSON.stringify(pipelineSchema(steps), null, 2)}
`, testSchemaFile = ".sluice/test.schema.json", testSchemaText = () => `${JSON.stringify(testSchema(), null, 2)}
`, run = ({ definition, test, write }, terminal) => gen(function* () {
  let registry = definition === void 0 ? void 0 : yield* flatMap(read(definition), registryOf), text2 = schemaText(registry?.steps);
  if (!write) return terminal.out.write(test ? testSchemaText() : text2);
  let files = yield* FileSystem, paths = yield* Path, all = [
    ...test ? [] : [[schemaFile, text2]],
    [testSchemaFile, testSchemaText()]
  ];
  yield* makeFolder(paths.dirname(schemaFile), "Go to a folder that you may write to.");
  for (let [file, text3] of all)
    yield* mapError(
      files.writeFileString(file, text3),
      (cause) => new FileUnusable({ path: file, reason: fileErrorReason(cause), cause })
    ), terminal.out.write(`${file}
`);
});

export {
  command,
  schemaFile,
  schemaText,
  testSchemaFile,
  testSchemaText
};
