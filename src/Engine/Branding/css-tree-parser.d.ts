/** Types of the parser of css-tree, which ships none for it alone. It needs no data files, so it can be bundled. */
declare module "css-tree/parser" {
  export { parse as default } from "css-tree"
}
