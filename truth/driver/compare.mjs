// One comparison: a language is made ready, and a body is measured on both sides.
import { command, isThere } from './command.mjs';
import { derny, prepare } from './derny.mjs';
import { LANGUAGES } from './languages.mjs';
import { ROOT } from './places.mjs';
import { plain, pool } from './plain.mjs';

/** An error in one line. */
const message = (error) => error.message.replace(/\s*\n\s*/g, ' | ');

/**
 * Builds a language's programs.
 * @returns {Promise<null | {missing: boolean, why: string}>} what stands in the way, such as a missing toolchain
 */
export async function obstacle(engine, name) {
  const language = LANGUAGES[name];
  const absent = language.needs.filter((program) => !isThere(program));
  if (absent.length) return { missing: true, why: `${absent.join(' and ')} not found on the PATH` };
  try {
    for (const words of language.build?.() ?? []) {
      await command(words, { seconds: 600, cwd: ROOT, env: language.env });
    }
    await prepare(engine, language);
    return null;
  } catch (error) {
    return { missing: false, why: message(error) };
  }
}

/**
 * Measures one body: the plain loop, Derny, the plain loop again, so that a drift of the machine moves both sides.
 * @param {{plan: object, extra: string[], before?: string}} how times of the plain loop, words for `derny run`, and an older engine that
 *        is measured between the same plain loops
 * @returns a result; it has an `error` if a program failed
 */
export async function compare(engine, name, body, { plan, extra, before }) {
  const head = { language: name, body };
  const language = LANGUAGES[name];
  try {
    const loops = [await plain(language, body, plan)];
    const earlier = before && (await derny(before, language, body, extra));
    if (earlier) loops.push(await plain(language, body, plan));
    const measured = await derny(engine, language, body, extra);
    loops.push(await plain(language, body, plan));
    return { ...head, plain: pool(loops), derny: measured, ...(earlier && { before: earlier }) };
  } catch (error) {
    return { ...head, error: message(error) };
  }
}

/** What Derny reports over what the plain loop took. */
export const ratios = ({ plain: loop, derny: measured }) => ({
  typical: measured.typical_ns / loop.typical_ns,
  ...(measured.mean_ns !== null && { mean: measured.mean_ns / loop.mean_ns }),
});

/** Whether both ratios of a result lie within 1/bound and bound. */
export function agrees(result, bound) {
  return !result.error && Object.values(ratios(result)).every((ratio) => ratio >= 1 / bound && ratio <= bound);
}
