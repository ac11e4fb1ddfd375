import derny from './index.cjs';

export const { bench, blackHole, group } = derny;
export default derny;
