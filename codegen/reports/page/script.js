'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const form = document.getElementById('controls');
  const results = document.getElementById('results');
  const status = document.getElementById('status');
  const names = data.revisions.map((one) => one.revision);
  const eras = Object.fromEntries(data.revisions.map((one) => [one.revision, one.era]));
  const DEFAULTS = {
    view: 'matrix',
    q: '',
    message: '',
    sender: '',
    revision: '',
    from: names.at(-2),
    to: names.at(-1),
    at: '',
  };
  const SIGNS = { added: '+', removed: '−' };
  let state = { ...DEFAULTS };

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value !== undefined && value !== '') element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== undefined && child !== ''));
    return element;
  }
  const count = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;

  function hashOf(changes) {
    const next = { ...state, ...changes };
    const pairs = Object.entries(next).filter(([key, value]) => value !== DEFAULTS[key]);
    return `#${new URLSearchParams(pairs)}`;
  }
  // Long names may break behind what joins their parts, not anywhere.
  function broken(text) {
    return text
      .split(/(?<=[/.])/)
      .flatMap((piece, at) => (at === 0 ? [piece] : [make('wbr'), piece]));
  }
  function linkTo(at, text) {
    return make('a', { href: hashOf({ at }), 'data-at': at }, ...broken(text));
  }
  function withCode(text) {
    return text.split('`').map((piece, at) => (at % 2 === 0 ? piece : make('code', {}, piece)));
  }

  // Who sends what: of a request its senders, of a result the others.
  const other = { client: 'server', server: 'client' };
  function sends(sender, method, part) {
    if (sender === '') return true;
    const senders = data.methods[method]?.senders ?? [];
    return senders.some((one) => (part === 'result' ? other[one] : one) === sender);
  }
  function carries({ carriers }) {
    const { message, sender } = state;
    if (message === '' && sender === '') return true;
    return Object.entries(carriers).some(
      ([method, parts]) =>
        (message === '' || method === message) && parts.some((part) => sends(sender, method, part)),
    );
  }
  const lower = (text) => text.toLowerCase();
  const has = (text) => state.q === '' || lower(text).includes(lower(state.q));

  function heads(...first) {
    return [
      ...first,
      ...names.map((name) => make('th', { scope: 'col', class: `cell ${eras[name]}` }, name)),
    ];
  }
  function matrixTable(caption, rows, what) {
    const columns = [
      make('col', { class: 'name' }),
      ...names.map(() => make('col', { class: 'rev' })),
      make('col', { class: 'type' }),
    ];
    return make(
      'table',
      { class: 'matrix', 'aria-label': caption },
      make('colgroup', {}, ...columns),
      make(
        'thead',
        {},
        make(
          'tr',
          {},
          ...heads(make('th', { scope: 'col' }, what)),
          make('th', { scope: 'col', class: 'type' }, what === 'method' ? 'what it is' : 'type'),
        ),
      ),
      make('tbody', {}, ...rows),
    );
  }
  function matrixRow(at, label, cells, latest) {
    return make(
      'tr',
      { class: at === state.at ? 'here' : '', 'data-row': at },
      make('th', { scope: 'row' }, linkTo(at, label)),
      ...names.map((name, index) => {
        const here = cells[index];
        if (here === null) return make('td', { class: 'cell' });
        const [type, required] = here;
        const otherType = type !== latest;
        const presence = required === undefined ? 'exists' : required ? 'required' : 'optional';
        const said = `${presence} in ${name}${otherType ? `: ${type}` : ''}`;
        const dot = make('span', {
          class: `dot ${required === false ? 'opt' : 'req'}${otherType ? ' other' : ''}`,
          role: 'img',
          'aria-label': said,
          title: said,
        });
        return make('td', { class: `cell lives ${eras[name]}` }, dot);
      }),
      make('td', { class: 'type' }, latest),
    );
  }
  function isIn(cells) {
    return state.revision === '' || cells[names.indexOf(state.revision)] !== null;
  }

  function drawMatrix() {
    const sections = [];
    let fields = 0;
    const methods = Object.entries(data.methods).filter(
      ([method, row]) =>
        has(method) &&
        isIn(row.cells) &&
        (state.message === '' || method === state.message) &&
        (state.sender === '' || row.senders.includes(state.sender)),
    );
    if (methods.length > 0) {
      sections.push(
        make(
          'section',
          {},
          make('h2', {}, 'Methods'),
          matrixTable(
            'Methods',
            methods.map(([method, row]) => matrixRow(method, method, row.cells, row.latest)),
            'method',
          ),
        ),
      );
    }
    for (const definition of data.definitions) {
      if (!carries(definition)) continue;
      const whole = state.q !== '' && lower(definition.name) === lower(state.q);
      const rows = definition.fields.filter(
        ([path, cells, latest]) =>
          isIn(cells) && (whole || has(`${definition.name}.${path}`) || has(latest)),
      );
      if (rows.length === 0) continue;
      fields += rows.length;
      const gone = definition.until === undefined ? '' : `, gone in ${definition.until}`;
      sections.push(
        make(
          'section',
          { 'data-row': definition.name, class: definition.name === state.at ? 'here' : '' },
          make(
            'h2',
            {},
            linkTo(definition.name, definition.name),
            make('small', {}, `since ${definition.since}${gone}`),
          ),
          matrixTable(
            definition.name,
            rows.map(([path, cells, latest]) =>
              matrixRow(`${definition.name}.${path}`, path, cells, latest),
            ),
            'field',
          ),
        ),
      );
    }
    status.textContent = `${count(methods.length, 'method')} and ${count(fields, 'field')}`;
    results.replaceChildren(...(sections.length > 0 ? sections : [nothing()]));
  }

  function nothing() {
    return make('p', { class: 'empty' }, 'No revision has anything like it.');
  }

  function effectsOf(indices) {
    return indices.map((index) => {
      const { peer, outcome, conversion, reason } = data.effects[index];
      return make(
        'p',
        { class: `effect ${outcome.replace(' ', '-')}` },
        make('b', {}, outcome),
        ' ',
        ...(conversion ? [make('code', {}, conversion), ' '] : []),
        ...withCode(reason),
        ' ',
        make('span', { class: 'peer' }, `to ${peer}`),
      );
    });
  }
  function flipped(change, reverse) {
    if (!reverse) return change;
    const kinds = { added: 'removed', removed: 'added' };
    return { ...change, kind: kinds[change.kind] ?? change.kind, was: change.now, now: change.was };
  }
  function changeRow({ path, kind, was, now, edge }, at) {
    const union = kind === 'union' ? (was === undefined ? 'added' : 'removed') : kind;
    const what =
      was !== undefined && now !== undefined
        ? [make('span', { class: 'was' }, was), ' → ', now]
        : [now ?? make('span', { class: 'was' }, was ?? '')];
    return make(
      'tr',
      { class: `${union} ${at === state.at ? 'here' : ''}`.trim(), 'data-row': at },
      make('td', { class: 'sign', 'aria-label': union }, SIGNS[union] ?? '~'),
      make('td', { class: 'path' }, linkTo(at, path || 'itself')),
      make('td', { class: 'what' }, ...what),
      make('td', {}, ...effectsOf(edge)),
    );
  }
  function changesTable(label, rows) {
    return make(
      'table',
      { class: 'changes', 'aria-label': label },
      make(
        'colgroup',
        {},
        make('col', { class: 'sign' }),
        make('col', { class: 'path' }),
        make('col', { class: 'what' }),
        make('col'),
      ),
      make('tbody', {}, ...rows),
    );
  }
  function said(change) {
    const effects = (change.edge ?? []).map((index) => data.effects[index]);
    return [
      change.path,
      change.was,
      change.now,
      ...effects.flatMap((one) => [one.outcome, one.conversion, one.reason]),
    ].join(' ');
  }

  function drawDiff() {
    const { from, to } = state;
    const reverse = names.indexOf(from) > names.indexOf(to);
    const diff = data.diffs[reverse ? `${to} ${from}` : `${from} ${to}`];
    const sections = [];
    const sums = {};
    const counted = (edge) =>
      edge.forEach((index) => {
        const { outcome } = data.effects[index];
        sums[outcome] = (sums[outcome] ?? 0) + 1;
      });
    let changes = 0;
    const section = (title, note, rows) => {
      if (rows.length === 0) return;
      changes += rows.length;
      for (const row of rows) counted(row.edge);
      sections.push(
        make(
          'section',
          {},
          make('h2', {}, title, note ? make('small', {}, note) : ''),
          changesTable(
            title,
            rows.map((row) =>
              changeRow(
                row,
                `${title}: ${row.path} ${row.kind === 'union' ? (row.now ?? row.was) : ''}`.trim(),
              ),
            ),
          ),
        ),
      );
    };
    if (diff !== undefined) {
      const flip = (change) => flipped(change, reverse);

      section(
        'Methods',
        '',
        diff.methods
          .map((one) => flip({ ...one, path: one.method, kind: one.change, edge: one.edge }))
          .filter(
            (one) =>
              (state.message === '' || one.path === state.message) &&
              (state.sender === '' ||
                (data.methods[one.path]?.senders ?? []).includes(state.sender)) &&
              has(said(one)),
          ),
      );
      if (state.message === '' && state.sender === '') {
        section(
          'Constants',
          '',
          diff.constants
            .map(flip)
            .map((one) => ({ ...one, edge: [] }))
            .filter((one) => has(said(one))),
        );
      }
      for (const { method, part, senders, changes: all } of diff.messages) {
        if (state.message !== '' && method !== state.message) continue;
        if (state.sender !== '' && !senders.includes(state.sender)) continue;
        section(
          `${method} ${part}`,
          `sent by the ${senders.join(' or the ')}`,
          all.map(flip).filter((one) => has(method) || has(said(one))),
        );
      }
    }
    status.textContent = `${count(changes, 'change')} from ${from} to ${to}`;
    const list = make(
      'ul',
      { class: 'sums', 'aria-label': 'What the edge does' },
      ...Object.entries(sums)
        .sort()
        .map(([outcome, number]) =>
          make('li', { class: outcome.replace(' ', '-') }, make('b', {}, String(number)), outcome),
        ),
    );
    const empty = make(
      'p',
      { class: 'empty' },
      from === to ? 'Choose two revisions that differ.' : 'Nothing of this changed.',
    );
    results.replaceChildren(...(sections.length > 0 ? [list, ...sections] : [empty]));
  }

  function draw() {
    document.body.dataset.view = state.view;
    document.title = `MCP ${state.view === 'matrix' ? 'fields' : `${state.from} → ${state.to}`}`;
    for (const [name, value] of Object.entries(state)) {
      if (form.elements[name] !== undefined && form.elements[name].value !== value)
        form.elements[name].value = value;
    }
    if (state.view === 'matrix') drawMatrix();
    else drawDiff();
    if (state.at !== '') {
      const row = [...results.querySelectorAll('[data-row]')].find(
        (one) => one.dataset.row === state.at,
      );
      row?.scrollIntoView({ block: 'center' });
    }
  }
  function read() {
    const given = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    state = { ...DEFAULTS };
    for (const [key, value] of Object.entries(given)) if (key in DEFAULTS) state[key] = value;
    if (!['matrix', 'diff'].includes(state.view)) state.view = 'matrix';
    for (const key of ['from', 'to']) if (!names.includes(state[key])) state[key] = DEFAULTS[key];
    draw();
  }
  function change(changes) {
    history.replaceState(null, '', hashOf({ at: '', ...changes }));
    read();
  }

  const option = (value, text = value) => make('option', { value }, text);
  const timeline = document.getElementById('timeline');
  for (const { revision, era, title } of data.revisions) {
    timeline.append(make('li', { class: era }, make('b', {}, revision), make('small', {}, title)));
  }
  form.elements.message.append(
    make('option', {}, 'all messages'),
    ...Object.keys(data.methods).map((name) => option(name)),
  );
  form.elements.message.options[0].value = '';
  form.elements.revision.append(
    make('option', {}, 'any revision'),
    ...names.map((name) => option(name)),
  );
  form.elements.revision.options[0].value = '';
  form.elements.from.append(...names.map((name) => option(name)));
  form.elements.to.append(...names.map((name) => option(name)));

  form.addEventListener('input', (event) => change({ [event.target.name]: event.target.value }));
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('reset', (event) => {
    event.preventDefault();
    change({ ...DEFAULTS, view: state.view });
  });
  addEventListener('hashchange', read);

  /** From the heading that has the focus, or else from what is on the screen. */
  function toSection(step) {
    const all = [...results.querySelectorAll('h2')];
    const focused = all.indexOf(document.activeElement);
    const below = all.findIndex((one) => one.getBoundingClientRect().top > 0);
    const seen = step > 0 ? below : below - 1;
    const next = all[focused < 0 ? seen : focused + step];
    if (next === undefined) return;
    next.tabIndex = -1;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'start' });
  }
  addEventListener('keydown', (event) => {
    const { search = form.elements.q, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape') {
      if (target === search) {
        change({ q: '' });
        search.blur();
      }
      return;
    }
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName) && target.type !== 'radio') return;
    const actions = {
      '/': () => search.focus(),
      m: () => change({ view: 'matrix' }),
      c: () => change({ view: 'diff' }),
      j: () => toSection(1),
      k: () => toSection(-1),
    };
    if (actions[event.key] === undefined) return;
    event.preventDefault();
    actions[event.key]();
  });
  read();
})();
