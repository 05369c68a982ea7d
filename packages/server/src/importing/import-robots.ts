import { Type } from "typebox";
import { importFederations } from "./import-protections.ts";
import { attempt, type Importing, importItem } from "./importing.ts";
import { listAll, pathOf, read, readAll } from "./management-api.ts";
import { lists } from "./shapes.ts";

const Made = Type.Object({ name: Type.String(), token: Type.Optional(Type.String()) });

/** Imports the robots of an organization. Their tokens cannot be read, so each gets a new one. */
export async function importRobots(importing: Importing, organization: string): Promise<void> {
  const { source, target, report } = importing;
  const list = `${pathOf`/organization/${organization}/robots`}?token=false&permissions=false`;
  await attempt(report, { kind: "robot", name: organization }, async () => {
    const here = new Set((await listAll(target, list, lists.robots)).map(({ name }) => name));
    for await (const robot of readAll(source, list, lists.robots)) {
      const short = robot.name.slice(robot.name.indexOf("+") + 1);
      const { description, unstructured_metadata } = robot;
      const details = {
        description: description || undefined,
        unstructured_metadata: unstructured_metadata || undefined,
      };
      await importRobot(importing, { organization, short, details, isHere: here.has(robot.name) });
      await importFederations(importing, organization, short);
    }
  });
}

interface SourceRobot {
  readonly organization: string;
  readonly short: string;
  readonly details: object;
  readonly isHere: boolean;
}

async function importRobot(importing: Importing, { organization, short, details, isHere }: SourceRobot): Promise<void> {
  const { target, credentials } = importing;
  const path = pathOf`/organization/${organization}/robots/${short}`;
  await importItem(importing, {
    ...{ kind: "robot", name: `${organization}+${short}` },
    compare: async () => (isHere ? undefined : "missing"),
    async create() {
      const made = await target.send("PUT", path, details);
      if (made === undefined) return;
      const { name, token = "" } = (await read({ get: async () => made }, path, Made)) ?? { name: "" };
      await credentials.add({ kind: "robot", name, secret: token });
      return `has a new token, in ${credentials.path}`;
    },
  });
}
