import derny.Benchmark;
import derny.Filter;
import derny.Param;
import derny.Setup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks up an item in a list and in a set. The cases are all combinations of the values that the
 * filter keeps.
 */
public class SearchBench {
    enum Where { FIRST, LAST, ABSENT }

    @Param({"10", "1000"})
    int n;

    @Param
    Where where;

    private final List<String> items = new ArrayList<>();
    private Set<String> set;
    private String wanted;

    // Excludes one combination: an absent item in a short list.
    @Filter
    boolean isCase() {
        return !(n == 10 && where == Where.ABSENT);
    }

    // Runs once per case, untimed.
    @Setup
    public void setup() {
        for (int i = 0; i < n; i++) items.add("item" + i);
        set = new HashSet<>(items);
        wanted = where == Where.FIRST ? "item0" : where == Where.LAST ? "item" + (n - 1) : "nothing";
    }

    @Benchmark("search/list")
    public boolean list() {
        return items.contains(wanted);
    }

    @Benchmark("search/set")
    public boolean set() {
        return set.contains(wanted);
    }
}
