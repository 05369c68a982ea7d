import { notAffected } from "../../match/judge-version.ts";
import { languageMatcher } from "../../match/language-matcher.ts";
import { distributionPackageKey } from "../../model/package.ts";
import type { Ecosystem, IndexRecord, Matcher } from "../../plugins.ts";
import { bitnamiVersions } from "../../versions/bitnami/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { knownProgramDetector } from "./detector.ts";
import { programTable } from "./table.ts";

const repository = "generic";
const bitnamiNames: ReadonlyMap<string, string> = new Map(
  programTable.flatMap(({ name, bitnami }) => (bitnami === undefined ? [] : [[name, bitnami]])),
);

const described = defineLanguage({
  name: "known-programs",
  ecosystem: "Bitnami",
  repository,
  fileDetectors: [knownProgramDetector],
  versions: bitnamiVersions,
  nameOf: ({ name }) => bitnamiNames.get(name),
  purl: ["generic"],
  assesses: [],
});

/** Asks for advisories that no feed has, so that the coverage says so. */
const undescribed = languageMatcher({
  name: "other-known-programs",
  keysRevision: 1,
  ecosystem: "generic",
  repository,
  versions: bitnamiVersions,
  nameOf: ({ name }) => (bitnamiNames.has(name) ? undefined : name),
});

/** Well-known programs that no package manager brought, by the texts in them. */
export const knownPrograms: Ecosystem = {
  ...described,
  matchers: [
    ...described.matchers.map(leftToOwner),
    { ...undescribed, accepts: (record) => ownerOf(record) === undefined && undescribed.accepts(record) },
  ],
};

/** A package of the distribution has patches that the version does not tell: its own advisories speak of it. */
function leftToOwner(matcher: Matcher): Matcher {
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

function ownerOf({ repositories }: IndexRecord): string | undefined {
  return repositories.find(({ key }) => key === distributionPackageKey)?.name;
}
