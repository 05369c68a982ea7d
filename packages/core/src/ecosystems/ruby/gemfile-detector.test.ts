import { describe, expect, it } from "vitest";
import { gemfileDetector } from "./gemfile-detector.ts";

function needed(text: string, path = "app/Gemfile"): readonly unknown[] {
  const bytes = new TextEncoder().encode(`${text}\ngem "rspec", groups: [:development, :test]\n`);
  return [...gemfileDetector.detect({ path, contentPath: path, mode: 0o644, bytes })];
}

describe("gemfileDetector", () => {
  it.each<[string, string, readonly string[]]>([
    ["plain gems", "source 'https://rubygems.org'\ngem 'rack', '~> 3'\n gem(\"puma\")", ["rack", "puma"]],
    ["a group for development", "group :development, :test do\n  gem 'a'\nend\ngem 'rack'", ["rack"]],
    ["a group that may be left out", "group :production do\n  gem 'pg'\nend\ngem 'rack'", ["rack"]],
    ["a default group", "group :default do\n  gem 'rack'\nend", ["rack"]],
    ["gems of a source", "source 'https://gems.example' do\n  gem 'rack'\nend", ["rack"]],
    [
      "blocks in blocks",
      "group :test do\n  platforms :ruby do\n    gem 'a'\n  end\n  gem 'b'\nend\ngem 'rack'",
      ["rack"],
    ],
    ["conditions", "if ENV['X']\n  gem 'a'\nend\ngem 'rack'", ["rack"]],
    ["groups of one gem", "gem 'a', :group => :test\ngem 'b', group: 'assets'\ngem 'rack', require: false", ["rack"]],
    [
      "other places and platforms",
      "gem 'a', path: '.'\ngem 'b', git: 'x'\ngem 'c', platforms: [:mswin]\ngem 'rack'",
      ["rack"],
    ],
    ["comments", "# gem 'a'\ngem 'rack' # group: :test is not for it", ["rack"]],
  ])("reads %s", (_, text, names) => {
    expect(needed(text)).toEqual([
      { kind: "needs", path: "app/Gemfile", packages: "ruby", names, marksDevelopment: true },
    ]);
  });

  it.each([
    ["a specification", "gemspec"],
    ["another file", "eval_gemfile 'Gemfile.shared'"],
  ])("says nothing if gems are named in %s", (_, text) => {
    expect(needed(`gem 'rack'\n${text}`)).toEqual([]);
  });

  it("says of a file without gems for development that it states none", () => {
    const bytes = new TextEncoder().encode("gem 'rack'\n");

    expect([...gemfileDetector.detect({ path: "Gemfile", contentPath: "Gemfile", mode: 0o644, bytes })]).toEqual([
      { kind: "needs", path: "Gemfile", packages: "ruby", names: ["rack"], isAllForUse: true },
    ]);
  });
});
