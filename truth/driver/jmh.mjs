// Measures some of Java's bodies with JMH.
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { command } from './command.mjs';
import { built, source } from './places.mjs';

export const JMH_BODIES = ['sum', 'objects', 'stream', 'sort', 'join', 'builder'];

const FORKS = ['-f', '3', '-wi', '5', '-w', '1', '-i', '5', '-r', '1'];

/**
 * Builds the project in a copy, so that the checkout stays clean.
 * @returns a function that measures a body in nanoseconds per call
 */
export async function jmh() {
  const project = built('jmh');
  rmSync(project, { recursive: true, force: true });
  mkdirSync(project, { recursive: true });
  cpSync(source('java/jmh'), project, { recursive: true });
  cpSync(source('java/truth/Bodies.java'), `${project}/src/main/java/truth/Bodies.java`);
  const maven = ['mvn', '--quiet', '--batch-mode', 'package', 'dependency:copy-dependencies'];
  await command([...maven, `-DoutputDirectory=${project}/target/lib`], { seconds: 600, cwd: project });
  const java = ['java', '-cp', `${project}/target/classes:${project}/target/lib/*`, 'org.openjdk.jmh.Main'];
  return async (body) => {
    const file = `${project}/${body}.json`;
    const words = [...java, `TruthJmh.${body}$`, ...FORKS, '-rf', 'json', '-rff', file];
    await command(words, { seconds: 300, cwd: project });
    return JSON.parse(readFileSync(file, 'utf8'))[0].primaryMetric.score;
  };
}
