/**
 * Bun's lock file, which is JSON with trailing commas:
 *
 * ```
 * { workspaces: { FOLDER: NEEDS + { devDependencies } }, packages: { PATH: ["NAME@VERSION", …, NEEDS + { os?, cpu? }, …] } }
 * NEEDS = { dependencies?, optionalDependencies?, peerDependencies?: { NAME: RANGE }, optionalPeers?: [NAME] }       PATH = { NAME "/" } NAME, as in nested folders
 * ```
 * A package is for development if workspaces reach it only through `devDependencies`.
 * @see https://bun.com/docs/pm/lockfile
 */

import { joinPath } from "../../../layer/paths.ts";
import { isObject, type JsonObject, textOf } from "../../../model/json-object.ts";
import { findMembers, findUses, type Need, type Use } from "../../language/dependency-uses.ts";
import { readJson } from "../../language/json-file.ts";
import { lockFileDetector, maxLockFileBytes } from "../../language/lock-file.ts";
import { isForSomePlatforms, textsOf } from "./for-some-platforms.ts";

/** Reads `bun.lock`. */
export const bunLockDetector = lockFileDetector({
  name: "bun-lock",
  revision: 3,
  isNamed: (file) => file === "bun.lock",
  *read(file) {
    const plain = withoutTrailingCommas(new TextDecoder().decode(file.bytes));
    const json = readJson({ ...file, bytes: new TextEncoder().encode(plain) }, maxLockFileBytes);
    if (!isObject(json) || !isObject(json.packages)) return;
    const useOf = usesIn(json, json.packages);
    const membersOf = membersIn(json, json.packages);
    for (const [path, entry] of Object.entries(json.packages)) {
      const [first] = Array.isArray(entry) ? entry : [];
      const key = typeof first === "string" ? first : "";
      const at = key.lastIndexOf("@");
      const use = useOf?.(path);
      const isOptional = use === "optional" || isForSomePlatforms(factsOf(entry));
      const marks = { isDevelopment: use === "development", isOptional, neededBy: membersOf?.(path) };
      if (at > 0 && /^\d/.test(key.slice(at + 1)))
        yield { name: key.slice(0, at), version: key.slice(at + 1), ...marks };
      else if (/^.[^@]*@(?:git|https?:)/.test(key))
        yield { name: key.slice(0, key.indexOf("@", 1)), version: "", isUnpublished: true, ...marks };
    }
  },
});

/** Undefined for a file that does not say what the workspaces need. */
function usesIn({ workspaces }: JsonObject, packages: JsonObject): ((path: string) => Use) | undefined {
  if (!isObject(workspaces)) return undefined;
  const first = Object.values(workspaces).flatMap((each) => (isObject(each) ? needsOf(each, "", packages) : []));
  if (first.length === 0) return undefined;
  return findUses(first, (path) => needsOf(factsOf(packages[path]), path, packages));
}

/** Which members of the workspace need a package, by its path. The entry of a member has its folder: `["@acme/web@workspace:packages/web"]`. */
function membersIn({ workspaces }: JsonObject, packages: JsonObject): ReturnType<typeof findMembers> {
  const folders = isObject(workspaces) ? workspaces : {};
  const ownNeeds = (folder: string): readonly Need[] => {
    const facts = folders[folder];
    return isObject(facts) ? needsOf(facts, nameAt(folder, facts, packages), packages) : [];
  };
  const members = Object.keys(folders).map((folder) => ({
    path: joinPath(folder, "package.json"),
    needs: ownNeeds(folder),
  }));
  return findMembers(members, (path) => {
    const entry = packages[path];
    const [, folder] = /^.[^@]*@workspace:(.*)$/.exec(Array.isArray(entry) ? textOf(entry[0]) : "") ?? [];
    return folder === undefined ? needsOf(factsOf(entry), path, packages) : ownNeeds(folder);
  });
}

/** The path of a member, below which it has packages in other versions than the root. */
function nameAt(folder: string, facts: JsonObject, packages: JsonObject): string {
  const name = textOf(facts.name);
  return folder !== "" && Object.hasOwn(packages, name) ? name : "";
}

/** The facts of an entry are its only object. */
function factsOf(entry: JsonObject[string] | undefined): JsonObject {
  return (Array.isArray(entry) ? entry : []).find(isObject) ?? {};
}

function needsOf(facts: JsonObject, path: string, packages: JsonObject): readonly Need[] {
  return (["dependencies", "optionalDependencies", "peerDependencies"] as const).flatMap((kind) => {
    const names = Object.keys(isObject(facts[kind]) ? facts[kind] : {});
    const chosen = new Set(kind === "peerDependencies" ? textsOf(facts.optionalPeers) : []);
    return names.flatMap((name) => {
      const key = placeOf(name, path, packages);
      return key === undefined ? [] : [{ key, isCertain: kind !== "optionalDependencies" && !chosen.has(name) }];
    });
  });
}

/** The most characters of a path, each of which costs time for every name that is looked for from there. */
const maxPathLength = 2000;

/** Where a package at `path` finds another: in its own folder, or in one of those around it. */
function placeOf(name: string, path: string, packages: JsonObject): string | undefined {
  if (path.length > maxPathLength) return undefined;
  const parts = path.match(/@[^/]+\/[^/]+|[^/]+/g) ?? [];
  for (let count = parts.length; count >= 0; count--) {
    const place = [...parts.slice(0, count), name].join("/");
    if (Object.hasOwn(packages, place)) return place;
  }
  return undefined;
}

/** The text without commas before `]` and `}`. */
function withoutTrailingCommas(text: string): string {
  const parts: string[] = [];
  let [kept, comma] = [0, -1];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === '"') at = endOfString(text, at);
    if ((sign === "]" || sign === "}") && comma >= 0) {
      parts.push(text.slice(kept, comma));
      kept = comma + 1;
    }
    if (sign === ",") comma = at;
    else if (sign.trim() !== "") comma = -1;
  }
  return [...parts, text.slice(kept)].join("");
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at;
}
