import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  ExpressionError,
  compile,
  cutHint,
  isExpression,
  open,
  rowNames,
  shapesOf
} from "./chunk-PGOM52WJ.js";
import {
  didYouMean
} from "./chunk-OH7QELJ7.js";
import {
  isTupleType,
  isTypeLiteral,
  value
} from "./chunk-PAQDWWDE.js";
import {
  either,
  fail5 as fail,
  forEach2 as forEach,
  gen,
  map9 as map,
  mapError2 as mapError,
  succeed4 as succeed,
  suspend2 as suspend
} from "./chunk-JGKSI326.js";
import {
  isLeft
} from "./chunk-FWQRLSGQ.js";

// src/Pipeline/Interpolate.ts
var names = ["inputs", "env", "secrets", "run", "steps"], clock = ["now", "millis"], pattern = /\$\{\{([\s\S]*?)\}\}/g, stepNames = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?<![\w$.`-])steps\s*\.\s*(?:`([^`]*)`|([A-Za-z][\w-]*))/g, quoteIds = (expression) => expression.replace(stepNames, (text, _quoted, id) => id?.includes("-") ? `steps.\`${id}\`` : text), referencedSteps = (value2) => {
  if (typeof value2 == "string") {
    let ids = Array.from(value2.matchAll(pattern), ([, expression = ""]) => expression).flatMap((each) => Array.from(each.matchAll(stepNames), ([, quoted, id]) => quoted ?? id));
    return new Set(ids.filter((id) => id !== void 0));
  }
  return typeof value2 != "object" || value2 === null ? /* @__PURE__ */ new Set() : new Set(Object.values(value2).flatMap((each) => [...referencedSteps(each)]));
}, namedIn = (value2, path = []) => typeof value2 == "string" ? Array.from(value2.matchAll(pattern)).flatMap(([, expression = ""]) => {
  let compiled = compile(quoteIds(expression).trim(), { names: clock });
  return isLeft(compiled) ? [] : compiled.right.paths.flatMap((each) => {
    let [kind, name] = each.split(".");
    return name !== void 0 && (kind === "env" || kind === "secrets") ? [{ kind, name, path }] : [];
  });
}) : typeof value2 != "object" || value2 === null ? [] : Array.isArray(value2) ? value2.flatMap((item, index) => namedIn(item, [...path, index])) : Object.entries(value2).flatMap(([key, item]) => namedIn(item, [...path, key])), sharedHeaders = /* @__PURE__ */ new Set([
  "accept",
  "accept-language",
  "cache-control",
  "dnt",
  "pragma",
  "user-agent"
]), secretAllowed = ([part, , key, ...below], headers) => part === "notify" ? below.length === 0 && (key === "webhook" || key === "secret") : headers !== void 0 && below.length === headers.length + 1 && headers.every((each, at) => below[at] === each), soundsSecret = (variable) => /(^|_)(TOKEN|SECRET|CREDENTIALS?|COOKIE|DSN|(API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION)_?KEYS?)(_|$)|(PASSWORD|PASSWD|PASSPHRASE)(_|$)/i.test(
  variable
), holdsPassword = (value2) => /[a-z][\w+.-]*:\/\/[^\s/?#@]*:[^\s/?#]*@/i.test(value2 ?? ""), only = (env, paths) => Object.fromEntries(Object.entries(env).filter(([name]) => paths.some((path) => path === `env.${name}`))), namesSecret = (expression) => /^\s*secrets\b/.test(expression), whyNothing = (scope, { expression, rest, root }, path) => {
  if (root === "env") return `environment variable ${rest} is not set`;
  if (root === "run" && rest === "site")
    return "${{ run.site }} needs the key `site:` beside `steps:`, with a folder of pages";
  if (root === "run" && path[0] !== "steps" && path[0] !== "state")
    return `\${{ ${expression} }} is only known to steps and to the key of the state`;
  let known = root === "inputs" ? scope.inputs : root === "steps" ? scope.steps : root === "run" ? scope.run : {}, name = rest.replace(/^`|(?:`?\s*\..*|`)$/gs, "");
  if (root === "steps" && Object.hasOwn(scope.steps, name)) {
    let output = scope.steps[name]?.output;
    if (output === void 0)
      return `the step "${name}" has no output, because its \`when\` is false: give this step the same`;
    let has = typeof output == "object" && output !== null ? Object.keys(output).join(", ") : "";
    return `\${{ ${expression} }} has no value: the output of "${name}" has ${has === "" ? "no fields" : has}`;
  }
  let others = Object.keys(known), hint = others.includes(name) ? "" : didYouMean(name, others) || (others.length === 0 ? "" : `: there are ${others.join(", ")}`);
  return `\${{ ${expression} }} has no value${hint}`;
}, lookUp = (scope, expression, path) => gen(function* () {
  let [, root = "", rest = ""] = /^\s*([A-Za-z_$][\w$]*)\s*(?:\.\s*([\s\S]*))?$/.exec(expression) ?? [], compiled = compile(quoteIds(expression).trim(), { names: clock });
  if (isLeft(compiled)) return yield* fail(compiled.left.message);
  let roots = compiled.right.paths.map((each) => each.split(".")[0] ?? ""), stranger = roots.find((each) => !names.includes(each));
  if (stranger !== void 0) {
    let near = didYouMean(stranger, names);
    return yield* fail(
      near === "" && path[0] !== "steps" ? `\${{ }} knows inputs, env, secrets, run and steps, not "${stranger}": rows are only seen by steps` : near === "" ? `"${stranger}" is a field of a row, and \${{ }} is settled before the run: write { expr: ${expression.trim()} }` : `\${{ }} knows inputs, env, secrets, run and steps, not "${stranger}"${near}`
    );
  }
  if (roots.includes("secrets")) {
    if (root !== "secrets" || !/^\w+$/.test(rest.trim()))
      return yield* fail("a secret is used whole: ${{ secrets.NAME }}");
    if (!secretAllowed(path, scope.headers))
      return yield* fail(
        "a secret may only stand in headers: write headers: { NAME: ${{ secrets.NAME }} } in a step that sends requests, or in the webhook of notify"
      );
    let header = String(path.at(-1));
    if (path[0] === "steps" && sharedHeaders.has(header.toLowerCase()))
      return yield* fail(
        `the header ${header} is sent on to other hosts after a redirect: put the secret into a header of another name, like Authorization`
      );
    let secret = scope.secrets(rest.trim());
    if (secret !== void 0) return value(secret);
    let message = `secret "${rest.trim()}" is not set: give it as the environment variable ${rest.trim()}`;
    return scope.warn === void 0 ? yield* fail(message) : (scope.warn({ path, message }), open);
  }
  if (compiled.right.paths.includes("env"))
    return yield* fail("one variable of the environment is named: ${{ env.NAME }}");
  let exposed = compiled.right.paths.flatMap((each) => each.startsWith("env.") ? [each.slice(4)] : []).find((each) => soundsSecret(each) || holdsPassword(scope.env[each]));
  if (exposed !== void 0) {
    let why = soundsSecret(exposed) ? "sounds like a secret" : "holds a password";
    return yield* fail(
      `${exposed} ${why}, and what env gives is shown: write \${{ secrets.${exposed} }} in a header`
    );
  }
  let { startedAt } = scope.run;
  if (startedAt === open && compiled.right.names.length > 0) return open;
  for (let read of compiled.right.paths)
    if (read.split(".").reduce(
      (at, key) => at === open || typeof at != "object" || at === null ? at : at[key],
      scope
    ) === open) return open;
  let value2 = yield* compiled.right.evaluate(
    { inputs: scope.inputs, env: only(scope.env, compiled.right.paths), run: scope.run, steps: scope.steps },
    { names: {}, now: typeof startedAt == "string" ? new Date(startedAt) : void 0 }
  ).pipe(mapError((error) => error.message));
  return value2 !== void 0 ? value2 : yield* fail(whyNothing(scope, { expression: expression.trim(), root, rest: rest.trim() }, path));
}), settleText = (scope, text, path, state) => gen(function* () {
  let parts = [], end = 0;
  for (let match of text.matchAll(pattern)) {
    match.index > end && parts.push(text.slice(end, match.index)), end = match.index + match[0].length;
    let value2 = yield* either(lookUp(scope, match[1] ?? "", path));
    isLeft(value2) ? (state.mistakes.push({ path, message: value2.left }), parts.push(open)) : (namesSecret(match[1] ?? "") && state.secret.push(path), parts.push(value2.right));
  }
  return end === 0 ? text : (end < text.length && parts.push(text.slice(end)), parts.includes(open) ? (state.open.push(path), open) : (state.filled.push(path), parts.length === 1 ? parts[0] : parts.map((part) => typeof part == "string" ? part : JSON.stringify(part)).join("")));
}), walk = (scope, value2, path, state) => typeof value2 == "string" ? value2.includes("${{") ? settleText(scope, value2, path, state) : succeed(value2) : Array.isArray(value2) ? forEach(value2, (item, index) => walk(scope, item, [...path, index], state)) : typeof value2 != "object" || value2 === null || Object.getPrototypeOf(value2) !== Object.prototype ? succeed(value2) : map(
  forEach(
    Object.entries(value2),
    ([key, item]) => map(walk(scope, item, [...path, key], state), (settled) => [key, settled])
  ),
  Object.fromEntries
), settle = (scope, value2, path) => suspend(() => {
  let state = { mistakes: [], filled: [], secret: [], open: [] };
  return map(walk(scope, value2, path, state), (settled) => ({ value: settled, ...state }));
});

// src/Pipeline/Expressions.ts
var shapes = (ast) => shapesOf(ast, { isLeaf: isExpression }), holdsOnlyExpressions = (ast) => {
  if (isExpression(ast)) return !0;
  if (isTypeLiteral(ast)) {
    let parts = [...ast.propertySignatures, ...ast.indexSignatures];
    return parts.length > 0 && parts.every(({ type }) => shapes(type).every(holdsOnlyExpressions));
  }
  return isTupleType(ast) && ast.rest.length > 0 && ast.rest.every(({ type }) => shapes(type).every(isExpression));
}, fieldsIn = (ast, value2, path) => {
  let all = shapes(ast);
  if (typeof value2 == "string")
    return all.some(isExpression) ? [{ path, text: value2, isExpression: !0 }] : all.length > 0 && all.every(holdsOnlyExpressions) ? [{ path, text: value2, isExpression: !1 }] : [];
  if (typeof value2 != "object" || value2 === null) return [];
  let found = all.flatMap((shape) => isTupleType(shape) && Array.isArray(value2) ? value2.flatMap((item, index) => {
    let type = shape.elements[index]?.type ?? shape.rest[0]?.type;
    return type === void 0 ? [] : fieldsIn(type, item, [...path, index]);
  }) : !isTypeLiteral(shape) || Array.isArray(value2) ? [] : Object.entries(value2).flatMap(([key, item]) => {
    let type = shape.propertySignatures.find(({ name }) => name === key)?.type ?? shape.indexSignatures[0]?.type;
    return type === void 0 ? [] : fieldsIn(type, item, [...path, key]);
  }));
  return [...new Map(found.map((field) => [JSON.stringify(field.path), field])).values()];
}, takesExpression = (ast, [key, ...rest]) => shapes(ast).some((shape) => {
  if (key === void 0) return isExpression(shape);
  if (isTupleType(shape)) {
    let type2 = shape.elements[Number(key)]?.type ?? shape.rest[0]?.type;
    return type2 !== void 0 && takesExpression(type2, rest);
  }
  if (!isTypeLiteral(shape)) return !1;
  let type = shape.propertySignatures.find(({ name }) => name === key)?.type ?? shape.indexSignatures[0]?.type;
  return type !== void 0 && takesExpression(type, rest);
}), cutExpressions = ({ cuts = [] }, steps) => cuts.flatMap(
  ({ path: [root, , key, ...below], ...place }) => root === "steps" && steps.some((step) => step.key === key && takesExpression(step.config.ast, below)) ? [{ path: [], message: cutHint, ...place }] : []
), filled = /\$\{\{([\s\S]*?)\}\}/g, spell = (name) => /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``, instead = (inner) => {
  let [, root = "", rest = ""] = /^\s*(inputs|run|env|steps)\s*\.\s*`?([\w.`-]+?)`?\s*$/.exec(inner) ?? [];
  return root === "run" ? `$run.${rest}` : root === "inputs" ? `$inputs.${spell(rest)}` : root === "steps" ? `$steps.${rest.replaceAll("`", "").split(".").map(spell).join(".")}` : root === "env" ? "an input that is given the variable, and read it as $inputs.NAME" : placeholder(inner);
}, placeholder = (inner) => /\bsteps\b/.test(inner) ? "$steps.ID.output" : "$inputs.NAME", isSecret = (inner) => /\bsecrets\b/.test(inner) || Array.from(inner.matchAll(/\benv\s*\.\s*(\w+)/g)).some(([, name = ""]) => soundsSecret(name)), refusal = ({ isExpression: isExpression2, text }) => {
  let inner = Array.from(text.matchAll(filled), ([, each = ""]) => each);
  if (inner.length === 0) return;
  if (inner.some(isSecret))
    return "an expression cannot contain a secret: a secret may only stand in headers and in the webhook of notify";
  let why = "an expression cannot contain ${{ \u2026 }}: its text would run as code. Write";
  if (!isExpression2) return `${why} every expression out, with ${placeholder(inner.join(" "))} for a value`;
  let values = [...new Set(inner.map(instead))], isQuoted = /(["'])\$\{\{[\s\S]*?\}\}\1/.test(text);
  return `${why} ${values.join(" and ")}${isQuoted ? ", without quotes around it" : ""}`;
}, nouns = {
  integer: "a number",
  number: "a number",
  boolean: "true or false"
}, wrongInputs = ({ inputs, source }, declared) => {
  let known = Object.keys(declared);
  return Array.from(inputs, ([path, end]) => {
    let name = known.find((each) => path === each || path.startsWith(`${each}.`)) ?? path.split(".", 1)[0] ?? path, start = source.lastIndexOf("$inputs", end), at = (reason) => new ExpressionError({ source, position: Math.max(0, start), reason }).message, input = Object.hasOwn(declared, name) ? declared[name] : void 0;
    if (input !== void 0) {
      if (path === name) return;
      let noun = nouns[input.type] ?? "a string";
      return at(`the input "${name}" is ${noun} and has no fields: write $inputs.${spell(name)}`);
    }
    let hint = known.length === 0 ? ": this pipeline declares none" : didYouMean(name, known) || `: there are ${known.join(", ")}`;
    return at(`there is no input "${name}"${hint}`);
  }).filter((message) => message !== void 0);
}, wrongSteps = ({ source, steps }, { below, others, values }) => Array.from(steps, ([path, end]) => {
  let start = source.lastIndexOf("$steps", end), at = (reason) => new ExpressionError({ source, position: Math.max(0, start), reason }).message, [id = "", output] = path.split(".");
  if (id === "") return at("$steps cannot be used as a whole: write $steps.ID.output");
  if (values.includes(id))
    return output === "output" ? void 0 : at(`a step has only its output: write $steps.${spell(id)}.output`);
  if (others.includes(id)) return at(`"${id}" gives rows and no value: read its rows with from: ${id}`);
  if (below.includes(id)) return at(`"${id}" stands below this step: move it above`);
  let cut = values.find((each) => each.startsWith(`${id}-`));
  if (cut !== void 0) return at(`there is no step "${id}": write $steps.${spell(cut)}.output`);
  let hint = values.length === 0 ? ": no step above this one gives a value" : didYouMean(id, values) || `: there are ${values.join(", ")}`;
  return at(`there is no step "${id}"${hint}`);
}).filter((message) => message !== void 0), compiledIn = (fields, names2) => fields.flatMap(({ isExpression: isExpression2, path, text }) => {
  if (!isExpression2 || !names2.some((name) => text.includes(name))) return [];
  let compiled = compile(text, { names: rowNames });
  return isLeft(compiled) ? [] : [{ path, expression: compiled.right }];
}), stepsInExpressions = (ast, value2) => new Set(
  compiledIn(fieldsIn(ast, value2, []), ["$steps"]).flatMap(
    ({ expression }) => Array.from(expression.steps.keys(), (path) => path.split(".", 1)[0] ?? "")
  )
), expressionMistakes = (ast, value2, path, declared, steps) => fieldsIn(ast, value2, path).flatMap((field) => {
  let refused = refusal(field);
  return refused !== void 0 ? [{ path: field.path, message: refused }] : compiledIn([field], ["$inputs", "$steps"]).flatMap(
    ({ expression }) => [
      ...wrongInputs(expression, declared),
      ...expression.steps.size === 0 ? [] : wrongSteps(expression, steps())
    ].map((message) => ({
      path: field.path,
      message
    }))
  );
}), broughtInMessage = "an expression must be written in the definition; it cannot come from an input or a step's output", broughtIn = (ast, value2, path, filledPaths) => {
  if (filledPaths.length === 0) return [];
  let sourceOf = (below) => filledPaths.find((each) => each.length < below.length && each.every((part, index) => below[index] === part));
  return fieldsIn(ast, value2, path).flatMap(({ path: at }) => {
    let source = sourceOf(at);
    return source === void 0 ? [] : [{ path: source, message: broughtInMessage }];
  });
};

export {
  referencedSteps,
  namedIn,
  settle,
  cutExpressions,
  wrongInputs,
  stepsInExpressions,
  expressionMistakes,
  broughtIn
};
