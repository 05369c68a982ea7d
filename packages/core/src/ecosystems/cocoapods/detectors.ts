import type { FileDetector, FileEntry, LayerFile } from "../../plugins/detector.ts";
import type { Finding } from "../../plugins/finding.ts";
import { lockFileDetector } from "../language/lock-file.ts";
import { provenPackage } from "../language/proof.ts";
import { podsIn } from "./pods.ts";

const place = /(?:^|\/)Pods\/Manifest\.lock$/;

/** Finds the pods that CocoaPods has installed, by the copy of the lock file that it keeps beside them. */
export const podsDetector: FileDetector = {
  name: "cocoapods-manifest",
  revision: 1,
  names: { endings: ["/Manifest.lock"] },
  wants: ({ path }: FileEntry) => path.endsWith("/Manifest.lock") && place.test(`/${path}`),
  *detect(file: LayerFile): Iterable<Finding> {
    for (const { name, version } of podsIn(file.bytes)) yield provenPackage(file, { name, version });
  },
};

/** The detector of CocoaPods' lock file. */
export const podfileLockDetector = lockFileDetector({
  name: "cocoapods-podfile-lock",
  isNamed: (file) => file === "Podfile.lock",
  read: ({ bytes }) => podsIn(bytes),
});
