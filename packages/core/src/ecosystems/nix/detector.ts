import type { PathDetector } from "../../plugins/detector.ts";
import { provenPackage } from "../language/proof.ts";
import { storePackage } from "./store-path.ts";

/** Finds the packages of Nix by the paths of its store. One file of each store path is noted; those beyond the bound are not assessed. */
export const nixStoreDetector: PathDetector = {
  name: "nix-store",
  revision: 1,
  packages: "nix",
  *detect(evidence) {
    const found = storePackage(evidence.path);
    if (found !== undefined) yield provenPackage(evidence, found);
    if (evidence.pieces > 1) yield { ...evidence, pieces: evidence.pieces - 1 };
  },
};
