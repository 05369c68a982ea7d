import type { ArchCondition } from "../../model/advisory.ts";
import { type JsonPlace, memberAt } from "../../model/json-place.ts";
import type { Json } from "../../model/json-value.ts";
import { findPurl } from "../../vex/product.ts";

/** Architectures in package URLs and lists that mean the source package. */
const sources: ReadonlySet<string> = new Set(["source", "src", "nosrc"]);

/**
 * The architectures that one entry of `affected` is about; undefined where it names none. They are in the package URL
 * (`pkg:rpm/vendor/kernel?arch=aarch64`), or, in openEuler's records, the names of the lists of its packages.
 *
 *     "ecosystem_specific": { "aarch64": ["kernel-1.aarch64.rpm"], "src": ["kernel-1.src.rpm"] }
 */
export function archOf(affected: JsonPlace): ArchCondition | undefined {
  const purl = memberAt(memberAt(affected, "package"), "purl").value;
  const stated = typeof purl === "string" ? findPurl(purl)?.qualifiers.arch : undefined;
  if (stated !== undefined) return sources.has(stated) ? undefined : { operation: "equals", value: stated };
  const listed = archesOfLists(memberAt(affected, "ecosystem_specific").value);
  return listed.length === 0 ? undefined : { operation: "pattern match", value: listed.join("|") };
}

/** The architectures of lists of rpm files; none where the member has another form, since each database defines its own. */
function archesOfLists(specific: Json | undefined): readonly string[] {
  if (typeof specific !== "object" || specific === null || Array.isArray(specific)) return [];
  const lists = Object.entries(specific).filter(([, files]) => isListOfRpms(files));
  return lists
    .map(([arch]) => arch)
    .filter((arch) => !sources.has(arch))
    .sort();
}

function isListOfRpms(files: Json | undefined): boolean {
  return (
    Array.isArray(files) && files.length > 0 && files.every((file) => typeof file === "string" && file.endsWith(".rpm"))
  );
}
