import { lockFileDetector } from "../language/lock-file.ts";
import { tomlTables, tomlText } from "../language/toml-tables.ts";
import { decodeText } from "../linux/text.ts";

const cargoLockDetector = lockFileDetector({
  name: "cargo-lock",
  isNamed: (file) => file === "Cargo.lock",
  *read(file) {
    for (const table of tomlTables(decodeText(file.bytes))) {
      const [name, version] = [tomlText(table, "name"), tomlText(table, "version")];
      const isOwn = tomlText(table, "source") === ""; // of the project itself
      if (table.name === "package" && name !== "" && version !== "" && !isOwn) yield { name, version };
    }
  },
});

/**
 * The detectors of Rust's lock files: `[[package]] name, version, source`. They do not say which packages are for development.
 * @see https://doc.rust-lang.org/cargo/guide/cargo-toml-vs-cargo-lock.html
 */
export const rustLockFiles = [cargoLockDetector];
