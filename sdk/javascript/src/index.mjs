import derny from './index.cjs';

export const { bench, group } = derny;
export default derny;
