/** Editions in CPE names, for sections of Red Hat Enterprise Linux whose edition differs from their name. */
const editions: ReadonlyMap<string, string> = new Map([
  ["codeready-builder", "crb"],
  ["rt", "realtime"],
  ["sap-netweaver", "sap"],
  ["sap-solutions", "sap_hana"],
]);

/** Streams for subscribers, with longer support of one minor release. */
const streams: ReadonlySet<string> = new Set(["aus", "e4s", "eus", "tus"]);

/** Sections whose CPE names have the part `o` (operating system); others have `a` (application). */
const systemSections: ReadonlySet<string> = new Set(["baseos", "client", "computenode", "server", "workstation"]);

/**
 * The name of a content set without the major release that some builds append: `rhel-8-for-x86_64-baseos-rpms__8`. A minor release
 * is kept, because it identifies a stream for subscribers: `…-eus-rpms__8_DOT_6`.
 */
export function contentSetName(name: string): string {
  return name.replace(/__\d+$/, "");
}

/**
 * The CPE names of the product in a content set, by Red Hat's naming rule. Empty for layered products, which are only in Red Hat's list of
 * repositories (`repository-to-cpe.json`).
 *
 * ```
 * name = ("rhel" | "ubi") major "for" arch section [stream] kind ["__" major "_DOT_" minor]
 *      | "codeready-builder-for" ("rhel" | "ubi") major arch [stream] kind […]
 *      | ("rhel" | "ubi") major section kind            older and smaller ones: rhel-7-server-rpms, ubi-8-baseos-rpms
 * kind = ["debug" | "source"] "rpms"
 * ```
 */
export function contentSetCpes(name: string): readonly string[] {
  const [plain = "", minor] = contentSetName(name).split("__", 2);
  const words = plain.split("-");
  if (words.pop() !== "rpms") return [];
  if (words.at(-1) === "debug" || words.at(-1) === "source") words.pop();
  const stream = streams.has(words.at(-1) ?? "") ? words.pop() : undefined;
  const section = sectionOf(words);
  if (section === undefined) return [];
  const release = stream === undefined ? section.major : minorRelease(section.major, minor);
  if (release === undefined) return [];
  const part = systemSections.has(section.name) ? "o" : "a";
  const product = stream === undefined ? "enterprise_linux" : `rhel_${stream}`;
  return [`cpe:/${part}:redhat:${product}:${release}::${editions.get(section.name) ?? section.name}`];
}

/** The major release and the section of a name's words. */
function sectionOf(words: readonly string[]): { readonly major: string; readonly name: string } | undefined {
  const start = words.findIndex((word) => word === "rhel" || word === "ubi");
  const major = words[start + 1] ?? "";
  if (start < 0 || !/^\d{1,2}$/.test(major)) return undefined;
  const rest = words.slice(start + 2);
  if (start > 0) {
    const name = words.slice(0, start).join("-");
    return name === "codeready-builder-for" ? { major, name: "codeready-builder" } : undefined;
  }
  const own = rest[0] === "for" ? rest.slice(2) : rest;
  const name = own[0] === "server" && own[1] === "optional" ? "server" : own.join("-");
  return name === "" ? undefined : { major, name };
}

/** The minor release `8.6` of `8_DOT_6`; undefined if the major release differs. */
function minorRelease(major: string, text: string | undefined): string | undefined {
  const [found, minor = ""] = text?.split("_DOT_") ?? [];
  return found === major && /^\d{1,2}$/.test(minor) ? `${major}.${minor}` : undefined;
}

/**
 * The content sets for an image without any: those that every subscription and every base image has.
 */
export function defaultContentSets(major: number): readonly string[] {
  if (major < 8) return [`rhel-${major}-server-rpms`, `rhel-${major}-server-optional-rpms`];
  const ofSection = (section: string) => `rhel-${major}-for-x86_64-${section}-rpms`;
  return [ofSection("baseos"), ofSection("appstream"), `codeready-builder-for-rhel-${major}-x86_64-rpms`];
}
