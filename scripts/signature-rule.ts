/** What functions may take: at most three parameters, and no boolean among them, whose meaning a call does not show. */
import type { Signature } from "./parsed-signature.ts";
import type { ParsedSource } from "./parsed-source.ts";

const most = 3;

/** Functions that may take more, as `PATH NAME`, each with its reason. */
const allowed: ReadonlyMap<string, string> = new Map([
  ["tests/browser/console-screenshots.browser.test.ts getImageData", "it is a method of the browser's own canvas"],
]);

/** What is wrong with the parameters of a file's functions. */
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
