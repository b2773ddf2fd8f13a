// The libraries of the tests, which the build installs into $PAGE_MODULES.
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(resolve(process.env.PAGE_MODULES, '..', 'of-tests.js'));

export async function load(name) {
  const module = await import(pathToFileURL(require.resolve(name)).href);
  return { ...module.default, ...module };
}
