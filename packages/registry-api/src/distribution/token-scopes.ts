import { splitRepository } from "@plimsoll/registry/access/on-repository";
import type { RepositoryAction } from "@plimsoll/registry/distribution/repository-actions";
import { isRepositoryPath } from "@plimsoll/registry/values/names";
import { DistributionError } from "./distribution-error.ts";

/** A requested scope. */
export interface TokenScope {
  /** `repository`; scopes of other types are never granted. */
  readonly type: string;
  /** As the client wrote it. */
  readonly name: string;
  readonly actions: readonly string[];
}

/** An access entry of a token. */
export interface TokenAccess {
  readonly type: string;
  readonly name: string;
  readonly actions: readonly string[];
}

/** The most scopes in a request. Real clients request one or two repositories. */
const maxScopes = 50;

/**
 * The scopes of a request, `repository:[host/]namespace/name:action[,action]`; several are separated by spaces, or given as
 * several parameters.
 * @throws DistributionError `INVALID_REQUEST`
 */
export function parseTokenScopes(given: readonly string[]): readonly TokenScope[] {
  const parts = given.flatMap((text) => text.split(" ")).filter((part) => part !== "");
  if (parts.length > maxScopes) throw malformed(`expected at most ${maxScopes} scopes, found ${parts.length}`);
  return parts.map(parseTokenScope);
}

/** The type ends at the first colon and the actions begin at the last: names may contain the port of a host. */
function parseTokenScope(text: string): TokenScope {
  const [, type = "", name = "", actions = ""] = /^([a-z]+(?:\([a-z]+\))?):(\S+):([a-z*,]*)$/.exec(text) ?? [];
  if (type === "") throw malformed(`expected type:name:actions, found ${text.slice(0, 300)}`);
  return { type, name, actions: actions.split(",") };
}

/**
 * The repository of a scope, `namespace/name`. A first part that is the registry's own host is removed; a name without a slash is in
 * the namespace `library`.
 * @throws DistributionError `NAME_INVALID`
 */
export function repositoryOfScope(scopeName: string, ...hosts: readonly string[]): string {
  const host = hosts.find((each) => scopeName.startsWith(`${each}/`));
  const path = host === undefined ? scopeName : scopeName.slice(host.length + 1);
  const { namespace, name } = splitRepository(path);
  if (!isRepositoryPath(path)) {
    throw new DistributionError("NAME_INVALID", `Not the name of a repository: ${scopeName.slice(0, 300)}`);
  }
  return `${namespace}/${name}`;
}

/** The granted actions, always in the order of the protocol. */
export function grantedActions(
  asked: readonly string[],
  rights: ReadonlySet<RepositoryAction>,
): readonly RepositoryAction[] {
  return (["push", "pull", "*"] as const).filter((action) => asked.includes(action) && rights.has(action));
}

function malformed(message: string): DistributionError {
  return new DistributionError("INVALID_REQUEST", `scope: ${message}`);
}
