/** What tools of other makers say about our documents; they are packages of PyPI, see `.ci/run`. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { skipNote } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toCycloneDx } from "./cyclonedx.ts";
import { toCycloneDxXml } from "./cyclonedx-xml.ts";
import { billImages, indexBillImage } from "./fixtures/bill-images.ts";
import type { DocumentStamp, ReportedImage } from "./reported-image.ts";
import { toSpdx } from "./spdx.ts";
import { toSpdx3 } from "./spdx3.ts";

/** The folder with the packages. */
const tools = process.env.PLIMSOLL_TEST_SBOM_TOOLS;

const stamp: DocumentStamp = {
  toolVersion: "1.0.0",
  createdAt: 0,
  authors: ["Acme <bill@acme.example>"],
  supplier: "Acme <https://acme.example>",
};

const ntia = (form: string) => `
from ntia_conformance_checker import SbomChecker
checker = SbomChecker(file, sbom_spec="${form}")
print("conformant" if checker.compliant else checker.validation_messages or "not conformant")`;

const spdxTools = `
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
print([each.validation_message for each in validate_full_spdx_document(parse_file(file))] or "conformant")`;

/** Made of the SHACL shapes of the model: reading checks types, values and properties, and writing how many there are of each. */
const spdxModel = `
import io
from spdx_python_model.bindings import v3_0_1 as model
objects = model.SHACLObjectSet()
model.JSONLDDeserializer().read(open(file, "rb"), objects)
model.JSONLDSerializer().write(objects, io.BytesIO())
unknown = sorted({str(o) for o in objects.objects if type(o) is model.SHACLObject} | set(map(str, objects.missing_ids)))
print(unknown or ("conformant" if objects.objects else "empty"))`;

const cycloneDx = (kind: string, version: string) => `
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.${kind.toLowerCase()} import ${kind === "Xml" ? "XmlValidator" : "JsonStrictValidator"} as Validator
print(Validator(SchemaVersion.V${version.replace(".", "_")}).validate_str(open(file).read()) or "conformant")`;

const json = (document: object) => JSON.stringify(document);

const rows: readonly (readonly [name: string, write: (image: ReportedImage) => string, script: string])[] = [
  ["ntia-conformance-checker, SPDX 2.3", (image) => json(toSpdx(image, stamp)), ntia("spdx2")],
  ["ntia-conformance-checker, SPDX 3", (image) => json(toSpdx3(image, stamp)), ntia("spdx3")],
  ["spdx-tools, SPDX 2.3", (image) => json(toSpdx(image, stamp)), spdxTools],
  ["spdx-python-model, SPDX 3", (image) => json(toSpdx3(image, stamp)), spdxModel],
  ["cyclonedx-python-lib, 1.6", (image) => json(toCycloneDx(image, stamp)), cycloneDx("Json", "1.6")],
  ["cyclonedx-python-lib, 1.7", (image) => json(toCycloneDx(image, stamp, "1.7")), cycloneDx("Json", "1.7")],
  ["cyclonedx-python-lib, XML", (image) => toCycloneDxXml(image, stamp), cycloneDx("Xml", "1.6")],
];

const images: ReportedImage[] = [];
let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "documents-"));
  for (const name of billImages) images.push(await indexBillImage(name));
});
afterAll(() => rmSync(folder, { recursive: true }));

const why = tools === undefined ? "no PLIMSOLL_TEST_SBOM_TOOLS" : undefined;

describe(`documents checked by other tools${skipNote(why)}`, () => {
  it.skipIf(tools === undefined).each(rows)(
    "%s",
    async (_, write, script) => {
      for (const image of images) {
        const file = join(folder, "document.spdx.json");
        writeFileSync(file, write(image));

        const { stdout } = await promisify(execFile)("python3", ["-c", `file = ${JSON.stringify(file)}${script}`], {
          env: { ...process.env, PYTHONPATH: tools },
        });

        expect(stdout.trim()).toBe("conformant");
      }
    },
    60_000,
  );
});
