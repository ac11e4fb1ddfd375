import derny from './index.cjs';

export const { attach, bench, blackHole, group } = derny;
export default derny;
