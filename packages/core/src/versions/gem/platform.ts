const platform =
  /-(?:x86|x64|i[3-6]86|aarch64|arm(?:v\d)?|universal|powerpc|ppc|s390x|riscv64|java|jruby|mswin|mingw|dalvik)(?![a-z]).*$/is;

/**
 * The version without the platform that lock files and file names append to it: `1.15.0-x86_64-linux` is 1.15.0. Otherwise
 * the platform would be read as a prerelease.
 * @see https://docs.ruby-lang.org/en/master/Gem/Platform.html
 */
export function withoutPlatform(version: string): string {
  return version.replace(platform, "");
}
