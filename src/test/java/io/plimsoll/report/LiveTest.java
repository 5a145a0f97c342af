package io.plimsoll.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plimsoll.measure.Phase;
import io.plimsoll.measure.Snapshot;
import io.plimsoll.report.Live.SttyScreen;
import io.plimsoll.report.LiveState.LineProgress;
import io.plimsoll.report.LiveState.LiveFigures;
import io.plimsoll.report.TerminalPanel.LivePanel;
import io.plimsoll.result.Progress;
import io.plimsoll.result.TimelineEvent.TrialPlan;
import io.plimsoll.result.Timelines;
import io.plimsoll.result.Timelines.Second;
import io.plimsoll.text.Language;
import io.plimsoll.text.Sentence;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The live panel and the progress lines show the progress, and leave the terminal unchanged. */
class LiveTest {
    private static final TrialPlan PLAN = Timelines.plan(true);
    private final AtomicLong now = new AtomicLong();

    private static Snapshot snapshot(long sequence, Second second) {
        return second.snapshot("latency", sequence, Phase.MEASURE, PLAN);
    }

    private static Second second() {
        return new Second(5000, Timelines.spread(5000, 1000, 9000))
                .acknowledged(4900)
                .lag(12);
    }

    private static LiveFigures figures() {
        LiveState state = new LiveState();
        state.phase("latency", "measure", 0.25, 15, 0);
        state.snapshot(snapshot(0, second().errors(Map.of("TimeoutException", 2L))));
        return state.figures(0);
    }

    @Test
    void panelShowsMainFigures() {
        assertThat(new LivePanel(new Look(100, false, Language.EN)).lines(figures()))
                .containsExactly(
                        "latency · measuring",
                        "████████████░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░   25 %   15 s left",
                        "offered    5,000/s               achieved 4,900/s      4.9 MB/s",
                        "response   p50 5.0 ms            p99 8.9 ms            max 9.0 ms",
                        "errors     2                     generator 0.50 cores  lag 12");
    }

    @Property
    void panelFitsTerminalWidth(@ForAll @IntRange(min = 1, max = 140) int width) {
        assertThat(new LivePanel(new Look(width, false, Language.EN)).lines(figures()))
                .allSatisfy(l -> assertThat(Text.width(l)).isLessThanOrEqualTo(width));
    }

    @Test
    void showsNoLoadOutsideTrials() {
        LiveState state = new LiveState();
        state.phase(null, "starting brokers", -1, -1, 0);
        assertThat(new LivePanel(new Look(80, false, Language.EN)).lines(state.figures(0)))
                .containsExactly("starting brokers", "…");
    }

    @Test
    void progressAdvancesBetweenReports() {
        LiveState state = new LiveState();
        state.phase("latency", "measure", 0.5, 10, 0);
        LiveFigures later = state.figures(5 * Timelines.SECOND);
        assertThat(later.fraction()).isEqualTo(0.75);
        assertThat(later.etaSeconds()).isEqualTo(5);
        LiveFigures late = state.figures(50 * Timelines.SECOND);
        assertThat(late.fraction()).isEqualTo(1);
        assertThat(late.etaSeconds()).isZero();
    }

    @Test
    void openEndedPhaseShowsElapsedTime() {
        LiveState state = new LiveState();
        assertThat(state.figures(75_000 * Timelines.SECOND).elapsedSeconds())
                .as("before the first phase")
                .isZero();
        state.phase("latency", "warm-up until steady", -1, -1, 0);
        state.phase("latency", "warm-up until steady", -1, -1, 7 * Timelines.SECOND);
        LiveFigures figures = state.figures(12 * Timelines.SECOND);
        assertThat(figures.elapsedSeconds()).isEqualTo(12);
        assertThat(new LivePanel(new Look(80, false, Language.EN))
                        .lines(figures)
                        .get(1))
                .contains("12 s");
        state.phase("latency", "measuring", -1, -1, 20 * Timelines.SECOND);
        assertThat(state.figures(21 * Timelines.SECOND).elapsedSeconds()).isEqualTo(1);
    }

    @Test
    void panelShowsFailingChecks() {
        LiveState state = new LiveState();
        state.phase("latency", "measuring", 0, 10, 0);
        state.checks(List.of("produce.errors == 0"), List.of("produce.response.p99 < 5ms"));
        List<String> lines = new LivePanel(new Look(80, false, Language.EN)).lines(state.figures(0));
        assertThat(lines.get(lines.size() - 1)).contains("1 of 2", "produce.response.p99 < 5ms");
        state.phase("throughput", "measuring", 0, 10, 0);
        assertThat(state.figures(0).checks()).as("of another trial").isNull();
    }

    @Test
    void figuresCoverTimeSinceLastDisplay() {
        LiveState state = new LiveState();
        state.phase("latency", "measure", 0, 10, 0);
        state.snapshot(snapshot(0, second()));
        state.snapshot(snapshot(1, second().acknowledged(5100).errors(Map.of("A", 1L))));
        assertThat(state.figures(0).load().produced().records()).isEqualTo(5000);
        assertThat(state.figures(0).load().produced().records())
                .as("kept until there is news")
                .isEqualTo(5000);
        state.snapshot(snapshot(2, second().acknowledged(2000).errors(Map.of("A", 1L))));
        assertThat(state.figures(0).load().produced().records()).isEqualTo(2000);
        assertThat(state.figures(0).load().errors()).as("of the whole trial").isEqualTo(2);
        state.phase("throughput", "measure", 0, 10, 0);
        assertThat(state.figures(0).load()).as("nothing of the trial before").isNull();
    }

    @Test
    void drawsPanelInPlaceAndRemovesIt() {
        VirtualScreen screen = new VirtualScreen(80, 24);
        screen.out().println("before");
        TerminalPanel panel = new TerminalPanel(screen.out(), screen, true, Language.EN, now::get);
        panel.phase("latency", "warm-up", 0, 5);
        for (int i = 0; i < 20; i++) {
            panel.draw();
            panel.snapshot(snapshot(i, second()));
        }
        panel.draw();
        assertThat(screen.lines()).hasSize(6).startsWith("before", "latency · warming up");
        assertThat(screen.cursorVisible).isFalse();
        panel.note(Sentence.verbatim("a broker went away"));
        assertThat(screen.lines()).hasSize(7).startsWith("before", "a broker went away", "latency · warming up");
        panel.phase(null, "cleaning up", -1, -1);
        panel.draw();
        assertThat(screen.lines()).containsExactly("before", "a broker went away", "cleaning up", "…");
        assertThat(screen.widest()).isLessThan(80);
        screen.out().print("^C");
        panel.close();
        assertThat(screen.lines()).containsExactly("before", "a broker went away");
        assertThat(screen.cursorVisible).isTrue();
        panel.draw();
        panel.note(Sentence.verbatim("late"));
        assertThat(screen.lines()).containsExactly("before", "a broker went away", "late");
    }

    @Test
    void chinesePanelKeepsColumns() {
        List<String> lines = new LivePanel(new Look(60, false, Language.ZH)).lines(figures());
        assertThat(lines.get(1)).endsWith("剩余 15 s");
        assertThat(lines.get(2)).startsWith("给定       5,000/s               实际 4,900/s");
        assertThat(lines).allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(60));
        LiveState starting = new LiveState();
        starting.phase(null, "starting brokers", -1, -1, 0);
        assertThat(new LivePanel(new Look(80, false, Language.ZH)).lines(starting.figures(0)))
                .startsWith("正在启动 broker");
    }

    @Property(tries = 100)
    void panelNeverScrollsTerminalOfAnySize(
            @ForAll @IntRange(min = 1, max = 90) int columns, @ForAll @IntRange(min = 1, max = 9) int rows) {
        VirtualScreen screen = new VirtualScreen(columns, rows);
        TerminalPanel panel = new TerminalPanel(screen.out(), screen, false, Language.EN, () -> 0);
        panel.phase("latency", "measure", 0.5, 5);
        for (int i = 0; i < 5; i++) {
            panel.snapshot(snapshot(i, second()));
            panel.draw();
        }
        assertThat(screen.lines()).hasSizeLessThan(rows);
        panel.close();
        assertThat(screen.lines()).isEmpty();
        assertThat(rows > 1 && screen.clearedWhole).isFalse();
    }

    @Test
    void printsLineEveryFiveSecondsWithoutTerminal() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Progress progress = new LineProgress(new PrintStream(out, true, StandardCharsets.UTF_8), Language.EN, now::get);
        progress.phase(null, "starting brokers", -1, -1);
        progress.phase("my trial", "measure", 0, 15);
        for (int i = 0; i < 12; i++) {
            now.addAndGet(Timelines.SECOND);
            progress.phase("my trial", "measure", (i + 1) / 15.0, 14 - i);
            progress.snapshot(snapshot(i, second()));
        }
        progress.checks(List.of("a"), List.of("b"));
        progress.phase("my trial", "draining", -1, -1);
        progress.note(Sentence.verbatim("a broker went away"));
        progress.close();
        assertThat(out.toString(StandardCharsets.UTF_8).lines().toList())
                .isEqualTo(List.of(
                        "seconds=0 phase=\"starting brokers\"",
                        "seconds=0 trial=\"my trial\" phase=measure done=0% eta=15s",
                        "seconds=5 trial=\"my trial\" phase=measure done=33% eta=10s offered=5000 achieved=4900"
                                + " MB=4.90 consumed=4900 p50ms=5.00 p99ms=8.92 maxms=9.01 errors=0 lag=12 cores=0.50",
                        "seconds=10 trial=\"my trial\" phase=measure done=67% eta=5s offered=5000 achieved=4900"
                                + " MB=4.90 consumed=4900 p50ms=5.00 p99ms=8.92 maxms=9.01 errors=0 lag=12 cores=0.50",
                        "seconds=12 trial=\"my trial\" phase=measure done=80% eta=3s offered=5000 achieved=4900"
                                + " MB=4.90 consumed=4900 p50ms=5.00 p99ms=8.92 maxms=9.01 errors=0 lag=12 cores=0.50"
                                + " checks=1/2",
                        "seconds=12 trial=\"my trial\" phase=draining",
                        "note=\"a broker went away\""));
    }

    @Test
    void quietShowsNothingAndDumbTerminalShowsLines() {
        assertThat(Live.progress(true, Map.of(), Language.EN)).isSameAs(Progress.NONE);
        assertThat(Live.progress(false, Map.of("TERM", "dumb"), Language.EN)).isInstanceOf(LineProgress.class);
        assertThat(Live.look(Map.of("TERM", "dumb"), Language.EN)).isEqualTo(new Look(100, false, Language.EN));
    }

    @Test
    void plainModeShowsLinesOnAnyTerminal() {
        Map<String, String> environment = Map.of("TERM", "xterm", Live.PLAIN, "1");
        assertThat(Live.progress(false, environment, Language.EN)).isInstanceOf(LineProgress.class);
        assertThat(Live.look(environment, Language.ZH)).isEqualTo(Look.plain(Language.ZH));
        assertThat(Live.look(Map.of(Live.PLAIN, ""), Language.EN).plain()).isFalse();
    }

    /** A console also exists if only standard error is redirected, so the panel would be drawn into a file. */
    @ParameterizedTest
    @CsvSource({"/dev/pts/3, true", "/dev/tty1, true", "/tmp/run.log, false", "pipe:[17], false", ", true"})
    void recognizesTerminalByDescriptor(String target, boolean terminal, @TempDir Path directory) throws IOException {
        Path descriptor = directory.resolve("2");
        if (target != null) {
            Files.createSymbolicLink(descriptor, Path.of(target));
        }
        assertThat(Live.leadsToTerminal(descriptor)).isEqualTo(terminal);
    }

    @Test
    void parsesTerminalSizes() {
        assertThat(SttyScreen.parse("24 80\n")).hasValue(new TerminalPanel.Size(80, 24));
        assertThat(SttyScreen.parse("0 0\n")).isEmpty();
        assertThat(SttyScreen.parse("")).isEmpty();
        assertThat(SttyScreen.parse("stty: standard input\n")).isEmpty();
    }
}
