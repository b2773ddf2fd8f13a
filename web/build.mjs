// Bundles the page: index.html, app.HASH.js, app.HASH.css and licences.txt; beside it demo/*.yaml, the
// lab of examples/research-lab, which `fairlead up --demo` reads.
//
//   node build.mjs MODULES OUT [CC]      MODULES: the node_modules to bundle from. OUT: a directory,
//                                        emptied first. CC: a C++ source that holds all of it.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { writeEmbedded } from './embed.mjs';
import { licencesOf } from './licences.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const [modules, out, source] = process.argv.slice(2).map((path) => resolve(path));
if (!out) {
  console.error('usage: node build.mjs MODULES OUT [CC]');
  process.exit(2);
}
const esbuild = createRequire(join(modules, 'none.js'))('esbuild');

const bundle = (entryPoints, format) => esbuild.build({
  absWorkingDir: here,
  entryPoints,
  outdir: out,
  bundle: true,
  minify: true,
  format,
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none', // licences.txt has them in full
  jsx: 'automatic',
  jsxImportSource: 'preact',
  nodePaths: [modules],
  metafile: true,
  write: false,
  logLevel: 'warning',
});

const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 12);
const bundled = (result, extension) =>
  result.outputFiles.find((file) => file.path.endsWith(extension)).text;
const files = [];
const add = (name, type, text) => {
  const bytes = Buffer.from(text);
  files.push({ name, type, bytes, hash: hashOf(bytes) });
  return name;
};

const result = await bundle({ app: 'src/main.tsx' }, 'esm');
const js = bundled(result, '.js');
const css = bundled(result, '.css');
const script = add(`app.${hashOf(js)}.js`, 'text/javascript; charset=utf-8', js);
const style = add(`app.${hashOf(css)}.css`, 'text/css; charset=utf-8', css);
const page = readFileSync(join(here, 'src/index.html'), 'utf8')
  .replace('SCRIPT', `/assets/${script}`)
  .replace('STYLE', `/assets/${style}`);
add('index.html', 'text/html; charset=utf-8', page);
add('licences.txt', 'text/plain; charset=utf-8', licencesOf(result.metafile, modules, here));

// Put into reports, not served by these names.
const report = await bundle({ report: 'src/report/main.tsx' }, 'iife');
add('report.js', 'text/javascript; charset=utf-8', bundled(report, '.js'));
add('report.css', 'text/css; charset=utf-8', bundled(report, '.css'));

const lab = join(here, '../examples/research-lab');
for (const name of readdirSync(lab).filter((each) => each.endsWith('.yaml')).sort()) {
  add(`demo/${name}`, 'application/yaml', readFileSync(join(lab, name)));
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const file of files) {
  mkdirSync(dirname(join(out, file.name)), { recursive: true });
  writeFileSync(join(out, file.name), file.bytes);
}
if (source) writeEmbedded(source, files);
