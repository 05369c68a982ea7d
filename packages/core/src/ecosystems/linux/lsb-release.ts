import { findNamedDistribution } from "../../distributions/shared/find.ts";
import type { Release } from "../../distributions/shared/known-distribution.ts";
import { parseAssignments } from "./assignments.ts";
import { type FileProblems, mergeProblems } from "./file-problems.ts";
import { present } from "./present.ts";
import { findIdentifier, findLabel } from "./release.ts";

/**
 * Reads the release in an lsb-release file, with lines in any order. Undefined without `DISTRIB_ID`, because many of these files have only
 * the version of the LSB.
 * @see https://refspecs.linuxfoundation.org/LSB_3.0.0/LSB-PDA/LSB-PDA/lsbrelease.html
 */
export function readLsbRelease(bytes: Uint8Array, problems: FileProblems): Release | undefined {
  const { values, problems: lines } = parseAssignments(bytes);
  mergeProblems(problems, lines);
  const name = values.get("DISTRIB_ID")?.trim();
  const did =
    name === undefined ? undefined : (findNamedDistribution(name)?.did ?? findIdentifier("DISTRIB_ID", name, problems));
  if (did === undefined) return undefined;
  const number = values.get("DISTRIB_RELEASE") ?? "";
  return {
    did,
    ...present("name", findLabel("DISTRIB_ID", name, problems)),
    ...present("versionId", /^\d/.test(number) ? findIdentifier("DISTRIB_RELEASE", number, problems) : undefined),
    ...present("versionCodeName", findIdentifier("DISTRIB_CODENAME", values.get("DISTRIB_CODENAME"), problems)),
    ...present("prettyName", findLabel("DISTRIB_DESCRIPTION", values.get("DISTRIB_DESCRIPTION"), problems)),
  };
}
