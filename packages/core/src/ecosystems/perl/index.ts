import { dependenciesByName } from "../../index/named-dependencies.ts";
import type { CoalescedPackage, Coalescer } from "../../plugins/coalescer.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { perlVersions } from "../../versions/perl/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { metadataDetector, packlistDetector } from "./detectors.ts";
import { perlEvidence } from "./evidence.ts";

const language = defineLanguage({
  name: "perl",
  ecosystem: "CPAN",
  repository: "cpan",
  fileDetectors: [packlistDetector, metadataDetector],
  versions: perlVersions,
  evidence: perlEvidence,
  dependencies: dependenciesByName({ namesIn: (need) => [need.replaceAll("::", "-")] }),
  runtime: { program: "perl" },
  purl: ["cpan"],
  assesses: ["perl"],
});

/** Installed distributions of Perl modules. */
export const perl: Ecosystem = { ...language, coalesce: withVersions(language.coalesce) };

/** Wraps a coalescer so that a package without a version is dropped if there is one of the same name with a version. */
function withVersions(coalesce: Coalescer = () => []): Coalescer {
  return (layers, image): readonly CoalescedPackage[] => {
    const found = [...coalesce(layers, image)];
    const known = new Set(found.flatMap(({ package: { name, version } }) => (version === "" ? [] : [name])));
    return found.filter(({ package: { name, version } }) => version !== "" || !known.has(name));
  };
}
