import type { OuterArchive } from "../plugins/detector.ts";
import type { Finding } from "../plugins/finding.ts";
import { shownPath } from "./open-archive.ts";

/**
 * A finding in a member of an archive, with the places as reports show them. The file of the layer, which a later layer may replace and a package of the
 * operating system may own, is the outermost archive.
 */
export function foundInArchive(finding: Finding, archive: OuterArchive): Finding {
  const { file, folder, shown } = archive;
  const shownAt = (path: string) => shownPath(path, archive);
  switch (finding.kind) {
    case "package": {
      const { packageDb, dependenciesIn, dependencyFolders } = finding;
      return {
        ...finding,
        packageDb: shownAt(packageDb),
        file,
        dependenciesIn: dependenciesIn?.map(shownAt),
        dependencyFolders: dependencyFolders?.map(shownAt),
      };
    }
    case "problem": {
      const place = shownAt(finding.path);
      const message = finding.message.replaceAll(folder, shown);
      return { ...finding, path: file, message: message.includes(shown) ? message : `${place}: ${message}` };
    }
    case "link":
      return { ...finding, path: shownAt(finding.path), target: `/${shownAt(finding.target.slice(1))}`, file };
    case "listing":
      return {
        ...finding,
        path: file,
        files: finding.files.map(shownAt),
        members: (finding.members ?? []).map(shownAt),
      };
    default:
      return { ...finding, path: file };
  }
}
