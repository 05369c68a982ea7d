/// <reference types="vite/client" />

/** What the console uses of markdown-it, which has no types of its own (https://markdown-it.github.io/markdown-it/). */
declare module "markdown-it" {
  export interface Token {
    readonly type: string;
    /** The name of the element. */
    readonly tag: string;
    /** 1 where an element begins, -1 where it ends, and otherwise 0. */
    readonly nesting: -1 | 0 | 1;
    readonly content: string;
    readonly children: readonly Token[] | null;
    /** Whether the element is not shown, such as paragraphs of tight lists. */
    readonly hidden: boolean;
    attrGet(name: string): string | null;
  }

  class MarkdownIt {
    constructor(options: { readonly html: boolean; readonly linkify: boolean; readonly maxNesting: number });
    parse(text: string, environment: object): readonly Token[];
  }

  // biome-ignore lint/style/noDefaultExport: so the package exports it
  export { MarkdownIt as default };
}
