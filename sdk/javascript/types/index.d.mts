export * from './index.cjs';
import { attach, bench, blackHole, group } from './index.cjs';

declare const derny: { attach: typeof attach; bench: typeof bench; blackHole: typeof blackHole; group: typeof group };
export default derny;
