package io.plimsoll.cli;

import io.plimsoll.run.ToolInfo;

/** What processes of tests say they are. */
public final class BuildOfTests {
    private BuildOfTests() {}

    /** Version and commit, as agents and coordinators compare them. */
    public static String name() {
        return ToolInfo.build();
    }
}
