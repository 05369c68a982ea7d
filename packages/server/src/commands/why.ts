import { packagesNamed } from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import { chainsIn, dependencyGraph, type IndexedImage, type Package } from "@plimsoll/scanner";
import { type ExitCode, exitCodes } from "../cli/exit-code.ts";
import { whyFormats } from "../cli/output-format.ts";
import type { Session } from "../cli/session.ts";
import { openOutputs, writeResults } from "../cli/write-results.ts";
import { prettyJson } from "../render/json.ts";
import { indexImages } from "./scan.ts";

/** A package of an image and how it came there: the packages from one that none needs to this one, each needed by the one before. */
interface Chain {
  readonly image: string;
  readonly packages: readonly Package[];
  /** Whether it is known that nothing needs the first package: not where a package does not say what it needs. */
  readonly isKnown: boolean;
}

/** `plimsoll why SOURCE PACKAGE`: shows by which packages a package is needed. */
export async function why(session: Session, word: string, name: string): Promise<ExitCode> {
  const { settings, palette, io } = session;
  const platform = session.platform();
  const outputs = await openOutputs(settings.output, { formats: whyFormats, several: platform === "all" });
  const images = await indexImages(session, word);
  const chains = images.flatMap((image) => chainsOf(image, name));
  const text = ({ packages, isKnown }: Chain) =>
    packages.map(
      (each, index) =>
        `${"  ".repeat(index)}${index === 0 ? "" : "needs "}${palette.strong(nameOf(each))}${isKnown ? "" : " (what needs it is not known)"}`,
    );
  await writeResults(
    outputs,
    {
      table: () => chains.flatMap((chain, index) => [...(index === 0 ? [] : [""]), ...text(chain)]),
      json: () => [prettyJson(chains.map(toJson))],
      ndjson: () => chains.map((chain) => JSON.stringify(toJson(chain))),
    },
    io,
  );
  if (chains.length > 0) return exitCodes.ok;
  session.warn(`no package ${safeText(name)} in ${safeText(images[0]?.source ?? word)}`);
  return exitCodes.scan;
}

function chainsOf({ reference, report }: IndexedImage, name: string): readonly Chain[] {
  const graph = dependencyGraph(report);
  const chainTo = graph && chainsIn(graph);
  const wanted = packagesNamed(report, name);
  return wanted.map((each) => {
    const ids = chainTo?.(each.id) ?? [each.id];
    const isKnown = ids.length > 1 || graph?.unknown.every((id) => id === each.id) === true;
    return { image: reference, packages: ids.flatMap((id) => report.packages[id] ?? []), isKnown };
  });
}

function nameOf({ name, version }: Package): string {
  return safeText(`${name} ${version}`.trim());
}

function toJson({ image, packages, isKnown }: Chain): object {
  const known = isKnown ? undefined : false;
  return { image, chain: packages.map(({ name, version }) => ({ package: name, version })), known };
}
