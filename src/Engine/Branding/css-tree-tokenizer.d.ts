/** The part of css-tree that needs none of its data files, which a bundle would lose; it comes without types of its own. */
declare module "css-tree/tokenizer" {
  export { tokenize, tokenTypes } from "css-tree"
}
