import type { ResultOf } from "../api/operation.ts";
import { texts } from "../texts/texts.ts";

const words = texts.applications.scopes;

/** An OAuth scope of a token. */
export type Scope = keyof typeof words;

/** A token that is to be generated. */
export interface TokenRequest {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** All scopes, in the order of the catalog of texts. */
export const scopes = Object.keys(words) as readonly Scope[];

/** The scopes that change more than repositories. */
const dangerous: ReadonlySet<Scope> = new Set(["org:admin", "super:user", "user:admin"]);

/** Whether any of the scopes allows changes to more than repositories. */
export function isDangerous(chosen: readonly Scope[]): boolean {
  return chosen.some((scope) => dangerous.has(scope));
}

/** The titles of scopes, separated by commas; a scope that this console does not know keeps its name. */
export function scopeTitles(names: readonly string[]): string {
  return names.map((name) => (isScope(name) ? words[name].title : name)).join(", ");
}

function isScope(name: string): name is Scope {
  return Object.hasOwn(words, name);
}

/** An application as the management API shows it. */
export type ShownApplication = ResultOf<"GET /organization/{orgname}/applications">["applications"][number];
