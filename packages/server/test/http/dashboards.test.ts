// Every metric and label that the dashboard and the alert rules name exists on the metrics page of a running service.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { startService } from './service.ts';

/** Compiled tests stand in dist/. */
const DEPLOY = new URL('../../../../../deploy/', import.meta.url);

/** Made by Prometheus itself. */
const NOT_OURS = new Set(['up']);
const FUNCTIONS = new Set(['sum', 'rate', 'by', 'histogram_quantile']);

const metricsIn = (expression: string): string[] => {
  const bare = expression.replace(/\{[^}]*\}|\[[^\]]*\]|by \([^)]*\)/g, ' ');
  return [...bare.matchAll(/[a-z_][a-z0-9_]*/gi)].map(([name]) => name).filter((name) => !FUNCTIONS.has(name));
};

const expressionsOf = async (): Promise<string[]> => {
  const dashboard = JSON.parse(await readFile(new URL('grafana/faircopy.json', DEPLOY), 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const alerts = await readFile(new URL('prometheus/alerts.yaml', DEPLOY), 'utf8');
  return [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...[...alerts.matchAll(/expr: (.+)/g)].map(([, expression]) => expression!),
  ];
};

test('every metric in the dashboard and the alerts exists', async (t) => {
  const { app } = await startService(t);
  const { text } = await app.metrics.page();
  const known = new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
  const expressions = await expressionsOf();
  assert.ok(expressions.length > 15);
  for (const expression of expressions)
    for (const name of metricsIn(expression))
      assert.ok(known.has(name) || NOT_OURS.has(name), `${name} in ${expression}`);
});
