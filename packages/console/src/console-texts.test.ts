import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scopes } from "@plimsoll/registry/access/scopes";
import ts from "typescript-5";
import { describe, expect, it } from "vitest";
import { isDangerous } from "../web/applications/scopes.ts";
import { de } from "../web/texts/de.ts";
import { applications } from "../web/texts/en/account.ts";
import { en } from "../web/texts/en.ts";

describe("the scopes that the console offers", () => {
  it("are those of the registry, with their labels", () => {
    const labels = Object.entries(scopes).map(([scope, { title, description }]) => [scope, { title, description }]);

    expect(applications.scopes).toEqual(Object.fromEntries(labels));
  });

  it.each(Object.entries(scopes))("knows whether %s is dangerous", (scope, { dangerous }) => {
    expect(isDangerous([scope as keyof typeof scopes])).toBe(dangerous);
  });
});

/** The texts of a language with their names; of one with parameters, its source. */
function textsOf(texts: unknown, name = ""): readonly (readonly [name: string, text: string])[] {
  if (typeof texts !== "object" || texts === null) return [[name, String(texts)]];
  return Object.entries(texts).flatMap(([each, text]) => textsOf(text, `${name}.${each}`));
}

describe("the German texts", () => {
  const english = new Map(textsOf(en));
  const german = textsOf(de);

  it("have the names of the English ones", () => {
    expect(german.map(([name]) => name).sort()).toEqual([...english.keys()].sort());
  });

  it("translate every text of several words", () => {
    const hasWords = (text: string) => !text.startsWith("function ") && /^[^`]*\p{L}{2} \p{L}{2}/u.test(text);
    const same = german.filter(([name, text]) => hasWords(text) && english.get(name) === text);

    expect(same).toEqual([[".notifications.methods.teams", "Microsoft Teams"]]);
  });

  it("have no English words between German ones", () => {
    const words = /(?<=\s)(?:the|and|of|this|is|are|with|for|be|been|will)(?=[\s.,])/;

    expect(german.filter(([, text]) => words.test(text.replaceAll(/\$\{[^}]*\}/g, "")))).toEqual([]);
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
