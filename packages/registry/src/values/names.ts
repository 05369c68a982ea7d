import { Type } from "typebox";
import { invalidRequest } from "../errors.ts";

const namespacePattern = /^[a-z0-9]+(?:[._-][a-z0-9]+)*$/;

/** Whether a text can be the name of a user, an organization, a team or the short name of a robot. */
export function isNamespaceName(name: string): boolean {
  return name.length >= 2 && name.length <= 255 && namespacePattern.test(name);
}

/** A namespace, or a robot: `namespace+short`. */
const accountPattern = /^[a-z0-9]+(?:[._-][a-z0-9]+)*(?:\+[a-z0-9]+(?:[._-][a-z0-9]+)*)?$/;

/** The most characters of an account's name: a robot's, with two names and a plus. */
const maxAccountName = 511;

/** Whether a text can be the name of an account. Other texts are not searched for. */
export function isAccountName(name: string): boolean {
  return name.length <= maxAccountName && accountPattern.test(name);
}

/** @throws RegistryError `invalid_request` */
export function checkNamespaceName(name: string): void {
  if (isNamespaceName(name)) return;
  throw invalidRequest(
    `Invalid namespace ${name.slice(0, 300)}: expected 2 to 255 lower-case letters and digits, joined by single . _ or -`,
  );
}

/** One part of a repository's name: lower-case letters and digits, joined by `.`, `_`, `__` or any number of `-`. */
const component = "[a-z0-9]+(?:(?:\\.|__?|-+)[a-z0-9]+)*";
const repositoryPattern = new RegExp(`^${component}(?:/${component})*$`);

/** The most characters of a repository's name with its namespace, since clients accept no more. */
const maxRepositoryPath = 255;

/**
 * Whether a text can be the name of an image repository with its namespace, `namespace/name`: components joined by slashes, at most
 * 255 characters. The length is checked first, so that a long text costs nothing.
 * @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#pulling-manifests
 */
export function isRepositoryPath(path: string): boolean {
  return path.length <= maxRepositoryPath && repositoryPattern.test(path);
}

/** Whether a text can be a tag. @see https://github.com/opencontainers/distribution-spec/blob/v1.1.0/spec.md#pulling-manifests */
export function isTagName(name: string): boolean {
  return /^\w[\w.-]{0,127}$/.test(name);
}

/** Whether a text looks like an e-mail address: one `@`, a domain with a dot, at most 254 characters. */
export function isEmailAddress(text: string): boolean {
  return text.length <= 254 && /^[^@\s\x00-\x1f]+@[^@\s.\x00-\x1f]+(?:\.[^@\s.\x00-\x1f]+)+$/.test(text);
}

/** @throws RegistryError `invalid_request` */
export function checkEmailAddress(text: string): void {
  if (!isEmailAddress(text)) throw invalidRequest("Invalid email address");
}

/** @throws RegistryError `invalid_request` */
export function checkPassword(password: string): void {
  if (password.length >= 8 && password.length <= 1024 && !/\s/.test(password)) return;
  throw invalidRequest("Invalid password, password must be at least 8 characters and contain no whitespace");
}

/**
 * A name with the letters A to Z in lower case. Other letters stay: the lower case of some is a letter of another name, such as that of
 * the Kelvin sign, so that two users of a directory would share an account.
 */
export function lowerLetters(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** The payload member for the namespace of a job. Optional, since jobs from before tenants were introduced do not have it. */
export const ofNamespace = { namespaceId: Type.Optional(Type.String()) } as const;

/** The tenant of a job: its namespace, so that namespaces take turns. */
export function namespaceTenant({ namespaceId = "" }: { readonly namespaceId?: string | undefined }): string {
  return namespaceId;
}
