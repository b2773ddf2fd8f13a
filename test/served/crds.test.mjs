// `kubectl explain`: every field of our kinds says what it is. (Kubernetes describes apiVersion, kind
// and metadata itself.)
import assert from 'node:assert/strict';
import { readFile, readdir, realpath } from 'node:fs/promises';
import { test } from 'node:test';

import { load } from './modules.mjs';

const { parse } = await load('yaml');
const kDescribedByKubernetes = ['.apiVersion', '.kind', '.metadata'];

function* fieldsOf(schema, path = '') {
  yield [path, schema];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield* fieldsOf(field, `${path}.${name}`);
  }
  for (const [name, field] of Object.entries(schema.items?.properties ?? {})) {
    yield* fieldsOf(field, `${path}[].${name}`);
  }
}

const files = (await readdir('deploy/crds')).filter((name) => name.endsWith('.dev.yaml'));
for (const file of files) {
  test(`${file} describes its fields`, async () => {
    const crd = parse(await readFile(`deploy/crds/${file}`, 'utf8'));
    let count = 0;
    for (const version of crd.spec.versions) {
      for (const [path, field] of fieldsOf(version.schema.openAPIV3Schema)) {
        count++;
        if (kDescribedByKubernetes.includes(path)) continue;
        const said = field.description ?? '';
        assert(/^[A-Z].*\.$/s.test(said), `${crd.spec.names.kind}${path}: found "${said}"`);
      }
    }
    assert(count >= 5, `only ${count} fields`);
  });
}

test('there are four kinds, and the chart installs these files', async () => {
  assert.equal(files.length, 4);
  for (const file of files) {
    const installed = await realpath(`deploy/helm/fairlead/crds/${file}`);
    assert.equal(installed, await realpath(`deploy/crds/${file}`));
  }
});
