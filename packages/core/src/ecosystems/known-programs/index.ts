import { notAffected } from "../../match/judge-version.ts";
import { ownerOf } from "../../match/owners.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import type { Matcher } from "../../plugins/matcher.ts";
import { bitnamiVersions } from "../../versions/bitnami/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { knownProgramDetector } from "./detector.ts";
import { programTable } from "./table.ts";

const bitnamiNames: ReadonlyMap<string, string> = new Map(
  programTable.flatMap(({ name, bitnami }) => (bitnami === undefined ? [] : [[name, bitnami]])),
);

const language = defineLanguage({
  name: "known-programs",
  ecosystem: "Bitnami",
  repository: "generic",
  fileDetectors: [knownProgramDetector],
  versions: bitnamiVersions,
  nameOf: ({ name }) => bitnamiNames.get(name),
  purl: ["generic"],
  assesses: [],
});

/**
 * Well-known programs that no package manager installed, by the texts in them. Bitnami's advisories cover most servers; the other programs are
 * looked up by their CPE names (`../cpe`).
 */
export const knownPrograms: Ecosystem = {
  ...language,
  matchers: language.matchers.map(deferToOwner),
};

/**
 * Wraps a matcher so that no advisory applies to a program of the distribution. The distribution has patches that do not change the version, and
 * its own advisories.
 */
function deferToOwner(matcher: Matcher): Matcher {
  return {
    ...matcher,
    judge(record, advisory, trace) {
      const owner = ownerOf(record);
      if (owner === undefined) return matcher.judge(record, advisory, trace);
      trace?.step("distribution-package", `its file belongs to the package ${owner} of the distribution`);
      return notAffected("distribution-package");
    },
  };
}
