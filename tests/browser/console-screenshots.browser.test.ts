/** The pictures of the console in docs/console: each is there, and shows the console as it looks now in the Chromium of this machine. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DemoRegistry, openDemoRegistry } from "../../examples/demo/demo-registry.ts";
import { colorSchemes, photograph, photographedPages } from "../../scripts/console-screenshots.ts";
import { connectChromium } from "../support/console-browser.ts";

const folder = join(import.meta.dirname, "../../docs/console");

/** The part of the picture that may differ: fonts and ages are not the same everywhere. */
const tolerance = 0.02;

let registry: DemoRegistry;
let browser: Browser;
beforeAll(async () => {
  registry = await openDemoRegistry();
  browser = await connectChromium();
});
afterAll(async () => {
  await browser?.close();
  await registry?.[Symbol.asyncDispose]();
});

describe("the screenshots", () => {
  it("are those of the pages that are photographed", () => {
    const names = photographedPages.flatMap(({ name }) => colorSchemes.map((scheme) => `${name}-${scheme}.png`));

    expect(readdirSync(folder).sort()).toEqual(names.sort());
  });

  it.each(colorSchemes)("show the console as it is now, %s; npm run screenshots takes them again", async (scheme) => {
    const differing: Record<string, number> = {};
    const page = await browser.newPage();

    await photograph(registry.address, scheme, async (name, png) => {
      const images = [png, readFileSync(join(folder, name))].map((each) => each.toString("base64"));
      const part = await page.evaluate(differingPart, images);
      if (part > tolerance) differing[name] = part;
    });

    expect(differing).toEqual({});
  });
});

/** The part of the pixels that differ visibly between two pictures. Runs in a page. */
async function differingPart(images: readonly string[]): Promise<number> {
  const { createImageBitmap, OffscreenCanvas } = globalThis as unknown as Drawing;
  const pixels = [];
  for (const base64 of images) {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    pixels.push(context.getImageData(0, 0, bitmap.width, bitmap.height).data);
  }
  const [one = new Uint8ClampedArray(), other = new Uint8ClampedArray()] = pixels;
  if (one.length !== other.length) return 1;
  let count = 0;
  for (let at = 0; at < one.length; at += 4) {
    const by = [0, 1, 2].map((channel) => Math.abs((one[at + channel] ?? 0) - (other[at + channel] ?? 0)));
    if (Math.max(...by) > 48) count++;
  }
  return count / (one.length / 4);
}

/** What is used of the page's means to draw. */
interface Drawing {
  createImageBitmap(blob: Blob): Promise<{ readonly width: number; readonly height: number }>;
  readonly OffscreenCanvas: new (
    width: number,
    height: number,
  ) => {
    getContext(kind: "2d"): {
      drawImage(image: object, x: number, y: number): void;
      getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
    };
  };
}
