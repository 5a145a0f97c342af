package io.plimsoll.load;

import io.plimsoll.Exit;
import io.plimsoll.text.Sentence;

/**
 * A member of a consumer group as the target of injected failures. Usable by any thread. Each call returns immediately
 * and has no effect on a member that has ended.
 */
public interface GroupMember {

    /** Its name, unique in the trial. */
    String name();

    /** Its name in messages, such as {@code member 2 of consumers-0-group-0}. */
    Sentence said();

    /** The name of a group without the prefix that all groups of the run share. */
    static String shortened(String group, LoadContext context) {
        String ours = context.runTag() + "-";
        return group.startsWith(ours) ? group.substring(ours.length()) : group;
    }

    boolean alive();

    /**
     * Ends the member like a killed process: without a commit and without leaving the group. The group detects the
     * failure only when the session expires.
     */
    void kill();

    /** Stops polling, like a hanging application; heartbeats continue. */
    void pause();

    void resume();

    /** Replaces a member that was killed or has left. */
    void replace();

    /** Whether the member has its assignment. */
    default boolean joined() {
        return alive();
    }

    /** Ends cleanly: commits, and leaves the group unless it is a static member. */
    default void leave() {
        throw Exit.USAGE.because("load.membersElsewhere");
    }

    /**
     * Adds another member to this member's group.
     * @return a task that makes the added member leave
     */
    default Runnable another() {
        throw Exit.USAGE.because("load.membersElsewhere");
    }
}
