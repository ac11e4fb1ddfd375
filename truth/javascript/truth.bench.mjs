import { bench } from 'derny';
import { bodies } from './bodies.mjs';

for (const [name, body] of Object.entries(bodies)) bench(name, body);
