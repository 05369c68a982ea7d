import { packagesNamed, reachedPackages } from "@plimsoll/core/internal";
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
  /** Whether the first is what the image starts. */
  readonly isStarted: boolean;
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
  const text = ({ isStarted, packages, isKnown }: Chain) =>
    packages.map((each, index) => {
      const before = index === 0 ? (isStarted ? "the image starts " : "") : "needs ";
      const after = isKnown ? "" : " (what needs it is not known)";
      return `${"  ".repeat(Math.min(index, mostIndented))}${before}${palette.strong(nameOf(each))}${after}`;
    });
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
  session.fail(`no package ${safeText(name)} in ${safeText(images[0]?.source ?? word)}`);
  return exitCodes.scan;
}

/** Further packages of a chain are not moved further to the right. */
const mostIndented = 40;

/** A chain begins with what the image starts, if that leads to the package. */
function chainsOf({ reference, report, config }: IndexedImage, name: string): readonly Chain[] {
  const graph = dependencyGraph(report);
  const { entries = [] } = reachedPackages(report, graph, config?.start) ?? {};
  const [fromEntries, fromRoots] = [graph && chainsIn({ ...graph, roots: entries }), graph && chainsIn(graph)];
  const chainTo = (id: string) => fromEntries?.(id) ?? fromRoots?.(id);
  const wanted = packagesNamed(report, name);
  return wanted.map((each) => {
    const ids = chainTo(each.id) ?? [each.id];
    const isStarted = entries.includes(ids[0] ?? "");
    const isKnown = isStarted || ids.length > 1 || graph?.unknown.every((id) => id === each.id) === true;
    return { image: reference, isStarted, packages: ids.flatMap((id) => report.packages[id] ?? []), isKnown };
  });
}

function nameOf({ name, version }: Package): string {
  return safeText(`${name} ${version}`.trim());
}

function toJson({ image, isStarted, packages, isKnown }: Chain): object {
  const [started, known] = [isStarted ? true : undefined, isKnown ? undefined : false];
  return { image, started, chain: packages.map(({ name, version }) => ({ package: name, version })), known };
}
