package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.web.RunsPage;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "ui")
final class UiCommand extends PlimsollCommand {
    @Parameters(arity = "0..1", paramLabel = "DIR", defaultValue = "runs", descriptionKey = "argument.ui.directory")
    Path directory;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "0")
    int port;

    @Mixin
    BindOptions bind = new BindOptions();

    @Override
    Exit perform() throws InterruptedException {
        try (RunsPage page = new RunsPage(directory, bind.place(port))) {
            out().println(page.address());
            out().flush();
            new CountDownLatch(1).await();
        }
        return Exit.PASSED;
    }
}
