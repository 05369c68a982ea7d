import { spawnSync } from "node:child_process";

/** The program of Syft, a scanner by others, where this machine has it. */
export const syftProgram = process.env.PLIMSOLL_TEST_SYFT ?? "";

interface SyftDocument {
  readonly artifacts: readonly { readonly purl?: string }[];
}

/** The package URLs, without qualifiers, of what Syft lists in an archive; it is told not to look for a newer version of itself. */
export function syftPackages(archive: string): readonly string[] {
  const said = ["docker-archive", "oci-archive"].map((kind) => runSyft(`${kind}:${archive}`));
  const document = said.find((output) => output !== undefined);
  if (document === undefined) throw new Error(`${syftProgram} does not read ${archive}`);
  return document.artifacts.flatMap(({ purl = "" }) => (purl === "" ? [] : [plainPurl(purl)])).sort();
}

/** A package URL without qualifiers and subpath, its text as it reads. */
export function plainPurl(purl: string): string {
  return decodeURIComponent(purl.replace(/[?#].*$/s, ""));
}

function runSyft(source: string): SyftDocument | undefined {
  const env = { ...process.env, SYFT_CHECK_FOR_APP_UPDATE: "false" };
  const { status, stdout } = spawnSync(syftProgram, ["scan", "--quiet", "--output", "syft-json", source], {
    env,
    encoding: "utf8",
    maxBuffer: 512 * 1024 ** 2,
  });
  return status === 0 && stdout !== "" ? JSON.parse(stdout) : undefined;
}
