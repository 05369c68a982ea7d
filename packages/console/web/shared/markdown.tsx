import MarkdownIt, { type Token } from "markdown-it";
import type { ReactNode } from "react";

/** Without HTML, which stays the text that it is. Texts come from others, who may nest quotes and lists. */
const markdown = new MarkdownIt({ html: false, linkify: false, maxNesting: 20 });

/**
 * A text in Markdown, such as the description of a repository: without HTML, without images, of which the alternative text is shown, and with
 * links of few schemes. Its direction is its own.
 */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="markdown" dir="auto">
      {nodesOf(markdown.parse(text, {}))}
    </div>
  );
}

/** An element that has begun, and what it has so far. */
interface Begun {
  readonly token: Token | undefined;
  readonly children: ReactNode[];
}

function nodesOf(tokens: readonly Token[]): readonly ReactNode[] {
  const open: [Begun, ...Begun[]] = [{ token: undefined, children: [] }];
  for (const [place, token] of tokens.entries()) {
    const current = open.at(-1) ?? open[0];
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === 0) current.children.push(<Leaf key={place} token={token} />);
    else if (open.length > 1) {
      open.pop();
      open.at(-1)?.children.push(<Branch key={place} {...current} />);
    }
  }
  return open[0].children;
}

/** A text, or an element of texts. */
function Leaf({ token }: { readonly token: Token }) {
  switch (token.type) {
    case "inline":
      return nodesOf(token.children ?? []);
    case "softbreak":
      return "\n";
    case "hardbreak":
      return <br />;
    case "hr":
      return <hr />;
    case "code_inline":
      return <code>{token.content}</code>;
    case "fence":
    case "code_block":
      return (
        <pre>
          <code>{token.content}</code>
        </pre>
      );
    default:
      return <>{token.content}</>; // a text, or of an image its alternative text
  }
}

/** The elements that Markdown makes, and in place of which of them another is shown: the page has the first heading. */
const elements = {
  p: "p",
  blockquote: "blockquote",
  ul: "ul",
  ol: "ol",
  li: "li",
  em: "em",
  strong: "strong",
  s: "s",
  table: "table",
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  th: "th",
  td: "td",
  h1: "h2",
  h2: "h3",
  h3: "h4",
  h4: "h5",
  h5: "h6",
  h6: "h6",
} as const;

function Branch({ token, children }: Begun) {
  if (token === undefined || token.hidden) return children;
  if (token.tag === "a") return <MarkdownLink address={token.attrGet("href") ?? ""}>{children}</MarkdownLink>;
  const Element = token.tag in elements ? elements[token.tag as keyof typeof elements] : undefined;
  if (Element === undefined) return children;
  if (Element === "ol") return <ol start={Number(token.attrGet("start") ?? 1)}>{children}</ol>;
  return <Element>{children}</Element>;
}

interface LinkProps {
  readonly address: string;
  readonly children: ReactNode;
}

const schemes: ReadonlySet<string> = new Set(["http:", "https:", "mailto:"]);

/** A link, if it leads to where a link may lead; relative ones lead nowhere. */
function MarkdownLink({ address, children }: LinkProps) {
  if (!URL.canParse(address) || !schemes.has(new URL(address).protocol)) return children;
  return (
    <a href={address} rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
