import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Markdown } from "./markdown.tsx";

function htmlOf(text: string): string {
  const html = renderToStaticMarkup(createElement(Markdown, { text }));
  const [, inner = html] = /^<div class="markdown" dir="auto">(.*)<\/div>$/s.exec(html) ?? [];
  return inner;
}

const rel = 'rel="noopener noreferrer nofollow"';

const rows: readonly [what: string, text: string, html: string][] = [
  ["paragraphs and emphasis", "**the** *shop*\n\nnext", "<p><strong>the</strong> <em>shop</em></p><p>next</p>"],
  ["headings one below that of the page", "# one\n\n###### six", "<h2>one</h2><h6>six</h6>"],
  ["lists", "3. a\n4. b\n\n- c", '<ol start="3"><li>a</li><li>b</li></ol><ul><li>c</li></ul>'],
  ["code", "`<a>`\n\n```sh\nx & y\n```", "<p><code>&lt;a&gt;</code></p><pre><code>x &amp; y\n</code></pre>"],
  ["tables", "|a|\n|:-:|\n|b|", "<table><thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>"],
  ["a quote, a line and breaks", "> a\\\n> b\n\n---", "<blockquote><p>a<br/>b</p></blockquote><hr/>"],
  ["web links", "[a](https://example.org/?a=1&b=2)", `<p><a href="https://example.org/?a=1&amp;b=2" ${rel}>a</a></p>`],
  [
    "addresses of mail",
    "<mailto:a@example.org>",
    `<p><a href="mailto:a@example.org" ${rel}>mailto:a@example.org</a></p>`,
  ],
  [
    "no HTML",
    '<img src=x onerror="alert(1)"> <!-- a -->',
    "<p>&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &lt;!-- a --&gt;</p>",
  ],
  ["no block of HTML", "<script>\nalert(1)\n</script>", "<p>&lt;script&gt;\nalert(1)\n&lt;/script&gt;</p>"],
  ["no image", "![a *b*](https://example.org/a.png)", "<p>a *b*</p>"],
  ["no scripts in links", "[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"],
  ["no data in links", "[a](data:text/html,b)", "<p>[a](data:text/html,b)</p>"],
  ["no files and other schemes", "[a](ftp://example.org) [b](vscode://x)", "<p>a b</p>"],
  ["no links without a scheme", "[a](/admin) [b](//example.org) [c](#x)", "<p>a b c</p>"],
];

describe("Markdown", () => {
  it.each(rows)("shows %s", (_, text, html) => {
    expect(htmlOf(text)).toBe(html);
  });

  it("nests no deeper than a page can", () => {
    const deep = htmlOf(`${">".repeat(5000)} a`);

    expect(deep.split("<blockquote>").length).toBeLessThan(25);
  });

  it.each(["[", "*a ", "`", "![", "<a", "> - ", "|-", "_a*"])("shows 25,000 characters of %s", (part) => {
    expect(htmlOf(part.repeat(25_000 / part.length))).not.toBe("");
  });
});
