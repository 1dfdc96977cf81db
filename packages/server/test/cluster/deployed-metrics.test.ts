// Checks that the metrics and labels named under deploy/ exist, and those of an autoscaler on its target.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { natsAbsence, startOwnNats } from '../../src/cluster/testing/own-nats.ts';
import type { Metrics } from '../../src/observability/metrics.ts';
import { startGateway, startWorker } from './gateway-and-worker.ts';

/** Compiled tests are in dist/. */
const DEPLOY = fileURLToPath(new URL('../../../../../deploy/', import.meta.url));

/** Metrics and labels that come from Prometheus itself. */
const PROMETHEUS_METRICS = ['up'];
const PROMETHEUS_LABELS = ['instance', 'job', 'le'];
const KEYWORDS = new Set(['and', 'or', 'unless']);

type Labels = ReadonlyMap<string, readonly string[]>;

/** Metric names with their labels, the series of histograms included. */
const labelsOf = async ({ registry }: Metrics): Promise<Labels> => {
  const metrics = registry.getMetricsAsArray() as unknown as { name: string; labelNames: string[] }[];
  const page = await registry.metrics();
  return new Map(
    metrics.flatMap(({ name, labelNames }) => {
      assert.ok(page.includes(`# TYPE ${name} `), `${name} is on the page`);
      return ['', '_bucket', '_sum', '_count'].map((suffix) => [`${name}${suffix}`, labelNames] as const);
    }),
  );
};

interface Named {
  readonly metric: string;
  readonly labels: readonly string[];
}

/** The metrics of an expression with the labels in their selectors, and the labels that it groups by. */
const namesIn = (expression: string): { readonly named: Named[]; readonly groups: string[] } => {
  const groups = [...expression.matchAll(/\b(?:by|without) ?\(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/, ?/));
  const bare = expression.replaceAll(/\b(?:by|without) ?\([^)]*\)|\[[^\]]*\]/g, ' ');
  const named: Named[] = [];
  for (const [, metric, next = ''] of bare.matchAll(/\b([a-z_][a-z0-9_]*)(\s*\(|\{[^}]*\})?/gi)) {
    if (next.trim() === '(' || KEYWORDS.has(metric!)) continue;
    named.push({ metric: metric!, labels: [...next.matchAll(/(\w+) ?(?:=|!)/g)].map(([, label]) => label!) });
  }
  return { named, groups };
};

const expressions = async (): Promise<string[]> => {
  const dashboard = JSON.parse(await readFile(join(DEPLOY, 'grafana/faircopy.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const alerts = await readFile(join(DEPLOY, 'prometheus/alerts.yaml'), 'utf8');
  return [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...[...alerts.matchAll(/expr: (.+)/g)].map(([, expression]) => expression!),
  ];
};

const files = async (): Promise<string[]> =>
  (await readdir(DEPLOY, { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

test('every metric and label under deploy/ exists', { skip: natsAbsence }, async (t) => {
  const nats = await startOwnNats();
  t.after(() => nats.close());
  const { app } = await startGateway(t, nats.url);
  const { worker } = await startWorker(t, nats.url, {});
  const [onServer, onWorker] = await Promise.all([labelsOf(app.metrics), labelsOf(worker.metrics)]);
  const known = new Map([...onWorker, ...onServer]);

  const all = await expressions();
  assert.ok(all.length > 30);
  for (const expression of all) {
    const { named, groups } = namesIn(expression);
    assert.ok(named.length > 0, expression);
    for (const { metric, labels } of named) {
      if (PROMETHEUS_METRICS.includes(metric)) continue;
      assert.ok(known.has(metric), `${metric} in ${expression}`);
      for (const label of [...labels, ...groups])
        assert.ok(
          known.get(metric)!.includes(label) || PROMETHEUS_LABELS.includes(label),
          `${metric} has no ${label}: ${expression}`,
        );
    }
  }

  const adapter = await readFile(join(DEPLOY, 'prometheus/adapter.yaml'), 'utf8');
  const derived = new Set([...adapter.matchAll(/name: \{ as: (\w+) \}/g)].map(([, name]) => name!));
  assert.equal(derived.size, 1);
  let targets = 0;
  for (const path of await files()) {
    const text = await readFile(path, 'utf8');
    for (const [name] of text.matchAll(/\bfaircopy_[a-z_]+\b/g))
      assert.ok(known.has(name) || derived.has(name), `${name} in ${path}`);
    if (!text.includes('kind: HorizontalPodAutoscaler\n')) continue;
    const target = /scaleTargetRef: .*name: ([\w-]+)/.exec(text)![1];
    const page = target === 'faircopy-worker' ? onWorker : onServer;
    for (const [, name] of text.matchAll(/metric: \{ name: (\w+) \}/g)) {
      assert.ok(page.has(name!) || derived.has(name!), `${target} has no ${name}`);
      targets += 1;
    }
  }
  assert.equal(targets, 3);
});
