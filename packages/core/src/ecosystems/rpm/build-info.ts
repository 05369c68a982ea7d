/**
 * The files that Red Hat's build system writes into a layer.
 *
 * ```
 * content_manifests/NAME.json   { content_sets: [repository], from_dnf_hint?: boolean, … }
 * labels.json                   { name?, cpe?, … }: the labels of the container
 * Dockerfile-NAME-VERSION-REL   LABEL key=value …
 * ```
 */
import { ScanError } from "../../errors.ts";
import { parseCpe } from "../../model/cpe/format.ts";
import { parseJson } from "../../model/json.ts";
import {
  documentPlace,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../../model/json-place.ts";
import { contentSetKey, cpeRepositoryKey, type PackageRepository } from "../../model/package.ts";
import type { Detector, LayerFile, LayerFiles } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { contentSetName } from "./content-set-cpes.ts";
import { dockerfileLabels } from "./dockerfile-labels.ts";

type Repository = Omit<PackageRepository, "id">;

const folders = ["root/buildinfo/", "usr/share/buildinfo/"] as const;
const maxFileBytes = 4 * 1024 ** 2;
/** The largest number of content sets in a manifest; those of Red Hat's images have a tenth of it. */
const maxContentSets = 1_000;

/** Finds the repositories of a layer's packages, and the product of the container. */
export const buildInfoDetector: Detector = {
  name: "redhat-build-info",
  revision: 1,
  names: { beginnings: ["Dockerfile-"], endings: [".json"] },
  wants: ({ path }) => kindOf(path) !== undefined,
  *detect(files: LayerFiles): Generator<Finding> {
    for (const file of files) {
      try {
        for (const repository of repositoriesOf(file)) yield { kind: "repository", path: file.path, repository };
      } catch (error) {
        if (!(error instanceof ScanError)) throw error;
        yield { kind: "problem", path: file.path, code: "malformed_image", message: error.message };
      }
    }
  },
};

type FileKind = "dockerfile" | "labels" | "manifest";

function kindOf(path: string): FileKind | undefined {
  const folder = folders.find((each) => path.startsWith(each));
  if (folder === undefined) return undefined;
  const name = path.slice(folder.length);
  if (name === "labels.json") return "labels";
  if (/^Dockerfile-[^/]+$/.test(name)) return "dockerfile";
  const isManifest = /^content_manifests\/[^/]+\.json$/.test(name);
  return isManifest || (folder === "usr/share/buildinfo/" && /^[^/]+\.json$/.test(name)) ? "manifest" : undefined;
}

function repositoriesOf({ path, bytes }: LayerFile): readonly Repository[] {
  if (bytes.length > maxFileBytes)
    throw new ScanError("malformed_image", `expected at most ${maxFileBytes} bytes, found ${bytes.length}`);
  if (kindOf(path) === "dockerfile") return productRepositories(dockerfileLabels(new TextDecoder().decode(bytes)));
  const document = documentPlace(parseJson(bytes, path, "malformed_image"), path, "malformed_image");
  if (kindOf(path) === "manifest") return contentSetRepositories(document);
  const textOf = (name: string) => optionalStringAt(memberAt(document, name));
  return productRepositories(new Map(["name", "cpe"].map((name) => [name, textOf(name) ?? ""])));
}

function contentSetRepositories(manifest: JsonPlace): readonly Repository[] {
  if (memberAt(manifest, "from_dnf_hint").value === true) return []; // the history of dnf is more exact
  const named = memberAt(manifest, "content_sets");
  const sets = optionalItemsAt(named).map(stringAt);
  if (sets.length > maxContentSets) throw unexpected(named, `at most ${maxContentSets} content sets`);
  const names = new Set(sets.map(contentSetName));
  return [...names].filter((name) => /^[\w.-]{1,200}$/.test(name)).map((name) => ({ name, key: contentSetKey }));
}

/** The product in labels, as a repository. Labels name the product since 2025. */
function productRepositories(labels: ReadonlyMap<string, string>): readonly Repository[] {
  const cpe = labels.get("cpe") ?? "";
  if (cpe === "") return [];
  return [{ name: labels.get("name") || cpe, key: cpeRepositoryKey, cpe: parseCpe(cpe) }];
}
