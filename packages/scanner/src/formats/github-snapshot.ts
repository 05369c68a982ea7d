/**
 * Snapshots of dependencies for GitHub's dependency submission API.
 *
 * @see https://docs.github.com/en/rest/dependency-graph/dependency-submission
 */
import { listBill } from "./components.ts";
import { coverageIn, coverageSentences } from "./coverage-sentences.ts";
import { type DocumentStamp, type ReportedImage, toolName, toolPage } from "./reported-image.ts";

/** The commit and the workflow run of a snapshot. */
export interface GitHubJob {
  /** The commit: 40 hexadecimal digits. */
  readonly sha: string;
  /** `refs/heads/main` */
  readonly ref: string;
  /** The id of the run. */
  readonly id: string;
  /** The same for all runs of a job. */
  readonly correlator: string;
}

/** Metadata of a snapshot. */
export interface GitHubStamp extends DocumentStamp {
  readonly job: GitHubJob;
}

/**
 * Formats the packages of an image as a snapshot for GitHub's dependency submission API, so that Dependabot considers them. Omits
 * packages without a package URL, by which the API identifies packages; the metadata contains their number and what was not assessed.
 *
 * @example
 * declare const report: ScanReport;
 * const job = { sha: "a".repeat(40), ref: "refs/heads/main", id: "1", correlator: "build scan" };
 * JSON.stringify(toGitHubSnapshot(report, { toolVersion: "1.0.0", createdAt: Date.now(), job }));
 */
export function toGitHubSnapshot(image: ReportedImage, { toolVersion, createdAt, job }: GitHubStamp): object {
  const { reference, index } = image;
  const components = listBill(index);
  const purls = [...new Set(components.flatMap(({ purl }) => (purl === undefined ? [] : [purl])))];
  const resolved = purls.map((purl) => {
    return [purl, { package_url: purl, relationship: "direct", scope: "runtime", dependencies: [] }] as const;
  });
  const name = reference.toWellFormed();
  const gaps = coverageSentences(image, createdAt);
  return {
    version: 0,
    sha: job.sha,
    ref: job.ref,
    job: { id: job.id, correlator: job.correlator },
    detector: { name: toolName, version: toolVersion, url: toolPage },
    scanned: new Date(createdAt).toISOString(),
    metadata: {
      coverage: coverageIn(image).status,
      gaps: gaps.join(" ").toWellFormed().slice(0, 2000),
      packages: components.length,
      packages_without_purl: components.filter(({ purl }) => purl === undefined).length,
    },
    manifests: {
      [name]: { name, metadata: { manifest: index.manifestDigest }, resolved: Object.fromEntries(resolved) },
    },
  };
}
