/**
 * Bundler's lock file, of which the section of gems is read; those of `GIT`, in the same form, are in no registry:
 *
 * ```
 * "GEM" line-end {"  remote: " … | "  specs:" | "    " name " (" version ["-" platform] ")" | "      " dependency}
 * ```
 * It does not say which gems are for development.
 * @see https://bundler.io/guides/rationale.html
 */
import { withoutPlatform } from "../../versions/gem/platform.ts";
import { lockFileDetector } from "../language/lock-file.ts";
import { decodeText } from "../linux/text.ts";

const spec = /^ {4}([\w.-]+) \(([^()\s]+)\)$/;

const gemfileLockDetector = lockFileDetector({
  name: "gemfile-lock",
  isNamed: (file) => file === "Gemfile.lock" || file === "gems.locked",
  *read(file) {
    let section = "";
    for (const line of decodeText(file.bytes).split("\n")) {
      if (/^[A-Z]/.test(line)) section = line.trim();
      const [, name, version] = section === "GEM" || section === "GIT" ? (spec.exec(line) ?? []) : [];
      if (name === undefined || version === undefined) continue;
      yield { name, version: withoutPlatform(version), isUnpublished: section === "GIT" };
    }
  },
});

/** The detectors of Ruby's lock files. */
export const rubyLockFiles = [gemfileLockDetector];
