import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

// The licence texts of every package that is part of the bundle, as esbuild's metafile tells it.
export function licencesOf(metafile, modules, root) {
  const names = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const inside = input.split('node_modules/').pop();
    if (inside === input) continue;
    const parts = inside.split('/');
    names.add(parts[0].startsWith('@') ? `${parts[0]}/${parts[1]}` : parts[0]);
  }
  const own = readFileSync(join(root, '../LICENSE'), 'utf8');
  const texts = [...names].sort().map((name) => {
    const directory = join(modules, name);
    const about = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    const file = readdirSync(directory).find((entry) => /^licen[cs]e/i.test(entry));
    if (!file || !existsSync(join(directory, file))) throw new Error(`${name}: no licence text`);
    const text = readFileSync(join(directory, file), 'utf8').trim();
    return `${name} ${about.version} (${about.license})\n\n${text}`;
  });
  const rule = `\n\n${'-'.repeat(80)}\n\n`;
  return [`Fairlead's page contains these libraries, unchanged but minified.`, ...texts,
    `Fairlead itself\n\n${own.trim()}`].join(rule) + '\n';
}
