package io.plimsoll.cli;

/** What processes of tests say they are. */
public final class BuildOfTests {
    private BuildOfTests() {}

    /** Version and commit, as agents and coordinators compare them. */
    public static String name() {
        return ToolInfo.build();
    }
}
