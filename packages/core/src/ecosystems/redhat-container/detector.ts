import { ScanError } from "../../errors.ts";
import { parseCpe } from "../../model/cpe/format.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace, memberAt, optionalStringAt } from "../../model/json-place.ts";
import type { FileDetector, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { dockerfileLabels } from "../rpm/dockerfile-labels.ts";

/** Bytes of the largest file of labels; those of Red Hat's images have a hundredth of it. */
const maxFileBytes = 4 * 1024 ** 2;

/**
 * Finds which container of Red Hat an image is, and which it was built from, by the labels that Red Hat's build system leaves in it: each is a
 * package, since vulnerabilities of what is in a container and no rpm are stated of the container.
 *
 * ```
 * Dockerfile-NAME-VERSION-RELEASE   LABEL name=… version=… release=… architecture=… cpe=…
 * labels.json                       { name, version?, release?, architecture?, cpe?, "org.opencontainers.image.created"? }
 * ```
 */
export const redhatContainerDetector: FileDetector = {
  name: "redhat-container-labels",
  revision: 1,
  wants: ({ path, kind, sizeBytes }) => kind === "file" && sizeBytes <= maxFileBytes && filesOfLabels.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    try {
      yield* containerOf(file);
    } catch (error) {
      if (!(error instanceof ScanError)) throw error;
      yield unreadable(file.path, error.message);
    }
  },
};

const filesOfLabels = /^(?:root|usr\/share)\/buildinfo\/(?:labels\.json|Dockerfile-[^/]+)$/;

type Labels = ReadonlyMap<string, string>;

function* containerOf(file: LayerFile): Iterable<Finding> {
  const labels = labelsOf(file);
  const name = labels.get("name") ?? "";
  if (!/^[a-z0-9._-]+(?:\/[a-z0-9._-]+)+$/.test(name)) return; // no repository of a registry
  const version = versionOf(labels, file.path);
  const finding = provenPackage(file, { name, version, ...archOf(labels) });
  const cpe = labels.get("cpe") ?? "";
  if (finding.kind !== "package" || cpe === "") yield finding;
  else yield { ...finding, package: { ...finding.package, cpe: parseCpe(cpe) } };
}

function labelsOf({ path, bytes }: LayerFile): Labels {
  if (!path.endsWith(".json")) return dockerfileLabels(new TextDecoder().decode(bytes));
  const document = documentPlace(parseJson(bytes, path, "malformed_package_db"), path, "malformed_package_db");
  return new Map(
    labelNames.flatMap((name) => {
      const text = optionalStringAt(memberAt(document, name));
      return text === undefined ? [] : [[name, text] as const];
    }),
  );
}

const created = "org.opencontainers.image.created";
const labelNames = ["name", "version", "release", "architecture", "cpe", created] as const;

/**
 * The version that tags of the container have: `v4.16.0-202409181705.p0`; the end of the file's name says it where labels do not. What is built since 2025
 * is tagged by the second that it was made in.
 */
function versionOf(labels: Labels, path: string): string {
  const [version = "", release = ""] = [labels.get("version"), labels.get("release")];
  if (version !== "" && release !== "" && !/\$/.test(version + release)) return `${version}-${release}`;
  const named = versionOfName(path);
  if (named !== "") return named;
  const madeAt = Date.parse(labels.get(created) ?? "");
  return madeAt > 0 ? String(Math.floor(madeAt / 1000)) : "";
}

/** `Dockerfile-NAME-VERSION-RELEASE`, of which the name alone has hyphens. */
function versionOfName(path: string): string {
  const [first, ...rest] = path.slice(path.lastIndexOf("/") + 1).split("-");
  const [version = "", release = ""] = rest.slice(-2);
  return first === "Dockerfile" && rest.length > 2 && version !== "" && release !== "" ? `${version}-${release}` : "";
}

function archOf(labels: Labels): { readonly arch?: string } {
  const arch = labels.get("architecture") ?? "";
  return arch === "" ? {} : { arch };
}
