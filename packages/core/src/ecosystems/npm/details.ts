import { isObject, type JsonObject, textOf } from "../../model/json-object.ts";
import type { Json } from "../../model/json-value.ts";
import type { LicenseStatement, PackageDetails } from "../../model/package-details.ts";

/**
 * What a `package.json` says about its package.
 * @see https://docs.npmjs.com/cli/v11/configuring-npm/package-json
 */
export function npmDetails(json: JsonObject): PackageDetails {
  const { author, contributors, maintainers, homepage, repository, description, _resolved } = json;
  const people = [author, ...listOf(contributors)].map(personOf);
  return {
    licenses: licensesOf(json),
    originator: personOf(author) || undefined,
    supplier: listOf(maintainers)
      .map(personOf)
      .find((each) => each !== ""),
    authors: [...new Set(people.filter((each) => each !== ""))],
    description: textOf(description),
    homepage: textOf(homepage),
    sourceAddress: isObject(repository) ? textOf(repository.url) : textOf(repository),
    downloadAddress: textOf(_resolved),
  };
}

/** An expression; the object of old packages, or a list of objects, any of which the user may choose. */
function licensesOf({ license, licenses }: JsonObject): readonly LicenseStatement[] {
  const own = licenseName(license);
  if (own !== "") return [{ text: own }];
  const names = [...(Array.isArray(license) ? license : []), ...listOf(licenses)].map(licenseName);
  const stated = names.filter((each) => each !== "");
  return stated.length === 0 ? [] : [{ text: stated.join(" OR ") }];
}

function licenseName(license: Json | undefined): string {
  return isObject(license) ? textOf(license.type) || textOf(license.name) : textOf(license);
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value];
}

/** `Name <mail>` of an object, or the text. */
function personOf(person: Json | undefined): string {
  if (!isObject(person)) {
    const text = textOf(person);
    return text.endsWith(")") ? text.slice(0, text.lastIndexOf("(")).trim() : text; // its home page
  }
  const [name, email] = [textOf(person.name), textOf(person.email)];
  return name !== "" && email !== "" ? `${name} <${email}>` : name || email;
}
