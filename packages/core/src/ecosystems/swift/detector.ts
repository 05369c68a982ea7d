/**
 * The packages that the Swift package manager has checked out beside the build of a project:
 *
 * ```
 * document   = { object: { dependencies: [dependency] }, version }
 * dependency = { packageRef: { kind, location | path, name }, state: { name, checkoutState?: { revision, version? }, version? } }
 * ```
 * @see https://github.com/swiftlang/swift-package-manager/blob/main/Sources/Workspace/Workspace%2BState.swift
 */
import { type JsonObject, memberOf, objectsOf, textOf } from "../../model/json-object.ts";
import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { readJson } from "../language/json-file.ts";
import { type Proof, provenPackage } from "../language/proof.ts";

/** Swift's own folder, and that of Xcode. */
const place = /(?:^|\/)(?:\.build|SourcePackages)\/workspace-state\.json$/;
const maxBytes = 16 * 1024 ** 2;

/** States of packages that belong to the project itself. */
const ofProject: ReadonlySet<string> = new Set(["edited", "fileSystem", "local"]);

/** Finds the checked-out packages. One at a commit without a version, or of a registry, has no advisories and remains unassessed. */
export const swiftDetector: FileDetector = {
  name: "swift-workspace-state",
  revision: 1,
  names: { endings: ["/workspace-state.json"] },
  wants: ({ path }: FileEntry) => path.endsWith("/workspace-state.json") && place.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    const json = readJson(file, maxBytes);
    let unnamed = 0;
    for (const dependency of objectsOf(memberOf(memberOf(json, "object"), "dependencies"))) {
      if (ofProject.has(textOf(memberOf(dependency.state, "name")))) continue;
      const found = proofOf(dependency);
      if (found === undefined) unnamed++;
      else yield provenPackage(file, found);
    }
    if (unnamed > 0) yield { kind: "evidence", path: file.path, packages: "swift", pieces: unnamed };
  },
};

function proofOf({ packageRef, state }: JsonObject): Proof | undefined {
  const name = packageNameOf(textOf(memberOf(packageRef, "location")) || textOf(memberOf(packageRef, "path")));
  const version = textOf(memberOf(memberOf(state, "checkoutState"), "version"));
  return name.includes("/") && version !== "" ? { name, version } : undefined;
}

/** The name in advisories of the package at a Git address: `github.com/apple/swift-nio`. */
export function packageNameOf(location: string): string {
  const path = location
    .trim()
    .replace(/^[a-z+]{1,10}:\/\//i, "")
    .replace(/^[\w.-]{1,64}@/, "")
    .replace(/^([\w.-]{1,255}):(?!\d)/, "$1/");
  return path
    .replace(/\/$/, "")
    .replace(/\.git$/, "")
    .toLowerCase();
}
