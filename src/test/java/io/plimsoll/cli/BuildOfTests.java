package io.plimsoll.cli;

import io.plimsoll.run.ToolInfo;

/** The build information of test processes. */
public final class BuildOfTests {
    private BuildOfTests() {}

    /** Version and commit, as compared by agents and coordinators. */
    public static String name() {
        return ToolInfo.build();
    }
}
