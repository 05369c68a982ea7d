/** The rule for parameters of functions: at most three, and no boolean, whose meaning a call does not show. */
import type { Signature } from "./parsed-signature.ts";
import type { ParsedSource } from "./parsed-source.ts";

const most = 3;

/** Exceptions, as `PATH NAME`, each with its reason. */
const allowed: ReadonlyMap<string, string> = new Map([
  ["tests/browser/console-screenshots.browser.test.ts getImageData", "it is a method of the browser's own canvas"],
]);

/** The problems of the parameters of a file's functions, as messages. */
export function signatureRule({ path, signatures }: ParsedSource): string[] {
  return signatures.filter(({ name }) => !allowed.has(`${path} ${name}`)).flatMap(faultsOf);
}

function faultsOf({ name, line, parameters }: Signature): string[] {
  const booleans = parameters.filter(({ isBoolean }) => isBoolean).map((each) => each.name);
  const place = `line ${line}: ${name}`;
  return [
    ...(parameters.length > most
      ? [`${place} has ${parameters.length} parameters: at most ${most}, the rest as an object with names`]
      : []),
    ...(booleans.length > 0
      ? [`${place} takes a boolean (${booleans.join(", ")}): a member of an object with names, or two functions`]
      : []),
  ];
}
