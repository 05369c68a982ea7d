import { ScanError } from "../../errors.ts";
import { coalesceFiles } from "../../index/coalesce-files.ts";
import { parseCpe } from "../../model/cpe/format.ts";
import { parseJson } from "../../model/json.ts";
import { documentPlace, memberAt, optionalStringAt } from "../../model/json-place.ts";
import { languageKey, redhatContainerRepository } from "../../model/package.ts";
import type { FileDetector, LayerFile } from "../../plugins/detector.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import type { Finding } from "../../plugins/finding.ts";
import { provenPackage, unreadable } from "../language/proof.ts";
import { dockerfileLabels } from "../rpm/dockerfile-labels.ts";
import { redhatContainerMatcher } from "./matcher.ts";

/** The largest file of labels that is read, in bytes; those of Red Hat's images have a hundredth of it. */
const maxFileBytes = 4 * 1024 ** 2;

/**
 * Finds the Red Hat container that an image is, and the containers that it was built from, by the labels that Red Hat's build system writes into
 * layers. Each container is a package, because Red Hat states vulnerabilities of contents outside of rpms for the container.
 *
 * ```
 * Dockerfile-NAME-VERSION-RELEASE   LABEL name=… version=… release=… architecture=… cpe=…
 * labels.json                       { name, version?, release?, architecture?, cpe?, "org.opencontainers.image.created"? }
 * ```
 */
const redhatContainerDetector: FileDetector = {
  name: "redhat-container-labels",
  revision: 1,
  names: { beginnings: ["Dockerfile-"], endings: ["/labels.json"] },
  wants: ({ path, kind, sizeBytes }) => kind === "file" && sizeBytes <= maxFileBytes && filesOfLabels.test(path),
  *detect(file: LayerFile): Iterable<Finding> {
    try {
      yield* findContainer(file);
    } catch (error) {
      if (!(error instanceof ScanError)) throw error;
      yield unreadable(file.path, error.message);
    }
  },
};

const filesOfLabels = /^(?:root|usr\/share)\/buildinfo\/(?:labels\.json|Dockerfile-[^/]+)$/;

type Labels = ReadonlyMap<string, string>;

function* findContainer(file: LayerFile): Iterable<Finding> {
  const labels = labelsOf(file);
  const name = labels.get("name") ?? "";
  if (!/^[a-z0-9._-]+(?:\/[a-z0-9._-]+)+$/.test(name)) return; // not a repository of a registry
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
 * The version in the tags of the container: `v4.16.0-202409181705.p0`. If the labels do not have it, it comes from the end of the file's name.
 * Containers built since 2025 are tagged with the time of the build, in seconds.
 */
function versionOf(labels: Labels, path: string): string {
  const [version = "", release = ""] = [labels.get("version"), labels.get("release")];
  if (version !== "" && release !== "" && !/\$/.test(version + release)) return `${version}-${release}`;
  const named = versionOfName(path);
  if (named !== "") return named;
  const madeAt = Date.parse(labels.get(created) ?? "");
  return madeAt > 0 ? String(Math.floor(madeAt / 1000)) : "";
}

/** The version in `Dockerfile-NAME-VERSION-RELEASE`, where only the name may have hyphens. */
function versionOfName(path: string): string {
  const [first, ...rest] = path.slice(path.lastIndexOf("/") + 1).split("-");
  const [version = "", release = ""] = rest.slice(-2);
  return first === "Dockerfile" && rest.length > 2 && version !== "" && release !== "" ? `${version}-${release}` : "";
}

function archOf(labels: Labels): { readonly arch?: string } {
  const arch = labels.get("architecture") ?? "";
  return arch === "" ? {} : { arch };
}

/** Red Hat containers as packages: the image itself and the containers that it was built from. */
export const redhatContainer: Ecosystem = {
  name: "redhat-container",
  detectors: [],
  fileDetectors: [redhatContainerDetector],
  matchers: [redhatContainerMatcher],
  purl: [],
  coalesce: coalesceFiles({ name: redhatContainerRepository, key: languageKey }),
  assesses: [],
};
