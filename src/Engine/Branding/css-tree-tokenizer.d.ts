/** Types of the tokenizer of css-tree, which ships none for it. The tokenizer needs no data files, so it can be bundled. */
declare module "css-tree/tokenizer" {
  export { tokenize, tokenTypes } from "css-tree"
}
