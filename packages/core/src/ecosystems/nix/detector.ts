import type { PathDetector } from "../../plugins/detector.ts";
import { provenPackage } from "../language/proof.ts";
import { storePackage } from "./store-path.ts";

/** Finds packages of Nix by the paths of its store. The evidence has one file for each store path; pieces above its limit remain unassessed. */
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
