/**
 * What begins the folder of an installed package, with the package's name: packages of npm, Ruby and PHP have one folder each. Modules of Python share a folder, and
 * what is named like a folder of tests there is one.
 */
const packageFolders =
  /(?:^|\/)(?:node_modules\/(?:@[^/]+\/)?[^/]+|(?:site|dist)-packages|gems\/[^/]+|vendor\/[^/]+\/[^/]+|[^/]+\.(?:egg|whl))(?=\/)/;

const testFolders =
  /\/(?:__(?:fixtures|mocks|tests)__|demos?|examples?|fixtures?|samples?|spec|test[-_]?data|testing|tests?)(?:\/|$)/;

/** The tests of CPython itself, with wheels and programs as input: `lib/python3.12/test/ziptestdata/exe_with_zip`. */
const pythonTests = /(?:^|\/)lib(?:64)?\/python\d\.\d{1,2}t?\/test\//;

/** Whether a file belongs to the tests of Python's standard library, in which no program is one of the image. */
export function isOfPythonTests(path: string): boolean {
  return path.includes("/test/") && pythonTests.test(path);
}

/**
 * Whether a file belongs to the tests or the examples of an installed package. What looks like packages there is not installed: package managers and
 * scanners have folders of them as input. An application's own folder for tests is outside of any package.
 * @example
 * isTestData("app/node_modules/x/test/fixtures/node_modules/lodash/package.json"); // true
 * isTestData("app/test/node_modules/lodash/package.json"); // false
 */
export function isTestData(path: string): boolean {
  if (isOfPythonTests(path)) return true;
  const [, ...inPackages] = path.split(packageFolders);
  return inPackages.some((each) => testFolders.test(each));
}
