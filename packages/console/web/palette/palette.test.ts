import { describe, expect, it } from "vitest";
import { entriesOf, type PaletteContext } from "./palette.tsx";

const home = { kind: "home" } as const;
const alice = { username: "alice", isSuperuser: false, organizations: ["acme"] };
const shown = (context: Partial<PaletteContext>) =>
  entriesOf({ text: "", place: home, path: "/", found: [], ...context }).map(({ text }) => text);

describe("entriesOf", () => {
  it("leads anonymous visitors to what all may see, and to the sign-in", () => {
    expect(shown({})).toEqual(["Home", "API explorer", "Sign in"]);
  });

  it("leads users to their namespaces and their views", () => {
    const texts = shown({ user: alice });

    expect(texts).toContain("Vulnerabilities of acme");
    expect(texts).toContain("alice");
    expect(texts).toContain("Sign out");
    expect(texts).not.toContain("Administration");
    expect(shown({ user: { ...alice, isSuperuser: true } })).toContain("Administration");
  });

  it("has first what the open page has", () => {
    const image = {
      kind: "image",
      namespace: "acme",
      repository: "app",
      reference: { kind: "tag", tag: "1" },
    } as const;

    expect(entriesOf({ text: "", place: image, path: "/acme/app:1", found: [] })[0]).toMatchObject({
      text: "Packages of this image",
      leads: { to: "/acme/app:1?view=packages" },
    });
    expect(shown({ place: { kind: "repository", namespace: "acme", repository: "app" }, path: "/acme/app" })[0]).toBe(
      "History of this repository",
    );
  });

  it.each([
    ["every word counts, in any case", "ROBOTS acme", ["Robots of acme", "Search for “ROBOTS acme”"]],
    ["what matches nothing is searched", "zzz", ["Search for “zzz”"]],
    [
      "a vulnerability has a page",
      "cve-2024-45491",
      ["Which images have CVE-2024-45491?", "Search for “cve-2024-45491”"],
    ],
  ])("%s", (_, text, texts) => {
    expect(shown({ user: alice, text })).toEqual(texts);
  });

  it("leads to what the registry found", () => {
    const repository = { kind: "repository", name: "web", namespace: { name: "acme" } };
    const found = [repository] as unknown as PaletteContext["found"];

    expect(entriesOf({ text: "we", place: home, path: "/", found })).toMatchObject([
      { text: "acme/web", leads: { to: "/acme/web" } },
      { text: "Search for “we”" },
    ]);
  });
});
