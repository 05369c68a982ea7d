/**
 * Serves the image of the demo with its report in the console until Ctrl+C. The image is public; sign in as `demo` to change anything.
 *
 *     npm run demo:console
 */
import { once } from "node:events";
import { demoImage, demoUser, openDemoRegistry } from "./demo-registry.ts";

await using registry = await openDemoRegistry(Number(process.env.PORT ?? 0));
const { username, password } = demoUser;
console.log(`The report in the console: ${registry.address}/${username}/${demoImage.repository}:latest`);
console.log(`To change anything, sign in as ${username} with the password ${password}. Press Ctrl+C to stop.`);
await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
