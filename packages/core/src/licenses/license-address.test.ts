import { describe, expect, it } from "vitest";
import { licenseAt } from "./license-address.ts";

describe("licenseAt", () => {
  it.each([
    ["https://www.apache.org/licenses/LICENSE-2.0.txt", "Apache-2.0"],
    ["http://www.apache.org/licenses/LICENSE-2.0", "Apache-2.0"],
    ["https://licenses.nuget.org/MIT", "MIT"],
    ["https://licenses.nuget.org/MIT%20OR%20Apache-2.0", "MIT OR Apache-2.0"],
    ["https://opensource.org/licenses/BSD-3-Clause/", "BSD-3-Clause"],
    ["https://spdx.org/licenses/EPL-2.0.html", "EPL-2.0"],
    ["https://www.eclipse.org/legal/epl-v20.html", "EPL-2.0"],
    ["https://www.eclipse.org/legal/epl-2.0/", "EPL-2.0"],
    ["https://opensource.org/licenses/mit", "MIT"],
    ["http://www.opensource.org/licenses/mit-license.php", "MIT"],
    ["https://licenses.nuget.org/%28MIT%20AND%20GPL-2.0%2B%29", "MIT AND GPL-2.0-or-later"],
    ["https://licenses.nuget.org/LGPL-3.0", "LGPL-3.0-only"],
    ["https://opensource.org/licenses/GPL-3.0", undefined],
    ["https://spdx.org/licenses/GPL-3.0-or-later.html", "GPL-3.0-or-later"],
    ["https://opensource.org/licenses/bsd-license.php", undefined],
    ["https://www.gnu.org/licenses/old-licenses/lgpl-2.1.html", undefined],
    ["https://github.com/acme/acme/blob/main/LICENSE", undefined],
    ["", undefined],
  ])("%s: %s", (address, id) => {
    expect(licenseAt(address)).toBe(id);
  });
});
