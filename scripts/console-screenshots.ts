/**
 * Writes the screenshots of docs/console: a registry with the image of the demo, in the installed Chromium.
 * `tests/browser/console-screenshots.browser.test.ts` fails when the console no longer looks like them.
 *
 *     npm run screenshots
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDemoRegistry } from "../examples/demo/demo-registry.ts";
import { colorSchemes, photograph } from "./lib/console-photos.ts";

const target = join(import.meta.dirname, "../docs/console");
mkdirSync(target, { recursive: true });
await using registry = await openDemoRegistry();
for (const scheme of colorSchemes) {
  await photograph(registry.address, scheme, (name, png) => writeFileSync(join(target, name), png));
}
