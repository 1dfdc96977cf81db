// Checks references in manifests: policies and budgets select only Faircopy's pods, every deployment has a budget and
// an autoscaler, and all targets exist.

const NAME = 'app.kubernetes.io/name';

const faultsOf = (objects) => {
  const ofKind = (...kinds) => objects.filter(({ kind }) => kinds.includes(kind));
  const workloads = ofKind('Deployment', 'StatefulSet');
  const names = workloads.map(({ spec }) => spec.template.metadata.labels[NAME]);
  const selects = ({ kind, spec }) => (kind === 'NetworkPolicy' ? spec.podSelector : spec.selector).matchLabels?.[NAME];
  // A folder with policies only is applied in addition to an overlay.
  const isOurs = (name) => (workloads.length === 0 ? name === 'faircopy' : names.includes(name));
  const strays = ofKind('NetworkPolicy', 'PodDisruptionBudget').filter((object) => !isOurs(selects(object)));
  const budgets = ofKind('PodDisruptionBudget').map(selects);
  const configMaps = ofKind('ConfigMap').map(({ metadata }) => metadata.name);
  const configMapRefs = workloads.flatMap(({ metadata, spec }) =>
    spec.template.spec.containers
      .flatMap(({ envFrom = [] }) => envFrom)
      .filter(({ configMapRef }) => configMapRef && !configMaps.includes(configMapRef.name))
      .map(({ configMapRef }) => `${metadata.name} reads the ConfigMap ${configMapRef.name}, which is missing`),
  );
  const autoscalers = ofKind('HorizontalPodAutoscaler', 'ScaledObject');
  return [
    ...configMapRefs,
    ...strays.map(({ kind, metadata }) => `${kind} ${metadata.name} selects pods of other applications`),
    ...ofKind('Deployment')
      .filter(({ spec }) => !budgets.includes(spec.template.metadata.labels[NAME]))
      .map(({ metadata }) => `Deployment ${metadata.name} has no disruption budget`),
    ...autoscalers
      .filter(({ spec }) => !workloads.some(({ metadata }) => metadata.name === spec.scaleTargetRef.name))
      .map(({ metadata, spec }) => `${metadata.name} scales ${spec.scaleTargetRef.name}, which is missing`),
    ...ofKind('Deployment')
      .filter(({ metadata }) => !autoscalers.some(({ spec }) => spec.scaleTargetRef.name === metadata.name))
      .map(({ metadata }) => `Deployment ${metadata.name} has no autoscaler`),
  ];
};

/** Throws one error that lists all faults. */
export const checkSelectors = (checks) => {
  const overlays = [...new Set(checks.map(({ overlay }) => overlay))];
  const faults = overlays.flatMap((overlay) =>
    faultsOf(checks.filter((check) => check.overlay === overlay).map(({ object }) => object)).map(
      (fault) => `${overlay}: ${fault}`,
    ),
  );
  if (faults.length > 0) throw new Error(faults.join('\n'));
};
