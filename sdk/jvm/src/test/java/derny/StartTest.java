package derny;

import static derny.Tests.equal;
import static derny.Tests.that;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Tests the parts around the conversation: command line, runtime settings, and benchmark files. */
final class StartTest {
    void testTheOwnCommandLineIsKnown() throws IOException {
        List<String> words = Start.ownCommand();
        that(words.get(0).contains("java"), words.toString());
        that(words.contains("derny.Tests"), words.toString());
    }

    void testTheBlackholeIsAskedForOnce() {
        List<String> once = Start.withBlackhole(new ArrayList<>(Arrays.asList("java", "X")));
        List<String> twice = Start.withBlackhole(new ArrayList<>(once));
        equal(once, twice);
        equal(Runtimes.feature() >= 17, Settings.hasCompilerBlackhole(once));
        equal(Collections.singletonList("-Xmx1g"), Settings.withoutOwn(Arrays.asList("-Xmx1g", Blackhole.COMPILE_COMMAND)));
    }

    void testTheRuntimeSaysWhatItRunsWith() {
        List<String> items = Settings.items(new java.util.HashMap<>());
        // test.sh starts these tests with this flag.
        that(items.contains("compiler=in the foreground (-Xbatch)"), items.toString());
        that(items.contains("sink=store"), items.toString());
        that(items.stream().anyMatch(item -> item.startsWith("heap_max=")), items.toString());
        that(items.stream().anyMatch(item -> item.matches("gc=(Serial|Parallel|G1|Z|Shenandoah)")), items.toString());
    }

    void testAFileMeansItsClass() throws IOException {
        Path folder = Files.createTempDirectory("derny");
        Path file = folder.resolve("XBench.java");
        Files.write(file, "// package no.such;\npackage a.b ;\nclass XBench {}".getBytes("UTF-8"));
        equal("a.b.XBench", Main.classOf(file));
        Files.write(file, "class XBench {}".getBytes("UTF-8"));
        equal("XBench", Main.classOf(file));
        Files.delete(file);
        Files.delete(folder);
    }

    void testTheVersionIsThatOfTheJar() throws IOException {
        String pom = new String(Files.readAllBytes(new java.io.File("pom.xml").toPath()), "UTF-8");
        that(pom.contains("<version>" + Start.VERSION + "</version>"), "pom.xml has another version than " + Start.VERSION);
    }
}
