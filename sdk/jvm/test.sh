#!/usr/bin/env bash
# Runs all tests of this SDK: the jar built by Maven, unit tests, conformance, and projects of all
# supported kinds. Needs an engine (DERNY_BIN, or derny on the PATH), a JDK and Maven.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
sdk=$PWD
. ../../tests/checks.sh
# Maven compiles only a few files, so full optimisation of Maven itself would cost more than it
# saves.
export MAVEN_OPTS=${MAVEN_OPTS:--XX:TieredStopAtLevel=1 -XX:+UseSerialGC}

mvn --quiet --batch-mode package || exit 1
version=$(sed -n "s:^  <version>\(.*\)</version>:\1:p" pom.xml)
jar=$sdk/target/derny-$version.jar
# The same is true of other programs that run for a short time.
quick=(-XX:TieredStopAtLevel=1 -XX:+UseSerialGC)
javac "${quick[@]/#/-J}" -proc:none -d "$place/tests" -cp "$jar" src/test/java/derny/*.java || exit 1
java -Xbatch -XX:+UseSerialGC -cp "$place/tests:$jar" derny.Tests || status=1
# As in a run of the engine, classes come from an archive.
cp "$jar" "$place/derny.jar"
printf '%s\n' "$place/derny.jar" "$place/tests" derny.Training derny.Conformance >"$place/conformance.cp"
"$DERNY_BIN" dev conform -- sh run.sh "$place/conformance" Conformance java "${quick[@]}" || status=1

project=$sdk
for collector in Serial G1; do
    check "kept objects are old once the heap is settled ($collector)" says "became old" \
        java -XX:+Use${collector}GC -Xmn200m -cp "$place/tests:$jar" derny.OldAge
    check "kept objects are old even if the body allocates little ($collector)" says "became old" \
        java -XX:+Use${collector}GC -Xmn200m -cp "$place/tests:$jar" derny.OldAge 1000000
done
check "the engine contains every source file" bash -c 'for f in src/main/java/derny/*; do grep -q "\"$f\"" sdk.toml || { echo "$f"; exit 1; }; done'

# A folder of files without a build tool. Classes of a package find each other, and lib/ is on the
# class path.
project=$place/plain
mkdir -p "$project/source/some/where" "$project/lib"
cat >"$project/source/some/where/Words.java" <<'J'
package some.where;
class Words { static final String[] ALL = {"a", "b"}; }
J
cat >"$project/source/some/where/JoinBench.java" <<'J'
package some.where;
import derny.Benchmark;
class JoinBench {
    @Benchmark String join() { return String.join(" ", Words.ALL); }
    @Benchmark(jvmArgs = "-Dkind=own") String property() { return System.getProperty("kind").trim(); }
}
J
cat >"$project/source/some/where/FromJmhBenchmark.java" <<'J'
import org.openjdk.jmh.annotations.Benchmark;
class FromJmhBenchmark { }
J
check "a file is compiled and its benchmarks run" says "2 passed" "$DERNY_BIN" run --once
# compiles WANTED: succeeds if WANTED (yes or no) agrees with whether the next run compiles the file.
compiles() {
    local before
    now() { find "$place" -name JoinBench.class -exec stat -c '%i %z' {} +; }
    before=$(now)
    "$DERNY_BIN" run --once join || return 1
    [ -n "$before" ] && if [ "$1" = yes ]; then [ "$(now)" != "$before" ]; else [ "$(now)" = "$before" ]; fi
}
check "a file is not compiled again if nothing that it needs has changed" compiles no
sed -i 's/"b"/"c"/' "$project/source/some/where/Words.java"
check "a file is compiled again when a class that it uses has changed" compiles yes
cp -p "$jar" "$project/lib/new.jar"
check "a file is compiled again when a jar is added" compiles yes
check "a file is not compiled again after that" compiles no
check "files of JMH are ignored" says "1 suite" "$DERNY_BIN" list
mkdir -p "$project/family"
cat >"$project/family/BaseBenchmark.java" <<'J'
package family;
import derny.Benchmark;
public abstract class BaseBenchmark {
    abstract int value();
    @Benchmark int twice() { return 2 * value(); }
}
J
cat >"$project/family/OneBenchmark.java" <<'J'
package family;
public class OneBenchmark extends BaseBenchmark { int value() { return 1; } }
J
cat >"$project/family/NestedBench.java" <<'J'
package family;
public class NestedBench {
    public static class Two extends BaseBenchmark { int value() { return 2; } }
    public abstract static class Other extends BaseBenchmark { }
    public static class Three { @derny.Benchmark int three() { return 3; } }
}
J
echo 'class TheirsBenchmark { void main() { no such thing } }' >"$project/TheirsBenchmark.java"
# inherits: fails unless the cases are those that the classes declare or inherit, and unrelated
# files are not compiled.
inherits() {
    local told
    told=$("$DERNY_BIN" run --once 2>&1)
    echo "$told"
    grep -qF "5 passed" <<<"$told" && for text in One/twice Nested/Two/twice Nested/Three/three; do
        grep -qF "family/$text" <<<"$told" || return 1
    done
}
check "benchmarks are inherited, nested classes have their own, abstract classes and unrelated files have none" inherits
rm -r "$project/family" "$project/TheirsBenchmark.java"
check "flags of a variant reach the JVM" says "ZGC" "$DERNY_BIN" run --once -x zgc="java -XX:+UseZGC -Xlog:gc+init:stderr" -v join
tiny=(--budget 300ms --set processes=2 --set rounds=2 --set warmup=0)
check "a benchmark is measured" says "alloc/op" "$DERNY_BIN" run join "${tiny[@]}"
cat >"$project/GivenUpBench.java" <<'J'
import derny.Benchmark;
class GivenUpBench {
    int calls;
    // -Xbatch: compiled before the first call that takes the branch. -Xmn8m: garbage is collected soon.
    @Benchmark(jvmArgs = {"-Xbatch", "-Xmn8m"}) byte[] branch() {
        return ++calls > 20_000 && calls % 2 == 0 ? new byte[100_000] : new byte[1_000];
    }
}
J
# told TEXT...: fails unless the output of a diagnosed run contains all texts in one of three
# attempts. On a busy machine, a profiler may get no samples of so short a run.
told() {
    local told missing
    for _ in 1 2 3; do
        told=$("$DERNY_BIN" run branch --diagnose "${tiny[@]}" 2>&1)
        echo "$told"
        missing=
        for text; do grep -qF -- "$text" <<<"$told" || missing=$text; done
        [ -z "$missing" ] && return
        echo "missing from the output: $missing"
    done
    return 1
}
check "deoptimised code, collections and a profile are reported" told "GivenUpBench.branch line 6: unstable_if" " GC(0) " "% of samples: " recording.jfr
rm "$project/GivenUpBench.java"
echo 'oops' >>"$project/source/some/where/JoinBench.java"
check "a file that cannot be compiled is reported" says "cannot be built" "$DERNY_BIN" run --once

# A Maven project with this jar on its test class path.
project=$place/maven
mkdir -p "$project/src/test/java/x" "$project/src/main/java/x"
cat >"$project/pom.xml" <<J
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>x</groupId><artifactId>x</artifactId><version>1</version>
  <properties><maven.compiler.source>8</maven.compiler.source><maven.compiler.target>8</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
  <dependencies><dependency><groupId>derny</groupId><artifactId>derny</artifactId><version>$version</version>
    <scope>system</scope><systemPath>$jar</systemPath></dependency></dependencies>
  <build><plugins>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.11.0</version></plugin>
    <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
  </plugins></build>
</project>
J
echo 'package x; public class Sum { public static int of(int a) { return a + 1; } }' >"$project/src/main/java/x/Sum.java"
cat >"$project/src/test/java/x/SumBench.java" <<'J'
package x;
public class SumBench {
    int a = 1;
    @derny.Benchmark int sum() { return Sum.of(a); }
}
J
sed -i '1a import derny.Benchmark;' "$project/src/test/java/x/SumBench.java"
check "Maven compiles a project and provides its class path" says "1 passed" "$DERNY_BIN" run --once
check "derny init writes a first benchmark" says "wrote  bench/FirstBench.java" "$DERNY_BIN" init java
check "Maven is called again when a file is added" says "First/join n=10 passed" "$DERNY_BIN" run --once

# A Gradle project. It is tested only if Gradle is installed, since no build here needs it.
project=$place/gradle
mkdir -p "$project/part/src/test/java/x" "$project/part/src/main/java"
cp -r "$place/maven/src/main/java/x" "$project/part/src/main/java/x"
cp "$place/maven/src/test/java/x/SumBench.java" "$project/part/src/test/java/x"
touch "$project/derny.toml" "$project/build.gradle"
echo "include 'part'" >"$project/settings.gradle"
printf "apply plugin: 'java'\ndependencies { testCompileOnly files('%s') }\n" "$jar" >"$project/part/build.gradle"
if command -v gradle >/dev/null; then
    check "Gradle compiles a project and provides its class path" says "1 passed" "$DERNY_BIN" run --once
else
    skip "Gradle compiles a project and provides its class path" "gradle is not installed"
fi

# A program with its own main method, also started by a user.
project=$place/plain
cat >"$project/Program.java" <<'J'
public class Program {
    public static void main(String[] args) {
        derny.Suite suite = new derny.Suite();
        suite.bench("now", () -> System.nanoTime());
        suite.main();
    }
}
J
javac "${quick[@]/#/-J}" -proc:none -d "$place/program" -cp "$jar" "$project/Program.java" || status=1
run=(java "${quick[@]}" -cp "$place/program:$jar" Program)
check "a program given by its command line is measured" says "1 passed" "$DERNY_BIN" run --once -- "${run[@]}"
check "a program that a user starts with java starts the engine" says "now" "${run[@]}"
check "without an engine, a message says what to do" refuses "DERNY_BIN" env -u DERNY_BIN PATH= "$(command -v java)" -cp "$place/program:$jar" Program
check "a single stream is an error" refuses "only one of" env DERNY_COMMANDS=/dev/null "${run[@]}"
mkdir -p "$place/made"
check "the jar can be built with javac alone" bash -c '"$1/jar.sh" "$2" && java -cp "$2/derny.jar" derny.Training | grep -q "^closed"' - "$sdk" "$place/made"
sum
jmh/test.sh || status=1
jmh/languages.sh || status=1
clojure/test.sh || status=1
exit "$status"
