package io.plimsoll.run;

import java.util.Set;
import java.util.TreeSet;

/** Topics that one trial leaves to the next. Whoever takes them has to leave or delete them. One thread. */
final class KeptTopics {
    private Set<String> names = new TreeSet<>();

    void leave(Set<String> topics) {
        names = new TreeSet<>(topics);
    }

    Set<String> take() {
        Set<String> taken = names;
        names = new TreeSet<>();
        return taken;
    }
}
