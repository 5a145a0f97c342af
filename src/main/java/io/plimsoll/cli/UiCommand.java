package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.web.RunsPage;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll ui}. */
@Command(name = "ui", description = "Shows the runs of a directory in a browser, until Ctrl-C.")
final class UiCommand extends PlimsollCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "DIR",
            defaultValue = "runs",
            description = "Holds the directories of the runs. Default: ${DEFAULT-VALUE}.")
    Path directory;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "0",
            description = "Where to listen. Default: any that is free.")
    int port;

    @Option(
            names = "--ui-bind",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description =
                    "Address of this machine to listen on. Anything but loopback needs the token that is part of the"
                            + " printed address. Default: ${DEFAULT-VALUE}.")
    String bind;

    @Override
    Exit perform() throws InterruptedException {
        try (RunsPage page = new RunsPage(directory, bind, port)) {
            out().println(page.address());
            out().flush();
            new CountDownLatch(1).await();
        }
        return Exit.PASSED;
    }
}
