/** Types of css-tree's parser, for which the package ships none. The parser alone needs no data files, so it can be bundled. */
declare module "css-tree/parser" {
  export { parse as default } from "css-tree"
}
