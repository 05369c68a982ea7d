/**
 * The description of a NuGet package, of which these members are read:
 *
 * ```
 * package      = metadata { license, licenseUrl, authors, owners, projectUrl, repository, summary, description, dependencies }
 * license      = @type ("expression" | "file") text          repository = @url
 * dependencies = {dependency} | {group @targetFramework {dependency}}          dependency = @id @version
 * ```
 * @see https://learn.microsoft.com/en-us/nuget/reference/nuspec
 */
import { SaxesParser } from "saxes";
import { parentOf, targetPath } from "../../layer/paths.ts";
import { licenseAt } from "../../licenses/license-address.ts";
import { licenseReference } from "../../licenses/license-reference.ts";
import type { LicenseStatement, PackageDetails } from "../../model/package-details.ts";
import type { LayerFile } from "../../plugins/detector.ts";

/** The largest that is read; packages have a few kilobytes. */
const maxBytes = 1024 ** 2;
const maxText = 2000;
const decoder = new TextDecoder();

/** What a description says about its package; undefined for a file that cannot be read: its name and version are known otherwise. */
export function nuspecDetails({ path, bytes }: Pick<LayerFile, "path" | "bytes">): PackageDetails | undefined {
  const found = bytes.length > maxBytes ? undefined : readNuspec(decoder.decode(bytes));
  if (found === undefined) return undefined;
  const { texts, groups } = found;
  const text = (name: string) => texts.get(name) ?? "";
  return {
    licenses: licensesIn(texts, parentOf(path)),
    supplier: text("owners") || text("authors"),
    originator: text("owners") === "" ? undefined : text("authors"),
    authors: text("authors").split(","),
    description: text("summary") || text("description"),
    homepage: text("projectUrl"),
    sourceAddress: text("repository/url"),
    ...needsIn(groups),
  };
}

interface Nuspec {
  readonly texts: ReadonlyMap<string, string>;
  /** What is needed by target framework; those without one have the first. */
  readonly groups: readonly Group[];
}

/** What a package needs with one target framework. */
interface Group {
  /** `net8.0`, `.NETStandard2.0`, `net472`; empty for all. */
  readonly framework: string;
  readonly needs: string[];
}

function readNuspec(text: string): Nuspec | undefined {
  const texts = new Map<string, string>();
  const ofAll: string[] = [];
  const groups: Group[] = [];
  const path: string[] = [];
  let value = "";
  let isDamaged = false;
  const parser = new SaxesParser();
  parser.on("doctype", () => {
    isDamaged = true;
  });
  parser.on("error", () => {
    isDamaged = true;
  });
  parser.on("opentag", ({ name, attributes: { id, version, type, url, targetFramework = "" } }) => {
    path.push(name);
    value = "";
    if (name === "license" && type !== undefined) texts.set("license/type", type);
    if (name === "repository" && url !== undefined) texts.set("repository/url", url);
    if (name === "group") groups.push({ framework: targetFramework, needs: [] });
    if (name !== "dependency" || id === undefined) return;
    (path.includes("group") ? groups.at(-1)?.needs : ofAll)?.push(version === undefined ? id : `${id}/${version}`);
  });
  parser.on("text", (more) => {
    if (value.length < maxText) value += more.slice(0, maxText);
  });
  parser.on("closetag", () => {
    const name = path.pop() ?? "";
    if (path.length === 2) texts.set(name, value.trim());
  });
  parser.write(text).close();
  return isDamaged
    ? undefined
    : {
        texts,
        groups: ofAll.length > 0 || groups.length === 0 ? [{ framework: "", needs: ofAll }, ...groups] : groups,
      };
}

/**
 * What the groups need that a program on Linux may use: of the best family of frameworks, in which the version is not known, so that what only some need is needed if it is there.
 * @see https://learn.microsoft.com/en-us/nuget/create-packages/supporting-multiple-target-frameworks
 */
function needsIn(groups: Nuspec["groups"]): Pick<PackageDetails, "requires" | "recommends"> {
  const usable = families
    .map((family) => groups.filter(({ framework }) => family.test(framework)))
    .find((each) => each.length > 0);
  const lists = (usable ?? groups).map(({ needs }) => needs);
  const all = new Set(lists.flat().map(nameOfNeed));
  const byName = new Map(lists.flat().map((need) => [nameOfNeed(need), need]));
  const isOfAll = (name: string) => lists.every((needs) => needs.some((need) => nameOfNeed(need) === name));
  const named = Map.groupBy(all, (name) => (isOfAll(name) ? "requires" : "recommends"));
  const written = (kind: "requires" | "recommends") => named.get(kind)?.map((name) => byName.get(name) ?? name);
  return { requires: written("requires") ?? [], recommends: written("recommends") };
}

/** The families of frameworks on Linux, the preferred first: .NET, .NET Core, .NET Standard, and any. Others, as of Windows (`net472`, `net8.0-windows`), count only alone. */
const families = [/^net(?:[5-9]|\d\d)\.\d+$/i, /^\.?netcoreapp\d/i, /^\.?netstandard\d/i, /^(?:any|dotnet\d*)?$/i];

/** The name of a need, in lower case: names of NuGet are compared without regard to case. */
export function nameOfNeed(need: string): string {
  return (need.split("/", 1)[0] ?? "").toLowerCase();
}

/** The old address of a licence says nothing where the new member states the licence. */
function licensesIn(texts: Nuspec["texts"], folder: string): readonly LicenseStatement[] {
  const [license = "", address = ""] = [texts.get("license"), texts.get("licenseUrl")];
  const text = `file ${license}`;
  if (texts.get("license/type") === "file")
    return [{ text, expression: licenseReference(text, folder), path: targetPath(folder, license) }];
  if (license !== "") return [{ text: license }];
  const isOfOther = address === "" || /^https?:\/\/aka\.ms\/deprecatelicenseurl$/i.test(address);
  return isOfOther ? [] : [{ text: address, expression: licenseAt(address) }];
}
