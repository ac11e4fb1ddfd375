export * from './index.cjs';
import { bench, blackHole, group } from './index.cjs';

declare const derny: { bench: typeof bench; blackHole: typeof blackHole; group: typeof group };
export default derny;
