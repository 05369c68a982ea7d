import { texts } from "../texts/texts.ts";

const words = texts.applications.scopes;

/** What a token may be used for. */
export type Scope = keyof typeof words;

/** A token that is asked for. */
export interface AskedToken {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** The scopes, in the order of their labels. */
export const scopes = Object.keys(words) as readonly Scope[];

/** The scopes that change more than repositories. */
const dangerous: ReadonlySet<Scope> = new Set(["org:admin", "super:user", "user:admin"]);

/** Whether one of them changes more than repositories. */
export function isDangerous(asked: readonly Scope[]): boolean {
  return asked.some((scope) => dangerous.has(scope));
}

/** The labels of scopes in a sentence; of one that this console does not know, its name. */
export function scopeTitles(names: readonly string[]): string {
  return names.map((name) => (isScope(name) ? words[name].title : name)).join(", ");
}

function isScope(name: string): name is Scope {
  return Object.hasOwn(words, name);
}
