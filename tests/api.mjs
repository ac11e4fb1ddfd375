// A substitute for the part of GitHub's API that handles comments: pull requests by commit or branch, and
// their comments. Argument: a file for its address. The state is in memory. `GET /state` shows it, and `PUT
// /state` replaces it. `broken` replaces answers: it has `method`, `path` (a pattern), `status`, `text` and
// `headers`.
import { createServer } from 'node:http';
import { writeFileSync } from 'node:fs';

let state = { pulls: [], comments: [], login: 'github-actions[bot]', refuse: false, broken: null };
let next = 1;

const routes = [
  ['GET', /^\/state$/, () => [200, state]],
  ['PUT', /^\/state$/, (_, body) => [200, state = { ...state, ...body }]],
  ['GET', /\/commits\/(\w+)\/pulls$/, ([sha]) => [200, state.pulls.filter((pull) => pull.head.sha === sha && !pull.fork)]],
  ['GET', /\/pulls\?state=open&head=(.+)$/, ([head]) => [200, state.pulls.filter((pull) => pull.label === decodeURIComponent(head))]],
  ['GET', /\/issues\/(\d+)\/comments\?per_page=(\d+)&page=(\d+)$/, ([number, size, page]) => {
    const all = state.comments.filter((comment) => comment.number === Number(number));
    return [200, all.slice((page - 1) * size, page * size)];
  }],
  ['POST', /\/issues\/(\d+)\/comments$/, ([number], { body }) => {
    if (state.refuse) return [403, { message: 'Resource not accessible by integration' }];
    const comment = { id: next++, number: Number(number), body, user: { login: state.login }, html_url: `http://here/${next}` };
    state.comments.push(comment);
    return [201, comment];
  }],
  ['PATCH', /\/issues\/comments\/(\d+)$/, ([id], { body }) => {
    const comment = state.comments.find((one) => one.id === Number(id));
    return comment ? [200, Object.assign(comment, { body })] : [404, {}];
  }],
];

const server = createServer(async (request, response) => {
  let text = '';
  for await (const part of request) text += part;
  const { broken } = state;
  if (broken && !request.url.endsWith('/state') && (broken.method ?? request.method) === request.method && new RegExp(broken.path ?? '').test(request.url)) {
    if (broken.status === 0) return request.socket.destroy();
    response.writeHead(broken.status, broken.headers ?? {});
    response.end(broken.text ?? '');
    return;
  }
  for (const [method, path, answer] of routes) {
    const found = path.exec(request.url);
    if (request.method !== method || !found) continue;
    const [status, body] = answer(found.slice(1), text ? JSON.parse(text) : {});
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
    return;
  }
  response.writeHead(404);
  response.end('{}');
});
server.listen(0, '127.0.0.1', () => writeFileSync(process.argv[2], `http://127.0.0.1:${server.address().port}`));
