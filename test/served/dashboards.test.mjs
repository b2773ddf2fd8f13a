// Grafana's dashboards: every metric and label that they name is one that /metrics has, of a
// virtual cluster (`up`) or of a scheduler that reaches no API server (`run`).
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { before, test } from 'node:test';

import { startServer } from '../page/server.mjs';
import { load } from './modules.mjs';
import { startRun } from './run.mjs';

const { parser } = await load('@prometheus-io/lezer-promql');
const dashboards = new Map();
for (const file of await readdir('deploy/grafana')) {
  if (!file.endsWith('.json')) continue;
  dashboards.set(file, JSON.parse(await readFile(`deploy/grafana/${file}`, 'utf8')));
}

const served = new Map(); // metric → labels

function read(text) {
  for (const line of text.split('\n')) {
    const found = /^(fairlead_\w+)(?:\{(.*)\})? \S+$/.exec(line);
    if (!found) continue;
    const labels = served.get(found[1]) ?? new Set();
    for (const [, name] of (found[2] ?? '').matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) labels.add(name);
    served.set(found[1], labels);
  }
}

async function metricsOf(url) {
  const response = await fetch(`${url}/metrics`);
  return response.text();
}

before(async () => {
  const up = await startServer(['-f', 'test/served/cluster.yaml']);
  read(await metricsOf(up.url));
  await up.stop();
  const run = await startRun();
  read(await metricsOf(run.url));
  await run.stop();
});

const panelsOf = (dashboard) =>
  dashboard.panels.flatMap((panel) => [panel, ...(panel.panels ?? [])]);

// As Grafana fills them in; what a text holds stays.
const filled = (expression) =>
  expression.replaceAll('$__rate_interval', '5m').replaceAll('$__range', '1h');

// [{metric, labels}] of an expression: each selector with the labels that it and what is around it
// name.
function selectorsOf(expression) {
  const text = filled(expression);
  const found = [];
  const grouping = []; // of the aggregations around
  const textOf = (node) => text.slice(node.from, node.to);
  const namesBelow = (node, kind) => {
    const names = [];
    node.cursor().iterate((below) => {
      if (below.name === kind) names.push(textOf(below));
      return true;
    });
    return names;
  };
  const walk = (node) => {
    assert(!node.type.isError, `${expression}: not understood at ${node.from}`);
    const modifier = node.name === 'AggregateExpr' ? node.getChild('AggregateModifier') : null;
    if (modifier) grouping.push(namesBelow(modifier, 'LabelName'));
    if (node.name === 'VectorSelector') {
      const metric = textOf(node.getChild('Identifier'));
      const matched = node.getChild('LabelMatchers');
      const labels = matched ? namesBelow(matched, 'LabelName') : [];
      found.push({ metric, labels: [...labels, ...grouping.flat()] });
    }
    for (let child = node.firstChild; child; child = child.nextSibling) walk(child);
    if (modifier) grouping.pop();
  };
  walk(parser.parse(text).topNode);
  return found;
}

function check({ metric, labels }, where) {
  assert(served.has(metric), `${where}: /metrics has no ${metric}`);
  for (const label of labels) {
    assert(served.get(metric).has(label), `${where}: ${metric} has no label ${label}`);
  }
}

test('there are dashboards of the cluster, its queues and the scheduler', () => {
  assert.deepEqual([...dashboards.keys()].sort(), [
    'cluster.json',
    'queues.json',
    'scheduler.json',
  ]);
  assert(served.size > 40, `only ${served.size} metrics are served`);
});

for (const [file, dashboard] of dashboards) {
  test(`${file} asks for what is served`, () => {
    let selectors = 0;
    for (const panel of panelsOf(dashboard)) {
      const where = `${file}: ${panel.title}`;
      for (const target of panel.targets) {
        const asked = selectorsOf(target.expr);
        assert(asked.length > 0, `${where}: ${target.expr} asks for nothing`);
        for (const selector of asked) check(selector, where);
        selectors += asked.length;
        // A legend names labels that the expression keeps.
        for (const [, label] of (target.legendFormat ?? '').matchAll(/\{\{(\w+)\}\}/g)) {
          check({ metric: asked[0].metric, labels: [label] }, where);
          assert(filled(target.expr).includes(label), `${where}: nothing keeps ${label}`);
        }
      }
    }
    assert(selectors >= 8, `only ${selectors} selectors`);
  });

  test(`${file}: its variables are what they are said to be, and it fits a screen`, () => {
    const variables = new Set(dashboard.templating.list.map((variable) => variable.name));
    for (const variable of dashboard.templating.list) {
      if (variable.type === 'datasource') continue;
      const asked = /^label_values\((\w+), (\w+)\)$/.exec(variable.query.query);
      assert(asked, `${file}: ${variable.name}: found ${variable.query.query}`);
      check({ metric: asked[1], labels: [asked[2]] }, `${file}: ${variable.name}`);
    }
    for (const panel of panelsOf(dashboard)) {
      for (const [, name] of JSON.stringify(panel).matchAll(/\$\{?(\w+)/g)) {
        if (!name.startsWith('__')) assert(variables.has(name), `${panel.title}: no $${name}`);
      }
      assert(panel.description, `${file}: ${panel.title} says not what it shows`);
      const { x, y, w, h } = panel.gridPos;
      assert(x + w <= 24 && h > 0 && y >= 0, `${file}: ${panel.title} is beside the screen`);
      for (const other of panelsOf(dashboard)) {
        const at = other.gridPos;
        const apart =
          other === panel || at.x >= x + w || x >= at.x + at.w || at.y >= y + h || y >= at.y + at.h;
        assert(apart, `${file}: ${panel.title} lies over ${other.title}`);
      }
    }
  });
}

test('every metric that is served is told in docs/metrics.md', async () => {
  const told = await readFile('docs/metrics.md', 'utf8');
  const named = new Set([...told.matchAll(/`(fairlead_\w+)`/g)].map(([, name]) => name));
  for (const metric of served.keys()) {
    const name = metric.replace(/_(bucket|sum|count)$/, '');
    assert(named.has(name) || named.has(metric), `${metric} is not told`);
  }
});
