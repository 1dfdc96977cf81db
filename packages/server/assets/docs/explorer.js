// The API explorer: the operations of /openapi.json with their fields, a curl command and a form that sends the request.

/** Follows `$ref` and merges `allOf`, one level at a time. */
const resolved = (document, schema) => {
  if (!schema) return {};
  if (schema.$ref) {
    const path = schema.$ref.replace('#/', '').split('/');
    return resolved(
      document,
      path.reduce((value, key) => value?.[key], document),
    );
  }
  return schema;
};

const isFile = (schema) => schema.format === 'binary' || schema.contentMediaType !== undefined;

const typeOf = (schema) => {
  if (schema.enum) return schema.enum.join(' | ');
  if (isFile(schema)) return 'file';
  return Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'value');
};

const fieldsOf = (document, operation) => {
  const parameters = (operation.parameters ?? []).map((one) => {
    const parameter = resolved(document, one);
    return { ...parameter, schema: resolved(document, parameter.schema) };
  });
  const [bodyType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const schema = resolved(document, body?.schema);
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const field = resolved(document, property);
    return { name, in: 'body', required: required.has(name), description: field.description, schema: field };
  });
  return { bodyType, fields: [...parameters, ...fields] };
};

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

const requestOf = ({ method, path, bodyType, fields }, values, key) => {
  const query = new URLSearchParams();
  const headers = key === '' ? {} : { authorization: `Bearer ${key}` };
  const form = [];
  let target = path;
  for (const field of fields) {
    const value = values.get(field);
    if (value === undefined || value === '') continue;
    if (field.in === 'path') target = target.replace(`{${field.name}}`, encodeURIComponent(value));
    else if (field.in === 'query') query.append(field.name, value);
    else if (field.in === 'header') headers[field.name] = value;
    else if (field.in === 'body') form.push([field.name, value]);
  }
  const url = new URL(`..${target}${query.size > 0 ? `?${query}` : ''}`, document.baseURI);
  if (form.length === 0) return { url, method, headers, form, body: undefined };
  if (bodyType === 'application/json')
    return {
      url,
      method,
      headers: { ...headers, 'content-type': bodyType },
      form,
      body: JSON.stringify(Object.fromEntries(form)),
    };
  const body = new FormData();
  for (const [name, value] of form) body.append(name, value);
  return { url, method, headers, form, body };
};

const curlOf = ({ url, method, headers, form, body }) => {
  const parts = [`curl -X ${method} ${quoted(String(url))}`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (typeof body === 'string') parts.push(`-d ${quoted(body)}`);
  else
    for (const [name, value] of form)
      parts.push(`-F ${quoted(`${name}=${value instanceof File ? `@${value.name}` : value}`)}`);
  return parts.join(' \\\n  ');
};

const showOperation = (shape, operation, element, key) => {
  const values = new Map();
  const curl = element('code');
  const answer = element('pre', { hidden: true });
  const refresh = () => {
    curl.textContent = curlOf(requestOf(shape, values, key.value));
  };
  const controls = shape.fields.map((field) => {
    const takesFile = isFile(field.schema);
    const options = field.schema.enum?.map((value) => element('option', {}, value));
    const control = options
      ? element('select', { name: field.name }, element('option', {}, ''), ...options)
      : element('input', { type: takesFile ? 'file' : 'text', name: field.name });
    control.addEventListener('input', () => {
      values.set(field, takesFile ? control.files[0] : control.value);
      refresh();
    });
    const about = `${field.required ? 'required, ' : ''}${typeOf(field.schema)}${field.description ? `: ${field.description}` : ''}`;
    return element('label', {}, element('code', {}, field.name), ' ', element('span', {}, about), control);
  });
  const send = element('button', { type: 'button' }, 'Send');
  send.addEventListener('click', async () => {
    send.disabled = true;
    answer.hidden = false;
    answer.textContent = 'Waiting …';
    const { url, method, headers, body } = requestOf(shape, values, key.value);
    try {
      const response = await fetch(url, { method, headers, body });
      const text = await response.text();
      let shown = text;
      try {
        shown = JSON.stringify(JSON.parse(text), null, 2);
      } catch {
        // Not JSON: shown as it is.
      }
      answer.textContent = `${response.status} ${response.statusText}\n\n${shown}`;
    } catch (failure) {
      answer.textContent = `The request failed: ${failure.message}`;
    }
    send.disabled = false;
  });
  key.addEventListener('input', refresh);
  refresh();
  return element(
    'details',
    { className: 'operation' },
    element(
      'summary',
      {},
      element('span', { className: 'method' }, shape.method),
      element('code', {}, shape.path),
      ` ${operation.summary ?? ''}`,
    ),
    element('p', {}, operation.description ?? ''),
    ...controls,
    element('pre', {}, curl),
    send,
    answer,
  );
};

export const showExplorer = async (target, element, address) => {
  const document = await (await fetch(address)).json();
  const key = element('input', { type: 'password', autocomplete: 'off' });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => /^(get|post|put|patch|delete)$/.test(method))
      .map(([method, operation]) => {
        const shape = { method: method.toUpperCase(), path, ...fieldsOf(document, operation) };
        return showOperation(shape, operation, element, key);
      }),
  );
  target.replaceChildren(
    element('label', {}, 'API key, used only by this page', key),
    element('h2', {}, 'Operations'),
    ...operations,
  );
};
