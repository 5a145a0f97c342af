package io.plimsoll.load;

import io.plimsoll.Exit;
import io.plimsoll.text.Sentence;

/**
 * A member of a consumer group, for those who want to see it fail. Any thread; each returns at once, and none has an
 * effect on a member that has ended.
 */
public interface GroupMember {

    /** Tells it from the others of the trial. */
    String name();

    /** For people, such as {@code member 2 of consumers-0-group-0}. */
    Sentence said();

    /** A group of ours without what all of the run's have in common. */
    static String shortened(String group, LoadContext context) {
        String ours = context.runTag() + "-";
        return group.startsWith(ours) ? group.substring(ours.length()) : group;
    }

    /** True until the member has ended. */
    boolean alive();

    /**
     * Ends the member as a process ends that is killed: nothing is committed any more, and the group is not told. The
     * group's coordinator notices when the session has expired.
     */
    void kill();

    /** Stops it from polling, as an application that hangs would; its heartbeats go on. */
    void pause();

    void resume();

    /** Puts a new member in the place of one that was killed, or has left. */
    void replace();

    /** Whether the group has told it its partitions. */
    default boolean joined() {
        return alive();
    }

    /** Ends in good order: it commits, and tells the group, unless it is a static member. */
    default void leave() {
        throw Exit.USAGE.because("load.membersElsewhere");
    }

    /**
     * Adds a member to its group.
     *
     * @return how that one is made to leave
     */
    default Runnable another() {
        throw Exit.USAGE.because("load.membersElsewhere");
    }
}
