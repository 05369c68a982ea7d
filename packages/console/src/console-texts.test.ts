import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scopes } from "@plimsoll/registry/access/scopes";
import ts from "typescript-5";
import { describe, expect, it } from "vitest";
import { isDangerous } from "../web/applications/scopes.ts";
import { applications } from "../web/texts/en/account.ts";

describe("the scopes that the console offers", () => {
  it("are those of the registry, with their labels", () => {
    const labels = Object.entries(scopes).map(([scope, { title, description }]) => [scope, { title, description }]);

    expect(applications.scopes).toEqual(Object.fromEntries(labels));
  });

  it.each(Object.entries(scopes))("knows whether %s is dangerous", (scope, { dangerous }) => {
    expect(isDangerous([scope as keyof typeof scopes])).toBe(dangerous);
  });
});

/** Every sentence of the console is in its catalog of texts, so that another language can follow. */

const web = join(import.meta.dirname, "../web");

/** The attributes of an element that people see or hear. */
const spoken: ReadonlySet<string> = new Set(["alt", "aria-description", "aria-label", "label", "placeholder", "title"]);

/** The sentences and words of a source that people see or hear. */
function spokenIn(name: string, text: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) return;
    if (ts.isJsxText(node) && /\p{L}{2}/u.test(node.text)) found.push(node.text.trim());
    if (ts.isStringLiteralLike(node) && (isSpokenAttribute(node.parent) || isSentence(node.text)))
      found.push(node.text);
    if (ts.isTemplateExpression(node) && isSentence(node.getText().slice(1))) found.push(node.getText());
    node.forEachChild(visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.TSX));
  return found;
}

function isSpokenAttribute(node: ts.Node): boolean {
  return ts.isJsxAttribute(node) && spoken.has(node.name.getText());
}

/** Two words of which the first begins with a capital. */
function isSentence(text: string): boolean {
  return /^\p{Lu}\p{Ll}+ \p{L}/u.test(text);
}

describe("the texts of the console", () => {
  it.each([
    ["<p>Two words</p>", ["Two words"]],
    ['<nav aria-label="Places" />', ["Places"]],
    ['const title = "Two words";', ["Two words"]],
    ["const title = `Two words of ${name}`;", ["`Two words of ${name}`"]],
    ['<p className="empty">{words.none} – {count}</p>', []],
    ['import { a } from "Two words";', []],
  ])("are found in %s", (text, found) => {
    expect(spokenIn("some.tsx", text)).toEqual(found);
  });

  it("are all in the catalog", () => {
    const files = globSync("**/*.{ts,tsx}", { cwd: web }).filter((path) => !/^texts\/|\.test\./.test(path));
    const elsewhere = files.flatMap((path) =>
      spokenIn(path, readFileSync(join(web, path), "utf8")).map((text) => `${path}: ${text}`),
    );

    expect(files.length).toBeGreaterThan(100);
    expect(elsewhere).toEqual([]);
  });
});
